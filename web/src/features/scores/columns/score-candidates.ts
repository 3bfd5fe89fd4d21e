/** Finds the columns that may be the score, and decides whether one column clearly is the score. */
import { asciiText, type PastedTable, labelKey } from '../../../lib/paste-table.ts';
import { isPercentCell, readNumber } from '../numbers.ts';
import { isIdOrPhone, fieldOfLabel } from './non-students.ts';

export type ScoreCandidate = Pick<ColumnProfile, 'column' | 'numbers' | 'isPercent'> & {
  /** Whether the label means a total. */
  isTotal: boolean;
  /** Whether the column is the sum of the other columns in every row. */
  isSum: boolean;
  /** Whether the column is probably a part of the score, attendance, a year or a list number. */
  isDoubtful: boolean;
};

const SESSIONS_MAX = 48;

const totals = new Set(
  [
    '점수',
    '총점',
    '합계',
    '총계',
    '총합',
    '환산',
    '환산점수',
    '환산총점',
    '최종점수',
    '최종성적',
    'score',
    'scores',
    'total',
    'total score',
    'total points',
    'sum',
  ].map(labelKey),
);

/** `합계(100)` is a total, but `점수(중간)` is not: brackets may contain only the maximum. */
export function isTotalLabel(label: string): boolean {
  const text = asciiText(label);
  return totals.has(labelKey(text.replace(/[([]\s*\d+(\.\d+)?\s*(점|%)?\s*(만점)?\s*[)\]]\s*$/, '')));
}

/** Labels such as `조정 총점` and `최종`, which mean a total only in a table that has another total. */
const ADJUSTED =
  /^(?:(?:조정|보정|수정|변경|반영|최종)(?:후|된)?(?:총점|점수|합계|성적|총합)?|(?:총점|점수|합계|성적|총합)(?:조정|보정|수정|변경|반영|최종)(?:후|됨)?|(?:adjusted|curved|final|revised|scaled)(?:total|score|points|total(?:score|points)))$/;

/** Labels of a score's parts: a single part is never graded without asking the user. */
const PARTS = [
  '중간|기말|과제|숙제|퀴즈|쪽지|발표|실습|실험|보고서|레포트|리포트|토론|토의|참여|태도|가산|가점|보너스|팀플|프로젝트|출석|[0-9]차',
  'midterm|finalexam|quiz|homework|^hw|assignment|project|^lab|report|presentation|participation|bonus|attendance',
].join('|');
const PART = new RegExp(PARTS);

/** Labels of absences, and of the time that somebody attended a meeting. */
const TIME = /^\s*(?:결석|지각)|기간|시간|[(]\s*분\s*[)]|duration|minutes/i;

export function isPartLabel(label: string): boolean {
  return PART.test(labelKey(label)) && !isTotalLabel(label);
}

/** Whether a row is a header: it has labels for the name or the number and another column, but no numbers. */
export function isHeaderRow(cells: readonly string[]): boolean {
  if (cells.some((cell) => readNumber(cell) !== undefined || isIdOrPhone(cell))) return false;
  const fields = cells.map(fieldOfLabel);
  const isKnown = (cell: string, at: number) =>
    fields[at] !== undefined || isTotalLabel(cell) || isPartLabel(cell);
  return (fields.includes('name') || fields.includes('id')) && cells.filter(isKnown).length > 1;
}

/** @param profiles the columns to which neither a label nor the user has given a field */
export function findScoreCandidates(
  profiles: readonly ColumnProfile[],
  labels: readonly string[],
): ScoreCandidate[] {
  const likely = profiles.filter((each) => {
    const label = labels[each.column] ?? '';
    if (isTotalLabel(label)) return true;
    // Even a few numbers are enough: most students of an exam may be marked absent.
    return each.numbers.length > 0 && !each.isId && !(each.isSerial && label === '');
  });
  // An unfilled column may become another part of the score.
  const isUnfinished = profiles.some(({ column, numbers, distinct, isOpen }) => {
    const label = labels[column] ?? '';
    const isUnfilled = isOpen || (label !== '' && (distinct === 0 || isPartLabel(label)));
    return numbers.length === 0 && isUnfilled;
  });
  const candidates = likely.map(({ column, numbers, isPercent, isSerial, isMostlyText }): ScoreCandidate => {
    const label = labels[column] ?? '';
    const others = likely.filter((other) => other.column !== column);
    return {
      column,
      numbers,
      isPercent,
      isTotal: isTotalLabel(label) && !isPartialSum(column, likely, labels),
      isSum: others.length > 1 && likely.every(({ isFull }) => isFull) && isSumOf(numbers, others),
      isDoubtful:
        isUnfinished ||
        isPartLabel(label) ||
        isPercent ||
        isSerial ||
        isMostlyText ||
        isListNumber(numbers) ||
        (label === '' && isCount(numbers)) ||
        TIME.test(label),
    };
  });
  if (candidates.some(({ isTotal }) => isTotal)) {
    for (const each of candidates) each.isTotal ||= ADJUSTED.test(labelKey(labels[each.column] ?? ''));
  }
  // A label of cells merged over several columns is only in the first column.
  const isSpanning = candidates.some(
    ({ column, isTotal }) =>
      isTotal && labels[column + 1] === '' && candidates.some((next) => next.column === column + 1),
  );
  const told = isSpanning
    ? candidates.map((each) => ({ ...each, isTotal: false, isDoubtful: true }))
    : candidates;
  return told.sort((a, b) => Number(b.isTotal) - Number(a.isTotal));
}

/** The only column labelled as a total, or else the only column of numbers; undefined if none is certain. */
export function certainScore(candidates: readonly ScoreCandidate[]): number | undefined {
  const named = candidates.filter(({ isTotal }) => isTotal);
  const [only, second] = named.length > 0 ? named : candidates;
  if (!only || second) return undefined;
  if (!only.isTotal) return only.isDoubtful ? undefined : only.column;
  // An empty total column is not the score if other columns, its parts, have numbers.
  return only.numbers.length > 0 || candidates.length === 1 ? only.column : undefined;
}

/** Whether the numbers are years of study, or ascending list numbers with possible gaps. */
function isListNumber(numbers: readonly number[]): boolean {
  if (!numbers.every(Number.isInteger)) return false;
  const isYear = numbers.every((value) => value >= 1 && value <= 6);
  const isRising =
    numbers.length > 2 && numbers.every((value, row) => row === 0 || value > (numbers[row - 1] ?? 0));
  const isPermutation =
    numbers.length > 1 &&
    new Set(numbers).size === numbers.length &&
    numbers.every((value) => value >= 1 && value <= numbers.length);
  return isYear || isRising || isPermutation;
}

/** Whole numbers up to the sessions of a term may be absences or attended sessions if there is no label. */
function isCount(numbers: readonly number[]): boolean {
  return numbers.every((value) => Number.isInteger(value) && value >= 0 && value <= SESSIONS_MAX);
}

/** Whether a column is the sum of those on its left alone, while other parts of the score are on its right. */
function isPartialSum(
  column: number,
  profiles: readonly ColumnProfile[],
  labels: readonly string[],
): boolean {
  const total = profiles.find((each) => each.column === column);
  const isOtherPart = profiles.some((each) => each.column > column && isPartLabel(labels[each.column] ?? ''));
  if (!total?.isFull || !isOtherPart) return false;
  const run: ColumnProfile[] = [];
  for (let at = column - 1; at >= 0; at--) {
    const next = profiles.find((each) => each.column === at);
    if (!next?.isFull) return false;
    run.push(next);
    if (run.length > 1 && isSumOf(total.numbers, run)) return true;
  }
  return false;
}

function isSumOf(total: readonly number[], others: readonly Pick<ColumnProfile, 'numbers'>[]): boolean {
  return total.every((value, row) => {
    const sum = others.reduce((all, { numbers }) => all + (numbers[row] ?? 0), 0);
    return Math.abs(sum - value) < 0.01;
  });
}

export type ColumnProfile = {
  column: number;
  numbers: number[];
  /** The highest number that is not a percentage; undefined without such a number. */
  highest: number | undefined;
  /** Whether the column contains only marks for a missing score. */
  isOpen: boolean;
  /** Whether every row has a number. */
  isFull: boolean;
  distinct: number;
  isId: boolean;
  isName: boolean;
  /** Whether fewer than half of the non-empty cells are numbers. */
  isMostlyText: boolean;
  isPercent: boolean;
  /** Whether the numbers are 1, 2, 3 … in row order. */
  isSerial: boolean;
};

export const MISSING = /^(-+|[xX]|결시|미응시|미제출|미정|불참|결석|absent|n\/?a)$/i;

export function columnProfile(rows: PastedTable, column: number): ColumnProfile {
  const cells = rows.map((row) => row[column] ?? '').filter((cell) => cell !== '');
  const most = (is: (cell: string) => boolean) =>
    cells.length > 0 && cells.filter(is).length * 10 >= cells.length * 8;
  const read = cells.map(readNumber);
  const numbers = read.filter((each) => each !== undefined);
  const points = read.flatMap((each, at) =>
    each === undefined || isPercentCell(cells[at] ?? '') ? [] : each,
  );
  return {
    column,
    numbers,
    highest: points.length === 0 ? undefined : points.reduce((top, each) => Math.max(top, each)),
    isOpen: cells.length > 0 && cells.every((cell) => MISSING.test(cell)),
    isFull: rows.length > 0 && numbers.length === rows.length,
    distinct: new Set(cells).size,
    isId: most(isIdOrPhone),
    isName: most((cell) => /^(\p{Script=Hangul}[\p{Script=Hangul} ]{1,9}|\p{L}[\p{L}'. -]+)$/u.test(cell)),
    isMostlyText: numbers.length * 2 < cells.length,
    isPercent: most((cell) => cell.endsWith('%')),
    isSerial: numbers.length > 1 && numbers.every((value, index) => value === index + 1),
  };
}
