import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasBrowser, visit } from '../support/browser.ts';
import { signInAs } from '../support/sign-in-page.ts';
import { keepLogsOnFailure, startStack, type Stack } from '../support/stack.ts';

/** Ten students with scores from 95 down, in an order of their own; the last column is absences. */
const ten = [
  '성명\t학번\t총점\t결석',
  '김가람\t202600001\t77\t0',
  '이나린\t202600002\t95\t1',
  '박다온\t202600003\t91\t0',
  '최라온\t202600004\t88\t9',
  '정마루\t202600005\t84\t0',
  '강바다\t202600006\t80\t2',
  '조사랑\t202600007\t73\t0',
  '윤아라\t202600008\t70\t0',
  '장자람\t202600009\t66\t0',
  '임차온\t202600010\t61\t0',
].join('\n');

describe.skipIf(!hasBrowser)('the score screen', () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await startStack({ DEMO_DATA: 'off', SIMULATOR: 'off' });
  });
  afterAll(() => stack?.stop());

  const open = async (name: string, viewport?: { width: number; height: number }) => {
    keepLogsOnFailure(stack, name);
    const visitor = await visit(stack.origin, name, viewport);
    const { page, problems, context } = visitor;
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: stack.origin });
    await signInAs(page, 'admin@lab.test');
    // Whoever is not signed in yet was told so; from here on nothing may go wrong.
    problems.length = 0;
    await page.goto('/manage_scores');
    await page.getByRole('heading', { level: 1, name: '성적 관리' }).waitFor();
    return visitor;
  };

  const table = (page: Page) => page.getByRole('table', { name: '학점표' });
  const row = (page: Page, name: string) => table(page).getByRole('row').filter({ hasText: name });

  const paste = async (page: Page, text: string) => {
    await page.getByLabel('점수 표', { exact: true }).fill(text);
    await table(page).waitFor();
  };

  /** As a person pastes it: a browser types thousands of lines far slower than it pastes them. */
  const pasteLong = async (page: Page, lines: string[]) => {
    await page.getByLabel('점수 표', { exact: true }).evaluate((element, text) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', text);
      element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    }, lines.join('\n'));
  };

  /** The texts of a column, from the top. */
  const column = async (page: Page, header: string) => {
    const headers = await table(page).getByRole('columnheader').allInnerTexts();
    const at = headers.findIndex((each) => each.trim() === header);
    const cells = table(page).locator(`tbody tr > :nth-child(${at + 1})`);
    return (await cells.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').trim());
  };
  const untilGrades = async (page: Page, grades: string[]) => {
    await expect.poll(async () => await column(page, '학점')).toEqual(grades);
  };

  const choose = async (page: Page, label: string, option: string) => {
    await page.getByRole('combobox', { name: label, exact: true }).click();
    await page.getByRole('option', { name: option, exact: true }).click();
  };

  const clipboard = async (page: Page) => await page.evaluate(() => navigator.clipboard.readText());

  const relative = ['B', 'A+', 'A', 'A', 'B+', 'B+', 'B', 'C+', 'C', 'C'];

  test('SCO-1 SCO-2 SCO-3 a pasted table is understood, can be mapped anew, and is graded by every method', async () => {
    const { page, problems } = await open('scores-methods');
    await paste(page, ten);
    const mapped = (field: string) => page.getByRole('combobox', { name: `${field} 열` }).innerText();
    expect(await mapped('이름')).toBe('성명');
    expect(await mapped('학번')).toBe('학번');
    expect(await mapped('점수')).toBe('총점');
    expect(await mapped('출석')).toBe('결석');

    await untilGrades(page, relative);
    expect(await column(page, '생성 점수')).toEqual([
      '84',
      '100',
      '94',
      '94',
      '89',
      '89',
      '84',
      '79',
      '74',
      '74',
    ]);
    const reasons = await column(page, '이유');
    expect(reasons.every((text) => /^[^.]+\.$/.test(text.replaceAll(/\d\.\d/g, '')))).toBe(true);
    expect(reasons[1]).toBe('10명 중 1등으로 A+ 1석 안에 들어 A+를 받습니다.');

    await page.getByRole('radio', { name: '완화 상대평가' }).check();
    await untilGrades(page, ['B+', 'A+', 'A+', 'A', 'A', 'B+', 'B+', 'B', 'B', 'B']);
    await page.getByRole('radio', { name: '절대평가' }).check();
    await untilGrades(page, ['A', 'A+', 'A+', 'A+', 'A+', 'A+', 'A', 'A', 'A', 'A']);
    await page.getByRole('radio', { name: 'Pass/Fail' }).check();
    await untilGrades(
      page,
      Array.from({ length: 10 }, () => 'P'),
    );
    expect(await column(page, '생성 점수')).toEqual([]);
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
    expect(await mapped('출석')).toBe('없음');
    await expect.poll(async () => await row(page, '최라온').innerText()).toContain('A+');
    expect(problems).toEqual([]);
  });

  test('SCO-1 a table without a header is understood by what it holds', async () => {
    const { page } = await open('scores-headless');
    await paste(page, ten.split('\n').slice(1).join('\n'));
    await untilGrades(page, relative);
    const mapped = (field: string) => page.getByRole('combobox', { name: `${field} 열` }).innerText();
    expect(await Promise.all(['이름', '학번', '점수', '출석'].map(mapped))).toEqual([
      '1번째 열',
      '2번째 열',
      '3번째 열',
      '4번째 열',
    ]);
    await page.getByLabel('점수 표', { exact: true }).fill('가람\t나린\n다온\t라온');
    await page.getByText('점수 열을 찾지 못했습니다.', { exact: false }).waitFor();
    const tooMany = Array.from({ length: 5001 }, (_, at) => `${at}\t${at % 100}`);
    await pasteLong(page, ['학번\t점수', ...tooMany]);
    await page.getByText('한 번에 5,000명까지 매길 수 있습니다. 지금은 5,001줄입니다.').waitFor();
    await page.getByRole('button', { name: '다시 붙여넣기' }).click();
    await paste(page, ten);
    await untilGrades(page, relative);
  });

  test('SCO-4 equals before too few seats go lower together and are flagged; the seats are told', async () => {
    const { page } = await open('scores-ties');
    const tied = ten.replace('\t91\t', '\t88\t').replace('\t84\t', '\t88\t');
    await paste(page, tied);
    await untilGrades(page, ['B', 'A+', 'B+ 동점', 'B+ 동점', 'B+ 동점', 'B', 'B', 'C+', 'C', 'C']);
    expect(await row(page, '박다온').innerText()).toContain(
      '동점 3명이 A의 남은 2석을 넘어 모두 B+를 받습니다.',
    );
    const seats = page.getByRole('table', { name: '등급별 자리' });
    const line = async (place: number) =>
      (await seats.locator('tbody tr').nth(place).locator('th, td').allInnerTexts()).join(' ');
    expect(await line(0)).toBe('A 30% 3 1 2 1 / 1 A 1 / 3');
    expect(await line(1)).toBe('B 40% 6 6 0 3 / 3 A+B 7 / 7');
    expect(await line(2)).toBe('C 나머지 3 3 0 1 / 1 –');
    await page.getByText('모든 등급이 한도 안에 있습니다.').waitFor();

    // A second column parts them.
    await page.getByLabel('점수 표', { exact: true }).fill(
      tied
        .split('\n')
        .map((line, index) => `${line}\t${index === 0 ? '기말' : index}`)
        .join('\n'),
    );
    await choose(page, '동점자 기준 열', '기말');
    await untilGrades(page, ['B', 'A+', 'B+', 'A', 'A', 'B+', 'B', 'C+', 'C', 'C']);
  });

  test('SCO-4 a missing score is F and flagged, floors give D and F, a small class is told of', async () => {
    const { page } = await open('scores-floors');
    await paste(page, ten.replace('\t95\t', '\t결시\t').replace('\t73\t', '\t\t'));
    await page.getByText('15명 이하인 강의입니다.', { exact: false }).waitFor();
    await expect.poll(async () => await row(page, '이나린').innerText()).toContain('점수 없음');
    const reasons = await column(page, '이유');
    expect(reasons[1]).toBe('점수 칸의 ‘결시’을(를) 숫자로 읽을 수 없어 F를 받습니다.');
    expect(reasons[6]).toBe('점수가 없어 F를 받습니다.');
    await page.getByLabel('D', { exact: true }).fill('70');
    await page.getByLabel('F', { exact: true }).fill('65');
    await untilGrades(page, ['B+', 'F 점수 없음', 'A+', 'A', 'A', 'B+', 'F 점수 없음', 'B', 'D', 'F']);
    expect((await column(page, '이유'))[9]).toBe('점수 61점이 F 하한 65점보다 낮아 F를 받습니다.');
    await page.getByLabel('D', { exact: true }).fill('칠십');
    await page.getByText('0에서 1000 사이의 숫자를 입력하세요.').waitFor();
  });

  test('SCO-5 grades and generated scores are copied in the pasted order, whatever the table is sorted by', async () => {
    const { page } = await open('scores-copy');
    // A line without content in the middle keeps its place.
    const lines = ten.split('\n');
    await paste(page, [...lines.slice(0, 4), '', ...lines.slice(4)].join('\n'));
    await untilGrades(page, relative);
    await table(page).getByRole('columnheader', { name: '점수', exact: true }).getByRole('button').click();
    await page.getByRole('button', { name: '학점 복사' }).click();
    await page.getByText('복사 완료', { exact: true }).waitFor();
    expect(await clipboard(page)).toBe([...relative.slice(0, 3), '', ...relative.slice(3)].join('\r\n'));
    await row(page, '이나린').getByRole('checkbox').check();
    await expect.poll(async () => await row(page, '박다온').innerText()).toContain('A+');
    await page.getByRole('button', { name: '생성 점수 복사' }).click();
    await expect
      .poll(async () => await clipboard(page))
      .toBe(['84', '', '100', '', '94', '89', '89', '84', '79', '74', '74'].join('\r\n'));
  });

  test('SCO-6 a cut-off is dragged, the caps are checked as it moves, and a copy beyond a cap asks first', async () => {
    const { page } = await open('scores-cutoffs');
    await paste(page, ten);
    await untilGrades(page, relative);
    const handle = page.locator('[data-cutoff="A 컷"]');
    expect(await page.getByRole('slider', { name: 'A 컷' }).inputValue()).toBe('88');
    const box = await handle.boundingBox();
    const lower = await page.locator('[data-cutoff="B+ 컷"]').boundingBox();
    if (!box || !lower) throw new Error('no handles');
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(lower.x + lower.width / 2, box.y + box.height / 2, { steps: 5 });
    const over = page.getByText('A: 한도 3명, 지금 5명 (2명 초과)');
    await over.waitFor();
    await page.mouse.up();
    await untilGrades(page, ['B', 'A+', 'A', 'A', 'A', 'A', 'B', 'C+', 'C', 'C']);
    expect(await row(page, '강바다').innerText()).toContain(
      '점수 80점이 A 기준 80점 이상이어서 A를 받습니다.',
    );

    await page.getByRole('button', { name: '학점 복사' }).click();
    const dialog = page.getByRole('dialog', { name: '한도를 넘었습니다. 그래도 복사할까요?' });
    await dialog.getByText('A: 한도 3명', { exact: false }).waitFor();
    await page.evaluate(() => navigator.clipboard.writeText('before'));
    await dialog.getByRole('button', { name: '취소' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await clipboard(page)).toBe('before');
    await page.getByRole('button', { name: '학점 복사' }).click();
    await dialog.getByRole('button', { name: '복사', exact: true }).click();
    await expect.poll(async () => await clipboard(page)).toContain('B\r\nA+\r\nA\r\nA\r\nA');

    // The whole drag is one step.
    await page.getByRole('button', { name: '되돌리기' }).click();
    await over.waitFor({ state: 'detached' });
    await untilGrades(page, relative);
    await page.getByRole('button', { name: '다시 하기' }).click();
    await page.getByRole('button', { name: '비율대로 다시 정하기' }).click();
    await untilGrades(page, relative);
  });

  test('SCO-6 a grade set by hand takes its seat first, is marked, and can be undone', async () => {
    const { page } = await open('scores-by-hand');
    await paste(page, ten);
    const byHand = (name: string) => page.getByRole('combobox', { name: `${name} 학점 직접 지정` });
    await byHand('임차온').selectOption('A');
    await untilGrades(page, ['B', 'A+', 'A', 'B+', 'B+', 'B', 'C+', 'C', 'C', 'A 직접']);
    expect(await row(page, '임차온').innerText()).toContain('담당자가 직접 A로 정했습니다.');
    for (const name of ['장자람', '윤아라', '조사랑']) await byHand(name).selectOption('A');
    await page.getByText('A: 한도 3명, 지금 4명 (1명 초과)').waitFor();
    // In the field of the paste, the keys are the browser's own.
    await byHand('임차온').focus();
    for (let step = 0; step < 4; step++) await page.keyboard.press('Control+z');
    await untilGrades(page, relative);
    await page.keyboard.press('Control+Shift+z');
    await untilGrades(page, ['B', 'A+', 'A', 'B+', 'B+', 'B', 'C+', 'C', 'C', 'A 직접']);
  });

  test('SCO-7 the attendance rule waits for the meaning of its column; the excluded take no seat', async () => {
    const { page } = await open('scores-attendance');
    await paste(page, ten);
    await untilGrades(page, relative);
    await choose(page, '출석 숫자의 뜻', '결석 횟수');
    await untilGrades(page, ['B+', 'A+', 'A', 'F 결석', 'A', 'B+', 'B', 'B', 'C+', 'C']);
    expect(await row(page, '최라온').innerText()).toContain(
      '결석 9회가 전체 30회의 25% 이상이어서 F를 받습니다.',
    );
    await page.getByLabel('전체 수업').fill('45');
    await untilGrades(page, relative);
    await page.getByLabel('결석 기준').fill('20');
    await expect.poll(async () => await row(page, '최라온').innerText()).toContain('F');
    await page.getByRole('radio', { name: 'Pass/Fail' }).check();
    await expect.poll(async () => (await column(page, '학점'))[3]).toBe('N 결석');
    await choose(page, '불합격 표기', 'NP');
    await expect.poll(async () => (await column(page, '학점'))[3]).toBe('NP 결석');

    await row(page, '최라온').getByRole('checkbox', { name: '최라온 제외' }).check();
    await page.getByText('(9명 기준)').waitFor();
    expect(await row(page, '최라온').innerText()).toContain('제외한 학생이어서 학점을 매기지 않습니다.');
  });

  test('SCO-8 a class is graded, copied and kept without a single request; it survives a reload only when asked to', async () => {
    const { page, context } = await open('scores-private');
    await page.waitForLoadState('networkidle');
    const requests: string[] = [];
    context.on('request', (request) => requests.push(`${request.method()} ${request.url()}`));
    await paste(page, ten);
    await untilGrades(page, relative);
    await page.getByRole('radio', { name: '완화 상대평가' }).check();
    await page.getByRole('combobox', { name: '김가람 학점 직접 지정' }).selectOption('C');
    await page.getByRole('slider', { name: 'A 컷' }).fill('70');
    await page.getByRole('button', { name: '학점 복사' }).click();
    await page.getByRole('dialog').getByRole('button', { name: '복사', exact: true }).click();
    await page.getByText('복사 완료', { exact: true }).waitFor();
    expect(requests.filter((each) => !each.includes('/assets/'))).toEqual([]);

    const stored = async () => await page.evaluate(() => JSON.stringify(localStorage));
    expect(await stored()).not.toContain('김가람');
    await page.reload();
    await page.getByText('표를 복사해 위 칸에 붙여 넣으세요', { exact: false }).waitFor();

    await paste(page, ten);
    await page.getByRole('radio', { name: '절대평가' }).check();
    await page.getByRole('checkbox', { name: '이 브라우저에 보관', exact: false }).check();
    await page.getByRole('combobox', { name: '김가람 학점 직접 지정' }).selectOption('C');
    await expect.poll(stored).toContain('김가람');
    await page.reload();
    const kept = ['C 직접', 'A+', 'A+', 'A+', 'A+', 'A+', 'A', 'A', 'A', 'A'];
    await untilGrades(page, kept);
    expect(await page.getByRole('radio', { name: '절대평가' }).isChecked()).toBe(true);

    await page.getByRole('button', { name: '모두 지우기' }).click();
    await page.getByRole('dialog').getByRole('button', { name: '모두 지우기' }).click();
    await table(page).waitFor({ state: 'detached' });
    expect(await stored()).not.toContain('김가람');
    await page.reload();
    await page.getByText('표를 복사해 위 칸에 붙여 넣으세요', { exact: false }).waitFor();
    // The requests of the reloads are the page's own; none carries anything of the class.
    expect(
      requests.filter((each) => /^(POST|PUT|DELETE)/.test(each) && !each.endsWith('/api/login/status')),
    ).toEqual([]);
  });

  test('SCO-8 a class of 1,000 is drawn in a window and printed whole', async () => {
    const { page } = await open('scores-thousand');
    const thousand = Array.from(
      { length: 1000 },
      (_, at) => `나린솔${at}\t${202_600_000 + at}\t${((at * 37) % 1001) / 10}`,
    );
    await pasteLong(page, ['이름\t학번\t점수', ...thousand]);
    await page.getByText('(1000명 기준)').waitFor();
    const again = page.getByRole('button', { name: '다시 붙여넣기' });
    expect(await again.evaluate((button) => button === document.activeElement)).toBe(true);
    expect(await table(page).locator('tbody tr').count()).toBeLessThan(100);
    expect(await table(page).getAttribute('aria-rowcount')).toBe('1001');
    await page.evaluate(() => {
      window.print = () => dispatchEvent(new Event('beforeprint'));
    });
    await page.getByRole('button', { name: '인쇄' }).click();
    await page.emulateMedia({ media: 'print' });
    const sheet = page.locator('[data-score-sheet]');
    expect(await sheet.locator('tbody tr').count()).toBe(1000);
    expect(await sheet.isVisible()).toBe(true);
    expect(await table(page).isVisible()).toBe(false);
  });

  test('PUB-10 SCO-6 a class is graded by keyboard alone', async () => {
    const { page } = await open('scores-keyboard');
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    const focusByTab = async (is: (label: string) => boolean) => {
      for (let step = 0; step < 120; step++) {
        await press('Tab');
        const label = await page.evaluate(() => {
          const focused = document.activeElement;
          const labelled = focused instanceof HTMLInputElement || focused instanceof HTMLTextAreaElement;
          return (
            focused?.getAttribute('aria-label') ??
            (labelled ? focused.labels?.[0]?.textContent : focused?.textContent) ??
            ''
          );
        });
        if (is(label.trim())) return;
      }
      throw new Error('the focus never came there');
    };
    await page.evaluate((text) => navigator.clipboard.writeText(text), ten);
    await focusByTab((label) => label === '점수 표');
    await press('Control+v');
    await untilGrades(page, relative);
    await focusByTab((label) => label.startsWith('상대평가'));
    await press('ArrowRight');
    await untilGrades(page, ['B+', 'A+', 'A+', 'A', 'A', 'B+', 'B+', 'B', 'B', 'B']);
    await press('ArrowLeft');
    await focusByTab((label) => label === 'A 컷');
    await press('ArrowLeft', 'ArrowLeft', 'ArrowLeft', 'ArrowLeft');
    expect(await page.getByRole('slider', { name: 'A 컷' }).inputValue()).toBe('84');
    await page.getByText('A: 한도 3명, 지금 4명 (1명 초과)').waitFor();
    await press('Control+z');
    await page.getByText('모든 등급이 한도 안에 있습니다.').waitFor();
    await focusByTab((label) => label === '임차온 학점 직접 지정');
    await press('F');
    await expect.poll(async () => (await column(page, '학점'))[9]).toBe('F 직접');
    await focusByTab((label) => label === '임차온 제외');
    await press('Space');
    await expect.poll(async () => (await column(page, '학점'))[9]).toBe('제외');
  });
});
