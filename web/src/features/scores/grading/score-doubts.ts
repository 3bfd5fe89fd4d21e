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
    if (usual !== undefined && usual >= LEAST_USUAL && score > 0 && score * TIMES <= usual)
      return [`${said}은 다른 학생(가운데 ${usual}점)의 1/${TIMES} 이하입니다.`];
    if (usual !== undefined && usual > 0 && score >= usual * TIMES)
      return [`${said}은 다른 학생(가운데 ${usual}점)의 ${TIMES}배 이상입니다.`];
    return isPercentCell(cell) && isOddPercent ? [`${name} ‘${cell}’를 ${score}점으로 보았습니다.`] : [];
  };
}

function pointsOf(cell: string, full: number | undefined): number | undefined {
  const points = readPoints(cell, full);
  return points === undefined ? undefined : Number(points);
}
