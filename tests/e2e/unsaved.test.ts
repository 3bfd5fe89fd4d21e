import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { pageAccess } from '../../web/src/lib/page-access.ts';
import { selected } from '../support/both-databases.ts';
import { visit } from '../support/browser.ts';
import { hasBrowser } from '../support/chromium.ts';
import { isFull, shareOrAll } from '../support/counts.ts';
import { removeSession } from '../support/sign-in-page.ts';
import { sharedStack } from '../support/shared-stack.ts';
import { storedDrafts } from '../support/stored-drafts.ts';
import { dismissToast } from '../support/toast.ts';

/** What somebody types into. Searches and filters change nothing: they say that they are ones. */
const TYPED =
  'main :is(textarea, input:not([type=radio], [type=checkbox], [type=file], [type=range], [type=search], [readonly])):not(search *, :disabled)';

/** The visible fields of the screen, when all of its parts have come. */
async function fieldsOf(page: Page): Promise<Locator[]> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await expect.poll(() => page.locator('main .animate-pulse').count()).toBe(0);
  // A table that was read is folded.
  const unfold = page.getByRole('button', { name: '표 펼치기' });
  if ((await unfold.count()) > 0) await unfold.click();
  return await page.locator(TYPED).filter({ visible: true }).all();
}

const typedInto = (field: Locator) =>
  field.evaluate((element) => {
    if (element instanceof HTMLTextAreaElement) return '이름\t점수\n홍길동\t90';
    if (element instanceof HTMLInputElement && element.type === 'date') return '2026-03-05';
    return element.getAttribute('inputmode') === null ? '아직 저장하지 않은 글' : '2027';
  });

/** What each field holds, by its label. */
const held = async (fields: Locator[]) =>
  Object.fromEntries(
    await Promise.all(
      fields.map(async (field) => {
        const label = await field.evaluate(
          (element) =>
            (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement
              ? element.labels?.[0]?.textContent
              : null) ?? element.ariaLabel,
        );
        return [label, await field.inputValue()] as const;
      }),
    ),
  );

const subjectField = (page: Page) => page.getByLabel('과목명', { exact: true });

async function openForm(page: Page, address = '/manage_courses?tab=form'): Promise<void> {
  await page.goto(address);
  await subjectField(page).waitFor();
}

describe.skipIf(!hasBrowser)('what is typed and not saved', () => {
  const stack = sharedStack('demo');

  const rows = (query: string) => selected(stack.dataDir, query);

  const start = async (email = 'admin@lab.test') => {
    const visited = await visit(stack, { as: email });
    return visited;
  };

  test('WORK-1 is there again after a reload in every field of every screen, and gone with a logout, which asks first', async () => {
    const { page } = await start();
    const filled: string[] = [];
    // What is typed into the words of the pages is stored at once.
    const screens = Object.keys(pageAccess).filter((each) => each !== '/manage_content');
    for (const path of new Set(['/manage_account', ...shareOrAll(3, screens)])) {
      await page.goto(path);
      await fieldsOf(page);
      const tabs = await page.getByRole('tab').count();
      for (let tab = 0; tab < Math.max(1, tabs); tab += 1) {
        if (tabs > 0) await page.getByRole('tab').nth(tab).click();
        const fields = await fieldsOf(page);
        if (fields.length === 0) continue;
        for (const field of fields) await field.fill(await typedInto(field));
        const before = await held(fields);
        await page.reload();
        await expect
          .poll(async () => await held(await fieldsOf(page)), { message: page.url() })
          .toMatchObject(before);
        filled.push(...Object.keys(before));
      }
    }
    const labels = isFull ? ['학번/직번', '과목명', '금액 (원)', '이름 추가'] : ['금액 (원)', '이름 추가'];
    expect(filled).toEqual(expect.arrayContaining(labels));
    const least = isFull ? 6 : 1;
    await expect.poll(async () => (await storedDrafts(page)).length).toBeGreaterThan(least);
    const leave = page.getByRole('link', { name: '로그아웃', exact: true });
    const question = page.getByRole('dialog', { name: '저장하지 않은 내용이 있습니다' });
    await leave.click();
    await question.getByRole('button', { name: '취소' }).click();
    await question.waitFor({ state: 'detached' });
    expect((await storedDrafts(page)).length).toBeGreaterThan(least);
    await leave.click();
    await question.getByRole('button', { name: '로그아웃' }).click();
    await dismissToast(page, '로그아웃');
    await expect.poll(() => storedDrafts(page)).toEqual([]);
  });

  test('WORK-1 stays through Back, another tab of the screen and another tab of the browser, until it is discarded', async () => {
    const { page, context } = await start();
    await page.goto('/manage_courses');
    await page.getByRole('tab', { name: '데이터 입력' }).click();
    await subjectField(page).fill('운영체');
    await page.goBack();
    await page.getByRole('table', { name: '강의 목록' }).waitFor();
    await page.goForward();
    await expect.poll(() => subjectField(page).inputValue()).toBe('운영체');
    const second = await context.newPage();
    await openForm(second);
    await expect.poll(() => subjectField(second).inputValue()).toBe('운영체');
    await subjectField(second).fill('운영체제');
    await expect.poll(() => subjectField(page).inputValue()).toBe('운영체제');
    await page.getByText('다른 탭에서 입력한 내용입니다', { exact: false }).waitFor();
    await second.getByRole('button', { name: '버리기' }).click();
    await expect.poll(() => subjectField(page).inputValue()).toBe('');
    expect(await subjectField(second).evaluate((field) => field === document.activeElement)).toBe(false);
    await expect.poll(() => storedDrafts(page)).toEqual([]);
    await second.getByText('작성하던 내용을 불러왔습니다').waitFor({ state: 'detached' });
  });

  test('WORK-1 who leaves a form is told that it is kept, until it is discarded', async () => {
    const { page } = await start();
    await page.goto('/manage_courses');
    await page.getByRole('table', { name: '강의 목록' }).getByRole('row').nth(1).click();
    await subjectField(page).fill('아직 저장하지 않은 글');
    await page.getByRole('button', { name: '취소', exact: true }).click();
    const told = page.getByRole('listitem').filter({ hasText: '임시 저장했습니다' });
    await told.waitFor();
    await page.getByRole('table', { name: '강의 목록' }).getByRole('row').nth(1).click();
    await page.getByRole('button', { name: '버리기' }).click();
    await page.getByText('작성하던 내용을 불러왔습니다').waitFor({ state: 'detached' });
    // By itself it would stay for seconds.
    expect(await told.count()).toBe(0);
  });

  test('WORK-2 the end of a session leaves it, signing in over the screen brings it back, and only to its user', async () => {
    const { page } = await start();
    await openForm(page);
    await subjectField(page).fill('임베디드 실험');
    await page.getByLabel('영문 과목명').fill('Embedded Lab');
    await removeSession(page);
    await page.getByRole('button', { name: '추가', exact: true }).click();
    const over = page.getByRole('dialog', { name: '다시 로그인해 주세요' });
    await over.waitFor();
    expect(new URL(page.url()).pathname).toBe('/manage_courses');
    // Nothing of the screen is left to be read.
    expect(await page.content()).not.toContain('영문 과목명');
    await expect.poll(async () => (await storedDrafts(page)).length).toBe(1);
    const everything = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]));
    expect(everything).not.toMatch(/임베디드|Embedded/);
    await over.getByRole('button', { name: 'Sign in with Google' }).click();
    await page.getByRole('button', { name: 'admin@lab.test' }).click();
    await subjectField(page).waitFor();
    await expect.poll(() => subjectField(page).inputValue()).toBe('임베디드 실험');
    expect(new URL(page.url()).search).toBe('?tab=form');

    // After a reload the way back leads by the login page.
    await removeSession(page);
    await page.getByRole('button', { name: '추가', exact: true }).click();
    await over.waitFor();
    await page.reload();
    await page.waitForURL('**/login');
    await page.getByRole('button', { name: 'Sign in with Google' }).click();
    await page.getByRole('button', { name: 'admin@lab.test' }).click();
    await page.waitForURL('**/manage_courses?tab=form');
    await expect.poll(() => subjectField(page).inputValue()).toBe('임베디드 실험');

    await removeSession(page);
    await page.getByRole('button', { name: '추가', exact: true }).click();
    await over.getByRole('button', { name: 'Sign in with Google' }).click();
    await page.getByLabel('Another email').fill('other@lab.test');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.waitForURL((url) => ['/', '/manage_user_info'].includes(url.pathname));
    await openForm(page);
    await expect.poll(() => subjectField(page).inputValue()).toBe('');
    expect(await page.content()).not.toContain('임베디드 실험');
  });

  test('WORK-2 a logout in another tab closes the screen though something is unsaved', async () => {
    const { page, context } = await start();
    await openForm(page);
    await subjectField(page).fill('운영체제');
    const second = await context.newPage();
    await second.goto('/logout');
    await page.waitForURL('**/login');
    await page.getByRole('heading', { name: 'Login' }).waitFor();
    await expect.poll(() => storedDrafts(page)).toEqual([]);
  });

  test('WORK-4 two people change one course: the second sees both sides, and what they save holds both', async () => {
    const { page } = await start();
    const { page: others } = await start('other@lab.test');
    const [course] = rows('SELECT id, subject, subject_en, year FROM courses ORDER BY id LIMIT 1');
    const address = `/manage_courses?tab=form&id=${String(course?.['id'])}`;
    await openForm(page, address);
    await openForm(others, address);
    await subjectField(others).fill('둘째의 이름');
    await others.getByLabel('영문 과목명').fill('The Second Name');
    await others.getByRole('button', { name: '저장', exact: true }).click();
    await dismissToast(others, '변경 완료');
    await subjectField(page).fill('첫째의 이름');
    await page.getByLabel('연도').fill('2031');
    await page.getByRole('button', { name: '저장', exact: true }).click();
    const merge = page.getByRole('alertdialog');
    await merge.getByText('다른 사람도 수정했습니다', { exact: false }).waitFor();
    await expect
      .poll(() => merge.getByRole('listitem').allInnerTexts())
      .toEqual([
        expect.stringMatching(/연도[^]*내가 수정함[^]*2031/),
        expect.stringMatching(/과목명[^]*첫째의 이름[^]*둘째의 이름/),
        expect.stringMatching(/영문 과목명[^]*다른 사람이 수정함[^]*The Second Name/),
      ]);
    const save = merge.getByRole('button', { name: '합쳐서 저장' });
    await expect.poll(() => save.isDisabled()).toBe(true);
    await merge.getByRole('radio', { name: '첫째의 이름' }).check();
    await save.click();
    await dismissToast(page, '변경 완료');
    expect(
      rows(`SELECT subject, subject_en, year, version FROM courses WHERE id = ${String(course?.['id'])}`),
    ).toEqual([{ subject: '첫째의 이름', subject_en: 'The Second Name', year: 2031, version: 3 }]);
    await expect.poll(() => storedDrafts(page)).toEqual([]);
  });

  test('WORK-4 WORK-1 two people correct one student: both sides alone, without a toast; of a deleted one the words stay', async () => {
    const { page } = await start();
    const { page: others } = await start('other@lab.test');
    const [student] = rows('SELECT id, name FROM students ORDER BY id LIMIT 1');
    const [id, name] = [String(student?.['id']), String(student?.['name'])];
    const openStudent = async (on: Page) => {
      await on.goto('/manage_students?class=all');
      await on.getByLabel('검색', { exact: true }).fill(id);
      await on.getByRole('row', { name: new RegExp(name) }).press('Enter');
      await on.getByRole('button', { name: '수정', exact: true }).click();
      await on.getByLabel('연락처').waitFor();
    };
    await openStudent(page);
    await openStudent(others);
    await others.getByLabel('학과').fill('물리학과');
    await others.getByRole('button', { name: '저장', exact: true }).click();
    await dismissToast(others, '변경 완료');
    await page.getByLabel('연락처').fill('010-9999-0000');
    await page.getByRole('button', { name: '저장', exact: true }).click();
    const merge = page.getByRole('alertdialog');
    await merge.getByText('다른 사람이 수정함').waitFor();
    expect(await page.getByRole('region', { name: /알림/ }).getByRole('listitem').count()).toBe(0);
    await merge.getByRole('button', { name: '합쳐서 저장' }).click();
    await dismissToast(page, '변경 완료');
    expect(rows(`SELECT department, tel FROM students WHERE id = '${id}'`)).toEqual([
      { department: '물리학과', tel: '010-9999-0000' },
    ]);

    await openStudent(page);
    await page.getByLabel('연락처').fill('010-7777-0000');
    await openStudent(others);
    await others.keyboard.press('Escape');
    await others.getByRole('button', { name: `${name} 작업` }).click();
    await others.getByRole('menuitem', { name: '학생 삭제' }).click();
    await others.getByRole('dialog').getByRole('button', { name: '삭제' }).click();
    await dismissToast(others, '삭제 완료');
    await page.reload();
    const gone = page.getByRole('region', { name: '삭제된 학생의 수정 내용' });
    await gone.getByText('연락처: 010-7777-0000').waitFor();
    await gone.getByRole('button', { name: '버리기' }).click();
    await gone.waitFor({ state: 'detached' });
    await expect.poll(() => storedDrafts(page)).toEqual([]);
  });

  test('WORK-3 a running upload asks before it is left', async () => {
    const { page } = await start();
    const [student] = rows('SELECT id FROM students LIMIT 1');
    await page.goto('/manage_students?tab=pictures');
    const chooser = page.getByLabel('사진을 고르거나 여기에 놓으세요');
    await chooser.waitFor();
    // Never answered: it goes with the page.
    await page.route('**/api/upload', () => undefined);
    const buffer = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=',
      'base64',
    );
    await chooser.setInputFiles([{ name: `${String(student?.['id'])}.png`, mimeType: 'image/png', buffer }]);
    await page.getByRole('button', { name: '사진 1장 업로드' }).click();
    await page.getByRole('progressbar', { name: '업로드 진행' }).waitFor();
    const asked = page.getByRole('dialog', { name: '사진을 올리는 중입니다. 나갈까요?' });
    await page.getByRole('tab', { name: '검색' }).click();
    await asked.getByRole('button', { name: '취소' }).click();
    await page.getByRole('progressbar', { name: '업로드 진행' }).waitFor();
    const closing = page.waitForEvent('dialog');
    await page.close({ runBeforeUnload: true });
    const dialog = await closing;
    expect(dialog.type()).toBe('beforeunload');
    await dialog.dismiss();
    await page.getByRole('tab', { name: '검색' }).click();
    await asked.getByRole('button', { name: '나가기' }).click();
    await page.waitForURL('**/manage_students?tab=search');
  });
});
