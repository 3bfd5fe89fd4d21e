import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { propertyRuns } from '../support/counts.ts';
import { graded } from '../support/score-tables.ts';
import { shownCutoff, histogramOf } from '../../web/src/features/scores/grading/histogram.ts';
import { withTable } from '../../web/src/features/scores/paste/earlier-decisions.ts';
import { capsText } from '../../web/src/features/scores/print/printed-class.tsx';
import { copyWarnings } from '../../web/src/features/scores/toolbar.tsx';
import { suggestedWeighting } from '../../web/src/features/scores/weights/weighting-offer.ts';
import { EMPTY_WORK, withExclusion, withWeighting } from '../../web/src/features/scores/work.ts';

const USUAL = ['78', '91', '90', '88', '89', '53', '76', '84.5', '61', '100'];
const classOf = (scores: readonly string[], label = '총점') =>
  withTable(
    EMPTY_WORK,
    [`학번\t이름\t${label}`, ...scores.map((score, at) => `${20_212_001 + at}\t학생\t${score}`)].join('\n'),
  );
const doubtOf = (score: string, label?: string) => {
  const { rows } = graded(classOf([...USUAL, score], label));
  const { doubt, flag, score: read } = rows.at(-1) ?? {};
  expect(rows.slice(0, -1).filter((row) => row.flag === 'doubt')).toEqual([]);
  expect(flag === 'doubt').toBe(doubt !== '');
  return [read, doubt];
};

test.each<[string, number, string, string?]>([
  ['-5', -5, '총점 -5점이 0점보다 낮습니다.'],
  ['1,000', 1000, '총점 1000점이 100점보다 높습니다.'],
  ['101', 101, '총점 101점이 100점보다 높습니다.'],
  ['0.95', 0.95, '총점 0.95점은 다른 학생(가운데 84.5점)의 1/10 이하입니다.'],
  ['95%', 95, '총점 ‘95%’를 95점으로 보았습니다.'],
  ['120', 120, '총점 120점이 만점 110점보다 높습니다.', '총점(110점)'],
  ['50%', 55, '총점 ‘50%’를 55점으로 보았습니다.', '총점(110점)'],
  ['105', 105, '', '총점(110점)'],
  ['62', 62, ''],
])('SCO-19 a score that looks wrong is graded as it stands and flagged: %s', (cell, score, doubt, label) => {
  expect(doubtOf(cell, label)).toEqual([score, doubt]);
});

test('SCO-19 nobody is flagged where all scores are alike, small, above a hundred or shares', () => {
  for (const scores of [
    ['5', '1', '3', '10', '8', '9'],
    ['180', '150', '190', '120', '20', '175'],
    ['95%', '80%', '77%', '12%', '99%', '60%'],
  ])
    expect(graded(classOf(scores)).rows.filter(({ flag }) => flag === 'doubt')).toEqual([]);
});

/** A class whose scores are spread like those of most exams. */
const ordinary = fc
  .record({
    mean: fc.integer({ min: 55, max: 85 }),
    spread: fc.integer({ min: 4, max: 13 }),
    draws: fc.array(fc.array(fc.integer({ min: 0, max: 1000 }), { minLength: 12, maxLength: 12 }), {
      minLength: 8,
      maxLength: 60,
    }),
    step: fc.constantFrom(1, 2, 10),
  })
  .map(({ mean, spread, draws, step }) =>
    draws.map((each) => {
      const deviation = (each.reduce((sum, draw) => sum + draw, 0) - 6000) / 1000;
      return Math.round(Math.min(100, Math.max(1, mean + spread * deviation)) * step) / step;
    }),
  );
const flagged = (scores: readonly (number | string)[], label?: string) =>
  graded(classOf(scores.map(String), label)).rows.flatMap(({ doubt, row }) => (doubt === '' ? [] : row - 1));

test('SCO-19 in ordinary classes hardly anybody is flagged', () => {
  const classes = fc.sample(ordinary, propertyRuns(400, 5000));
  const students = classes.reduce((sum, scores) => sum + scores.length, 0);
  const found = classes.reduce((sum, scores) => sum + flagged(scores).length, 0);
  expect(found / students).toBeLessThan(0.0005);
});

test('SCO-19 a score that was typed a tenth is flagged, unless others are that low', () => {
  fc.assert(
    fc.property(ordinary, fc.nat(), fc.constantFrom('총점', '총점(110점)'), (scores, pick, label) => {
      const at = pick % scores.length;
      const tenth = Number(((scores[at] ?? 0) / 10).toFixed(3));
      const others = scores.toSpliced(at, 1);
      const [low, high] = [Math.min(...others), Math.max(...others)];
      fc.pre(tenth * 2 < low && tenth * 10 >= low && tenth * 10 <= high);
      expect(flagged(scores.with(at, tenth), label)).toContain(at);
      expect(flagged([...scores.with(at, tenth), tenth, tenth, ...scores.map(() => tenth)])).not.toContain(
        at,
      );
    }),
    propertyRuns(100, 5000),
  );
  expect(flagged([8, 9, 7, 10, 6, 0.8, 9, 5])).toEqual([5]);
  expect(flagged([8, 9, 7, 10, 6, 1, 9, 5])).toEqual([]);
});

test('SCO-19 a tenth in one part of a weighted total is flagged', () => {
  const lines = USUAL.map((score, at) => `${20_212_001 + at}\t학생\t${at === 4 ? '8.8' : score}\t${90 - at}`);
  const work = withTable(EMPTY_WORK, ['학번\t이름\t중간\t기말', ...lines].join('\n'));
  const { parts } = suggestedWeighting(work.table, work.mapping);
  const weighted = withWeighting(work, {
    parts: parts.map(({ columns }) => ({
      weight: 50,
      columns: columns.map(({ column }) => ({ column, full: 100 })),
      missing: 'zero' as const,
      best: 1,
    })),
    deductions: [],
    isSumFree: false,
  });
  expect(
    graded(weighted)
      .rows.map(({ doubt }) => doubt)
      .filter(Boolean),
  ).toEqual(['중간 8.8점은 다른 점수의 1/10로 보입니다.']);
});

test('SCO-19 a score of 0 is flagged where the others are far above, and not where many have it', () => {
  expect(doubtOf('0')).toEqual([0, '총점 0점이 다른 점수와 크게 다릅니다.']);
  expect(flagged([...USUAL, 0, 0])).toEqual([10, 11]);
  expect(flagged([...USUAL, 0, 0, 0, 0])).toEqual([]);
  expect(flagged([0, 5, 8, 12, 20, 35, 40, 60, 80, 90])).toEqual([]);
  expect(flagged([0, 7, 8, 9, 10, 8, 9, 7])).toEqual([]);
});

const withParts = (
  totals: (sum: number, at: number) => number | string,
  labels = '중간\t기말\t과제\t출석\t비고',
) =>
  withTable(
    EMPTY_WORK,
    [
      `학번\t이름\t${labels}\t총점`,
      ...Array.from({ length: 12 }, (_, at) => {
        const parts = [10 + ((at * 7) % 23), 12.5 + ((at * 5) % 21), (at * 3) % 11, 10 - (at % 3)];
        const sum = parts.reduce((all, each) => all + each, 0);
        return [20_212_001 + at, `학생${at}`, ...parts, '', totals(sum, at)].join('\t');
      }),
    ].join('\n'),
  );
const sumsSaid = (work: ReturnType<typeof withParts>) =>
  graded(work).rows.flatMap(({ doubt, row }) => (doubt === '' ? [] : `${row}: ${doubt}`));

test('SCO-19 a total that is not the sum of its parts is flagged with both, where nearly all totals are', () => {
  const ofAll = '중간, 기말, 과제, 출석의 합';
  expect(sumsSaid(withParts((sum) => sum))).toEqual([]);
  expect(sumsSaid(withParts((sum, at) => (at === 3 ? 30 : sum)))).toEqual([
    `4: 총점 30점이 ${ofAll} 77.5점과 다릅니다.`,
  ]);
  expect(sumsSaid(withParts((sum, at) => (at % 7 === 1 ? sum - 9 : sum)))).toHaveLength(2);
  // A part that no total counts, a missing total, totals of their own, and a bonus for many.
  const partless = (sum: number, at: number) => sum - ((at * 3) % 11);
  for (const totals of [
    partless,
    (sum: number, at: number) => (at === 3 ? '' : sum),
    (_: number, at: number) => 60 + ((at * 11) % 37),
    (sum: number, at: number) => (at % 2 === 0 ? sum + 3 : sum),
  ])
    expect(sumsSaid(withParts(totals))).toEqual([]);
  const labelled = withParts(
    (sum, at) => (at === 3 ? 30 : sum - 10 + (at % 3)),
    '중간\t기말\t과제\t조\t비고',
  );
  expect(sumsSaid(labelled)).toEqual(['4: 총점 30점이 중간, 기말, 과제의 합 67.5점과 다릅니다.']);
});

test('SCO-19 copying asks first when a score looks wrong or most could not be read, and of nobody who is excluded', () => {
  expect(copyWarnings(graded(classOf(USUAL)).rows)).toEqual([]);
  const odd = classOf([...USUAL, '1,000']);
  expect(copyWarnings(graded(odd).rows)).toHaveLength(1);
  expect(copyWarnings(graded(withExclusion(odd, USUAL.length + 1, true)).rows)).toEqual([]);
  const unread = graded(classOf(['60', ...USUAL.slice(1).map((score) => `"${score}\n5"`)]));
  expect(copyWarnings(unread.rows)).toEqual(['10명 가운데 9명의 점수를 읽지 못했습니다.']);
});

test('SCO-10 SCO-19 a percent cell counts as its share of the full marks, and is flagged where they are not 100', () => {
  const lines = [
    '학번\t이름\t중간\t기말',
    '20261001\t가\t24\t47',
    '20261002\t나\t95%\t60%',
    '20261003\t다\t51\t80',
    '20261004\t라\t40\t-1',
    '\t만점\t50\t100',
  ];
  const work = withTable(EMPTY_WORK, lines.join('\n'));
  const { parts } = suggestedWeighting(work.table, work.mapping);
  // 51 is above them, so that the full marks of the row are asked.
  expect(parts.map(({ columns }) => columns[0]?.full)).toEqual([undefined, 100]);
  const weighted = withWeighting(work, {
    parts: parts.map(({ columns }) => ({
      weight: 50,
      columns: columns.map(({ column, full }) => ({ column, full: full ?? 50 })),
      missing: 'zero' as const,
      best: 1,
    })),
    deductions: [],
    isSumFree: false,
  });
  const { rows } = graded(weighted);
  expect(rows.map(({ scoreCell, doubt }) => [scoreCell, doubt]).slice(0, 4)).toEqual([
    ['47.5', ''],
    ['77.5', '중간 ‘95%’를 47.5점으로 보았습니다.'],
    ['91', '중간 51점이 만점 50점보다 높습니다.'],
    ['39.5', '기말 -1점이 0점보다 낮습니다.'],
  ]);
});

test('SCO-19 the histogram is drawn for the usual scores, with the others in its last bars', () => {
  const all = [...Array.from({ length: 50 }, (_, at) => 50 + at), -5, 1000];
  const drawn = histogramOf(all, all.slice(0, 50));
  expect(drawn).toMatchObject({ from: 50, to: 100 });
  expect(drawn?.bins.reduce((sum, { count }) => sum + count, 0)).toBe(all.length);
  expect(shownCutoff(90, all)).toBe(90);
});

test('SCO-14 on paper each count stands beside the cap that it is held against', () => {
  const band = { share: 0, seats: 0, grades: [], steps: [] };
  expect(
    capsText([
      { ...band, name: 'A', used: 12, usedUpTo: 12, cap: 12, ownCap: Infinity },
      { ...band, name: 'B', used: 15, usedUpTo: 27, cap: 30, ownCap: 16 },
      { ...band, name: 'C', used: 13, usedUpTo: 40, cap: 40, ownCap: Infinity },
    ]),
  ).toBe('A 12명 (한도 12명) · A·B 27명 (한도 30명), B만 15명 (한도 16명)');
});

test('SCO-4 a cell that is no number is told without a particle that nobody can read', () => {
  const { rows } = graded(classOf([...USUAL, '-', '(85)']));
  expect(rows.slice(-2).map(({ reason }) => reason())).toEqual([
    '점수 칸이 숫자가 아니어서(‘-’) F를 받습니다.',
    '점수 칸이 숫자가 아니어서(‘(85)’) F를 받습니다.',
  ]);
});
