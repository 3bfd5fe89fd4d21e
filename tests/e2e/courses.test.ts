import { courseSchema, type Course } from '#contract/courses';
import { currentSemester } from '#contract/terms';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { openLocalD1 } from '../../scripts/database/local-d1.ts';
import { selected } from '../support/both-databases.ts';
import { visit } from '../support/browser.ts';
import { hasBrowser } from '../support/chromium.ts';
import { chooseRowAction } from '../support/row-menu.ts';
import { sharedStack } from '../support/shared-stack.ts';

describe.skipIf(!hasBrowser)('the course screen', () => {
  const stack = sharedStack('empty');

  const stored = (): Course[] => {
    const rows = selected(stack.dataDir, 'SELECT * FROM courses ORDER BY id');
    return z.array(courseSchema).parse(rows);
  };

  /** Empties the courses and stores these. */
  const store = (
    courses: [year: number, semester: number, subject: string, target: number, etc: string][],
  ) => {
    const db = openLocalD1(stack.dataDir);
    db.exec('DELETE FROM courses');
    const insert = db.prepare(
      'INSERT INTO courses (year, semester, subject, subject_en, target, target_etc) VALUES (?, ?, ?, ?, ?, ?)',
    );
    for (const [year, semester, subject, target, etc] of courses) {
      insert.run(year, semester, subject, `${subject} in English`, target, etc);
    }
    db.close();
  };

  const open = async (address = '/manage_courses') => {
    const { page, problems } = await visit(stack, { as: 'admin@lab.test', at: address });
    await page.getByRole('heading', { level: 1, name: '강의 관리' }).waitFor();
    return { page, problems };
  };

  const row = (page: Page, subject: string) =>
    page.getByRole('table', { name: '강의 목록' }).getByRole('row').filter({ hasText: subject });

  test('CRS-1 a course is added, changed and deleted, and the list shows it each time', async () => {
    store([]);
    const { page, problems } = await open();
    await page.getByText('등록된 강의가 없습니다.', { exact: false }).waitFor();

    await page.getByRole('tab', { name: '데이터 입력' }).click();
    await page.getByLabel('연도').fill('2026');
    await page.getByLabel('과목명', { exact: true }).fill('임베디드 시스템');
    await page.getByLabel('영문 과목명').fill('Embedded Systems');
    await page.getByRole('button', { name: '추가' }).click();
    await page.getByText('추가 완료', { exact: true }).waitFor();
    expect(stored()).toMatchObject([{ year: 2026, subject: '임베디드 시스템', target: 1 }]);
    // Ready for the next course of the term.
    await expect.poll(() => page.getByLabel('과목명', { exact: true }).inputValue()).toBe('');
    await expect.poll(() => page.getByLabel('연도').inputValue()).toBe('2026');

    await page.getByRole('tab', { name: '강의 목록' }).click();
    await row(page, '임베디드 시스템').click();
    const name = page.getByLabel('과목명', { exact: true });
    await expect.poll(() => name.inputValue()).toBe('임베디드 시스템');
    const focused = (subject: string) => row(page, subject).and(page.locator(':focus')).waitFor();
    await expect.poll(() => page.locator('form:focus').count()).toBe(1);
    await page.getByRole('button', { name: '취소' }).click();
    await focused('임베디드 시스템');
    await chooseRowAction(page, '임베디드 시스템 작업', '수정');
    await name.fill('임베디드 시스템 설계');
    await page.getByRole('button', { name: '저장', exact: true }).click();
    await page.getByText('변경 완료', { exact: true }).waitFor();
    await row(page, '임베디드 시스템 설계').waitFor();
    await focused('임베디드 시스템 설계');
    expect(stored()).toMatchObject([
      { id: 1, subject: '임베디드 시스템 설계', subject_en: 'Embedded Systems' },
    ]);

    await chooseRowAction(page, '임베디드 시스템 설계 작업', '삭제');
    await page.getByRole('dialog').getByRole('button', { name: '취소' }).click();
    expect(stored()).toHaveLength(1);
    await chooseRowAction(page, '임베디드 시스템 설계 작업', '삭제');
    await page.getByRole('dialog').getByRole('button', { name: '삭제' }).click();
    await page.getByText('삭제 완료', { exact: true }).waitFor();
    await row(page, '임베디드').waitFor({ state: 'detached' });
    expect(stored()).toEqual([]);

    expect(problems).toEqual([]);
  });

  test('CRS-2 the form holds its rules before anything is sent', async () => {
    store([]);
    const { page } = await open('/manage_courses?tab=form');
    const year = page.getByLabel('연도');
    const limits = ['type', 'min', 'max', 'step', 'required'].map(
      async (name) => await year.getAttribute(name),
    );
    expect(await Promise.all(limits)).toEqual(['number', '2021', '2050', '1', '']);
    const month = Number(
      new Intl.DateTimeFormat('en', { month: 'numeric', timeZone: 'Asia/Seoul' }).format(),
    );
    await page
      .getByRole('combobox', { name: '학기' })
      .filter({ hasText: month >= 3 && month <= 8 ? '1학기' : '2학기' })
      .waitFor();

    await year.fill('2051');
    await page.getByRole('button', { name: '추가' }).click();
    await page.getByText('연도는 2021에서 2050 사이로 입력하세요').waitFor();
    await page.getByText('과목명을 입력하세요', { exact: true }).waitFor();
    await page.getByText('영문 과목명을 입력하세요').waitFor();
    await expect.poll(() => year.evaluate((field) => field === document.activeElement)).toBe(true);

    const words = page.getByLabel('대상 직접 입력');
    await expect.poll(() => words.count()).toBe(0);
    await page.getByRole('combobox', { name: '대상' }).click();
    await page.getByRole('option', { name: '기타 (직접 입력)' }).click();
    await words.waitFor();
    await page.getByText('대상을 입력하세요').waitFor();
    await year.fill('2050');
    await page.getByLabel('과목명', { exact: true }).fill('여름 캠프');
    await page.getByLabel('영문 과목명').fill('Summer Camp');
    await words.fill('고교생');
    await page.getByLabel('영문 대상 (선택)').fill(' Pupils ');
    await page.getByRole('button', { name: '추가' }).click();
    await page.getByText('추가 완료', { exact: true }).waitFor();
    expect(stored()).toMatchObject([
      { year: 2050, target: 0, target_etc: '고교생', target_etc_en: 'Pupils' },
    ]);
  });

  test('CRS-6 a class of the roster is made public with its year, semester and name, and is offered once', async () => {
    store([]);
    const db = openLocalD1(stack.dataDir);
    db.exec(
      "INSERT OR IGNORE INTO students (id, name, department, tel, email) VALUES ('20269001', '가온', '', '', '')",
    );
    db.exec(
      "INSERT OR IGNORE INTO enrolments (student_id, year, semester, subject, no, school_year, type) VALUES ('20269001', 2026, 2, '사물인터넷', 1, 4, '재학')",
    );
    db.close();
    const { page } = await open('/manage_courses?tab=form');
    const offered = page.getByRole('button', { name: '2026년 2학기 사물인터넷' });
    await offered.click();
    await page.getByLabel('영문 과목명').fill('Internet of Things');
    await page.getByRole('button', { name: '추가', exact: true }).click();
    await page.getByText('추가 완료', { exact: true }).waitFor();
    expect(stored()).toMatchObject([{ year: 2026, semester: 3, subject: '사물인터넷' }]);
    await offered.waitFor({ state: 'detached' });
  });

  test('CRS-3 the list reads targets and semesters in words and can be sorted', async () => {
    store([
      [2024, 1, '가', 0, '고교생'],
      [2026, 2, '나', 3, ''],
      [2025, 3, '다', 5, ''],
      [2023, 4, '라', 6, ''],
      [2022, 1, '마', 7, ''],
    ]);
    const { page } = await open();
    await row(page, '마').waitFor();
    const texts = async () => {
      const rows = await page.getByRole('table', { name: '강의 목록' }).locator('tbody tr').all();
      return await Promise.all(
        rows.map(async (each) => (await each.locator('td, th').allInnerTexts()).slice(0, 5).join(' · ')),
      );
    };
    await expect
      .poll(texts)
      .toEqual([
        '2026 · 여름학기 · 나 · 나 in English · 3학년',
        '2025 · 2학기 · 다 · 다 in English · Masters Course',
        '2024 · 1학기 · 가 · 가 in English · 고교생',
        '2023 · 겨울학기 · 라 · 라 in English · Masters & PhD Course',
        '2022 · 1학기 · 마 · 마 in English · PhD Course',
      ]);
    await page.getByRole('columnheader', { name: '연도' }).getByRole('button').click();
    await expect.poll(async () => (await texts())[0]).toContain('2022');
  });

  test('CRS-5 the running term is marked in the list and, in both languages, on the public page', async () => {
    const running = currentSemester(Date.now());
    store([
      [running.year, running.semester, '지금 강의', 3, ''],
      [running.year - 1, running.semester, '작년 강의', 3, ''],
      [running.year, 2, '여름 강의', 3, ''],
    ]);
    const { page } = await open();
    await row(page, '지금 강의').filter({ hasText: '이번 학기' }).waitFor();
    await expect.poll(() => page.getByText('이번 학기').count()).toBe(1);
    await page.goto('/');
    const marked = page.locator('#courses h4').filter({ hasText: /이번 학기|This term/ });
    await marked.filter({ hasText: '이번 학기' }).waitFor();
    await expect.poll(() => marked.count()).toBe(1);
    await page.getByRole('link', { name: 'EN', exact: true }).click();
    await marked.filter({ hasText: /^(Spring|Fall) This term$/ }).waitFor();
  });

  test('CRS-4 one course or a whole term is copied into another year, likely duplicates left out', async () => {
    store([
      [2026, 1, '운영체제', 2, ''],
      [2026, 1, '네트워크', 3, ''],
      [2026, 3, '사물인터넷', 4, ''],
    ]);
    const { page } = await open();
    await chooseRowAction(page, '운영체제 작업', '다른 해로 복사');
    await expect.poll(() => page.getByLabel('새 연도').inputValue()).toBe('2027');
    await page.getByRole('button', { name: '1개 추가' }).click();
    await page.getByText('추가 완료', { exact: true }).waitFor();
    await page.getByRole('list', { name: '추가될 강의' }).waitFor({ state: 'detached' });
    expect(stored().at(-1)).toMatchObject({ year: 2027, semester: 1, subject: '운영체제', target: 2 });

    await page.getByRole('button', { name: '학기 복사' }).click();
    await page.getByRole('combobox', { name: '복사할 학기' }).click();
    await page.getByRole('option', { name: '2026년 1학기 (2)' }).click();
    await page.getByLabel('새 연도').fill('2027');
    const planned = page.getByRole('list', { name: '추가될 강의' }).getByRole('listitem');
    await planned.filter({ hasText: '운영체제' }).getByText('이미 있음').waitFor();
    await expect
      .poll(() => planned.filter({ hasText: '운영체제' }).getByRole('checkbox').isChecked())
      .toBe(false);
    await expect
      .poll(() => planned.filter({ hasText: '네트워크' }).getByRole('checkbox').isChecked())
      .toBe(true);
    await page.getByRole('button', { name: '1개 추가' }).click();
    await row(page, '2027').filter({ hasText: '네트워크' }).waitFor();
    expect(stored().filter(({ year }) => year === 2027)).toHaveLength(2);
  });
});
