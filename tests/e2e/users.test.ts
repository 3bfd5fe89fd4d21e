import { roleNames } from '#contract/access-levels';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { sharedVisit, visit } from '../support/browser.ts';
import { hasBrowser } from '../support/chromium.ts';
import { chooseRowAction } from '../support/row-menu.ts';
import { removeSession } from '../support/sign-in-page.ts';
import { sharedStack } from '../support/shared-stack.ts';
import { dismissToast } from '../support/toast.ts';

const rowOf = (page: Page, email: string) => page.getByRole('row').filter({ hasText: email });
const dialogOf = (page: Page) => page.getByRole('dialog');
const isFocused = (locator: Locator) => locator.evaluate((element) => element === document.activeElement);

async function chooseRole(page: Page, email: string, role: string): Promise<void> {
  await rowOf(page, email).getByRole('combobox').click();
  await page.getByRole('option', { name: role, exact: true }).click();
  await dialogOf(page).waitFor();
}

async function changeRole(page: Page, email: string, role: string): Promise<void> {
  await chooseRole(page, email, role);
  await dialogOf(page).getByRole('button', { name: '변경' }).click();
  await dismissToast(page, '변경 완료');
  await rowOf(page, email).getByRole('cell', { name: role, exact: true }).waitFor();
}

describe.skipIf(!hasBrowser)('managing users', () => {
  const stack = sharedStack('demo');

  const again = sharedVisit(stack, 'admin@lab.test');

  /** The users screen as an admin sees it. */
  async function openAsAdmin() {
    const seen = await again('/manage_users');
    await seen.page.getByRole('table', { name: '사용자' }).waitFor();
    return seen;
  }

  /** Somebody else, in a browser of their own. */
  async function visitAs(email: string): Promise<Page> {
    const { page } = await visit(stack, { as: email });
    return page;
  }

  test('USER-1 the table shows everyone, sorted as wished, and offers no other role to admins', async () => {
    const { page, problems } = await openAsAdmin();
    const headers = await page.getByRole('columnheader').allInnerTexts();
    expect(headers).toEqual(['이름', '이메일', '역할', '학번/직번', '역할 조정', 'ID', '작업']);
    const cells = rowOf(page, 'account@lab.test').locator('th, td');
    await expect
      .poll(async () => (await cells.allInnerTexts()).slice(0, 5))
      .toEqual(['오다솜', 'account@lab.test', 'Account Manager', '20150002', '변경']);
    await rowOf(page, 'account@lab.test').getByRole('cell', { name: '20150002', exact: true }).waitFor();
    await expect.poll(() => rowOf(page, 'admin@lab.test').getByRole('combobox').count()).toBe(0);
    const heights = page.locator('tbody tr').evaluateAll((rows) => rows.map((row) => row.clientHeight));
    expect(new Set(await heights).size).toBe(1);
    await rowOf(page, 'guest@lab.test').getByRole('combobox').click();
    const roles = await page.getByRole('option').allInnerTexts();
    expect(roles).toEqual(Object.values(roleNames));
    await page.keyboard.press('Escape');

    const email = page.getByRole('columnheader', { name: '이메일' });
    await expect.poll(() => email.getAttribute('aria-sort')).toBe('none');
    await email.getByRole('button').click();
    await expect.poll(() => email.getAttribute('aria-sort')).toBe('ascending');
    await email.getByRole('button').click();
    await expect.poll(() => email.getAttribute('aria-sort')).toBe('descending');
    const emails = await page.getByRole('row').locator('td:nth-child(2)').allInnerTexts();
    expect(emails).toEqual(emails.toSorted().toReversed());
    expect(problems.filter((problem) => !problem.includes('401'))).toEqual([]);
  });

  test('USER-7 the table is searched by name, mail and role; the role stands in the address, the words do not', async () => {
    const { page } = await openAsAdmin();
    const emails = () => page.getByRole('row').locator('td:nth-child(2)').allInnerTexts();
    const field = page.getByRole('searchbox', { name: '검색' });
    await field.fill('ㅈㅁㄹ');
    await expect.poll(emails).toEqual(['university@lab.test']);
    await field.fill('account member');
    await page.getByText('검색 결과가 없습니다.').waitFor();
    await field.fill('');
    await page.getByRole('combobox', { name: '표시할 역할' }).click();
    await page.getByRole('option', { name: 'Account Manager' }).click();
    await expect.poll(emails).toEqual(['account@lab.test']);
    await field.fill('다솜');
    await page.reload();
    await expect.poll(emails).toEqual(['account@lab.test']);
    const { search } = new URL(page.url());
    expect(search).toBe('?level=3');
  });

  test('USER-2 the dialog is at most 400 px wide, keeps the focus and gives it back, and Esc cancels', async () => {
    const { page } = await openAsAdmin();
    const select = rowOf(page, 'university@lab.test').getByRole('combobox');
    await chooseRole(page, 'university@lab.test', 'Guest');
    const dialog = dialogOf(page);
    await dialog.getByRole('heading', { name: /정마루/ }).waitFor();
    await dialog.getByText('University → Guest').waitFor();
    await expect.poll(async () => (await dialog.boundingBox())?.width).toBeLessThanOrEqual(400);
    await expect.poll(() => isFocused(dialog.getByRole('button', { name: '취소' }))).toBe(true);
    for (let step = 0; step < 5; step++) {
      await page.keyboard.press('Tab');
      await expect
        .poll(() => dialog.evaluate((element) => element.contains(document.activeElement)))
        .toBe(true);
    }
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => isFocused(select)).toBe(true);
    await rowOf(page, 'university@lab.test').getByText('University', { exact: true }).waitFor();

    await chooseRole(page, 'university@lab.test', 'Member');
    await dialog.getByRole('button', { name: '취소' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.setViewportSize({ width: 360, height: 740 });
    await chooseRole(page, 'university@lab.test', 'Member');
    await expect.poll(async () => (await dialog.boundingBox())?.width).toBeLessThanOrEqual(360);
    await page.keyboard.press('Escape');
    await page.reload();
    await rowOf(page, 'university@lab.test').getByText('University · 202312346').waitFor();
  });

  test('USER-2 a changed role counts on that user’s very next request', async () => {
    const member = await visitAs('member@lab.test');
    await member.goto('/manage_account');
    await dismissToast(member, '접근 권한 없음');
    const { page } = await openAsAdmin();
    await changeRole(page, 'member@lab.test', 'Account Manager');
    await member.goto('/manage_account');
    await member.getByRole('heading', { name: '랩비 관리' }).waitFor();
    // Away from the screen, which leaves by itself at the change, while the next request is under way.
    await member.goto('/');
    await changeRole(page, 'member@lab.test', 'Member');
    await member.goto('/manage_account');
    await dismissToast(member, '접근 권한 없음');
    expect(member.url()).toBe(`${stack.origin}/`);
  });

  test('USER-4 an ended session resets the login and leads to the login page', async () => {
    const page = await visitAs('admin@lab.test');
    await page.goto('/manage_users');
    await page.getByRole('table', { name: '사용자' }).waitFor();
    await page.request.post('/api/logout');
    await removeSession(page);
    await page.getByRole('tab', { name: '접속 기록' }).click();
    await dismissToast(page, '로그인 되지 않음');
    await page.waitForURL('**/login');
    const stored = await page.evaluate(() => localStorage.getItem('loginState'));
    expect(JSON.parse(stored ?? '')).toMatchObject({ id: -1, isLoggedIn: false });
  });

  test('USER-4 a deletion that is refused, or fails, toasts and changes nothing', async () => {
    const { page } = await openAsAdmin();
    const remove = rowOf(page, 'admin@lab.test').getByRole('button', { name: /작업$/ });
    for (const text of ['마지막 관리자는 바꾸거나 삭제할 수 없습니다', '서버 오류']) {
      await chooseRowAction(rowOf(page, 'admin@lab.test'), /작업$/, '삭제');
      await dialogOf(page).getByText('내 계정').waitFor();
      await dialogOf(page).getByRole('button', { name: '삭제' }).click();
      await dismissToast(page, text);
      await expect.poll(() => rowOf(page, 'admin@lab.test').count()).toBe(1);
      await expect.poll(() => remove.isEnabled()).toBe(true);
      // The server cannot be made to fail on demand, so an answer is put in place of the real one.
      await page.route(/\/api\/users\/\d+$/, (route) => route.fulfill({ status: 500, json: {} }));
    }
  });

  test('USER-3 a deleted user is gone from the list and signed out everywhere', async () => {
    const leaver = await visitAs('new@lab.test');
    const { page } = await openAsAdmin();
    // Somebody is new since the list was asked for.
    await page.reload();
    const remove = () => chooseRowAction(rowOf(page, 'new@lab.test'), /작업$/, '삭제');
    await remove();
    await dialogOf(page)
      .getByRole('heading', { name: /류새봄/ })
      .waitFor();
    await dialogOf(page).getByRole('button', { name: '취소' }).click();
    await dialogOf(page).waitFor({ state: 'detached' });
    await page.waitForFunction(() => document.activeElement?.ariaLabel === '류새봄 작업');
    await remove();
    await dialogOf(page).getByRole('button', { name: '삭제' }).click();
    await dismissToast(page, '삭제 완료');
    await rowOf(page, 'new@lab.test').waitFor({ state: 'detached' });
    await leaver.goto('/settings');
    await leaver.waitForURL('**/login');
  });

  test('AUTH-9 a claimed number shows as unverified until an admin confirms or releases it', async () => {
    const newcomer = await visitAs('new@lab.test');
    await newcomer.goto('/manage_user_info');
    await newcomer.getByLabel('학번/직번').fill('202699999');
    await newcomer.getByRole('button', { name: '확인', exact: true }).click();
    await newcomer.getByText('변경 완료', { exact: true }).waitFor();
    const { page } = await openAsAdmin();
    await page.reload();
    const row = rowOf(page, 'new@lab.test');
    await row.getByText('미확인', { exact: true }).waitFor();
    await page.getByText('미확인 1명').waitFor();
    await row.getByRole('button', { name: /의 학번\/직번 확인$/ }).click();
    await dialogOf(page).getByText('202699999').waitFor();
    await dialogOf(page).getByRole('button', { name: '확인' }).click();
    await dismissToast(page, '변경 완료');
    await row.getByText('미확인', { exact: true }).waitFor({ state: 'detached' });
    await chooseRowAction(row, /작업$/, '번호 연결 해제');
    await dialogOf(page).getByRole('button', { name: '연결 해제' }).click();
    await dismissToast(page, '변경 완료');
    await row.getByText('없음').waitFor();
  });

  test('USER-5 the log tells who did what to whom, can be searched and not be changed', async () => {
    const { page } = await openAsAdmin();
    await changeRole(page, 'guest@lab.test', 'University');
    await changeRole(page, 'guest@lab.test', 'Guest');
    await page.getByRole('tab', { name: '접속 기록' }).click();
    const table = page.getByRole('table', { name: '접속 기록' });
    await expect
      .poll(() => page.getByRole('columnheader').allInnerTexts())
      .toEqual(['시각', '처리자', '접속 IP', '작업', '정보주체', '내용']);
    const entry = table.getByRole('row').filter({ hasText: '역할 Guest → University' }).first();
    const [time, actor, , action, person] = await entry.locator('th, td').allInnerTexts();
    expect(time).toMatch(/^\d{4}\.\d\d\.\d\d \d\d:\d\d:\d\d$/);
    expect(actor).toContain('한가람');
    expect(action).toBe('변경');
    expect(person).toContain('송바다');
    await expect.poll(() => table.getByRole('button').count()).toBe(0);

    await page.getByLabel('사람').fill('송바다');
    await page.getByRole('combobox', { name: '작업' }).click();
    await page.getByRole('option', { name: '변경' }).click();
    await page.getByRole('button', { name: '조회' }).click();
    await table.getByRole('cell', { name: '조회', exact: true }).first().waitFor({ state: 'detached' });
    const people = await table.locator('tbody tr td:nth-child(5)').allInnerTexts();
    expect(people.length).toBeGreaterThanOrEqual(2);
    for (const text of people) expect(text).toContain('송바다');

    const today = (time ?? '').slice(0, 10).replaceAll('.', '-');
    await page.getByLabel('시작일').fill(today);
    await page.getByLabel('종료일').fill('2020-01-01');
    await page.getByText('종료일이 시작일보다 빠릅니다').waitFor();
    await page.getByLabel('시작일').fill('2020-01-01');
    await page.getByRole('button', { name: '조회' }).click();
    await page.getByText('조건에 맞는 기록이 없습니다.').waitFor();
    await page.getByLabel('종료일').fill(today);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByLabel('종료일').waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: '필터 3' }).click();
    await page.getByLabel('종료일').waitFor();
    await page.getByRole('button', { name: '조회' }).click();
    await entry.waitFor();
  });

  test('USER-5 older entries come a page at a time, without a gap or a repetition', async () => {
    const { page } = await openAsAdmin();
    for (let read = 0; read < 110; read++) expect((await page.request.get('/api/users')).status()).toBe(200);
    await page.goto('/manage_users?tab=log');
    const rows = page.getByRole('table', { name: '접속 기록' }).locator('tbody tr');
    const more = page.getByRole('button', { name: '더 보기' });
    await more.waitFor();
    await expect.poll(() => rows.count()).toBe(100);
    const first = await rows.allInnerTexts();
    await more.click();
    await rows.nth(100).waitFor();
    await expect.poll(async () => (await rows.allInnerTexts()).slice(0, 100)).toEqual(first);
    await page.getByRole('tab', { name: '접속 기록', selected: true }).waitFor();
  });

  test('USER-5 the tabs are walked by arrow keys and kept in the address', async () => {
    const { page } = await openAsAdmin();
    await page.getByRole('tab', { name: '사용자' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.waitForURL('**/manage_users?tab=log');
    await expect.poll(() => isFocused(page.getByRole('tab', { name: '접속 기록' }))).toBe(true);
    await page.getByRole('tabpanel', { name: '접속 기록' }).waitFor();
    await page.keyboard.press('Home');
    await page.waitForURL('**/manage_users');
    await page.getByRole('table', { name: '사용자' }).waitFor();
  });

  test('AUTH-11 a user sees where they are signed in and ends it there and here', async () => {
    const there = await visitAs('guest@lab.test');
    const here = await visitAs('guest@lab.test');
    await here.goto('/manage_user_info');
    const sessions = here.getByRole('region', { name: '로그인한 기기' }).getByRole('listitem');
    await sessions.nth(1).waitFor();
    await expect.poll(() => sessions.count()).toBe(2);
    const own = sessions.filter({ hasText: '이 기기' });
    await expect.poll(() => own.count()).toBe(1);
    await expect.poll(() => own.innerText()).toMatch(/마지막 사용 \d{4}\.\d\d\.\d\d \d\d:\d\d:\d\d/);
    await sessions
      .filter({ hasNotText: '이 기기' })
      .getByRole('button', { name: /로그아웃/ })
      .click();
    await dismissToast(here, '로그아웃 완료');
    await sessions.nth(1).waitFor({ state: 'detached' });
    await there.goto('/settings');
    await there.waitForURL('**/login');
    await own.getByRole('link', { name: /로그아웃/ }).click();
    await dismissToast(here, '로그아웃');
    await here.waitForURL(`${stack.origin}/`);
    await here.goto('/settings');
    await here.waitForURL('**/login');
  });
});
