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
  row,
  table,
  untilGrades,
} from '../support/score-screen.ts';
import { relative, ten } from '../support/score-tables.ts';
import { sharedStack } from '../support/shared-stack.ts';

describe.skipIf(!hasBrowser)('the work on a graded class', () => {
  const stack = sharedStack('empty');

  const open = () => openScores(stack);

  test('SCO-5 SCO-16 grades and generated scores are copied in the pasted order, whatever the table is sorted by', async () => {
    const { page } = await open();
    // A line without content in the middle keeps its place.
    const lines = ten.split('\n');
    await paste(page, [...lines.slice(0, 4), '', ...lines.slice(4)].join('\n'));
    await untilGrades(page, relative);
    await table(page)
      .getByRole('columnheader', { name: '점수 (총점)', exact: true })
      .getByRole('button')
      .click();
    await page.getByRole('button', { name: '학점 복사' }).click();
    const dialog = page.getByRole('dialog', { name: '어느 순서로 복사할까요?' });
    await expect.poll(() => dialog.getByRole('radio', { name: '붙여넣은 순서' }).isChecked()).toBe(true);
    await dialog.getByRole('button', { name: '복사', exact: true }).click();
    await page.getByText('복사 완료: 붙여넣은 순서로 10명', { exact: true }).waitFor();
    await expect
      .poll(() => clipboard(page))
      .toBe([...relative.slice(0, 3), '', ...relative.slice(3)].join('\r\n'));
    await row(page, '이나린').getByRole('checkbox').check();
    await expect.poll(async () => await row(page, '박다온').innerText()).toContain('A+');
    await page.getByRole('button', { name: '환산 점수 복사' }).click();
    await dialog.getByRole('button', { name: '복사', exact: true }).click();
    await expect
      .poll(async () => await clipboard(page))
      .toBe(['84', '', '100', '', '94', '89', '89', '84', '79', '74', '74'].join('\r\n'));
    await page.getByRole('button', { name: '학점 복사' }).click();
    await dialog.getByRole('radio', { name: '보이는 순서' }).check();
    await dialog.getByRole('button', { name: '복사', exact: true }).click();
    await page.getByText('복사 완료: 보이는 순서로 9명', { exact: true }).waitFor();
    await page.getByRole('button', { name: '내보내기', exact: true }).click();
    await page.getByRole('menuitem', { name: '학교 양식에 맞추기' }).click();
    const form = page.getByRole('dialog', { name: '학교 양식에 맞추기' });
    await form.getByLabel('학번 목록').fill('학번\n202600010\n202600001\n209999999');
    await form.getByText('2명의 학점을 채웁니다.').waitFor();
    await form.getByText('학점표에 없거나 제외한 학번 1명: 209999999').waitFor();
    await form.getByText('학교 양식에 없는 학생 7명', { exact: false }).waitFor();
    await form.getByRole('button', { name: '학점 복사', exact: true }).click();
    await expect.poll(async () => await clipboard(page)).toBe(['', 'C', 'B', ''].join('\r\n'));
  });

  test('SCO-6 a cut-off is dragged, the caps are checked as it moves, and a copy beyond a cap asks first', async () => {
    const { page } = await open();
    await paste(page, ten);
    await untilGrades(page, relative);
    const handle = page.locator('[data-cutoff="A 컷"]');
    await expect.poll(() => page.getByRole('slider', { name: 'A 컷' }).inputValue()).toBe('88');
    await page.getByLabel('C+ 컷').last().scrollIntoViewIfNeeded();
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
    await expect
      .poll(() => reason(page, '강바다'))
      .toContain('점수 80점이 A 기준 80점 이상이어서 A를 받습니다.');

    await page.getByRole('button', { name: '학점 복사' }).click();
    const dialog = page.getByRole('dialog', { name: '한도를 넘었습니다. 그래도 복사할까요?' });
    await dialog.getByText('A: 한도 3명', { exact: false }).waitFor();
    await page.evaluate(() => navigator.clipboard.writeText('before'));
    await dialog.getByRole('button', { name: '취소' }).click();
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => clipboard(page)).toBe('before');
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
    const { page } = await open();
    await paste(page, ten);
    const byHand = (name: string) => page.getByRole('combobox', { name: `${name} 학점 직접 지정` });
    await byHand('임차온').selectOption('A');
    await untilGrades(page, ['B', 'A+', 'A', 'B+', 'B+', 'B', 'C+', 'C', 'C', 'A 직접']);
    // Whose seat it takes is named.
    await page.getByRole('region', { name: '학점이 바뀐 학생' }).getByText('→').nth(1).waitFor();
    await expect.poll(() => reason(page, '임차온')).toContain('담당자가 직접 A로 정했습니다.');
    await page.getByLabel('임차온 A 사유').pressSequentially('채점 오류 정정');
    await expect.poll(() => page.getByLabel('임차온 A 사유').inputValue()).toBe('채점 오류 정정');
    // Whoever scrolls to the last column sees whose row it is.
    const edge = await table(page).evaluate(({ parentElement }) => {
      parentElement?.scrollTo({ left: 10_000 });
      return parentElement?.getBoundingClientRect().left;
    });
    expect(
      await row(page, '임차온')
        .getByRole('rowheader')
        .evaluate((name) => name.getBoundingClientRect().left),
    ).toBeGreaterThanOrEqual(edge ?? Infinity);
    await expect.poll(() => reason(page, '임차온')).toContain('사유: 채점 오류 정정');
    await page.getByRole('button', { name: '되돌리기' }).click();
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
    const { page } = await open();
    await paste(page, ten);
    await untilGrades(page, relative);
    await choose(page, '출석 숫자의 뜻', '결석 횟수');
    await untilGrades(page, ['B+', 'A+', 'A', 'F 결석', 'A', 'B+', 'B', 'B', 'C+', 'C']);
    await expect
      .poll(() => reason(page, '최라온'))
      .toContain('결석 9회가 전체 30회의 25% 이상이어서 F를 받습니다.');
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
    await expect.poll(() => reason(page, '최라온')).toContain('제외한 학생이어서 학점을 매기지 않습니다.');
  });

  test('SCO-8 a class is graded, copied and kept without a single request; as a draft it goes when it is cleared', async () => {
    const { page, context } = await open();
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
    await page.getByText('복사 완료: 붙여넣은 순서로 10명', { exact: true }).waitFor();
    expect(requests.filter((each) => !each.includes('/assets/'))).toEqual([]);

    const stored = async () =>
      await page.evaluate(() => Object.entries(localStorage).filter(([key]) => key.includes('/drafts/')));
    // Unasked it is a draft, until it is cleared.
    await page.reload();
    await table(page).waitFor();
    await expect.poll(() => page.getByRole('radio', { name: '완화 상대평가' }).isChecked()).toBe(true);
    await page.getByRole('button', { name: '모두 지우기' }).click();
    await page.getByRole('dialog').getByRole('button', { name: '모두 지우기' }).click();
    await table(page).waitFor({ state: 'detached' });
    await expect.poll(stored).toEqual([]);

    await paste(page, ten);
    await page.getByRole('radio', { name: '절대평가' }).check();
    await page.getByRole('checkbox', { name: '이 브라우저에 보관', exact: false }).check();
    await page.getByRole('combobox', { name: '김가람 학점 직접 지정' }).selectOption('C');
    await expect.poll(async () => (await stored()).length).toBe(1);
    // SEC-97: nothing of it can be read there.
    expect(await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]))).not.toContain('김가람');
    await page.reload();
    const kept = ['C 직접', 'A+', 'A+', 'A+', 'A+', 'A+', 'A', 'A', 'A', 'A'];
    await untilGrades(page, kept);
    await expect.poll(() => page.getByRole('radio', { name: '절대평가' }).isChecked()).toBe(true);

    await page.getByRole('button', { name: '모두 지우기' }).click();
    await page.getByRole('dialog').getByRole('button', { name: '모두 지우기' }).click();
    await table(page).waitFor({ state: 'detached' });
    await expect.poll(stored).toEqual([]);
    await page.reload();
    await page.getByText('표를 복사해 위 칸에 붙여넣으세요', { exact: false }).waitFor();
    // The requests of the reloads are the page's own; none carries anything of the class.
    expect(
      requests.filter((each) => /^(POST|PUT|DELETE)/.test(each) && !each.endsWith('/api/login/status')),
    ).toEqual([]);
  });

  test('SCO-8 two tabs keep their classes apart, the second with the same one is told, and logout forgets all', async () => {
    const { page, context } = await open();
    const other = await context.newPage();
    await other.goto('/manage_scores');
    const keepIn = async (tab: typeof page, title: string) => {
      await paste(tab, `${title}\n${ten}`);
      await tab.getByRole('checkbox', { name: '이 브라우저에 보관', exact: false }).check();
      await expect.poll(() => tab.getByLabel('강의 이름').inputValue()).toBe(title);
    };
    const stored = async () =>
      await page.evaluate(() =>
        Object.entries(localStorage).flatMap(([key, text]) => (key.includes('/drafts/') ? [text] : [])),
      );
    const count = async () => (await stored()).length;
    await keepIn(page, '운영체제');
    await keepIn(other, '임베디드');
    await expect.poll(count).toBe(2);
    const kept = await stored();

    // A third tab with a class of the same name writes nothing over the first one's.
    const third = await context.newPage();
    await third.goto('/manage_scores');
    const offered = third.getByRole('region', { name: '보관한 강의' });
    await offered.waitFor();
    await expect
      .poll(() => offered.getByRole('listitem').allInnerTexts())
      .toEqual([expect.stringContaining('운영체제'), expect.stringContaining('임베디드')]);
    await keepIn(third, '운영체제');
    await third.getByRole('alert').getByText('‘운영체제’는 다른 탭에서', { exact: false }).waitFor();
    await third.getByRole('combobox', { name: '임차온 학점 직접 지정' }).selectOption('A');
    await expect.poll(count).toBe(2);
    await expect.poll(stored).toEqual(expect.arrayContaining(kept));
    await third.getByLabel('강의 이름').fill('임베디드');
    await third.getByRole('button', { name: '이름 변경' }).click();
    await third.getByText('같은 이름으로 보관한 강의가 있습니다.', { exact: false }).waitFor();
    await third.getByRole('button', { name: '보관된 내용 열기' }).click();
    await untilGrades(third, relative);

    // From here both have the same class in hand: the change of one shows as a question in the other.
    await third.getByRole('combobox', { name: '임차온 학점 직접 지정' }).selectOption('A');
    await page.getByRole('alert').getByRole('button', { name: '이 탭의 내용으로 변경' }).click();
    await third.getByRole('alert').waitFor();

    await expect.poll(count).toBe(2);
    const both = await stored();
    // Another class pasted in a tab that keeps one leaves the kept one as it is.
    await fill(page, '이름\t총점\n한여름\t90\n한가을\t80');
    await page.getByText('‘운영체제’는 보관된 대로 두었고', { exact: false }).waitFor();
    await expect.poll(stored).toEqual(expect.arrayContaining(both));
    await fill(page, '');
    await page.getByRole('button', { name: '운영체제 이어서 하기' }).click();
    await untilGrades(page, relative);

    await page.goto('/logout');
    await expect.poll(stored).toEqual([]);
  });

  test('SCO-8 a class of 1,000 is drawn in a window and printed whole', async () => {
    const { page } = await open();
    const thousand = Array.from(
      { length: 1000 },
      (_, at) => `나린솔${at}\t${202_600_000 + at}\t${((at * 37) % 1001) / 10}`,
    );
    await pasteLong(page, ['이름\t학번\t점수', ...thousand]);
    await page.getByText('(1000명 기준)').waitFor();
    const again = page.getByRole('button', { name: '다시 붙여넣기' });
    await expect.poll(() => again.evaluate((button) => button === document.activeElement)).toBe(true);
    expect(await table(page).locator('tbody tr').count()).toBeLessThan(100);
    await expect.poll(() => table(page).getAttribute('aria-rowcount')).toBe('1001');
    await page.evaluate(() => {
      window.print = () => dispatchEvent(new Event('beforeprint'));
    });
    await page.getByRole('button', { name: '인쇄', exact: true }).click();
    await page.getByRole('dialog', { name: '성적표 인쇄' }).getByRole('button', { name: '인쇄' }).click();
    await page.emulateMedia({ media: 'print' });
    const sheet = page.locator('[data-score-sheet]');
    await expect.poll(() => sheet.locator('table').last().locator('tbody tr').count()).toBe(1000);
    await expect.poll(() => sheet.isVisible()).toBe(true);
    await expect.poll(() => table(page).isVisible()).toBe(false);
  });

  test('PUB-10 SCO-6 a class is graded by keyboard alone', async () => {
    const { page } = await open();
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
    await expect.poll(() => page.getByRole('slider', { name: 'A 컷' }).inputValue()).toBe('84');
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
