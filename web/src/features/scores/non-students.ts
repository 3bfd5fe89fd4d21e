/** Rows of a class sheet that are no student's: averages, totals, full marks, notes, a header repeated on every page. */
import { asciiText, fieldOfLabels, plainLabel } from '../../lib/paste-table.ts';
import { studentColumns } from '../../lib/student-columns.ts';

/** Why a row looks like no student's: by the word that stands in it, or as it says of nobody whose it is. */
export type NonStudent = { kind: 'word'; word: string } | { kind: 'nobody' };

/** What a row says of whose it is. */
export type Identity = {
  name: string;
  id: string;
  /** What stands first in the row, whichever column that is. */
  first: string;
};

const WHOSE =
  '전체|총|학급|학년|과목|강의|분반|반|조|팀|응시자?|수강생?|수강자|재적|상위|하위|class|course|section|overall|grand';
const FIGURE = [
  '평균|합계|총계|소계|누계|총합|총점|최고|최저|최대|최소|만점|배점|표준편차|편차|분산|중앙값|중간값|중위수|최빈값',
  '인원수?|학생수|응시자수|수강생수|반영비율|비율|가중치|기준점수?',
  'average|avg|mean|median|maximum|max|minimum|min|highest|lowest|subtotal|total|sum|count|weights?|range',
  'standarddeviation|stddeviation|stddev|stdev|std|variance|fullmarks?|fullscores?|perfectscore|pointspossible',
].join('|');
const OF_WHAT = '점수?|득점|성적|값|치|scores?|marks?|grades?|points?|values?';
/** `전체 평균`, `최고점`, `Average score`, `평균 (Average)`; single letters and syllables stand alone. */
const SUMMARY = new RegExp(
  `^(?:(?:(?:${WHOSE})*(?:${FIGURE})(?:${OF_WHAT})*)+|합|계|총|총원|재적|전체|상위|하위|n|sd|이하여백)$`,
);
const LONGEST = 40;

const labelOf = fieldOfLabels(studentColumns);

/** Whether a cell of a name or a number holds what stands before the figures of a whole class. */
function isSummary(cell: string): boolean {
  if (/^[\d -]*$/.test(cell)) return false;
  if (/^[※*☞]/.test(cell)) return true;
  const label = labelOf(cell);
  if (label === 'name' || label === 'id') return true;
  const isWord = (text: string) => {
    // `총 45명` and `상위 30%` say how many as well.
    const plain = plainLabel(text).replace(/\d+[명점개]?/g, '');
    return plain.length <= LONGEST && SUMMARY.test(plain);
  };
  const outside = asciiText(cell).replace(/[([][^)\]]*[)\]]?/g, '');
  return isWord(cell) || (outside !== cell && isWord(outside));
}

/** No score has so many digits in a row. */
export function isIdOrPhone(cell: string): boolean {
  const text = asciiText(cell);
  return /^\+?[0-9A-Za-z-]{5,20}$/.test(text) && /\d{4}/.test(text);
}

/** `평균  75.3  81`, but not a header that begins with 합계: what follows the word are figures. */
export function isFigureLine(cells: readonly string[]): boolean {
  const [first = '', ...rest] = cells.filter((cell) => cell !== '');
  const areFigures = rest.every((cell) => isFigure(cell) || cell.startsWith('#'));
  return areFigures && (isSummary(first) ? rest.length > 0 : isFigure(first) || first.startsWith('#'));
}

/**
 * Which rows look like no student's. One that has a student number is a student, whatever the name; where a class has
 * neither names nor numbers, only a word tells.
 */
export function findNonStudents(rows: readonly Identity[]): (NonStudent | undefined)[] {
  const words = rows.map(summaryWord);
  const others = rows.filter((_, at) => words[at] === undefined);
  const ids = new Set(others.map(({ id }) => id).filter((id) => id !== ''));
  const shapes = new Set([...ids].map(shapeOf));
  // The highest of a column of numbers is somebody's: a formula that was drawn over the whole row.
  const isStudentNumber = (id: string) =>
    id !== '' && !ids.has(id) && (isIdOrPhone(id) || shapes.has(shapeOf(id)));
  const named = others.filter(({ name, id }) => name !== '' || id !== '').length;
  const areTold = named > 0 && named * 2 >= others.length;
  return rows.map(({ name, id }, at) => {
    const word = words[at];
    if (word !== undefined) return isStudentNumber(id) ? undefined : { kind: 'word', word };
    return areTold && name === '' && id === '' ? { kind: 'nobody' } : undefined;
  });
}

function summaryWord({ name, id, first }: Identity): string | undefined {
  if (isSummary(name)) return name;
  if (isSummary(id)) return id;
  const isNamed = name !== '' && !isFigure(name);
  return !isNamed && isSummary(first) ? first : undefined;
}

/** A number, with what it counts, or a dash for none. */
function isFigure(cell: string): boolean {
  return /^([+-]?[\d.,]+\s*(명|점|개|회|%)?|-+)$/.test(asciiText(cell));
}

function shapeOf(id: string): string {
  return asciiText(id)
    .replace(/\d/g, '0')
    .replace(/[A-Za-z]/g, 'a');
}
