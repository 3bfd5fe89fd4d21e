import { addMonths, monthSpan, seoulMonth } from '#contract/log-reviews';
import { describe, expect, test } from 'vitest';
import { store } from '../support/both-databases.ts';
import { visit } from '../support/browser.ts';
import { hasBrowser } from '../support/chromium.ts';
import { sharedStack } from '../support/shared-stack.ts';
import { dismissToast } from '../support/toast.ts';

describe.skipIf(!hasBrowser)('the monthly review of the access log', () => {
  const stack = sharedStack('demo');

  test('USER-6 is counted beside its screen until an admin has signed the month off', async () => {
    // The oldest of two that wait.
    const month = addMonths(seoulMonth(Date.now()), -2);
    const name = `${month.slice(0, 4)}년 ${Number(month.slice(5))}월`;
    store(
      stack.dataDir,
      `INSERT INTO access_log (at, actor_id, address, action, subject, detail)
       SELECT ?, id, '192.0.2.7', 'export', 'student', '{"reason":"학과 제출","count":40}' FROM users WHERE secure_level = 1`,
      monthSpan(month).from + 3_600_000,
    );

    const { page, problems } = await visit(stack, { as: 'admin@lab.test', at: '/settings' });
    await page.getByRole('main').getByRole('link', { name: '점검할 달 2개' }).click();
    await page.getByRole('tab', { name: '월별 점검 (2)' }).click();
    const report = page.getByRole('article', { name: `${name} 접속 기록 점검` });
    await report.getByRole('table', { name: '내보내기와 사유' }).getByText('사유: 학과 제출').waitFor();
    await report.getByText('밤 0시부터 6시 사이에 1건').waitFor();

    await page.emulateMedia({ media: 'print' });
    await expect.poll(() => page.getByRole('tablist').isVisible()).toBe(false);
    await expect.poll(() => report.getByText('점검 전입니다.').isVisible()).toBe(true);
    await page.emulateMedia({ media: 'screen' });

    await page.getByRole('button', { name: 'CSV 저장' }).click();
    await page.getByRole('dialog').getByRole('textbox', { name: '사유' }).fill('감사 제출');
    const download = page.waitForEvent('download');
    await page.getByRole('dialog').getByRole('button', { name: '저장' }).click();
    expect((await download).suggestedFilename()).toBe(`접속 기록 월별 점검 ${month}.csv`);
    await dismissToast(page, '내보내기 완료');

    const done = page.getByRole('button', { name: `${name} 점검 완료` });
    await done.click();
    await page.getByText('점검 의견을 입력하세요').waitFor();
    await page.getByRole('textbox', { name: '점검 의견' }).fill('이상 없음');
    await done.click();
    const toast = page.getByRole('listitem').filter({ hasText: '점검 완료' });
    await toast.waitFor();
    await page.emulateMedia({ media: 'print' });
    expect(await toast.isVisible()).toBe(false);
    await page.emulateMedia({ media: 'screen' });
    await dismissToast(page, '점검 완료');
    // Another month waits now; print and file are still of the one that was signed.
    await page.getByRole('tab', { name: '월별 점검 (1)' }).waitFor();
    await report.getByText('이상 없음').waitFor();
    await expect.poll(() => done.count()).toBe(0);
    expect(problems).toEqual([]);
  });
});
