import { seoulDay } from '#contract/time';
import type { Page, Route } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { topicParticle } from '../../web/src/lib/hangul.ts';
import { apiAnswer } from '../support/api-answer.ts';
import { visit } from '../support/browser.ts';
import { hasBrowser } from '../support/chromium.ts';
import { chooseRowAction } from '../support/row-menu.ts';
import {
  openLedger,
  storedEntries,
  storeEntries,
  timeline,
  timelineTexts,
  toast,
} from '../support/ledger-screen.ts';
import { removeSession } from '../support/sign-in-page.ts';
import { sharedStack } from '../support/shared-stack.ts';
import { storedDrafts } from '../support/stored-drafts.ts';

describe.skipIf(!hasBrowser)('the account screen', () => {
  const stack = sharedStack('empty');

  const stored = () => storedEntries(stack);
  const store = (...rows: [day: string, amount: number, description: string][]) => storeEntries(stack, rows);
  const open = () => openLedger(stack);
  const row = (page: Page, text: string) => timeline(page).getByRole('row').filter({ hasText: text });

  test('ACC-1 ACC-3 an entry is a withdrawal of today unless it is said otherwise', async () => {
    store();
    const { page, problems } = await open();
    await page.getByText('내역이 없습니다.', { exact: false }).waitFor();
    await expect.poll(() => page.getByRole('radio', { name: '출금' }).isChecked()).toBe(true);
    const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Seoul' }).format();
    await expect.poll(() => page.getByLabel('날짜').inputValue()).toBe(today);

    await page.getByLabel('날짜').fill('2026-03-02');
    await page.getByLabel('금액').fill('12,000');
    await page.getByLabel('내용', { exact: true }).fill('복사 용지');
    await expect.poll(async () => (await storedDrafts(page)).length).toBe(1);
    await page.getByRole('button', { name: '추가', exact: true }).click();
    await toast(page, '추가 완료');
    // Whoever reads that does not find the draft again by a reload.
    expect(await storedDrafts(page)).toEqual([]);
    await expect.poll(() => page.getByLabel('금액').inputValue()).toBe('');
    await page.getByRole('radio', { name: '입금' }).check({ force: true });
    await page.getByLabel('금액').fill('50000');
    await page.getByLabel('내용', { exact: true }).fill('3월 회비');
    await page.getByRole('button', { name: '추가', exact: true }).click();
    await row(page, '3월 회비').waitFor();
    expect(stored()).toMatchObject([
      { amount: -12_000, datetime: '2026-03-02T13:00:00', description: '복사 용지' },
      { amount: 50_000, datetime: '2026-03-02T13:00:00', description: '3월 회비' },
    ]);
    // Ready for the next one of the day.
    await expect.poll(() => page.getByLabel('금액').inputValue()).toBe('');
    await expect.poll(() => page.getByLabel('날짜').inputValue()).toBe('2026-03-02');
    // On a phone the entries come first, and the form when it is asked for.
    await page.setViewportSize({ width: 390, height: 844 });
    await page.reload();
    await row(page, '3월 회비').waitFor();
    await expect(page.getByLabel('금액').isVisible()).resolves.toBe(false);
    await page.getByRole('button', { name: '내역 추가' }).click();
    await expect
      .poll(() => page.getByLabel('금액').evaluate((field) => field === document.activeElement))
      .toBe(true);
    expect(problems).toEqual([]);
  });

  test('ACC-1 an amount that is not above zero is named and not sent', async () => {
    store();
    const { page } = await open();
    let posts = 0;
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/api/account')) posts++;
    });
    await page.getByLabel('내용', { exact: true }).fill('복사 용지');
    for (const amount of ['', '0', '-5', '(12,000)']) {
      await page.getByLabel('금액').fill(amount);
      await page.getByRole('button', { name: '추가', exact: true }).click();
      await page.getByText('금액은 0보다 커야 합니다', { exact: true }).waitFor();
    }
    await page.getByLabel('금액').fill('0.5');
    await page.getByText('원 단위 정수로 입력하세요', { exact: true }).waitFor();
    for (const amount of ['12,00', '열두 개', '1,000,000,000,001']) {
      await page.getByLabel('금액').fill(amount);
      await page.getByRole('button', { name: '추가', exact: true }).click();
      await page.getByText(/금액을 숫자로 입력하세요|금액이 너무 큽니다/).waitFor();
    }
    expect(posts).toBe(0);
    expect(stored()).toEqual([]);
  });

  test('ACC-16 an entry may have no words, which every screen says, and can be deleted', async () => {
    store(['2026-03-01', 5, '\u200b']);
    const { page, problems } = await open();
    await page.getByLabel('날짜').fill('2026-03-02');
    await page.getByLabel('금액').fill('100');
    await page.getByRole('button', { name: '추가', exact: true }).click();
    await toast(page, '추가 완료');
    await expect
      .poll(() => timelineTexts(page))
      .toEqual(['2026.03.02 | 출금 내용 없음 | -100원 | -95원', '2026.03.01 | 입금 내용 없음 | +5원 | 5원']);
    expect(stored()).toMatchObject([{}, { amount: -100, description: '' }]);
    await page.getByRole('tab', { name: '통계·결산' }).click();
    await page.getByRole('article').getByText('내용 없음').first().waitFor();
    await page.getByRole('tab', { name: '내역', exact: true }).click();
    await chooseRowAction(page, '내용 없음 작업', '삭제');
    await page
      .getByRole('dialog', { name: '내용 없음 내역을 삭제할까요?' })
      .getByRole('button', { name: '삭제' })
      .click();
    await toast(page, '삭제 완료');
    expect(stored()).toHaveLength(1);
    expect(problems).toEqual([]);
  });

  test('ACC-1 ACC-5 an answer that is lost on the way adds nothing twice when the button is pressed again', async () => {
    store();
    const { page } = await open();
    let isLost = false;
    await page.route('**/api/account', async (route) => {
      if (route.request().method() !== 'POST' || isLost) return await route.fallback();
      isLost = true;
      await route.fetch();
      return await route.abort();
    });
    await page.getByLabel('금액').fill('700');
    await page.getByLabel('내용', { exact: true }).fill('우표');
    await page.getByRole('button', { name: '추가', exact: true }).click();
    await toast(page, '서버에 연결할 수 없습니다');
    expect(stored()).toHaveLength(1);
    await page.getByRole('button', { name: '추가', exact: true }).click();
    await toast(page, '추가 완료');
    expect(stored()).toHaveLength(1);
  });

  test('ACC-1 ERR-1 without a connection an entry stays in its form, and is stored once when there is one again', async () => {
    store(['2026-03-02', -12_000, '복사 용지']);
    const { page } = await open();
    await row(page, '복사 용지').waitFor();
    // Also what tells of it is there.
    await page.waitForLoadState('networkidle');
    await page.context().setOffline(true);
    await page.getByLabel('금액').fill('700');
    await page.getByLabel('내용', { exact: true }).fill('우표');
    const add = page.getByRole('button', { name: '추가', exact: true });
    await add.click();
    await toast(page, '서버에 연결할 수 없습니다');
    await expect.poll(() => page.getByLabel('금액').inputValue()).toBe('700');
    await page.context().setOffline(false);
    await row(page, '복사 용지').waitFor();
    expect(stored()).toHaveLength(1);
    await add.click();
    await toast(page, '추가 완료');
    await row(page, '우표').waitFor();
    expect(stored()).toHaveLength(2);

    // A screen whose code is not here yet.
    await page.context().setOffline(true);
    await page.evaluate(() => history.pushState({ __TSR_index: 1 }, '', '/docs/privacy'));
    await page.getByText('인터넷 연결을 확인해 주세요.').waitFor();
  });

  test('ACC-2 ACC-3 the timeline stands newest first, each entry with its kind and its balance', async () => {
    store(
      ['2026-03-02', 50_000, '가'],
      ['2026-03-01', -12_000, '나'],
      ['2026-03-02', -60_000, '다'],
      ['2026-03-02', 1, '라'],
    );
    const { page } = await open();
    await row(page, '라').waitFor();
    await expect
      .poll(() => timelineTexts(page))
      .toEqual([
        '2026.03.02 | 입금 라 | +1원 | -21,999원',
        '2026.03.02 | 출금 다 | -60,000원 | -22,000원',
        '2026.03.02 | 입금 가 | +50,000원 | 38,000원',
        '2026.03.01 | 출금 나 | -12,000원 | -12,000원',
      ]);
    await expect.poll(() => page.getByRole('status', { name: '현재 잔액' }).innerText()).toBe('-21,999원');
    await page.getByLabel('내역 검색').fill('60,000');
    await expect.poll(() => timelineTexts(page)).toEqual(['2026.03.02 | 출금 다 | -60,000원 | -22,000원']);
  });

  test('ACC-17 a date to come asks first, stays out of the balance of today and out of the next entry', async () => {
    store(['2026-03-02', 50_000, '회비']);
    const { page, problems } = await open();
    const [today, tomorrow] = [0, 1].map((ahead) => seoulDay(Date.now() + ahead * 86_400_000));
    const add = page.getByRole('button', { name: '추가', exact: true });
    const date = page.getByLabel('날짜');
    await page.getByLabel('금액').fill('12,000');
    await page.getByLabel('내용', { exact: true }).fill('예약');
    await date.fill('0302-02-06');
    await add.click();
    await page.getByText('0302-02-06: 2000-03-01부터', { exact: false }).waitFor();
    await date.fill(tomorrow ?? '');
    await add.click();
    const words = (tomorrow ?? '').replaceAll('-', '.');
    await page
      .getByText(`${words}${topicParticle(words)} 아직 오지 않은 날짜입니다.`, { exact: false })
      .waitFor();
    const asked = page.getByRole('button', { name: '예정 내역으로 추가' });
    await asked.waitFor();
    await expect.poll(() => asked.evaluate((button) => button === document.activeElement)).toBe(true);
    await page.getByRole('button', { name: '날짜 수정' }).click();
    await expect.poll(() => date.evaluate((input) => input === document.activeElement)).toBe(true);
    expect(stored()).toHaveLength(1);
    await add.click();
    await asked.click();
    await toast(page, '추가 완료');
    expect(stored()).toMatchObject([{}, { amount: -12_000, datetime: `${tomorrow}T13:00:00` }]);
    await expect.poll(() => date.inputValue()).toBe(today);
    await expect.poll(() => page.getByRole('status', { name: '현재 잔액' }).innerText()).toBe('50,000원');
    await page.getByText('예정 1건까지 38,000원').waitFor();
    await expect.poll(() => row(page, '예약').innerText()).toMatch(/예정/);
    expect(problems).toEqual([]);
  });

  test('ACC-17 entries that an earlier version took under odd years are shown together, to be mended', async () => {
    store(['0302-02-06', 5, '옛날'], ['2026-03-02', 50_000, '회비'], ['9999-12-31', 7, '먼 날']);
    const { page, problems } = await open();
    await expect.poll(() => page.getByRole('status', { name: '현재 잔액' }).innerText()).toBe('50,005원');
    await page.getByText('내역이 2건 있습니다', { exact: false }).waitFor();
    await page.getByRole('button', { name: '이 내역만 보기' }).click();
    await expect
      .poll(() => timelineTexts(page))
      .toEqual([
        '9999.12.31 날짜 확인 | 입금 먼 날 | +7원 | 50,012원',
        '0302.02.06 날짜 확인 | 입금 옛날 | +5원 | 5원',
      ]);
    for (const name of ['먼 날', '옛날']) {
      await chooseRowAction(page, `${name} 작업`, '삭제');
      await page.getByRole('dialog').getByRole('button', { name: '삭제' }).click();
      await row(page, name).waitFor({ state: 'detached' });
    }
    await row(page, '회비').waitFor();
    await expect.poll(() => page.getByText('날짜 확인').count()).toBe(0);
    await page.goto('/manage_account?tab=report');
    await page.getByRole('article', { name: /결산$/ }).waitFor();
    expect(problems).toEqual([]);
  });

  test('ACC-4 deleting asks first, and every balance follows', async () => {
    store(['2026-03-01', 50_000, '회비'], ['2026-03-02', -12_000, '복사 용지']);
    const { page } = await open();
    await chooseRowAction(page, '회비 작업', '삭제');
    await page.getByRole('dialog').getByRole('button', { name: '취소' }).click();
    expect(stored()).toHaveLength(2);
    await chooseRowAction(page, '회비 작업', '삭제');
    await page.getByRole('dialog').getByRole('button', { name: '삭제' }).click();
    await toast(page, '삭제 완료');
    await expect
      .poll(() => timelineTexts(page))
      .toEqual(['2026.03.02 | 출금 복사 용지 | -12,000원 | -12,000원']);
    expect(stored()).toHaveLength(1);
  });

  test('ACC-4 a deletion that fails says so, one that is refused leads back, and who is signed in no more to the login', async () => {
    store(['2026-03-02', -12_000, '복사 용지']);
    const { page } = await visit(stack, { as: 'account@lab.test', at: '/settings' });
    const remove = async () => {
      await chooseRowAction(page, '복사 용지 작업', '삭제');
      await page.getByRole('dialog').getByRole('button', { name: '삭제' }).click();
    };
    const refuse = (status: number) =>
      page.route('**/api/account/*', (route) =>
        route.request().method() === 'DELETE' ? answer(route, status) : route.fallback(),
      );
    const toLedger = () => page.getByRole('main').getByRole('link', { name: '랩비 관리' }).click();
    await toLedger();
    await refuse(500);
    await remove();
    await toast(page, '서버 오류');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await refuse(403);
    await remove();
    await toast(page, '접근 권한 없음');
    await page.waitForURL('**/settings');
    await page.unrouteAll();
    await toLedger();
    await row(page, '복사 용지').waitFor();
    await removeSession(page);
    await remove();
    await toast(page, '로그인 되지 않음');
    await page.getByRole('heading', { name: 'Login' }).waitFor();
    expect(stored()).toHaveLength(1);
  });

  const answer = (route: Route, status: number) =>
    route.fulfill(apiAnswer(status, { error: { code: 'x', message: 'x' } }));
});
