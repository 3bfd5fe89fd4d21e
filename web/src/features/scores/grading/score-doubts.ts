/** Finds scores that look wrong: they are graded unchanged, and the user is notified. */
import { isDittoMark } from '../../../lib/paste-table.ts';
import { isPercentCell, readPoints } from '../numbers.ts';
import { isIdOrPhone } from '../columns/non-students.ts';

/** A column of the score, and its full marks if known. */
export type JudgedColumn = { column: number; name: string; full: number | undefined };

type Line = { name: string; id: string; cells: readonly string[]; isStudent: boolean };

/** With fewer scores than this, it is unknown which score is usual. */
const FEWEST = 5;
const TIMES = 10;
/** If the usual score is below this limit, a tenth of the usual score can be an ordinary score. */
const LEAST_USUAL = 20;
const USUAL_FULL = 100;
/** Slips are rare: if more scores than one in this many are so low, they are ordinary. */
const RARE = 10;
/** From this number on, a score is probably a student number in the wrong column. */
const NO_SCORE = 100_000;

/** The warning about each row's score; empty if there is none. */
export function scoreDoubts(lines: readonly Line[], columns: readonly JudgedColumn[]): string[] {
  const judges = columns.map((column) => judgeOf(lines, column));
  return lines.map(({ name, id, cells, isStudent }) =>
    isStudent
      ? [
          ...(isDittoMark(name) ? ['이름이 따옴표뿐입니다.'] : []),
          ...(isIdOrPhone(name) && /^\P{N}+$/u.test(id) ? ['이름과 학번이 바뀐 것으로 보입니다.'] : []),
          ...judges.flatMap((judge) => judge(cells)),
        ].join(' ')
      : '',
  );
}

function judgeOf(lines: readonly Line[], { column, name, full }: JudgedColumn) {
  const given = lines.flatMap(({ cells, isStudent }) => (isStudent ? (cells[column] ?? '') : []));
  const points = given.flatMap((cell) => pointsOf(cell, full) ?? []).sort((a, b) => a - b);
  const usual = points.length < FEWEST ? undefined : points[Math.floor(points.length / 2)];
  const isTenth = tenthTest(points);
  const above = points.filter((each) => each > 0);
  const isZeroOdd =
    usual !== undefined &&
    usual >= LEAST_USUAL &&
    (points.length - above.length) * 5 <= points.length &&
    (above[Math.floor(above.length / RARE)] ?? 0) * 3 >= usual;
  const within = points.filter((each) => each <= USUAL_FULL).length;
  const isOfHundred = points.length >= FEWEST && within * TIMES >= points.length * (TIMES - 1);
  const most = full ?? (isOfHundred ? USUAL_FULL : undefined);
  const percents = given.filter(isPercentCell).length;
  const isOddPercent = full === undefined ? percents * 2 < given.length : full !== USUAL_FULL;
  return (cells: readonly string[]): string[] => {
    const cell = cells[column] ?? '';
    const score = pointsOf(cell, full);
    if (score === undefined) return /\d/.test(cell) ? [`${name} ‘${cell}’ 칸을 숫자로 읽지 못했습니다.`] : [];
    const said = `${name} ${score}점`;
    if (score >= NO_SCORE) return [`${said}은 점수로는 너무 큽니다.`];
    if (score < 0) return [`${said}이 0점보다 낮습니다.`];
    if (most !== undefined && score > most)
      return [`${said}이 ${full === undefined ? '' : '만점 '}${most}점보다 높습니다.`];
    if (score === 0 && isZeroOdd) return [`${said}이 다른 점수와 크게 다릅니다.`];
    if (usual !== undefined && isTenth(score)) return [`${said}은 다른 점수의 1/${TIMES}로 보입니다.`];
    if (usual !== undefined && usual >= LEAST_USUAL && score > 0 && score * TIMES <= usual)
      return [`${said}은 다른 학생(가운데 ${usual}점)의 1/${TIMES} 이하입니다.`];
    if (usual !== undefined && usual > 0 && score >= usual * TIMES)
      return [`${said}은 다른 학생(가운데 ${usual}점)의 ${TIMES}배 이상입니다.`];
    return isPercentCell(cell) && isOddPercent ? [`${name} ‘${cell}’를 ${score}점으로 보았습니다.`] : [];
  };
}

/**
 * Returns a function that finds a score whose decimal point is probably one place too far left: it is less than
 * half of the lowest other score, and ten times the score is among the other scores, or a little above if it was
 * the highest.
 */
function tenthTest(points: readonly number[]): (score: number) => boolean {
  const above = points.filter((each) => each > 0);
  const [middle = 0, top = 0] = [above[Math.floor(above.length / 2)], above.at(-1)];
  const most = Math.max(1, Math.floor(above.length / RARE));
  const gaps = above.slice(1, most + 1).filter((next, at) => (above[at] ?? 0) * 2 < next);
  const parts = above.filter((each) => !Number.isInteger(each)).length;
  return (score) => {
    const meant = Number((score * TIMES).toPrecision(12));
    // Among low scores, a tenth is odd only if the others are whole numbers.
    const isOdd = middle >= LEAST_USUAL || (!Number.isInteger(score) && parts <= most);
    return (
      isOdd && gaps.some((next) => score > 0 && score * 2 < next && meant >= next && meant <= top * 1.05)
    );
  };
}

/**
 * A sentence about each total that is not the sum of its parts, although nearly all totals are; empty for all
 * others.
 * @param choices the columns that may be the parts
 */
export function sumDoubts(
  lines: readonly Line[],
  { column, name, full }: JudgedColumn,
  choices: readonly (readonly JudgedColumn[])[],
): string[] {
  const checked = choices.map((parts) => {
    const names = parts.map((part) => part.name).join(', ');
    const sums = lines.map(({ cells, isStudent }) => {
      const total = pointsOf(cells[column] ?? '', full);
      const points = parts.flatMap((part) => pointsOf(cells[part.column] ?? '', part.full) ?? []);
      if (!isStudent || total === undefined || points.length < 2) return undefined;
      const sum = Number(points.reduce((all, each) => all + each, 0).toFixed(4));
      const isRight = Math.abs(sum - total) < 0.01;
      return { isRight, said: isRight ? '' : `${name} ${total}점이 ${names}의 합 ${sum}점과 다릅니다.` };
    });
    const right = sums.filter((each) => each?.isRight === true).length;
    const wrong = sums.filter((each) => each?.isRight === false).length;
    return { right, wrong, said: sums.map((each) => each?.said ?? '') };
  });
  const [best] = checked
    .filter(({ right, wrong }) => right >= FEWEST && wrong * 4 <= right)
    .toSorted((a, b) => a.wrong - b.wrong);
  return best?.said ?? lines.map(() => '');
}

function pointsOf(cell: string, full: number | undefined): number | undefined {
  const points = readPoints(cell, full);
  return points === undefined ? undefined : Number(points);
}
