import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { hasBrowser } from '../support/chromium.ts';
import { choose, column, fill, openScores, row, table, untilGrades } from '../support/score-screen.ts';
import { sharedStack } from '../support/shared-stack.ts';

const header = 'Student,ID,SIS User ID,SIS Login ID,Section,중간 (101),기말 (102)';
const students = [
  ['김가람', '32', '45'],
  ['이나린', '40', '50'],
  ['박다온', '', '40'],
  ['최라온', '20', '30'],
].map(
  ([name, midterm, final], at) => `${name},${at + 1},0020260000${at + 1},s${at + 1},01,${midterm},${final}`,
);
const canvas = [header, '    Points Possible,,,,,40,50', ...students].join('\n');

describe.skipIf(!hasBrowser)('weights, cut-offs and files of scores', () => {
  const stack = sharedStack('empty');

  test.each([45, 120])(
    'SCO-10 of a class of %i each total and each reason is read to its end',
    async (count) => {
      const { page } = await openScores(stack);
      const rows = Array.from(
        { length: count },
        (_, at) => `학생${at}\t${202600001 + at}\t${40 + (at % 60)}\t${100 - (at % 60)}\t${10 + (at % 6)}`,
      );
      await fill(page, ['이름\t학번\t중간\t기말\t출석', ...rows].join('\n'));
      await page.getByRole('button', { name: '반영 비율로 합산 열마다', exact: false }).click();
      const weights = page.getByRole('region', { name: '반영 비율' });
      const parts = [
        ['중간', '40', '100'],
        ['기말', '50', '100'],
        ['출석', '10', '15'],
      ] as const;
      for (const [part, share, full] of parts) {
        await weights.getByLabel(`${part} 비율`).fill(share);
        await weights.getByLabel(`${part} 만점`).fill(full);
      }
      await table(page).waitFor();
      const sentences = table(page).locator('[data-sentence]');
      await expect.poll(() => sentences.count()).toBeGreaterThan(40);
      const cut = await sentences.evaluateAll((all) =>
        all
          .filter(
            (each) => each.scrollHeight > each.clientHeight + 1 || each.scrollWidth > each.clientWidth + 1,
          )
          .map((each) => each.textContent),
      );
      expect(cut).toEqual([]);
    },
  );

  test('SCO-9 SCO-10 SCO-11 SCO-13 a Canvas file is weighed, its cut-offs are typed, and it is saved', async () => {
    const { page, problems } = await openScores(stack);
    const file = { name: '성적.csv', mimeType: 'text/csv', buffer: Buffer.from(canvas) };
    await page.getByLabel('점수 표 파일 선택').setInputFiles(file);
    await page.getByRole('button', { name: '반영 비율로 합산 열마다', exact: false }).click();
    const weights = page.getByRole('region', { name: '반영 비율' });
    await expect.poll(() => weights.getByLabel('기말 만점').inputValue()).toBe('50');
    await weights.getByLabel('중간 비율').fill('40');
    await weights.getByText('합계 40%. 60% 모자라 아직 학점을 매기지 않습니다.').waitFor();
    await expect.poll(() => table(page).count()).toBe(0);
    await weights.getByLabel('기말 비율').fill('60');
    await untilGrades(page, ['제외', 'B', 'A', 'C 점수 누락', 'C+']);
    await expect
      .poll(() => column(page, '점수 산출'))
      .toEqual([
        '중간 40/40 × 40% + 기말 50/50 × 60%',
        '중간 32/40 × 40% + 기말 45/50 × 60%',
        '중간 40/40 × 40% + 기말 50/50 × 60%',
        '중간 없음/40 × 40% + 기말 40/50 × 60%',
        '중간 20/40 × 40% + 기말 30/50 × 60%',
      ]);
    await choose(page, '중간 미응시 처리', '제외하고 계산');
    await expect
      .poll(async () => await row(page, '박다온').innerText())
      .toContain('기말 40/50 × 60%) × 100/60');

    await choose(page, '학교 규정', '인하대학교');
    await page.getByText('A 40%, B까지 90% 이내입니다.', { exact: false }).waitFor();
    await untilGrades(page, ['제외', 'B+', 'A', 'B 점수 누락', 'C']);
    await page.getByLabel('A 컷').and(page.locator('input[inputmode]')).fill('86');
    const changed = page.getByRole('region', { name: '학점이 바뀐 학생' });
    await changed.getByText('김가람 B+ → A').waitFor();
    await page.getByText('A: 한도 1명, 지금 2명 (1명 초과)').waitFor();
    await page.getByRole('button', { name: '되돌리기' }).click();
    await changed.waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'Canvas 파일 저장' }).click();
    const saved = page.waitForEvent('download');
    await page.getByRole('dialog').getByRole('button', { name: '저장', exact: true }).click();
    const text = await readFile(await (await saved).path(), 'utf8');
    const added = ['최종 점수', '100', '86', '100', '80', '56'];
    expect(text.replace('\ufeff', '').trimEnd().split('\r\n')).toEqual(
      canvas.split('\n').map((line, at) => `${line},${added[at]}`),
    );
    expect(problems).toEqual([]);
  });

  test('SCO-14 undo and redo stand while there are no grades, and the sheet says how its grades came about', async () => {
    const { page, problems } = await openScores(stack);
    const undo = page.getByRole('button', { name: '되돌리기' });
    const redo = page.getByRole('button', { name: '다시 하기' });
    await fill(page, canvas);
    await undo.click();
    // Nothing is pasted, yet it comes back.
    await expect.poll(() => table(page).count()).toBe(0);
    await redo.click();
    await page.getByRole('button', { name: '반영 비율로 합산 열마다', exact: false }).click();
    const weights = page.getByRole('region', { name: '반영 비율' });
    await weights.getByLabel('중간 비율').fill('40');
    await weights.getByText('합계 40%.', { exact: false }).waitFor();
    await undo.click();
    await redo.click();
    await weights.getByLabel('기말 비율').fill('60');
    await choose(page, '학교 규정', '인하대학교');
    await table(page).waitFor();

    await page.getByLabel('강의', { exact: true }).fill('운영체제');
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    const sheet = await page.locator('[data-score-sheet]').innerText();
    for (const part of [
      '성적표 — 운영체제 (',
      '학기)',
      '인하대학교',
      '중간 40% + 기말 60%',
      '(한도 ',
      '(서명)',
      '중간 32/40 × 40%',
    ]) {
      expect(sheet).toContain(part);
    }
    expect(problems).toEqual([]);
  });
});
