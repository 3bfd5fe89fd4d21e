import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { apiAnswer } from '../support/api-answer.ts';
import { goInApp, sharedVisit, visit } from '../support/browser.ts';
import { hasBrowser } from '../support/chromium.ts';
import { outOfSight } from '../support/import-screen.ts';
import { removeSession } from '../support/sign-in-page.ts';
import { sharedStack } from '../support/shared-stack.ts';
import { storedDrafts } from '../support/stored-drafts.ts';
import { xlsx } from '../support/xlsx.ts';

const header = '순번\t학번\t성명\t학과\t학년\t학적상태\t연락처\t이메일';
const roster = [
  '1\t209900001\t홍길동\t컴퓨터공학과\t3\t재학\t010-0000-0001\tgildong@univ.test',
  '2\t209900002\t김하늘\t컴퓨터공학과\t2\t재학\t010-0000-0002\thaneul@univ.test',
  '3\t209900003\t한그루\t물리학과\t4\t휴학\t010-0000-0003\tgeuru@univ.test',
];
const textOf = (rows: string[]) => [header, ...rows].join('\r\n');

type Filled = { subject: string; rows: string[] };

/** Fills the import form in and asks for the preview. */
async function preview(page: Page, { subject, rows }: Filled): Promise<void> {
  await unfoldClass(page);
  // A term that has begun, in whatever month the test runs.
  await page.getByLabel('연도').fill('2025');
  await previewOfTerm(page, { subject, rows });
}

/** Below a table that was read, the class is one line. */
async function unfoldClass(page: Page): Promise<void> {
  const fold = page.locator('details:not([open]) > summary').filter({ hasText: '강의 변경' });
  if (await fold.isVisible()) await fold.click();
}

async function previewOfTerm(page: Page, { subject, rows }: Filled): Promise<void> {
  await unfoldClass(page);
  await page.getByLabel('과목', { exact: true }).fill(subject);
  await paste(page, textOf(rows));
  await page.getByRole('button', { name: '미리보기' }).click();
}

/** Pastes as a person does; a short text replaces what is in the field. */
async function paste(page: Page, text: string): Promise<void> {
  const field = page.getByLabel('명단', { exact: true });
  if (text.length < 50_000) {
    await field.fill(text);
    return;
  }
  await field.evaluate((element, pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', pasted);
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, text);
  await page.getByText(`붙여넣은 표 ${text.split('\n').length}행`).waitFor();
}

async function importRoster(page: Page, filled: Filled): Promise<void> {
  await goInApp(page, '/manage_students?tab=import');
  await preview(page, filled);
  // Under the address that is specified, with its slash.
  const [sent] = await Promise.all([
    page.waitForRequest((request) => new URL(request.url()).pathname === '/api/students/'),
    page.getByRole('button', { name: /^[0-9]+명 (추가|저장)$/ }).click(),
  ]);
  expect(sent.method()).toBe('POST');
  await stored(page);
}

/** The form is emptied a moment after the toast: whoever reloads before that has the draft again. */
async function stored(page: Page): Promise<void> {
  await page
    .getByText(/^추가 완료: /)
    .first()
    .waitFor();
  await page.getByRole('textbox', { name: '명단', exact: true }).waitFor();
}

/** A toast; the announcement for screen readers holds the same text for a moment. */
const toast = (page: Page, text: string) => page.getByText(text, { exact: true }).first();

const exportAs = async (page: Page, way: string) => {
  await page.getByRole('button', { name: '내보내기', exact: true }).click();
  await page.getByRole('menuitem', { name: way }).click();
};

const rowsOf = (page: Page, name: string) =>
  page.getByRole('table', { name, exact: true }).locator('tbody tr');

describe.skipIf(!hasBrowser)('the students screen', () => {
  const stack = sharedStack('empty');
  const open = sharedVisit(stack, 'admin@lab.test');

  test('STU-14 the menu of classes, opened before the list is there, stays open when it comes', async () => {
    const { page } = await visit(stack, { as: 'admin@lab.test' });
    const held: (() => void)[] = [];
    await page.route(/\/api\/students\/?(\?|$)/, async (route) => {
      await new Promise<void>((resolve) => held.push(resolve));
      await route.continue();
    });
    await page.goto('/manage_students');
    await page.getByRole('combobox', { name: '강의' }).click();
    const option = page.getByRole('option', { name: '모든 학생' });
    await option.waitFor();
    await expect.poll(() => held.length).toBe(1);
    held[0]?.();
    await page.getByRole('table', { name: '학생', includeHidden: true }).waitFor();
    await page.unrouteAll();
    await option.click();
    await page.getByRole('combobox', { name: '강의' }).filter({ hasText: '모든 학생' }).waitFor();
  });

  test('STU-1 STU-4 STU-5 shows four tabs and says what is wrong with the import form', async () => {
    const { page } = await open('/manage_students');
    await page.getByText('등록된 학생이 없습니다').waitFor();
    await expect
      .poll(() => page.getByRole('tab').allTextContents())
      .toEqual(['목록', '데이터 입력', '사진 업로드', '검색']);
    await page.getByRole('tab', { name: '데이터 입력' }).click();
    await page.waitForURL('**/manage_students?tab=import');

    const submit = page.getByRole('button', { name: '미리보기' });
    const alert = page.getByRole('alertdialog');
    await submit.click();
    await alert.getByText('데이터를 입력하세요').waitFor();
    await alert.getByRole('button', { name: '확인' }).click();
    await page.getByLabel('과목', { exact: true }).fill('운영체제');
    await page.getByLabel('명단', { exact: true }).fill('학번\t성명\n1\t2');
    for (const year of ['2020', '2051']) {
      await page.getByLabel('연도').fill(year);
      await submit.click();
      await alert.getByText('연도를 올바르게 입력하세요').waitFor();
      await page.keyboard.press('Escape');
    }
    await page.getByLabel('연도').fill('2026');
    await submit.click();
    const columns = toast(page, '열 개수가 맞지 않습니다 (8)');
    await columns.waitFor();
    await page.getByLabel('명단', { exact: true }).fill(header);
    await columns.waitFor({ state: 'detached' });
    await preview(page, { subject: '운영체제', rows: [] });
    await toast(page, '데이터 없음').waitFor();
    await preview(page, { subject: '운영체제', rows: ['1\t12\t홍길동'] });
    await toast(page, '분석된 데이터 없음').waitFor();
    await page.getByText('학번이 올바르지 않습니다: 12').waitFor();
    // None of the other columns can be the missing one, so nothing is asked.
    await paste(page, '순번\t학번\t성명\t학과\t학년\t학적상태\t이메일\n1\t209900001\t홍길동\t\t3\t\t');
    await submit.click();
    await page.getByText('찾지 못한 열: 연락처').waitFor();
    await page.getByText('신규 1 · 변경 0').waitFor();
    await columns.waitFor();
    await paste(page, '순번\t학번\t성명\t학과\t학년\t연락처\t이메일\n1\t209900001\t홍길동\t\t3\t\t');
    await submit.click();
    await page.getByText('찾지 못한 열: 학적상태').waitFor();
    await page.getByText('신규 1 · 변경 0').waitFor();
    await columns.waitFor();
    const withParent = header.replace('연락처', '연락처(보호자)\t연락처(본인)');
    await paste(page, `${withParent}\n1\t209900001\t홍길동\t\t3\t\t010-0000-9999\t010-0000-0001\t`);
    await submit.click();
    await page.getByText('(제외: 연락처(보호자))').waitFor();
    await page.getByRole('button', { name: '1행 연락처 010-0000-0001 수정' }).waitFor();
  });

  test('STU-6 STU-7 previews a paste, stores it once, changes nothing at the second time and takes it back', async () => {
    const { page, problems } = await open('/manage_students?tab=import');
    const bad = '4\t12\t잘못';
    await preview(page, { subject: '운영체제', rows: [...roster, bad] });
    await page.getByText('신규 3 · 변경 0 · 동일 0 · 명단에 없음 0 · 오류 1').waitFor();
    await expect.poll(async () => (await storedDrafts(page)).length).toBeGreaterThan(0);
    await page.getByRole('button', { name: '3명 추가' }).click();
    await page
      .getByText(/^추가 완료: 2025년 [12]학기 운영체제 3명$/)
      .first()
      .waitFor();
    // Whoever reads that does not find the text again by a reload.
    expect(await storedDrafts(page)).toEqual([]);
    await expect.poll(() => page.getByLabel('명단', { exact: true }).inputValue()).toBe('');
    await page.getByText('신규 3 · 변경 0').waitFor();
    // The button that had the focus went with the preview.
    await page.locator('section[aria-label="명단 입력"]:focus').waitFor();

    await preview(page, { subject: '운영체제', rows: roster });
    await page.getByText('신규 0 · 변경 0 · 동일 3 · 명단에 없음 0 · 오류 0').waitFor();
    await expect.poll(() => page.getByRole('button', { name: '저장', exact: true }).isDisabled()).toBe(true);

    const [first = '', second = '', ...rest] = roster;
    const swapped = first.replace('홍길동\t컴퓨터공학과', '컴퓨터공학과\t홍길동');
    await preview(page, { subject: '운영체제', rows: [swapped, second, ...rest] });
    await page.getByRole('button', { name: '1행 이름 홍길동로 변경' }).waitFor();
    // Its row stays ticked, so that no note says otherwise.
    await expect.poll(() => page.getByRole('checkbox', { name: '1행 포함' }).isChecked()).toBe(true);
    expect(await page.getByText('체크하지 않았습니다').count()).toBe(0);

    await preview(page, {
      subject: '운영체제',
      rows: [first, second.replace('0002\thaneul', '9999\thaneul')],
    });
    await page.getByText('신규 0 · 변경 1 · 동일 1 · 명단에 없음 1 · 오류 0').waitFor();
    await page.getByText('연락처 010-0000-0002 → 010-0000-9999').waitFor();
    const missing = page.getByRole('checkbox', { name: /한그루/ });
    await expect.poll(() => missing.isChecked()).toBe(false);
    await missing.check();
    await page.getByRole('button', { name: '1명 저장, 1명 수강 삭제' }).click();
    await page.getByText('신규 0 · 변경 1 · 수강 종료 1').waitFor();

    await page.getByRole('button', { name: '되돌리기' }).first().click();
    await page.getByRole('dialog').getByRole('button', { name: '되돌리기' }).click();
    await toast(page, '되돌리기 완료').waitFor();
    await preview(page, { subject: '운영체제', rows: roster });
    await page.getByText('신규 0 · 변경 0 · 동일 3 · 명단에 없음 0 · 오류 0').waitFor();
    await preview(page, { subject: '운영체제', rows: [first, second] });
    await missing.check();
    await page.getByRole('button', { name: '1명 수강 삭제' }).click();
    await toast(page, '변경 완료').waitFor();

    await preview(page, { subject: '운영체제', rows: [first, second.replace('재학', '수강취소')] });
    const list = page.getByRole('group', { name: /수강하지 않는다고 적힌 수강생 1명/ });
    const cancelled = list.getByRole('checkbox', { name: /‘수강취소’/ });
    await expect.poll(() => cancelled.isChecked()).toBe(false);
    await cancelled.check();
    const end = page.getByRole('button', { name: '1명 수강 삭제' });
    await end.waitFor();
    // A row that is imported after all ends nothing.
    await page.getByRole('checkbox', { name: '2행 포함' }).check();
    await list.waitFor({ state: 'detached' });
    await end.waitFor({ state: 'detached' });
    await page.getByRole('checkbox', { name: '2행 포함' }).uncheck();
    await end.click();
    // Two imports are listed with these counts now.
    await expect.poll(() => page.getByText('신규 0 · 변경 0 · 수강 종료 1').count()).toBe(2);
    expect(problems).toEqual([]);
  });

  test('STU-3 STU-2 STU-8 STU-13 lists, finds, shows and deletes students', async () => {
    const { page } = await open('/manage_students?tab=import');
    await importRoster(page, { subject: '컴퓨터 구조', rows: roster });
    await page.getByRole('tab', { name: '목록' }).click();
    await page.getByText('3명', { exact: true }).waitFor();
    const search = page.getByLabel('검색', { exact: true });
    await search.fill('ㅎㄱ 구조');
    await page.getByText('3명 중 2명').waitFor();
    await search.fill('ㅎㄱㄷ');
    await page.getByText('3명 중 1명').waitFor();
    await rowsOf(page, '학생').first().press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('gildong@univ.test').waitFor();
    await dialog.getByText('사진 없음').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: '홍길동 작업' }).click();
    await page.getByRole('menuitem', { name: '학생 삭제' }).click();
    await dialog.getByText(/^수강 기록이 모두 삭제되는 강의: 운영체제/).waitFor();
    await dialog.getByRole('button', { name: '삭제' }).click();
    await toast(page, '삭제 완료').waitFor();
    await search.fill('');
    await page.getByText('2명', { exact: true }).waitFor();
    // What was said of this screen is not read on another one.
    await page.getByRole('link', { name: '성적 관리' }).first().click();
    await page.getByLabel('점수 표', { exact: true }).waitFor();
    expect(await toast(page, '삭제 완료').count()).toBe(0);
  });

  test('STU-20 IMP-3 USER-5 a number is corrected in the dialog, a list from before offers the same person, and the log says it', async () => {
    const { page } = await open('/manage_students?tab=import');
    const [old, other] = [
      '1\t208800001\t단우\t물리학과\t3\t재학\t\tdanu@univ.test',
      '2\t208800002\t라온\t물리학과\t3\t재학\t\t',
    ];
    await importRoster(page, { subject: '정정할 과목', rows: [old, other] });
    await page.getByRole('tab', { name: '목록' }).click();
    await page.getByRole('button', { name: '단우 작업' }).click();
    await page.getByRole('menuitem', { name: '수정' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('학번').fill('208800002');
    await dialog.getByRole('button', { name: '저장' }).click();
    await dialog
      .getByText('이미 등록된 학번입니다')
      .or(toast(page, '이미 등록된 학번입니다'))
      .first()
      .waitFor();
    await dialog.getByLabel('학번').fill('208800009');
    await dialog.getByText('모두 새 학번으로 옮깁니다', { exact: false }).waitFor();
    await dialog.getByRole('button', { name: '저장' }).click();
    await toast(page, '변경 완료').waitFor();
    await expect
      .poll(() => rowsOf(page, '학생').allInnerTexts())
      .toEqual([expect.stringMatching(/단우\s+208800009/), expect.stringContaining('라온')]);

    await goInApp(page, '/manage_students?tab=import');
    await preview(page, { subject: '정정할 과목', rows: [old, other] });
    await page.getByText('신규 0 · 변경 0 · 동일 1 · 명단에 없음 0', { exact: false }).waitFor();
    await expect.poll(() => page.getByRole('checkbox', { name: '1행 포함' }).isChecked()).toBe(false);
    await page.getByText('정정하기 전의 학번입니다. 지금은 단우 208800009입니다', { exact: false }).waitFor();
    await page.getByRole('button', { name: '1행 학번 208800009로 변경' }).click();
    await page.getByText('신규 0 · 변경 0 · 동일 2 · 명단에 없음 0 · 오류 0').waitFor();
    await page.getByRole('button', { name: '취소', exact: true }).click();

    await goInApp(page, '/manage_users?tab=log');
    const log = page.getByRole('table', { name: '접속 기록' });
    const entry = log.getByRole('row').filter({ hasText: '학번 208800001 → 208800009' });
    await expect
      .poll(() => entry.allInnerTexts())
      .toEqual([expect.stringContaining('단우'), expect.stringContaining('지금은 없는 학번 208800001')]);
    expect((await entry.allInnerTexts()).join()).not.toContain('바뀐 내용 없음');
  });

  test('STU-11 STU-12 STU-19 exports the list and one person with a reason, and purges a term that was counted, chosen and typed', async () => {
    const { page, context } = await visit(stack, { as: 'admin@lab.test', at: '/manage_students?tab=import' });
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const hostile = '9\t209900009\t=1+1\t컴퓨터, 공학\t3\t재학\t01000000009\t';
    await importRoster(page, { subject: '회로 이론', rows: [hostile] });
    await page.getByRole('tab', { name: '목록' }).click();
    // The class of the import is the chosen one.
    await page.getByText('1명', { exact: true }).waitFor();
    const dialog = page.getByRole('dialog');
    const giveReason = async (submit: string) => {
      await dialog.getByRole('button', { name: submit }).click();
      await dialog.getByText('사유를 두 글자 이상 입력하세요').waitFor();
      await dialog.getByLabel('사유').fill('상담 준비');
      await dialog.getByRole('button', { name: submit }).click();
    };

    await exportAs(page, 'CSV 저장');
    const csv = page.waitForEvent('download');
    await giveReason('저장');
    const line = '9,209900009,\'=1+1,"컴퓨터, 공학",3,재학,010-0000-0009,';
    expect(readFileSync(await (await csv).path(), 'utf8')).toBe(
      `\ufeff순번,학번,성명,학과,학년,학적상태,연락처,이메일\r\n${line}\r\n`,
    );

    await exportAs(page, '표 복사');
    await giveReason('복사');
    await toast(page, '복사 완료').waitFor();
    await expect
      .poll(() => page.evaluate(() => navigator.clipboard.readText()))
      .toContain("209900009\t'=1+1");

    await rowsOf(page, '학생').first().click();
    await dialog.getByRole('button', { name: '정보 내보내기' }).click();
    const json = page.waitForEvent('download');
    await giveReason('내보내기');
    expect(JSON.parse(readFileSync(await (await json).path(), 'utf8'))).toMatchObject({
      student: { id: '209900009', name: '=1+1' },
      enrolments: [{ subject: '회로 이론' }],
    });

    await page.getByText('학기 명단 삭제').click();
    const purge = page.getByRole('button', { name: '이 학기 삭제' });
    const term = page.getByRole('combobox', { name: '삭제할 학기' });
    await term.filter({ hasText: '학기 선택' }).waitFor();
    await expect.poll(() => purge.isDisabled()).toBe(true);
    await term.click();
    await page.getByRole('option').first().click();
    const chosenTerm = (await term.innerText()).replaceAll(/\s/g, '');
    await purge.click();
    await dialog.getByText(/학기 수강 기록 \d+건을 삭제할까요\?/).waitFor();
    const submit = dialog.getByRole('button', { name: '삭제' });
    await expect.poll(() => submit.isDisabled()).toBe(true);
    await dialog.getByLabel('확인하려면').fill(chosenTerm);
    await submit.click();
    await toast(page, '삭제 완료').waitFor();
    await page.getByText(/등록된 학생이 없습니다|이 강의의 명단이 없습니다/).waitFor();
  });

  test('STU-7 STU-9 STU-13 takes 5,000 rows in one request and keeps the page small with all of them', async () => {
    const { page } = await open('/manage_students?tab=import');
    const rows = Array.from(
      { length: 5000 },
      (_, index) => `${index + 1}\t${208800000 + index}\t학생${index}\t컴퓨터공학과\t3\t재학\t\t`,
    );
    await importRoster(page, { subject: '대형 강의', rows });
    await page.getByRole('tab', { name: '목록' }).click();
    await page.getByText('5000명', { exact: true }).waitFor();
    await expect.poll(() => rowsOf(page, '학생').count()).toBe(10);
    await page.getByRole('combobox', { name: '페이지당 행 수' }).click();
    await page.getByRole('option', { name: '전체' }).click();
    await page.getByText('1–5000 / 5000').waitFor();
    const table = page.getByRole('region', { name: '학생', exact: true });
    await table.evaluate((element) => element.scrollTo({ top: element.scrollHeight }));
    await page.getByRole('rowheader', { name: '학생4999', exact: true }).waitFor();
    expect(await page.locator('tr').count()).toBeLessThanOrEqual(100);

    await page.getByRole('tab', { name: '검색' }).click();
    await page.getByLabel('학번 또는 이름').fill('학생7\n208800042 없는사람');
    await page.getByText('찾지 못함 (1): 없는사람').waitFor();
    await page.getByText('학생42', { exact: true }).waitFor();
    await expect.poll(() => page.getByText('사진 없음').count()).toBe(2);
  });

  test('STU-10 says what the server answers, and sends who is not signed in to the login page', async () => {
    const { page } = await visit(stack, { as: 'admin@lab.test' });
    const answers = [
      [403, '접근 권한 없음'],
      [500, '서버 오류'],
      [503, '데이터 없음'],
    ] as const;
    for (const [status, text] of answers) {
      await page.route('**/api/students', (route) => route.fulfill(apiAnswer(status)));
      await page.goto('/manage_students');
      await toast(page, text).waitFor();
      await page.getByText('학생을 불러오지 못했습니다.').waitFor();
      await page.unroute('**/api/students');
      await page.getByRole('button', { name: '다시 시도' }).click();
      await page.getByRole('table', { name: '학생', exact: true }).waitFor();
    }
    await removeSession(page);
    await page.getByRole('button', { name: /작업$/ }).first().click();
    await page.getByRole('menuitem', { name: '학생 삭제' }).click();
    await page.getByRole('dialog').getByRole('button', { name: '삭제' }).click();
    await toast(page, '로그인 되지 않음').waitFor();
    await page.waitForURL('**/login');
  });

  test('STU-4 STU-6 CRS-2 in January forms offer the running term and the next, and a term to come is asked about', async () => {
    const { page } = await visit(stack, { as: 'admin@lab.test' });
    // The page goes by the server's time, which is in every answer.
    const now = new Date('2027-01-15T12:00:00+09:00');
    await page.clock.setFixedTime(now);
    await page.route('**/api/**', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, headers: { ...response.headers(), date: now.toUTCString() } });
    });
    const running = page.getByRole('button', { name: '2026년 2학기 (진행 중)' });
    const next = page.getByRole('button', { name: '2027년 1학기 (다음)' });
    const term = async () => [
      await page.getByLabel('연도').inputValue(),
      await page.getByRole('combobox', { name: '학기', exact: true }).textContent(),
    ];
    await page.goto('/manage_students?tab=import');
    await expect.poll(term).toEqual(['2027', '2학기']);

    const person = '1\t209900077\t윤슬\t컴퓨터공학과\t3\t재학\t010-0000-0077\tyunseul@univ.test';
    await previewOfTerm(page, { subject: '겨울 준비', rows: [person] });
    const submit = page.getByRole('button', { name: /^[0-9]+명 (추가|저장)$/ });
    const dialog = page.getByRole('dialog', { name: /^2027년 2학기는 아직 시작하지 않았습니다/ });
    await submit.click();
    await dialog.getByText('지금은 2026년 2학기입니다', { exact: false }).waitFor();
    await dialog.getByRole('button', { name: '취소' }).click();
    const imports = page.getByRole('region', { name: '가져오기 이력' });
    await expect.poll(() => imports.getByText('2027년 2학기').count()).toBe(0);
    await submit.click();
    await dialog.getByRole('button', { name: '저장' }).click();
    await imports.getByText('2027년 2학기 겨울 준비').waitFor();

    await next.click();
    await expect.poll(term).toEqual(['2027', '1학기']);
    await running.click();
    await expect.poll(term).toEqual(['2026', '2학기']);
    const changed = person.replace('0077\ty', '1111\ty').replace('컴퓨터공학과', '');
    await previewOfTerm(page, { subject: '겨울 준비', rows: [changed] });
    await page.getByText('연락처 010-0000-1111 반영 안 함: 2027년 2학기의 010-0000-0077 유지').waitFor();
    await page.getByText('학과 빈 칸: 컴퓨터공학과 유지').waitFor();
    await submit.click();
    await imports.getByText('2026년 2학기 겨울 준비').waitFor();

    await page.goto('/manage_courses');
    await page.getByRole('tab', { name: '데이터 입력' }).click();
    await expect.poll(term).toEqual(['2027', '2학기']);
    await running.click();
    await expect.poll(term).toEqual(['2026', '2학기']);
    await page.goto('/manage_subjects_list');
    await next.waitFor();
    const subjectTerm = () => page.getByRole('combobox', { name: /^(연도|학기)$/ }).allTextContents();
    await expect.poll(subjectTerm).toEqual(['2027년', '2학기']);
    await next.click();
    await page.waitForURL('**semester=spring**');
    await expect.poll(subjectTerm).toEqual(['2027년', '1학기']);
  });

  test('IMP-1 IMP-3 IMP-12 the preview shows every field, flags what looks wrong and is corrected in place; a file does the same', async () => {
    const { page } = await open('/manage_students?tab=import');
    const rows = [
      '1\t208900001\t윤슬\t물리학과\t3\t재학\tabc\tbad',
      '2\t208900002\t이든\t물리학과\t2\t휴학\t1000000002\tiden@univ.test',
      '3\t208900003\t나래\t물리학과\t2\t재학\t010-0000-0003\t',
      '\t합계\t3명',
    ];
    await preview(page, { subject: '확인', rows });
    await page.getByText('신규 3 · 변경 0 · 동일 0 · 명단에 없음 0 · 오류 1 · 확인 2').waitFor();
    const told = () => rowsOf(page, '미리보기').allInnerTexts();
    const [first, second] = await told();
    for (const text of ['3', '재학', 'abc', '전화번호가 아닙니다', 'bad', '이메일 주소가 아닙니다']) {
      expect(first).toContain(text);
    }
    expect(second).toContain('맨 앞의 0이 없습니다');
    await page.getByText('합계 행입니다').waitFor();
    expect(await outOfSight(page, '미리보기', ['상태', '확인'])).toEqual([]);

    await page.getByRole('button', { name: '제안 1개 모두 반영' }).click();
    await page.getByText('오류 1 · 확인 1').waitFor();
    await page.getByRole('button', { name: '1행 연락처 abc 수정' }).click();
    await page.getByRole('textbox', { name: '1행 연락처' }).fill('０１０００００００１０');
    await page.keyboard.press('Enter');
    // The cell keeps the focus, so that one can go on by keyboard.
    await page.locator('button:focus', { hasText: '010-0000-0010' }).waitFor();
    await page.getByRole('button', { name: '1행 이메일 bad 수정' }).click();
    await page.keyboard.insertText('yunseul@univ.test');
    await page.getByRole('checkbox', { name: '3행 포함' }).uncheck();
    await page.getByRole('button', { name: '2명 추가' }).waitFor();
    await expect.poll(async () => (await told())[0]).toContain('yunseul@univ.test');
    await expect.poll(async () => (await told())[1]).toContain('010-0000-0002');

    // A value that stays as it is can be stored all the same; an id of the file keeps its zeros.
    const file = xlsx([
      {
        name: '명단',
        rows: [
          ['2025년 1학기 자료구조 수강생'],
          header.split('\t'),
          [{ number: 1 }, ...(rows[0] ?? '').split('\t').slice(1)],
          [{ number: 2, format: 'General~' }, ...(rows[1] ?? '').split('\t').slice(1)],
        ],
      },
    ]);
    const files = page.getByLabel('명단 파일 선택');
    await files.setInputFiles({
      name: '명단.pdf',
      mimeType: 'application/pdf',
      buffer: Buffer.from('%PDF-1.7'),
    });
    await page.getByRole('alert').getByText('표 파일이 아닙니다(PDF)').waitFor();
    await files.setInputFiles({ name: '명단.xlsx', mimeType: '', buffer: Buffer.from(file) });
    await page.getByText('신규 2 · 변경 0 · 동일 0 · 명단에 없음 0 · 오류 0 · 확인 2').waitFor();
    await page.getByText('취소선이 그어진 행(시트의 맨 위부터)도 그대로 읽었습니다: 4행.').waitFor();
    // Its title says another class than the one that was typed.
    await page.getByText('명단에 적힌 강의: 2025년 1학기 자료구조').waitFor();
    await expect.poll(() => page.getByRole('button', { name: '2명 추가' }).isDisabled()).toBe(true);
    await page.getByRole('checkbox', { name: /확인 명단이 맞습니다$/ }).check();
    await page.getByRole('button', { name: '2명 추가' }).click();
    await stored(page);
    await page.goto('/manage_students?class=all');
    await page.getByLabel('검색', { exact: true }).fill('208900001');
    await rowsOf(page, '학생').filter({ hasText: 'abc · bad' }).waitFor();
  });

  test('STU-14 STU-15 STU-16 a class is chosen once for every tab, saved under its name with eight columns, comes back unchanged, and loses one student', async () => {
    const { page, context } = await open('/manage_students?tab=import');
    await importRoster(page, {
      subject: '제어/실습',
      rows: ['7\t00001234\t가온\t물리학과\t3\t휴학\t010-0000-0077\tgaon@univ.test'],
    });
    await page.reload();
    await importRoster(page, { subject: '다른 과목', rows: ['1\t208700001\t다온\t물리학과\t1\t재학\t\t'] });
    await page.goto('/manage_students');
    await page.getByRole('combobox', { name: '강의' }).click();
    await page.getByRole('option', { name: /학기 제어\/실습 \(1명\)$/ }).click();
    await expect
      .poll(() => rowsOf(page, '학생').allInnerTexts())
      .toEqual([expect.stringMatching(/^7\s+가온\s.*3\s+휴학/s)]);
    expect(new URL(page.url()).searchParams.get('class')).toMatch(/^2025-[12]-제어\/실습$/);
    // The other tabs are about the same class, and so is the screen when one comes back to it.
    await page.getByRole('tab', { name: '검색' }).click();
    await page.getByLabel('학번 또는 이름').fill('가온 다온');
    await page.getByText('찾지 못함 (1): 다온').waitFor();
    await page.goto('/manage_students');
    await page.getByRole('combobox', { name: '강의' }).filter({ hasText: '제어/실습' }).waitFor();
    await page.getByText('1명', { exact: true }).waitFor();
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await exportAs(page, '이메일 복사');
    await page.getByRole('dialog', { name: '이메일 1개를 복사합니다' }).getByLabel('사유').fill('휴강 안내');
    await page.keyboard.press('Enter');
    await toast(page, '복사 완료').waitFor();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('gaon@univ.test');
    await exportAs(page, 'CSV 저장');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('사유').fill('출석부');
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: '저장' }).click(),
    ]);
    expect(file.suggestedFilename()).toMatch(/^학생 명단 2025년 [12]학기 제어[ _]실습\.csv$/);
    const csv = readFileSync(await file.path(), 'utf8').replace('\ufeff', '');
    const [labels, line = ''] = csv.trim().split('\r\n');
    expect(labels).toBe('순번,학번,성명,학과,학년,학적상태,연락처,이메일');
    expect(line).toBe("7,'00001234,가온,물리학과,3,휴학,010-0000-0077,gaon@univ.test");
    await page.getByRole('tab', { name: '데이터 입력' }).click();
    // The import begins with the chosen class.
    await expect.poll(() => page.getByLabel('연도').inputValue()).toBe('2025');
    await expect.poll(() => page.getByLabel('과목', { exact: true }).inputValue()).toBe('제어/실습');
    await paste(page, textOf([line.replaceAll(',', '\t')]));
    await page.getByRole('button', { name: '미리보기' }).click();
    await page.getByText('신규 0 · 변경 0 · 동일 1 · 명단에 없음 0 · 오류 0').waitFor();

    await page.getByRole('tab', { name: '목록' }).click();
    await page.getByRole('button', { name: '가온 작업' }).click();
    // STU-19: what destroys stands last, and the person's deletion behind the class's.
    await expect
      .poll(() => page.getByRole('menuitem').allInnerTexts())
      .toEqual(['수정', '수강 삭제', '학생 삭제']);
    await page.getByRole('menuitem', { name: '수강 삭제' }).click();
    await dialog.getByText('다른 강의의 수강 기록은 남습니다.', { exact: false }).waitFor();
    await dialog.getByRole('button', { name: '수강 삭제' }).click();
    // It was the only one of the class, which is none any more.
    const chosen = page.getByRole('combobox', { name: '강의' });
    await chosen.filter({ hasNotText: '제어/실습' }).waitFor();
    await chosen.click();
    await page.getByRole('option', { name: '모든 학생' }).click();
    await chosen.filter({ hasText: '모든 학생' }).waitFor();
    await expect
      .poll(() => rowsOf(page, '학생').filter({ hasText: '가온' }).innerText())
      .not.toContain('제어');
  });
});
