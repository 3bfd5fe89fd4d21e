import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { pageAccess } from '../../web/src/lib/page-access.ts';
import { selected } from '../support/both-databases.ts';
import { visit } from '../support/browser.ts';
import { hasBrowser } from '../support/chromium.ts';
import { shareOrAll } from '../support/counts.ts';
import { chooseRowAction } from '../support/row-menu.ts';
import { openLedger, storedEntries, storeEntries, timeline } from '../support/ledger-screen.ts';
import { removeSession } from '../support/sign-in-page.ts';
import { sharedStack } from '../support/shared-stack.ts';
import { dismissToast } from '../support/toast.ts';

const today = () => new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Seoul' }).format();
const header = '순번\t학번\t성명\t학과\t학년\t학적상태\t연락처\t이메일';
const rosterField = (page: Page) => page.getByLabel('명단', { exact: true });

describe.skipIf(!hasBrowser)("an office's work", () => {
  const stack = sharedStack('demo');

  const rows = (query: string) => selected(stack.dataDir, query);

  const start = async (email = 'admin@lab.test') => {
    const visited = await visit(stack, { as: email });
    return visited;
  };

  test("WORK-2 STU-14 a pasted roster and the chosen class outlive the session's end, a reload and other screens", async () => {
    const { page } = await start();
    await page.goto('/manage_students?tab=import');
    await page.getByLabel('연도').fill('2025');
    await page.getByLabel('과목', { exact: true }).fill('운영체제 실습');
    const text = `${header}\n1\t209800001\t윤슬\t물리학과\t3\t재학\t\t`;
    await rosterField(page).fill(text);
    await removeSession(page);
    await page.getByRole('button', { name: '미리보기' }).click();
    const over = page.getByRole('dialog', { name: '다시 로그인해 주세요' });
    await over.getByRole('button', { name: 'Sign in with Google' }).click();
    await page.getByRole('button', { name: 'admin@lab.test' }).click();
    await expect.poll(() => rosterField(page).inputValue()).toBe(text);
    await page.reload();
    await expect.poll(() => rosterField(page).inputValue()).toBe(text);
    await expect.poll(() => page.getByLabel('과목', { exact: true }).inputValue()).toBe('운영체제 실습');
    await page.getByRole('button', { name: '미리보기' }).click();
    await page.getByRole('button', { name: '1명 추가' }).click();
    await dismissToast(page, '추가 완료');

    await page.goto('/manage_students');
    const chosen = page.getByRole('combobox', { name: '강의' });
    await chosen.click();
    await page.getByRole('option', { name: /운영체제 실습 \(1명\)/ }).click();
    for (const screen of ['/manage_courses', '/manage_scores', '/manage_account']) {
      await page.goto(screen);
      await page.getByRole('heading', { level: 1 }).waitFor();
    }
    await page.goto('/manage_students');
    await chosen.filter({ hasText: '운영체제 실습' }).waitFor();
    // With nothing unsaved signing in leads home; the class is remembered all the same.
    await removeSession(page);
    await page.getByRole('row', { name: /윤슬/ }).press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: '수정', exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await page.reload();
    await page.waitForURL('**/login');
    await page.getByRole('button', { name: 'Sign in with Google' }).click();
    await page.getByRole('button', { name: 'admin@lab.test' }).click();
    await page.waitForURL((url) => url.pathname === '/');
    await page.goto('/manage_students');
    await chosen.filter({ hasText: '운영체제 실습' }).waitFor();
  });

  test('SCO-21 scores of the chosen class name who is on leave by its roster, and who is missing', async () => {
    const { page } = await start();
    await page.goto('/manage_students?tab=import');
    await page.getByLabel('연도').fill('2025');
    await page.getByLabel('과목', { exact: true }).fill('제어 공학');
    const students = [
      '1\t209800011\t윤하늘\t물리학과\t3\t휴학\t\t',
      '2\t209800012\t김도담\t물리학과\t3\t재학\t\t',
    ];
    await rosterField(page).fill([header, ...students].join('\n'));
    await page.getByRole('button', { name: '미리보기' }).click();
    await page.getByRole('button', { name: '2명 추가' }).click();
    await dismissToast(page, '추가 완료');
    await page.goto('/manage_scores');
    await page.getByRole('combobox', { name: '강의' }).filter({ hasText: '제어 공학' }).waitFor();
    await page.getByRole('textbox', { name: '점수 표' }).fill('학번\t이름\t총점\n209800011\t윤하늘\t90');
    await page
      .getByText(
        '명단에 있으나 이 표에 없는 학생 1명: 김도담 209800012. 학적상태가 휴학, 자퇴 등인 학생 1명: 윤하늘(휴학) 209800011.',
      )
      .waitFor();
  });

  test('STU-6 IMP-4 IMP-11 an import of which a row was edited is undone but for that row, and whose and which field is said', async () => {
    const { page } = await start();
    const stored = await page.request.post('/api/students/', {
      data: {
        year: 2025,
        semester: 1,
        subject: '되돌릴 과목',
        data: ['윤슬', '나래'].map((name, at) => ({
          no: at + 1,
          id: `20970000${at}`,
          name,
          department: '물리학과',
          year: 1,
          type: '재학',
          tel: '010-0000-0001',
          email: '',
        })),
      },
    });
    expect(stored.ok()).toBe(true);
    await page.goto('/manage_students?class=2025-1-되돌릴 과목');
    await page.getByRole('row', { name: /나래/ }).press('Enter');
    await page.getByRole('button', { name: '수정', exact: true }).click();
    await page.getByLabel('학과').fill('화학과');
    await page.getByRole('button', { name: '저장', exact: true }).click();
    await dismissToast(page, '변경 완료');
    await page.goto('/manage_students?tab=import');
    await page.getByRole('button', { name: /되돌릴 과목.* 되돌리기/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: '되돌리기' }).click();
    await page.getByText('나래 209700001: 학과', { exact: true }).waitFor();
    expect(rows("SELECT id, department FROM students WHERE id LIKE '20970000%'")).toEqual([
      { id: '209700001', department: '화학과' },
    ]);
    expect(rows("SELECT count(*) AS n FROM enrolments WHERE subject = '되돌릴 과목'")).toEqual([{ n: 0 }]);
  });

  test('WORK-4 ACC-11 two people correct one entry of the account, in the dialog and both at once', async () => {
    storeEntries(stack, [['2026-03-02', -5000, '복사 용지']]);
    const { page } = await openLedger(stack);
    const { page: others } = await start('other@lab.test');
    await others.goto('/manage_account');
    for (const on of [page, others]) {
      await chooseRowAction(timeline(on), '복사 용지 작업', '수정');
      await on.getByRole('dialog', { name: '내역 수정' }).waitFor();
    }
    const fieldOf = (on: Page, label: string) => on.getByRole('dialog').getByLabel(label, { exact: true });
    await fieldOf(others, '분류').fill('사무용품');
    await fieldOf(others, '내용').fill('복사 용지와 토너');
    await others.getByRole('dialog').getByRole('button', { name: '저장' }).click();
    await dismissToast(others, '변경 완료');
    await fieldOf(page, '금액 (원)').fill('7000');
    await fieldOf(page, '내용').fill('토너');
    await page.getByRole('dialog').getByRole('button', { name: '저장' }).click();
    const merge = page.getByRole('alertdialog');
    await merge.getByText('이 내역을 다른 사람도 수정했습니다').waitFor();
    await merge.getByRole('radio', { name: '복사 용지와 토너' }).check();
    await merge.getByRole('button', { name: '합쳐서 저장' }).click();
    await dismissToast(page, '변경 완료');
    expect(rows('SELECT amount, description, category FROM ledger_entries')).toEqual([
      { amount: -7000, description: '복사 용지와 토너', category: '사무용품' },
    ]);
  });

  test('WORK-4 PLT-6 two people set one plant: what each changed stands', async () => {
    const { page } = await start();
    const { page: others } = await start('other@lab.test');
    for (const on of [page, others]) {
      await on.goto('/manage_plants');
      await on.getByRole('button', { name: 'rosemary 설정' }).click();
      await on.getByRole('dialog', { name: 'rosemary 설정' }).waitFor();
    }
    await others.getByLabel('알림 기준 (%)').fill('21');
    await others.getByRole('dialog').getByRole('button', { name: '저장' }).click();
    await others.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByLabel('수신 끊김 판정 시간 (분)').fill('77');
    await page.getByRole('dialog').getByRole('button', { name: '저장' }).click();
    const merge = page.getByRole('alertdialog');
    await merge.getByText('rosemary 설정을 다른 사람도 수정했습니다').waitFor();
    await merge.getByRole('button', { name: '합쳐서 저장' }).click();
    await merge.waitFor({ state: 'detached' });
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('button', { name: 'rosemary 설정' }).click();
    await expect.poll(() => page.getByLabel('알림 기준 (%)').inputValue()).toBe('21');
    await expect.poll(() => page.getByLabel('수신 끊김 판정 시간 (분)').inputValue()).toBe('77');
  });

  test('ACC-13 a deposit is divided by hand between two people, shown with both, and taken back from one', async () => {
    storeEntries(stack, [[today(), 80_000, '공동 회비']]);
    const [entry] = storedEntries(stack);
    const { page } = await openLedger(stack, '?tab=dues');
    const dialog = page.getByRole('dialog');
    const pay = async (name: string, share: string) => {
      await page.getByRole('button', { name: `${name} 납부 처리` }).click();
      await dialog.getByRole('button', { name: /공동 회비 나누어 쓰기$/ }).click();
      const field = dialog.getByLabel(`${name} 님의 회비 (원)`);
      await field.fill(share);
      await dialog.getByRole('button', { name: '납부 처리' }).click();
    };
    const shares = () =>
      rows(`SELECT amount FROM dues WHERE entry_id = ${entry?.id} ORDER BY amount`).map(
        (row) => row['amount'],
      );
    await pay('최나래', '30,000');
    await page.getByText('4명 중 1명 납부').waitFor();
    await pay('오다솜', '60000');
    await dialog.getByText('50,000원까지 쓸 수 있습니다').waitFor();
    await dialog.getByLabel('오다솜 님의 회비 (원)').fill('50000');
    await dialog.getByRole('button', { name: '납부 처리' }).click();
    await page.getByText('4명 중 2명 납부').waitFor();
    expect(shares()).toEqual([30_000, 50_000]);
    const row = (name: string) => page.getByRole('row').filter({ hasText: name });
    await expect.poll(() => row('최나래').innerText()).toContain('80,000원 중 30,000원');
    await expect.poll(() => row('오다솜').innerText()).toContain('80,000원 중 50,000원');
    await page.reload();
    await chooseRowAction(page, '최나래 작업', '납부 취소');
    await dialog.getByRole('button', { name: '납부 취소' }).click();
    await page.getByText('4명 중 1명 납부').waitFor();
    expect(shares()).toEqual([50_000]);
    await page.getByRole('button', { name: '최나래 납부 처리' }).click();
    await dialog.getByText('오다솜 50,000원 회비로 쓰임 · 30,000원 남음', { exact: false }).waitFor();
  });

  test('ERR-1 a server that fails is asked a few times by each tab of each screen, and then no more', async () => {
    const { page } = await start();
    await page.goto('/manage_students');
    await page.getByRole('table', { name: '학생' }).waitFor();
    const asked: string[] = [];
    await page.route(/\/api\/(?!login)/, async (route) => {
      asked.push(new URL(route.request().url()).pathname);
      await route.fulfill({ status: 500, json: { message: '' } });
    });
    const most: Record<string, number> = {};
    for (const path of shareOrAll(4, Object.keys(pageAccess))) {
      await page.goto(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      const tabs = await page.getByRole('tab').all();
      for (const [at, tab] of [undefined, ...tabs].entries()) {
        asked.length = 0;
        await tab?.click();
        await page.waitForLoadState('networkidle');
        // A screen that asks without an end is never idle long enough for this.
        await expect
          .poll(() => page.locator('main .animate-pulse').filter({ visible: true }).count())
          .toBe(0);
        const counts = Object.values(Object.groupBy(asked, (each) => each)).map((each) => each?.length ?? 0);
        most[`${path} ${at}`] = Math.max(0, ...counts);
      }
    }
    expect(Object.entries(most).filter(([, count]) => count > 5)).toEqual([]);
  });
});
