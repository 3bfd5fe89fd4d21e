import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { visit } from '../support/browser.ts';
import { hasBrowser } from '../support/chromium.ts';
import { shareOrAll } from '../support/counts.ts';
import { storeEntries } from '../support/ledger-screen.ts';
import { pdfRuns } from '../support/pdf-runs.ts';
import { sharedStack } from '../support/shared-stack.ts';

const SIZE = 60;

/** Everything that is seen on paper in the dark: text without parents' text, colours of tables, and what can be pressed. */
async function printedOf(page: Page) {
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  return await page.evaluate(() => {
    const isSeen = (element: Element) => element.checkVisibility() && element.getClientRects().length > 0;
    const isOwn = (element: Element) => element.closest('[data-printed]') !== null;
    const leaves = [...document.body.querySelectorAll('*')].filter((element) =>
      [...element.childNodes].some(({ nodeType, textContent }) => nodeType === 3 && textContent?.trim()),
    );
    const pressed = [
      ...document.querySelectorAll(
        'tbody :is(button, input, select, a[href]:not([href^="mailto:"], [href^="tel:"]))',
      ),
    ];
    const table = document.querySelector('[data-printed] table');
    if (!table) throw new Error('no table goes on paper');
    const { width } = table.getBoundingClientRect();
    return {
      strangers: leaves.filter((each) => isSeen(each) && !isOwn(each)).map((each) => each.textContent),
      pressed: pressed.filter(isSeen).map((each) => each.textContent),
      headers: [...table.querySelectorAll('thead th')].filter(isSeen).map((each) => each.textContent),
      cut: [...table.querySelectorAll('td, tbody th')]
        .filter((each) => isSeen(each) && each.scrollWidth > each.clientWidth + 1)
        .map((each) => each.textContent),
      ink: getComputedStyle(table).color,
      rows: [...table.querySelectorAll('tbody tr')].filter(isSeen).length,
      isWide: width > innerWidth,
    };
  });
}

/** Does what the browser does before it prints. */
const beforePrint = (page: Page) => page.evaluate(() => void dispatchEvent(new Event('beforeprint')));
const afterPrint = async (page: Page) => {
  await page.evaluate(() => void dispatchEvent(new Event('afterprint')));
  await page.emulateMedia({ media: 'screen' });
};

const light = 'rgb(24, 33, 29)';
/** A4 without its margins, at 96 dpi. */
const sheet = { width: 688, height: 1017 };

describe.skipIf(!hasBrowser)('lists on paper', () => {
  const stack = sharedStack('demo');

  async function open() {
    const seen = await visit(stack, { as: 'admin@lab.test' });
    return seen;
  }

  test('STU-18 a class is printed whole under its name after a reason, and Ctrl+P has the rows on screen', async () => {
    const { page } = await open();
    const data = Array.from({ length: SIZE }, (_, at) => ({
      no: at + 1,
      id: `2099${String(at).padStart(5, '0')}`,
      name: at === 0 ? '아주긴이름을가진외국인유학생' : `김가람${at}`,
      department: '컴퓨터정보통신공학과',
      year: 3,
      type: '재학',
      tel: '01000000000',
      email: `a.very.long.address.of.student.${at}@university.test`,
    }));
    const stored = await page.request.post('/api/students/', {
      data: { year: 2025, semester: 1, subject: '운영체제 02분반', data },
    });
    expect(stored.status()).toBe(201);
    await page.goto('/manage_students?class=2025-1-운영체제 02분반');
    await page.getByText(`${SIZE}명`, { exact: true }).waitFor();

    await beforePrint(page);
    await page.getByText(`${SIZE}명 중 1–10번째 · `).waitFor({ state: 'attached' });
    await page.setViewportSize(sheet);
    await expect.poll(() => printedOf(page)).toMatchObject({ rows: 10, strangers: [], pressed: [] });
    await afterPrint(page);

    await page.evaluate(() => {
      window.print = () => dispatchEvent(new Event('beforeprint'));
    });
    await page.getByRole('button', { name: '내보내기', exact: true }).click();
    await page.getByRole('menuitem', { name: '인쇄' }).click();
    const dialog = page.getByRole('dialog', { name: `학생 ${SIZE}명의 목록을 인쇄합니다` });
    await dialog.getByRole('button', { name: '인쇄' }).click();
    await dialog.getByText('사유를 두 글자 이상 입력하세요').waitFor();
    await expect.poll(() => page.locator('[data-printed]').getByText('2025년 1학기').count()).toBe(0);
    await dialog.getByLabel('사유').fill('시험 감독');
    await dialog.getByRole('button', { name: '인쇄' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText(new RegExp(`^${SIZE}명 · \\d{4}\\.\\d\\d\\.\\d\\d \\d\\d:\\d\\d 인쇄$`)).waitFor({
      state: 'attached',
    });
    const printed = await printedOf(page);
    await page.getByText('2025년 1학기 운영체제 02분반 학생 명단').waitFor();
    expect(printed).toEqual({
      strangers: [],
      pressed: [],
      cut: [],
      headers: ['순번', '이름', '학번', '학과', '학년', '학적상태', '연락처'],
      ink: light,
      rows: SIZE,
      isWide: false,
    });
    const [first = [], ...others] = pdfRuns(await page.pdf({ preferCSSPageSize: true }));
    expect(others.length).toBeGreaterThan(1);
    for (const runs of others) {
      const at = first.indexOf(runs[0] ?? '');
      expect(runs.slice(0, 7)).toEqual(first.slice(at, at + 7));
    }

    const log: unknown = await (await page.request.get('/api/access_log?action=export')).json();
    expect(log).toContainEqual(
      expect.objectContaining({
        detail: expect.objectContaining({ reason: '시험 감독', count: SIZE, printed: true }),
      }),
    );
  });

  const lists: [path: string, title: string | RegExp, headers: string[]][] = [
    ['/manage_courses', '강의 목록', ['연도', '학기', '과목명', '영문 과목명', '대상']],
    ['/manage_users?level=1', '사용자 (Admin)', ['이름', '이메일', '역할', '학번/직번', 'ID']],
    ['/manage_users?tab=log', '접속 기록', ['시각', '처리자', '접속 IP', '작업', '정보주체', '내용']],
    ['/manage_account', '랩비 내역', ['날짜', '내용', '금액', '잔액']],
    ['/manage_account?tab=dues', /회비 명단/, ['이름', '상태', '납부 내역']],
    [
      '/manage_subjects_list',
      /과목 목록/,
      ['과목명', '학수번호', '학과', '학년', '이수구분', '학점', '교수', '강의시간', '강의실', '비고'],
    ],
  ];

  test.each(shareOrAll(2, lists))(
    'WORK-7 %s goes on paper alone, under its title, light, without what is pressed',
    async (path, title, headers) => {
      const { page } = await open();
      storeEntries(
        stack,
        Array.from(
          { length: 120 },
          (_, at) => ['2026-03-02', -at - 1, `아주 긴 내용의 내역 ${at}`.repeat(4)] as const,
        ),
      );
      await page.goto(path);
      await page.locator('[data-printed] tbody tr').first().waitFor();
      await page.setViewportSize(sheet);
      await beforePrint(page);
      const printed = await printedOf(page);
      await page.locator('[data-printed]').getByText(title, { exact: true }).first().waitFor();
      expect(printed).toMatchObject({ strangers: [], pressed: [], cut: [], ink: light, isWide: false });
      expect(printed.headers).toEqual(headers);
    },
  );
});
