import { describe, expect, test } from 'vitest';
import { hasBrowser } from '../support/chromium.ts';
import {
  choose,
  clipboard,
  column,
  fill,
  openScores,
  paste,
  pasteLong,
  reason,
  reasons,
  row,
  table,
  untilGrades,
} from '../support/score-screen.ts';
import { relative, ten } from '../support/score-tables.ts';
import { sharedStack } from '../support/shared-stack.ts';

describe.skipIf(!hasBrowser)('the score screen', () => {
  const stack = sharedStack('empty');

  const open = () => openScores(stack);

  test('SCO-1 a column beside the score that could change it is named as not counted', async () => {
    const { page } = await open();
    await paste(
      page,
      'ID\t학번\t이름\t점수\t보너스\n1\t202600001\t김가람\t80\t5\n2\t202600002\t이나래\t75\t0',
    );
    await page.getByText('점수를 바꿀 수 있는 열은 반영하지 않았습니다: 보너스').waitFor();
    await expect.poll(() => column(page, '학번')).toEqual(['202600001', '202600002']);
  });

  test('SCO-1 SCO-2 SCO-3 a pasted table is understood, can be mapped anew, and is graded by every method', async () => {
    const { page, problems } = await open();
    await paste(page, ten);
    const mapped = (field: string) => page.getByRole('combobox', { name: `${field} 열` }).innerText();
    await expect.poll(() => mapped('이름')).toBe('성명');
    await expect.poll(() => mapped('학번')).toBe('학번');
    await expect.poll(() => mapped('점수')).toBe('총점');
    await expect.poll(() => mapped('출석')).toBe('결석');

    await untilGrades(page, relative);
    await expect
      .poll(() => column(page, '학점 환산 점수'))
      .toEqual(['84', '100', '94', '94', '89', '89', '84', '79', '74', '74']);
    await expect(page.getByRole('columnheader', { name: '결석' }).count()).resolves.toBe(1);
    await page.getByText('‘결석’ 열은 학점에 반영하지 않습니다.', { exact: false }).waitFor();
    const why = await reasons(page);
    expect(why.every((text) => /^[^.]+\.$/.test(text.replaceAll(/\d\.\d/g, '')))).toBe(true);
    expect(why[1]).toBe('10명 중 1등으로 상위 1명(A+)에 해당하여 A+를 받습니다.');

    await page.getByRole('radio', { name: '완화 상대평가' }).check();
    await untilGrades(page, ['B+', 'A+', 'A+', 'A', 'A', 'B+', 'B+', 'B', 'B', 'B']);
    await page.getByRole('radio', { name: '절대평가' }).check();
    await untilGrades(page, ['A', 'A+', 'A+', 'A+', 'A+', 'A+', 'A', 'A', 'A', 'A']);
    await page.getByRole('radio', { name: 'Pass/Fail' }).check();
    await untilGrades(
      page,
      Array.from({ length: 10 }, () => 'P'),
    );
    await expect.poll(() => column(page, '학점 환산 점수')).toEqual([]);
    await page.getByRole('radio', { name: '상대평가', exact: false }).first().check();
    await untilGrades(page, relative);

    await page.getByLabel('A 비율').fill('50');
    await untilGrades(page, ['B+', 'A+', 'A+', 'A', 'A', 'A', 'B+', 'B', 'B', 'C']);
    await page.getByRole('button', { name: '기본 비율로' }).click();
    await choose(page, '학점 표기', 'A+, A0');
    await untilGrades(
      page,
      relative.map((grade) => (grade.endsWith('+') ? grade : `${grade}0`)),
    );

    // Another column as the score: who was absent most is now the best.
    await choose(page, '점수 열', '결석');
    await expect.poll(() => mapped('출석')).toBe('없음');
    await expect.poll(async () => await row(page, '최라온').innerText()).toContain('A+');
    expect(problems).toEqual([]);
  });

  test('SCO-1 a table without a header is understood by what it holds', async () => {
    const { page } = await open();
    await fill(page, ten.split('\n').slice(1).join('\n'));
    await page.getByRole('button', { name: '3번째 열', exact: false }).click();
    await untilGrades(page, relative);
    const mapped = (field: string) => page.getByRole('combobox', { name: `${field} 열` }).innerText();
    expect(await Promise.all(['이름', '학번', '점수', '출석'].map(mapped))).toEqual([
      '1번째 열',
      '2번째 열',
      '3번째 열',
      '4번째 열',
    ]);
    await fill(page, '가람\t나린\n다온\t라온');
    await page.getByText('점수 열을 찾지 못했습니다.', { exact: false }).waitFor();
    const tooMany = Array.from({ length: 5001 }, (_, at) => `${at}\t${at % 100}`);
    await pasteLong(page, ['학번\t점수', ...tooMany]);
    await page.getByText('한 번에 5,000명까지 매길 수 있습니다. 지금은 5,001행입니다.').waitFor();
    await page.getByRole('button', { name: '다시 붙여넣기' }).click();
    await paste(page, ten);
    await untilGrades(page, relative);
  });

  test('SCO-9 with midterm, final and homework nothing is graded until a column is chosen, which is then told everywhere', async () => {
    const { page, problems } = await openScores(stack);
    const lines = ten.split('\n').map((line, row) => {
      const [name, id, score, absences] = line.split('\t');
      return row === 0
        ? '이름\t학번\t중간\t기말\t출석'
        : [name, id, 100 - row * 5, score, absences].join('\t');
    });
    await fill(page, lines.join('\n'));
    const question = page.getByRole('region', { name: '어느 열로 학점을 매길까요?' });
    await question.waitFor();
    await expect
      .poll(() => question.getByRole('button', { name: /~/ }).allInnerTexts())
      .toEqual(['중간\n50~95점 · 10명', '기말\n61~95점 · 10명']);
    const pastedRows = page.getByRole('table', { name: '붙여넣은 표' });
    await expect.poll(() => pastedRows.getByRole('row').count()).toBe(11);
    const nothing = async () => {
      await expect(table(page).count()).resolves.toBe(0);
      for (const name of ['학점 복사', '내보내기']) {
        await expect.poll(() => page.getByRole('button', { name }).count()).toBe(0);
      }
      await expect.poll(() => page.getByRole('table', { name: '등급별 배정 인원' }).count()).toBe(0);
      await expect.poll(() => page.getByRole('slider').count()).toBe(0);
      await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
      await expect.poll(() => page.locator('[data-score-sheet]').count()).toBe(0);
      await page.evaluate(() => dispatchEvent(new Event('afterprint')));
    };
    await nothing();

    await question.getByRole('button', { name: '기말', exact: false }).focus();
    await page.keyboard.press('Enter');
    await untilGrades(page, relative);
    await page.getByText('점수: 기말', { exact: true }).waitFor();
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    await expect.poll(() => page.locator('[data-score-sheet]').innerText()).toContain('점수: 기말');
    await page.evaluate(() => dispatchEvent(new Event('afterprint')));

    await page.getByRole('button', { name: '되돌리기' }).click();
    await question.waitFor();
    await nothing();
    // Without a header as well, and where two columns are called the total.
    await fill(page, lines.slice(1).join('\n'));
    await question.getByRole('button', { name: '5번째 열', exact: false }).waitFor();
    await nothing();
    await fill(page, lines.join('\n').replace('중간', '총점').replace('기말', '합계'));
    await question.getByText('총점으로 볼 열이 2개입니다.', { exact: false }).waitFor();
    await nothing();
    expect(problems).toEqual([]);
  });

  test('SCO-9 SCO-6 a class pasted again is read anew, and what was set by hand goes on only when asked to', async () => {
    const { page } = await openScores(stack);
    await paste(page, ten);
    await page.getByRole('combobox', { name: '김가람 학점 직접 지정' }).selectOption('C');
    await row(page, '이나린').getByRole('checkbox').check();
    const again = ten
      .split('\n')
      .map((line, index) => {
        const [name, id, score, absences] = line.split('\t');
        return [name, id, index === 0 ? '과제' : index, score, absences].join('\t');
      })
      .filter((line) => !line.startsWith('김가람'));
    await fill(page, again.join('\n'));
    const mapped = () => page.getByRole('combobox', { name: '점수 열' }).innerText();
    await expect.poll(mapped).toBe('총점');
    await expect.poll(async () => await row(page, '이나린').innerText()).toContain('A+');
    const question = page.getByRole('region', { name: '이전 표의 설정' });
    await expect
      .poll(() => question.innerText())
      .toContain('제외 1명 · 다음 1명의 설정은 적용하지 않습니다: 김가람(이 표에 없음)');
    // Grades do not leave the page while the question is open.
    await page.getByRole('button', { name: '학점 복사' }).click();
    const asked = page.getByRole('dialog').filter({ hasText: '적용할지 아직 정하지 않았습니다.' });
    await asked.getByRole('button', { name: '취소' }).click();
    await question.getByRole('button', { name: '적용' }).click();
    await question.waitFor({ state: 'detached' });
    await expect.poll(() => reason(page, '이나린')).toContain('제외한 학생');
    await page.getByRole('button', { name: '되돌리기' }).click();
    await question.getByRole('button', { name: '버리기' }).click();
    await question.waitFor({ state: 'detached' });
    await expect.poll(() => row(page, '이나린').innerText()).toContain('A+');
  });

  test('SCO-4 equals before too few seats go lower together and are flagged; the seats are told', async () => {
    const { page } = await open();
    const tied = ten.replace('\t91\t', '\t88\t').replace('\t84\t', '\t88\t');
    await paste(page, tied);
    await untilGrades(page, ['B', 'A+', 'B+ 동점', 'B+ 동점', 'B+ 동점', 'B', 'B', 'C+', 'C', 'C']);
    await expect
      .poll(() => reason(page, '박다온'))
      .toBe('동점 3명이 A 잔여 인원 2명을 초과하여 모두 B+를 받습니다.');
    const seats = page.getByRole('table', { name: '등급별 배정 인원' });
    const line = async (place: number) =>
      (await seats.locator('tbody tr').nth(place).locator('th, td').allInnerTexts()).join(' ');
    await expect.poll(() => line(0)).toBe('A 3 1 2 1 / 1 A 1 / 3');
    await expect.poll(() => line(1)).toBe('B 6 6 0 3 / 3 A·B 7 / 7');
    await expect.poll(() => line(2)).toBe('C 3 3 0 1 / 1 –');
    await page.getByText('모든 등급이 한도 안에 있습니다.').waitFor();

    // A second column parts them.
    await fill(
      page,
      tied
        .split('\n')
        .map((line, index) => `${line}\t${index === 0 ? '기말' : index}`)
        .join('\n'),
    );
    await choose(page, '동점자 우선 기준 열', '기말');
    await untilGrades(page, ['B', 'A+', 'B+', 'A', 'A', 'B+', 'B', 'C+', 'C', 'C']);
  });

  test('SCO-4 a missing score is F and flagged, floors give D and F, a small class is told of', async () => {
    const { page } = await open();
    await paste(page, ten.replace('\t95\t', '\t결시\t').replace('\t73\t', '\t\t'));
    await page.getByText('15명 이하인 강의입니다.', { exact: false }).waitFor();
    await expect.poll(async () => await row(page, '이나린').innerText()).toContain('점수 없음');
    await page.getByText('점수가 없는 학생이 2명 있습니다: 이나린 (결시), ', { exact: false }).waitFor();
    const why = await reasons(page);
    expect(why[1]).toBe('점수 칸이 숫자가 아니어서(‘결시’) F를 받습니다.');
    expect(why[6]).toBe('점수가 없어 F를 받습니다.');
    await page.getByLabel('D', { exact: true }).fill('70');
    await page.getByLabel('F', { exact: true }).fill('65');
    await untilGrades(page, ['B+', 'F 점수 없음', 'A+', 'A', 'A', 'B+', 'F 점수 없음', 'B', 'D', 'F']);
    await expect
      .poll(async () => (await reasons(page))[9])
      .toBe('점수 61점이 F 최저 점수 기준 65점보다 낮아 F를 받습니다.');
    await page.getByLabel('D', { exact: true }).fill('칠십');
    await page.getByText('0에서 1000 사이의 숫자를 입력하세요.').waitFor();
  });

  test('SCO-15 averages and rows of nobody are left out and told, and one that is a person is taken in', async () => {
    const { page, problems } = await open();
    const [header = '', ...students] = ten.split('\n');
    await paste(page, [header, '만점\t\t100\t', ...students, '평균\t\t78.5\t1.2', '\t\t785\t'].join('\n'));
    await untilGrades(page, ['제외', ...relative, '제외', '제외']);
    await page.getByText('(10명 기준)').waitFor();
    await page.getByText('10명 · 제외 0명 · 확인할 행 0개 · 학생이 아닌 행 3개').waitFor();
    await page
      .getByText('3행을 제외하고 매겼습니다: 2행 ‘만점’, 13행 ‘평균’, 14행 (이름과 학번 없음).', {
        exact: false,
      })
      .waitFor();
    const why = await reasons(page);
    expect([why[0], why[12]]).toEqual([
      '학번이 없는 ‘만점’ 행이어서 제외했습니다.',
      '이름도 학번도 없는 행이어서 제외했습니다.',
    ]);
    await page.getByRole('button', { name: '학점 복사' }).click();
    await expect.poll(() => clipboard(page)).toBe(['', ...relative, '', ''].join('\r\n'));
    await row(page, '만점').getByRole('checkbox', { name: '만점 제외' }).uncheck();
    await expect.poll(async () => (await column(page, '학점'))[0]).toBe('A+');
    await page.getByText('(11명 기준)').waitFor();
    await page.getByRole('button', { name: '되돌리기' }).click();
    await untilGrades(page, ['제외', ...relative, '제외', '제외']);
    expect(problems).toEqual([]);
  });

  test('SCO-15 values of a column without a part in the grades are told, and one click excludes their students', async () => {
    const { page, problems } = await open();
    const [header = '', ...students] = ten.split('\n');
    const marked = students.map((line, at) => `${line}\t${at === 1 || at === 4 ? 'Y' : ''}`);
    await paste(page, [`${header}\t재수강`, ...marked].join('\n'));
    await page.getByText('(10명 기준)').waitFor();
    await page.getByText('확인할 열의 값: 재수강(빈 칸: 8행, Y: 2행).').click();
    const again = page.getByRole('group', { name: '재수강' }).getByRole('checkbox', { name: 'Y: 2행' });
    await again.uncheck();
    await page.getByText('(8명 기준)').waitFor();
    const excluded = async () => (await column(page, '학점')).filter((grade) => grade === '제외').length;
    await expect.poll(excluded).toBe(2);
    await page.getByText('재수강(빈 칸: 8행, Y: 2행 제외)').waitFor();
    // All others are left out and taken in again: these two stay out.
    const others = page.getByRole('checkbox', { name: '빈 칸: 8행' });
    await others.uncheck();
    await expect.poll(excluded).toBe(10);
    await others.check();
    await expect.poll(excluded).toBe(2);
    await page.getByRole('button', { name: '되돌리기' }).click();
    await page.getByRole('button', { name: '되돌리기' }).click();
    await page.getByRole('button', { name: '되돌리기' }).click();
    await untilGrades(page, relative);
    await expect(again.isChecked()).resolves.toBe(true);
    expect(problems).toEqual([]);
  });

  test('SCO-8 a kept class pasted again stays kept, and one that looks like another is told and can go on', async () => {
    const { page } = await open();
    const box = page.getByRole('checkbox', { name: '이 브라우저에 보관', exact: false });
    const stored = async () =>
      await page.evaluate(() =>
        Object.entries(localStorage).flatMap(([key, text]) => (key.includes('/drafts/') ? [text] : [])),
      );
    await paste(page, `운영체제\n${ten}`);
    await box.check();
    await expect.poll(async () => (await stored()).length).toBe(1);
    const [first] = await stored();
    await fill(page, '');
    await paste(page, `운영체제\n${ten.replace('\t77\t', '\t97\t')}`);
    await expect.poll(stored).not.toContain(first);
    await expect.poll(async () => (await stored()).length).toBe(1);
    await expect.poll(() => box.isChecked()).toBe(true);

    const [second] = await stored();
    await page.getByRole('combobox', { name: '김가람 학점 직접 지정' }).selectOption('C');
    await expect.poll(stored).not.toContain(second);
    const [kept] = await stored();
    // With one column more it may as well be another course of theirs.
    const wider = ten.split('\n').map((line, at) => `${line}\t${at === 0 ? '비고' : '재수강'}`);
    await fill(page, wider.join('\n'));
    const told = page.getByText('다른 강의로 보여 ‘운영체제’는 보관된 대로 두었고', { exact: false });
    await told.waitFor();
    await expect.poll(() => box.isChecked()).toBe(false);
    await expect.poll(async () => (await stored()).length).toBe(2);
    await expect.poll(stored).toContain(kept);
    // 다시 붙여넣기 was a step of its own.
    for (const _ of '12') await page.getByRole('button', { name: '되돌리기' }).click();
    await told.waitFor({ state: 'detached' });
    await expect.poll(() => box.isChecked()).toBe(true);
    for (const _ of '12') await page.getByRole('button', { name: '다시 하기' }).click();
    await told.waitFor();
    await page.getByRole('button', { name: '같은 강의이므로 이어서 보관' }).click();
    await expect.poll(stored).not.toContain(kept);
    await page.reload();
    await expect.poll(() => page.getByLabel('강의 이름').inputValue()).toBe('운영체제');
    await page.getByRole('button', { name: '표 펼치기' }).click();
    await expect.poll(() => page.getByLabel('점수 표', { exact: true }).inputValue()).toContain('재수강');
  });
});
