import type { Subject } from '#contract/subjects';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { hasBrowser } from '../support/chromium.ts';
import { openLedger, storeEntries, timeline } from '../support/ledger-screen.ts';
import { clipboard, column, openScores, paste, table, untilGrades } from '../support/score-screen.ts';
import { ten } from '../support/score-tables.ts';
import { sharedStack } from '../support/shared-stack.ts';
import { credential, login } from '../support/sign-in.ts';

/** Copies a table as a person does who has drawn the mouse over it. */
async function copied(page: Page, shown: Locator): Promise<string> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await shown.evaluate((element) => getSelection()?.selectAllChildren(element));
  await page.keyboard.press('ControlOrMeta+c');
  return await clipboard(page);
}

/** A table that a screen shows is understood by its own import; of the roster STU-16 in students.test.ts shows it. */
describe.skipIf(!hasBrowser)('a table copied from its screen', () => {
  const stack = sharedStack('empty');

  test('SUB-4 is the same timetable again', async () => {
    const { cookie } = await login(stack.origin, await credential(stack.origin, 'admin@lab.test'));
    const address = `${stack.origin}/api/subjects/ai/2025/spring`;
    const subjects: Subject[] = [
      { ...course, id: '0101', name: '기계학습', year: 3, etc: '"영어", 강의' },
      { ...course, id: '0102-1', name: '=로봇 공학', year: 0, prof: '', time: '', classroom: '' },
    ];
    await fetch(address, {
      method: 'PUT',
      headers: { cookie, 'content-type': 'application/json' },
      body: JSON.stringify(subjects),
    });
    const { page } = await openScores(stack);
    await page.goto('/manage_subjects_list?dept=ai&year=2025&semester=spring');
    const shown = page.getByRole('table', { name: '과목 목록' });
    await shown.getByText('기계학습', { exact: true }).waitFor();
    const text = await copied(page, shown);
    await page.getByRole('tab', { name: '가져오기' }).click();
    await page.getByRole('textbox', { name: '시간표' }).fill(text);
    await page.getByRole('button', { name: '미리보기' }).click();
    await page.getByRole('button', { name: '2개 과목 저장' }).click();
    await page.getByRole('dialog').getByRole('button', { name: '저장' }).click();
    await page.getByText('변경 완료', { exact: true }).waitFor();
    const stored = await (await fetch(address, { headers: { cookie } })).json();
    expect(stored).toEqual(Object.fromEntries(subjects.map((each) => [each.id, each])));
  });

  test('ACC-5 ACC-6 is the account that is there already, and what was pasted outlives a look at it', async () => {
    storeEntries(stack, [
      ['2026-03-02', 50_000, '=회비, "3월"'],
      ['2026-03-05', -12_000, '복사 용지'],
      ['2026-03-06', 1_234_567, ''],
    ]);
    const { page } = await openLedger(stack);
    await timeline(page).getByText('복사 용지').waitFor();
    const text = await copied(page, timeline(page));
    await page.getByRole('tab', { name: '가져오기' }).click();
    const field = page.getByRole('textbox', { name: '거래 내역' });
    await field.fill(text);
    await page.getByRole('button', { name: '미리보기' }).click();
    await page.getByRole('button', { name: '0건 추가' }).waitFor();
    await expect.poll(() => page.getByText('읽을 수 없는 행').count()).toBe(0);

    await page.getByRole('tab', { name: '내역' }).click();
    await timeline(page).getByText('복사 용지').waitFor();
    await page.getByRole('tab', { name: '가져오기' }).click();
    await expect.poll(() => field.inputValue()).toBe(text.replaceAll('\r\n', '\n'));
    await page.getByRole('button', { name: '미리보기' }).click();
    await page.getByRole('button', { name: '0건 추가' }).waitFor();
  });

  test('SCO-1 is the same class with the same grades', async () => {
    const { page } = await openScores(stack);
    await paste(page, ten);
    const grades = await column(page, '학점');
    const text = await copied(page, table(page));
    await page.reload();
    await page.getByRole('heading', { level: 1, name: '성적 관리' }).waitFor();
    await paste(page, text);
    await untilGrades(page, grades);
  });
});

const course: Omit<Subject, 'id' | 'name'> = {
  year: 1,
  type: '전공필수',
  score: 3,
  prof: '한가람',
  time: '월1,2/수3',
  classroom: '공502',
  etc: '',
};
