import type { Subject } from '#contract/subjects';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { visit } from '../support/browser.ts';
import { hasBrowser } from '../support/chromium.ts';
import { credential, login } from '../support/sign-in.ts';
import { sharedStack } from '../support/shared-stack.ts';
import { xlsx } from '../support/xlsx.ts';

const subject = (id: string, name: string, part: Partial<Subject> = {}): Subject => ({
  id,
  name,
  year: 2,
  type: '전공선택',
  score: 3,
  prof: '',
  time: '',
  classroom: '',
  etc: '',
  ...part,
});

describe.skipIf(!hasBrowser)('the subject list', () => {
  const stack = sharedStack('empty');
  let cookie = '';
  beforeAll(async () => {
    ({ cookie } = await login(stack.origin, await credential(stack.origin, 'admin@lab.test')));
  });

  const store = async (term: string, subjects: Subject[]) => {
    const answer = await fetch(`${stack.origin}/api/subjects/${term}`, {
      method: 'PUT',
      headers: { cookie, 'content-type': 'application/json' },
      body: JSON.stringify(subjects),
    });
    expect(answer.status).toBe(200);
  };

  const stored = async (term: string): Promise<unknown> => {
    const answer = await fetch(`${stack.origin}/api/subjects/${term}`, { headers: { cookie } });
    return await answer.json();
  };

  const open = async (address: string, viewport = { width: 1280, height: 800 }) => {
    const { page, problems } = await visit(stack, { as: 'admin@lab.test', viewport });
    // Whoever is not signed in yet was told so; from here on nothing may go wrong.
    problems.length = 0;
    await page.goto(address);
    await page.getByRole('heading', { level: 1, name: '과목 목록' }).waitFor();
    return { page, problems };
  };

  const row = (page: Page, name: string) =>
    page.getByRole('table', { name: '과목 목록' }).getByRole('row').filter({ hasText: name });

  const seoul = (part: 'year' | 'month') =>
    Number(new Intl.DateTimeFormat('en', { [part]: 'numeric', timeZone: 'Asia/Seoul' }).format());

  test('SUB-1 starts with aics and cs in the present term and merges what departments list', async () => {
    const isSpring = seoul('month') >= 2 && seoul('month') <= 7;
    const term = `${seoul('year')}/${isSpring ? 'spring' : 'fall'}`;
    await store(`aics/${term}`, [subject('A1', '인공지능 개론')]);
    await store(`cs/${term}`, [subject('C1', '운영체제')]);
    await store(`sw/${term}`, [subject('S1', '소프트웨어 공학')]);
    const { page, problems } = await open('/manage_subjects_list');
    await row(page, '인공지능 개론').waitFor();
    await row(page, '운영체제').waitFor();
    await expect.poll(() => row(page, '소프트웨어 공학').count()).toBe(0);
    await page
      .getByRole('combobox', { name: '학기' })
      .filter({ hasText: isSpring ? '1학기' : '2학기' })
      .waitFor();

    const departments = page.locator('summary').filter({ hasText: '학과: ' });
    await expect.poll(() => departments.innerText()).toContain('2개 학과');
    await departments.press('Enter');
    await page.getByRole('checkbox', { name: '소프트웨어학과', exact: true }).check();
    await row(page, '소프트웨어 공학').waitFor();
    await page.getByRole('checkbox', { name: '컴퓨터과학과', exact: true }).uncheck();
    await row(page, '운영체제').waitFor({ state: 'detached' });
    // Of chips that are clicked in one breath none is lost while the address follows.
    await page.evaluate(() => {
      for (const chip of document.querySelectorAll('label')) {
        if (/^(대학원 컴퓨터|인공지능학과|[34]학년)/.test(chip.textContent)) chip.click();
      }
    });
    await page.waitForURL((url) => url.search.includes('grade=') && url.search.includes('csg'));
    await departments.press('Enter');
    for (const name of ['인공지능학과', '대학원 컴퓨터과학과', '3학년', '4학년']) {
      await expect.poll(() => page.getByRole('checkbox', { name }).isChecked(), { message: name }).toBe(true);
    }
    await page.keyboard.press('Escape');
    await page.getByRole('checkbox', { name: '인공지능학과' }).waitFor({ state: 'hidden' });
    await page.getByRole('checkbox', { name: '3학년' }).uncheck();
    await page.getByRole('checkbox', { name: '4학년' }).uncheck();
    await row(page, '소프트웨어 공학').waitFor();
    // The address keeps the choice.
    await page.reload();
    await row(page, '소프트웨어 공학').waitFor();
    await expect.poll(() => row(page, '운영체제').count()).toBe(0);

    await page.getByRole('combobox', { name: '연도' }).click();
    await expect.poll(async () => (await page.getByRole('option').allInnerTexts()).at(-1)).toBe('2021년');
    await page.getByRole('option', { name: '2021년' }).click();
    await page.getByText(/^2021년 .*아직 등록되지 않았습니다/).waitFor();
    expect(problems).toEqual([]);
  });

  test('SUB-2 chips filter by grade and the table has every field of a subject', async () => {
    await store('cs/2024/spring', [
      subject('C1', '운영체제', { prof: '한가람', time: '월1,2', classroom: '공502', etc: '영어 강의' }),
      subject('C3', '캡스톤 디자인', { year: 4 }),
      subject('G1', '분산 시스템 특론', { year: 0 }),
    ]);
    const { page } = await open('/manage_subjects_list?dept=cs&year=2024&semester=spring');
    await row(page, '운영체제').waitFor();
    await expect
      .poll(async () => (await row(page, '운영체제').locator('th, td').allInnerTexts()).slice(1))
      .toEqual('운영체제|C1|컴퓨터과학과|2학년|전공선택|3|한가람|월1,2|공502|영어 강의'.split('|'));
    await page.getByRole('checkbox', { name: '대학원', exact: true }).check();
    await row(page, '운영체제').waitFor({ state: 'detached' });
    await row(page, '분산 시스템 특론').waitFor();
    await page.getByRole('checkbox', { name: '4학년' }).check();
    await row(page, '캡스톤 디자인').waitFor();
    await expect.poll(() => row(page, '운영체제').count()).toBe(0);
  });

  test('SUB-3 a department that fails is told and the others remain; it can be tried again', async () => {
    await store('cs/2024/fall', [subject('C2', '네트워크')]);
    await store('ai/2024/fall', [subject('I2', '기계학습')]);
    const { page } = await open('/manage_subjects_list?year=2024');
    await page.route('**/api/subjects/ai/**', (route) => route.fulfill({ status: 500 }));
    await page.goto('/manage_subjects_list?dept=cs,ai&year=2024&semester=fall');
    await page.getByText('서버 오류', { exact: true }).waitFor();
    await page.getByText('인공지능학과 과목을 불러오지 못했습니다.').waitFor();
    await row(page, '네트워크').waitFor();
    await page.unroute('**/api/subjects/ai/**');
    await page.getByRole('button', { name: '다시 시도' }).click();
    await row(page, '기계학습').waitFor();
    await page.getByText('과목을 불러오지 못했습니다.').waitFor({ state: 'detached' });
  });

  test('SUB-4 a pasted timetable is shown, mended and saved in place of the term', async () => {
    await store('ai/2025/spring', [subject('OLD', '옛 과목')]);
    const { page, problems } = await open(
      '/manage_subjects_list?dept=ai&year=2025&semester=spring&view=input',
    );
    const header = '과목코드\t교과목명\t학년\t이수구분\t학점\t담당교수\t강의시간\t강의실\t비고';
    const good = '0101\t기계학습\t3\t전필\t3\t한가람\t월1,2/수3\t공502\t';
    const bad = '0102\t\t3\t전선\t3\t윤서준\t화1\t공401\t';
    await page.getByRole('textbox', { name: '시간표' }).fill(`${header}\r\n${good}\r\n${bad}`);
    await page.getByRole('button', { name: '미리보기' }).click();
    const preview = page.getByRole('table', { name: '미리보기' });
    await preview.getByText('과목명이 비어 있습니다').waitFor();
    await preview.getByText('기계학습').waitFor();
    await page.getByRole('button', { name: '1개 과목 저장' }).waitFor();
    await page.getByRole('button', { name: '2행 과목명 빈 칸 수정' }).click();
    await page.getByRole('textbox', { name: '2행 과목명' }).fill('로봇공학');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: '2개 과목 저장' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('저장된 과목 1개가 모두 새 과목 2개로 바뀝니다.').waitFor();
    await dialog.getByText(/^빠지는 과목 1개: 옛 과목\(.*\)$/).waitFor();
    await dialog.getByText('새로 생기는 과목 2개: 기계학습(0101), 로봇공학(0102)').waitFor();
    await expect(dialog.getByText('내용이 바뀌는 과목').count()).resolves.toBe(0);
    await dialog.getByRole('button', { name: '저장' }).click();
    await page.getByText('변경 완료', { exact: true }).waitFor();
    await expect
      .poll(() => stored('ai/2025/spring'))
      .toMatchObject({
        '0101': { name: '기계학습', year: 3, score: 3, time: '월1,2/수3' },
        '0102': { name: '로봇공학' },
      });
    await page.getByRole('tab', { name: '과목 목록' }).click();
    await row(page, '로봇공학').waitFor();
    await expect.poll(() => row(page, '옛 과목').count()).toBe(0);
    expect(problems).toEqual([]);
  });

  test('SUB-4 IMP-12 a workbook of another term asks, and rows of other departments wait for a tick', async () => {
    const { page, problems } = await open(
      '/manage_subjects_list?dept=ai&year=2025&semester=summer&view=input',
    );
    const rows = [
      ['2025학년도 겨울계절학기 사이버물리시스템학과 강의시간표'],
      ['학과', '학수번호', '교과목명', '학년'],
      ['소프트웨어학과', 'S1', '소프트웨어 공학', '3'],
      ['인공지능학과', 'I1', '기계학습', '2'],
      ['소프트웨어학과', 'I1', '기계학습', '2'],
    ];
    const buffer = Buffer.from(xlsx([{ name: '시간표', rows, merged: ['A1:D1'] }]));
    await page.getByLabel('시간표 파일 선택').setInputFiles({ name: '시간표.xlsx', mimeType: '', buffer });
    await page.getByRole('heading', { name: '인공지능학과 2025년 여름학기 미리보기' }).waitFor();
    const question = page.getByRole('alert').filter({ hasText: '시간표가 맞습니까?' });
    await question.getByText('시간표에 적힌 학기: 2025년 겨울학기').waitFor();
    const save = page.getByRole('button', { name: '1개 과목 저장' });
    await expect.poll(() => save.isDisabled()).toBe(true);
    await page.getByText('위의 ‘인공지능학과 2025년 여름학기 시간표가 맞습니까?’에 답하세요.').waitFor();
    await question.getByRole('button', { name: '인공지능학과 2025년 겨울학기 시간표로 변경' }).click();
    await page.getByRole('heading', { name: '인공지능학과 2025년 겨울학기 미리보기' }).waitFor();
    await question.waitFor({ state: 'detached' });
    await expect.poll(() => save.isEnabled()).toBe(true);
    // A subject that both departments list can be stored once.
    const others = page.getByRole('checkbox', { name: '소프트웨어학과 2행' });
    await others.check();
    await page.getByText('학수번호가 같은 행(I1)은 하나만 체크하세요.').waitFor();
    await others.uncheck();
    await page.getByRole('checkbox', { name: '1행 포함' }).check();
    await page.getByRole('button', { name: '2개 과목 저장' }).click();
    await page.getByRole('dialog').getByText('나머지 1행은 저장되지 않습니다.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: '저장' }).click();
    await page.getByText('변경 완료', { exact: true }).waitFor();
    expect(await stored('ai/2025/winter')).toMatchObject({ I1: { name: '기계학습' }, S1: { year: 3 } });
    expect(await stored('ai/2025/summer')).toEqual({});
    expect(problems).toEqual([]);
  });

  test('IMP-12 a timetable of other departments alone ticks no row, asks, and offers one of them', async () => {
    const { page } = await open('/manage_subjects_list?dept=ai&year=2025&semester=summer&view=input');
    const rows = [
      ['학과', '학수번호', '교과목명', '학년'],
      ['소프트웨어학과', 'S1', '소프트웨어 공학', '3'],
      ['', 'S2', '소프트웨어 시험', '3'],
      ['컴퓨터과학과', 'C1', '운영체제', '2'],
    ];
    const buffer = Buffer.from(xlsx([{ name: '시간표', rows }]));
    await page.getByLabel('시간표 파일 선택').setInputFiles({ name: '시간표.xlsx', mimeType: '', buffer });
    await page.getByText('인공지능학과의 행이 없어 아무 행도 체크하지 않았습니다.').waitFor();
    // A cell without a name belongs to the department above it.
    await page.getByRole('checkbox', { name: '소프트웨어학과 2행' }).waitFor();
    const question = page.getByRole('alert').filter({ hasText: '시간표가 맞습니까?' });
    await question.getByRole('button', { name: /시간표로 변경$/ }).click();
    await question.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: /^[12]개 과목 저장$/ }).waitFor();
  });

  test('IMP-7 IMP-12 SUB-4 departments stacked under titles wait, and other times of periods are put in', async () => {
    const { page } = await open('/manage_subjects_list?dept=ai&year=2026&semester=summer&view=input');
    const rows = [
      ['여름계절학기 강의시간표 (2교시 10:30~11:45)'],
      ['학수번호', '교과목명', '학년', '강의시간', '강의시간2'],
      ['소프트웨어학과'],
      ['S1', '소프트웨어 공학', '3', '화1', ''],
      ['인공지능학과'],
      ['I1', '기계학습', '2', '월2', '수 10:00-11:00'],
    ];
    const buffer = Buffer.from(xlsx([{ name: '시간표', rows, merged: ['A1:D1'] }]));
    await page.getByLabel('시간표 파일 선택').setInputFiles({ name: '시간표.xlsx', mimeType: '', buffer });
    await page.getByText('읽지 않은 열에도 강의시간이 있습니다: 강의시간2.').waitFor();
    await page.getByRole('checkbox', { name: '소프트웨어학과 1행' }).waitFor();
    await page.getByRole('button', { name: '1개 과목 저장' }).waitFor();
    await page.getByText('표에는 ‘2교시 10:30-11:45’ 표시가 있습니다.').first().waitFor();
    await page.getByRole('button', { name: '제안 1개 모두 반영' }).click();
    await page.getByRole('button', { name: '1개 과목 저장' }).click();
    await page.getByRole('dialog').getByRole('button', { name: '저장' }).click();
    await page.getByText('변경 완료', { exact: true }).waitFor();
    expect(await stored('ai/2026/summer')).toMatchObject({ I1: { time: '월 10:30-11:45' } });
    expect(await stored('ai/2026/summer')).not.toHaveProperty('S1');
  });

  test('SUB-5 chosen subjects stand in the week, clashes are marked and told, texts are kept', async () => {
    await store('cs/2025/fall', [
      subject('W1', '운영체제', { prof: '한가람', time: '월1,2', classroom: '공502' }),
      subject('W2', '네트워크', { prof: '윤서준', time: '월(10:30-11:45)', classroom: '공502' }),
      subject('W3', '사물인터넷', { prof: '한가람', time: '수3~4 공401' }),
      subject('W4', '현장실습', { time: '집중이수 추후 공지' }),
    ]);
    const address = '/manage_subjects_list?dept=cs&year=2025&semester=fall';
    const { page } = await open(address, { width: 360, height: 740 });
    await row(page, '운영체제').waitFor();
    await page.getByRole('tab', { name: '주간 시간표' }).click();
    await page.getByText('월 09:00–11:45 · 강의실 공502 겹침: 운영체제(W1), 네트워크(W2)').waitFor();
    const monday = page.getByRole('list', { name: '월요일' }).getByRole('listitem');
    await monday.filter({ hasText: '네트워크' }).getByText('강의실 겹침').waitFor();
    const wednesday = page.getByRole('list', { name: '수요일' }).getByRole('listitem');
    await expect.poll(() => wednesday.getByText('겹침').count()).toBe(0);
    await expect.poll(() => wednesday.innerText()).toContain('공401');
    await page
      .getByRole('listitem')
      .filter({ hasText: '현장실습' })
      .getByText('집중이수 추후 공지')
      .waitFor();
    // On a phone the week scrolls by itself, not the page.
    await expect
      .poll(() => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth))
      .toBe(true);

    await page.getByRole('tab', { name: '과목 목록' }).click();
    const drop = page.getByRole('button', { name: '선택 해제' });
    await page.getByRole('button', { name: '모두 선택' }).click();
    await drop.press('Enter');
    await drop.waitFor({ state: 'detached' });
    await page.getByRole('checkbox', { name: '네트워크 시간표에 넣기' }).check();
    await page.getByRole('checkbox', { name: '사물인터넷 시간표에 넣기' }).check();
    await page.getByRole('tab', { name: '주간 시간표' }).click();
    await page.getByText('선택한 2개 과목').waitFor();
    await page.getByText('겹침 0건').waitFor();
    await expect.poll(() => page.getByRole('list', { name: '월요일' }).getByText('운영체제').count()).toBe(0);
  });
});
