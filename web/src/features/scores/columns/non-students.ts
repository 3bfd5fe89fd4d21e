/** Rows of a class sheet that are not students: averages, totals, maximum scores, notes, repeated headers. */
import { isTestStudent } from '../../../lib/gradebook.ts';
import { asciiText, fieldOfLabels, labelKey } from '../../../lib/paste-table.ts';
import { studentColumns } from '../../../lib/student-columns.ts';

/**
 * Why a row gets no grade: it contains a word such as “average”, has no student number in a class of student
 * numbers, has no name and number, is below a header with other columns, or has a remark that the student has
 * left the class.
 */
export type NonStudent =
  { kind: 'word' | 'gone' | 'no number'; word: string } | { kind: 'nobody' } | { kind: 'below other header' };

/** The cells of a row that identify a student. */
export type Identity = {
  name: string;
  id: string;
  /** The row's first cell with text. */
  first: string;
};

const WHOSE =
  '전체|총|학급|학과|학부|전공|학년|과목|강의|분반|반|조|팀|응시자?|수강생?|수강자|재적|상위|하위|class|course|section|overall|grand';
const FIGURE = [
  '평균|합계|총계|소계|누계|요약|총합|총점|최고|최저|최대|최소|만점|배점|표준편차|편차|분산|중앙값|중간값|중위수|최빈값',
  '인원수?|학생수|표본수?|정답률|합격률|사분위수?|범위|만점자|응시자수|수강생수|반영비율|비율|가중치|기준점수?',
  'average|avg|mean|median|maximum|max|minimum|min|highest|lowest|subtotal|total|sum|count|weights?|range',
  'standarddeviation|stddeviation|stddev|stdev|std|variance|fullmarks?|fullscores?|perfectscore|pointspossible',
].join('|');
const OF_WHAT = '점수?|득점|성적|값|치|scores?|marks?|grades?|points?|values?';
/** `전체 평균`, `최고점`, `Average score`, `평균 (Average)`. A single letter or syllable must be the whole text. */
const SUMMARY = new RegExp(
  `^(?:(?:(?:${WHOSE})*(?:${FIGURE})(?:${OF_WHAT})*)+|합|계|총|총원|재적|(?:재적|응시|미응시|결시|결석|수강|등록|합격|불합격|이수)(?:자|생|인원)수?|전체|상위|하위|미응시|결시|points?|포인트|점수|날짜|date|n|q|sd|이하여백|[a-f]?(?:컷|커트라인|컷라인|cutoff|cut))$`,
);
const LONGEST = 40;
/** If student numbers usually have at least this many digits, a short number is a count. */
const USUAL_ID_MIN = 6;
/** A student number has at least this many digits; with fewer, it is a list number or a user name. */
const DIGITS_MIN = 4;
/** With fewer student numbers than this, a row without one may be a student. */
const NUMBERED_MIN = 5;

export const fieldOfLabel = fieldOfLabels(studentColumns);

/** Labels of columns that may say that a student has left the class. */
const REMARKS =
  /^(?:학적|수강|재학|학생|신분|신청|등록|이수|평가|출결)?(?:상태|구분|여부|변동|사항|정보)$|^(?:학적|비고|메모|참고|기타|특이사항|수강|출결|(?:f|미입력)?사유)$|^(?:enrol{1,2}ment)?status$|^availability$|^(?:remarks?|notes?|comments?|memo)$/;
export const isRemarkLabel = (label: string): boolean => REMARKS.test(labelKey(label));

/** Whether a name or number cell contains a label of class statistics. */
function isSummary(cell: string): boolean {
  if (/^[\d -]*$/.test(cell)) return false;
  // pandas' `describe()` adds the quartiles below a list as rows `25%`, `50%` and `75%`.
  if (/^[※*☞]|^(?:25|50|75)%$/.test(cell)) return true;
  if (isTestStudent(cell)) return true;
  const label = fieldOfLabel(cell);
  if (label === 'name' || label === 'id') return true;
  const isWord = (text: string) => {
    // `총 45명` and `상위 30%` contain a number as well.
    const plain = labelKey(text).replace(/\d+[명점개]?/g, '');
    return plain.length <= LONGEST && SUMMARY.test(plain);
  };
  const outside = asciiText(cell).replace(/[([][^)\]]*[)\]]?/g, '');
  return isWord(cell) || (outside !== cell && isWord(outside));
}

/** Whether a cell is an id or a phone number: scores never have this many consecutive digits. */
export function isIdOrPhone(cell: string): boolean {
  const text = asciiText(cell);
  return /^\+?[0-9A-Za-z-]{5,20}$/.test(text) && /\d{4}/.test(text);
}

/** Whether all cells after a label are figures: `평균  75.3  81`. A header with 합계 has no figures. */
export function isFigureLine(cells: readonly string[]): boolean {
  const [first = '', ...rest] = cells.filter((cell) => cell !== '');
  const areFigures = rest.every((cell) => isFigure(cell) || cell.startsWith('#'));
  return areFigures && (isSummary(first) ? rest.length > 0 : isFigure(first) || first.startsWith('#'));
}

/** The student number in a cell, without what is written beside it: `20221333` in `20221333 W`. */
export const numberIn = (id: string): string =>
  (asciiText(id).match(/[A-Za-z]*\d[\d-]*/g) ?? []).reduce(
    (best, each) => (each.length > best.length ? each : best),
    '',
  );

const digitsIn = (id: string) => numberIn(id).replace(/\D/g, '').length;

/** Returns a function that tells a student number from a count, a date, a section or a sentence. */
function numberTest(ids: readonly string[]): (id: string) => boolean {
  const digits = ids.map(digitsIn).toSorted((a, b) => a - b);
  const usual = digits[Math.floor(digits.length / 2)] ?? 0;
  if (usual < DIGITS_MIN) return (id) => id !== '';
  return (id) => {
    // An address may stand for the number.
    if (id.includes('@')) return true;
    const number = numberIn(id);
    const isMost = number.length * 2 >= asciiText(id).length;
    const isLong = digitsIn(id) >= DIGITS_MIN || digitsIn(id) * 4 >= usual * 3;
    return isMost && isLong && !/^\d{4}-\d\d?-\d\d?$/.test(number);
  };
}

/**
 * Finds rows that do not look like students. A row with a student number is always a student. If most rows have
 * a student number, a row without one is no student. In a class without names and numbers, only words such as
 * “average” show that a row is not a student.
 */
export function findNonStudents(rows: readonly Identity[]): (NonStudent | undefined)[] {
  const words = rows.map(summaryWord);
  const others = rows.filter((_, at) => words[at] === undefined);
  const ids = new Set(others.map(({ id }) => id).filter((id) => id !== ''));
  const shapes = new Set([...ids].map(shapeOf));
  // A row of statistics without a label may have the number of students in the column of student numbers.
  const lengths = others.map(({ id }) => id.length).toSorted((a, b) => a - b);
  const usual = lengths[Math.floor(lengths.length / 2)] ?? 0;
  const isCount = (id: string) => usual >= USUAL_ID_MIN && /^\d{1,3}$/.test(id);
  // A formula such as MAX is often copied to the whole row, so its id column may contain a student's number.
  const isStudentNumber = (id: string) =>
    id !== '' && !ids.has(id) && (isIdOrPhone(id) || shapes.has(shapeOf(id)));
  const named = others.filter(({ name, id }) => name !== '' || id !== '');
  const areTold = named.length > 0 && named.length * 2 >= others.length;
  const isNumber = numberTest(named.flatMap(({ id }) => (id === '' ? [] : id)));
  const numbered = named.filter(({ id }) => isNumber(id)).length;
  const areNumbered = numbered >= NUMBERED_MIN && numbered * 4 >= named.length * 3;
  return rows.map(({ name, id }, at) => {
    const word = words[at];
    if (word !== undefined) return isStudentNumber(id) ? undefined : { kind: 'word', word };
    if (areTold && name === '' && (id === '' || isCount(id))) return { kind: 'nobody' };
    // Name and number may have been swapped.
    return areNumbered && !isNumber(id) && !isIdOrPhone(name)
      ? { kind: 'no number', word: `${id} ${name}`.trim() }
      : undefined;
  });
}

function summaryWord({ name, id, first }: Identity): string | undefined {
  if (isSummary(name)) return name;
  if (isSummary(id)) return id;
  const isNamed = name !== '' && !isFigure(name);
  return !isNamed && isSummary(first) ? first : undefined;
}

/** Whether the cell is a number, possibly with a unit, or a dash for a missing number. */
function isFigure(cell: string): boolean {
  return /^([+-]?[\d.,]+\s*(명|점|개|회|%)?|-+)$/.test(asciiText(cell));
}

function shapeOf(id: string): string {
  return asciiText(id)
    .replace(/\d/g, '0')
    .replace(/[A-Za-z]/g, 'a');
}
