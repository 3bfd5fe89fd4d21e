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

/** Of a PDF as Chromium writes it. */
const pagesIn = (pdf: Buffer) => pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length;

describe.skipIf(!hasBrowser)('weights, cut-offs and files of scores', () => {
  const stack = sharedStack('empty');

  test('SCO-14 SCO-20 a class of 60 with four parts is printed on two sheets, and seen with its grades at once', async () => {
    const { page } = await openScores(stack);
    const rows = Array.from(
      { length: 60 },
      (_, at) => `학생${at}\t${202600001 + at}\t${at % 31}\t${40 - (at % 41)}\t${at % 21}\t${5 + (at % 6)}`,
    );
    await fill(page, ['이름\t학번\t중간(30)\t기말(40)\t과제(20)\t태도(10)', ...rows].join('\n'));
    await page.getByRole('button', { name: '반영 비율로 합산 열마다', exact: false }).click();
    await page.getByRole('button', { name: '만점을 그대로 비율로' }).click();
    await table(page).waitFor();
    expect(pagesIn(await page.pdf({ preferCSSPageSize: true }))).toBe(2);
    const grade = row(page, '학생0').getByRole('button', { name: /산정 근거$/ });
    const belowOpen = await grade.boundingBox();
    expect((belowOpen?.y ?? 800) + (belowOpen?.height ?? 0)).toBeLessThan(800);
    // A second Enter does not open again what the first has folded.
    await page.getByLabel('태도 비율').press('Enter');
    await page.keyboard.press('Enter');
    await page.getByText('중간 30 · 기말 40 · 과제 20 · 태도 10 = 100%').waitFor();
    await page.getByRole('region', { name: '점수 분포' }).waitFor();
    for (const [width, height] of [
      [1280, 800],
      [390, 1688],
    ] as const) {
      await page.setViewportSize({ width, height });
      const box = await grade.boundingBox();
      if (!box) throw new Error('there is no grade');
      expect(box.x + box.width).toBeLessThan(width);
      const last = await row(page, '학생0').getByRole('checkbox', { name: '제외' }).boundingBox();
      expect((last?.x ?? width) + (last?.width ?? 0)).toBeLessThan(width);
      expect(box.y + box.height).toBeLessThan(height);
      // No unit of a setting reaches into the next field or out of the column.
      const units = page.locator('input[inputmode=decimal] + span');
      const isCut = (unit: Element) => {
        const { right } = unit.getBoundingClientRect();
        return right > (unit.parentElement?.parentElement?.getBoundingClientRect().right ?? 0);
      };
      for (const unit of await units.all())
        expect(await unit.evaluate(isCut), await unit.innerText()).toBe(false);
    }
    // The reason for a grade set by hand is asked for in sight of its row, wherever that row is.
    for (const [width, height] of [
      [390, 844],
      [1280, 800],
    ] as const) {
      await page.setViewportSize({ width, height });
      const name = width === 390 ? '학생5' : '학생37';
      await row(page, name).getByRole('combobox').first().selectOption('B');
      const field = page.getByLabel(`${name} B 사유`);
      const box = await field.boundingBox();
      expect((box?.y ?? height) + (box?.height ?? 0)).toBeLessThanOrEqual(height);
    }
  });

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
    // Folded where they are complete, they open again when an undo makes them incomplete.
    await page.getByRole('heading', { level: 1 }).click();
    await weights.getByRole('button', { name: '펼치기' }).waitFor();
    await page.getByRole('button', { name: '되돌리기' }).click();
    await weights.getByLabel('기말 비율').fill('60');
    await weights.getByRole('button', { name: '접기' }).waitFor();
    await untilGrades(page, ['제외', 'B', 'A', 'C 점수 누락', 'C+']);
    // A phone's keyboard is closed: the field is left for nothing else.
    await weights.getByLabel('기말 비율').blur();
    await weights.getByRole('button', { name: '펼치기' }).click();
    await page.setViewportSize({ width: 390, height: 844 });
    const missed = weights.getByRole('combobox', { name: '중간 미응시 처리' });
    await missed.waitFor({ state: 'hidden' });
    await weights.getByRole('button', { name: '중간 자세히' }).click();
    await missed.waitFor();
    await page.setViewportSize({ width: 1280, height: 800 });
    await expect.poll(() => column(page, '중간 (40% /40)')).toEqual(['40', '32', '40', '없음', '20']);
    await choose(page, '중간 미응시 처리', '제외하고 계산');
    await page.getByRole('button', { name: /^박다온 .* 산정 근거$/ }).click();
    const why = page.getByRole('dialog', { name: /^박다온 · / });
    await why.getByText('(기말 40/50 × 60%) × 100/60, 중간 제외').waitFor();
    await page.keyboard.press('Escape');
    await choose(page, '학교 규정', '인하대학교');
    await page.getByText('A 40%, B까지 90% 이내입니다.', { exact: false }).waitFor();
    await untilGrades(page, ['제외', 'B+', 'A', 'B 점수 누락', 'C']);
    await page.getByLabel('A 컷').and(page.locator('input[inputmode]')).fill('86');
    const changed = page.getByRole('region', { name: '학점이 바뀐 학생' });
    await changed.getByText('김가람 B+ → A').waitFor();
    await page.getByText('A: 한도 1명, 지금 2명 (1명 초과)').waitFor();
    await page.getByRole('button', { name: '되돌리기' }).click();
    await changed.waitFor({ state: 'detached' });

    await page.getByRole('button', { name: '내보내기', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Canvas 파일 저장' }).click();
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

    await page.evaluate(() => {
      window.print = () => dispatchEvent(new Event('beforeprint'));
    });
    await page.getByRole('button', { name: '인쇄', exact: true }).click();
    const printing = page.getByRole('dialog', { name: '성적표 인쇄' });
    await printing.getByLabel('강의').fill('운영체제');
    await printing.getByRole('button', { name: '인쇄' }).click();
    const sheet = await page.locator('[data-score-sheet]').innerText();
    for (const part of [
      '성적표 — 운영체제 (',
      '학기)',
      '인하대학교',
      '중간 40% + 기말 60%',
      '(한도 ',
      '(서명)',
      '중간 40%',
      '32/40',
    ]) {
      expect(sheet).toContain(part);
    }
    expect(problems).toEqual([]);
  });
});
