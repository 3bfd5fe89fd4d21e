import { hasAccess } from '#contract/access-levels';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { pageAccess } from '../../web/src/lib/page-access.ts';
import { store } from '../support/both-databases.ts';
import { apiAnswer } from '../support/api-answer.ts';
import { visit } from '../support/browser.ts';
import { shareOrAll } from '../support/counts.ts';
import { hasBrowser } from '../support/chromium.ts';
import { chooseRowAction } from '../support/row-menu.ts';
import { storeEntries } from '../support/ledger-screen.ts';
import { credential, login } from '../support/sign-in.ts';
import { sharedStack } from '../support/shared-stack.ts';
import { dismissToast } from '../support/toast.ts';

const confirm = (page: Page, button: string) =>
  page.getByRole('dialog').getByRole('button', { name: button, exact: true }).click();

/** The pages that a level of 5 does not open, and those of them that a refusal leaves. */
const levelled = Object.entries(pageAccess).flatMap(([path, level]) => (hasAccess(5, level) ? [] : [path]));
const leftPages = new Set(['/manage_users', '/manage_account', '/manage_plants', '/manage_health']);

type Act = {
  link: string;
  /** The call that the server refuses first. */
  call: string;
  prepare?: (page: Page) => Promise<void>;
  act: (page: Page) => Promise<void>;
};

/** What somebody may be about on the screens that a refusal leaves, each with the call that it makes. */
const acts: Record<string, Act> = {
  'changing a role': {
    link: '사용자 관리',
    call: 'PUT /api/users/',
    prepare: async (page) => {
      const row = page.getByRole('row').filter({ hasText: 'university@lab.test' });
      await row.getByRole('combobox').click();
      await page.getByRole('option', { name: 'Member', exact: true }).click();
    },
    act: (page) => confirm(page, '변경'),
  },
  'opening the access log': {
    link: '사용자 관리',
    call: 'GET /api/access_log',
    act: (page) => page.getByRole('tab', { name: '접속 기록' }).click(),
  },
  'adding an entry': {
    link: '랩비 관리',
    call: 'POST /api/account',
    prepare: async (page) => {
      await page.getByLabel('금액').fill('12000');
      await page.getByLabel('내용', { exact: true }).fill('새 내역');
    },
    act: (page) => page.getByRole('button', { name: '추가', exact: true }).click(),
  },
  'deleting an entry': {
    link: '랩비 관리',
    call: 'DELETE /api/account/',
    prepare: (page) => chooseRowAction(page, '복사 용지 작업', '삭제'),
    act: (page) => confirm(page, '삭제'),
  },
  'adding a receipt': {
    link: '랩비 관리',
    call: 'POST /api/account/',
    prepare: (page) => page.getByRole('button', { name: '복사 용지 영수증 추가' }).click(),
    act: (page) =>
      page
        .getByRole('dialog')
        .getByLabel('영수증 추가')
        .setInputFiles({ name: '가.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4\n') }),
  },
  'opening the dues': {
    link: '랩비 관리',
    call: 'GET /api/account/dues',
    act: (page) => page.getByRole('tab', { name: '회비' }).click(),
  },
  'adding a name to the dues': {
    link: '랩비 관리',
    call: 'POST /api/account/dues',
    prepare: async (page) => {
      await page.getByRole('tab', { name: '회비' }).click();
      await page.getByLabel('이름 추가').fill('윤슬');
    },
    act: (page) => page.getByRole('button', { name: '추가', exact: true }).click(),
  },
  'choosing another range of the plants': {
    link: '화분 관리',
    call: 'GET /api/plants',
    act: (page) => page.getByText('90일', { exact: true }).click(),
  },
};

describe.skipIf(!hasBrowser)('a level that is lowered while somebody works', () => {
  const stack = sharedStack('demo');
  beforeAll(async () => {
    // There is always another admin.
    await login(stack.origin, await credential(stack.origin, 'other@lab.test'));
  });

  function setLevel(level: number): void {
    store(stack.dataDir, "UPDATE users SET secure_level = ? WHERE email = 'admin@lab.test'", level);
  }

  /** Signed in as an admin, on the settings page, with a public page before it: two steps back would lead there. */
  async function atSettings(): Promise<Page> {
    setLevel(1);
    const { page } = await visit(stack, { as: 'admin@lab.test', at: '/docs/privacy' });
    setLevel(1);
    await page.goto('/settings');
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
    return page;
  }

  test.each(shareOrAll(2, Object.keys(acts)))(
    'WORK-6 USER-4 ACC-4 %s without the level any more goes back one page',
    async (name) => {
      const act = acts[name];
      if (!act) throw new Error(name);
      storeEntries(stack, [['2026-03-02', -12_000, '복사 용지']]);
      const page = await atSettings();
      // What the plants ask by themselves is held: the act's own call is the one that is refused.
      await page.route('**/api/plants/states', (route) => route.fulfill(apiAnswer(200, [])));
      await page.route('**/api/plants/waterings*', (route) => route.fulfill(apiAnswer(200, [])));
      await page.getByRole('main').getByRole('link', { name: act.link }).click();
      await page.getByRole('heading', { level: 1, name: act.link }).waitFor();
      await page.waitForLoadState('networkidle');
      await act.prepare?.(page);
      await page.waitForLoadState('networkidle');
      setLevel(5);
      const refused = page.waitForResponse((answer) => answer.status() === 403);
      await act.act(page);
      const first = (await refused).request();
      expect(`${first.method()} ${new URL(first.url()).pathname}`).toContain(act.call);
      await dismissToast(page, '접근 권한 없음');
      await page.waitForURL('**/settings');
      await page.getByRole('heading', { name: 'Settings' }).waitFor();
      expect(await page.getByRole('dialog').count()).toBe(0);
      // One step, though several calls may have been refused.
      await page.waitForLoadState('networkidle');
      expect(new URL(page.url()).pathname).toBe('/settings');
    },
  );

  test('WORK-6 WORK-5 on the students screen the user stays, and what was read is gone', async () => {
    const page = await atSettings();
    await page.getByRole('main').getByRole('link', { name: '학생 관리' }).click();
    await page.getByRole('table').waitFor();
    const toasts = await countToasts(page, '접근 권한 없음');
    setLevel(5);
    await page
      .getByRole('button', { name: / 작업$/ })
      .first()
      .click();
    await page.getByRole('menuitem', { name: '학생 삭제' }).click();
    await confirm(page, '삭제');
    await page.getByText('접근 권한 없음').first().waitFor();
    await page.getByText('학생을 불러오지 못했습니다.').waitFor();
    expect(new URL(page.url()).pathname).toBe('/manage_students');
    expect(await page.getByRole('table').count()).toBe(0);
    // The delete, and each of the lists that were asked for anew, are one cause.
    await page.waitForLoadState('networkidle');
    await expect.poll(toasts).toBe(1);
    // Whoever tries again is told again.
    await page.getByRole('button', { name: '다시 시도' }).last().click();
    await page.waitForFunction(() => Number(document.body.dataset['toasts']) === 2);
  });

  test.each(shareOrAll(1, levelled))(
    'WORK-6 WORK-5 %s that nobody touches is left or emptied at the next look',
    async (path) => {
      const page = await atSettings();
      const link = page.getByRole('main').locator(`a[href="${path}"]`);
      // The list of subjects is reached from the courses.
      if ((await link.count()) > 0) await link.click();
      else await page.goto(path);
      await page.waitForURL(`**${path}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.waitForLoadState('networkidle');
      const toasts = await countToasts(page, '접근 권한 없음');
      setLevel(5);
      await page.evaluate(() => dispatchEvent(new Event('focus')));
      await page.getByText('접근 권한 없음').first().waitFor();
      if (leftPages.has(path)) await page.waitForURL('**/settings');
      await page.waitForLoadState('networkidle');
      expect(new URL(page.url()).pathname).toBe(leftPages.has(path) ? '/settings' : path);
      expect(await page.getByRole('table').count()).toBe(0);
      await expect.poll(toasts).toBe(1);
    },
  );

  test('WORK-6 the account is left without so much as a look at it, within two minutes', async () => {
    const page = await atSettings();
    await page.clock.install();
    await page.goto('/settings');
    await page.getByRole('main').getByRole('link', { name: '랩비 관리' }).click();
    await page.getByRole('heading', { level: 1, name: '랩비 관리' }).waitFor();
    await page.waitForLoadState('networkidle');
    setLevel(5);
    await page.clock.runFor(125_000);
    // The toast first: it goes by itself after six seconds.
    await page.getByText('접근 권한 없음').first().waitFor();
    await page.waitForURL('**/settings');
  });
});

/** Counts how often a toast with this text begins. */
async function countToasts(page: Page, text: string): Promise<() => Promise<number>> {
  await page.evaluate((wanted) => {
    const { dataset } = document.body;
    dataset['toasts'] = '0';
    const isToast = (element: Element) => element.matches('li') && element.textContent.includes(wanted);
    new MutationObserver((records) => {
      const added = records.flatMap(({ addedNodes }) =>
        [...addedNodes].filter((node) => node instanceof Element),
      );
      const toasts = added.flatMap((each) => [each].concat([...each.querySelectorAll('*')])).filter(isToast);
      dataset['toasts'] = String(Number(dataset['toasts']) + toasts.length);
    }).observe(document.body, { childList: true, subtree: true });
  }, text);
  return () => page.evaluate(() => Number(document.body.dataset['toasts']));
}
