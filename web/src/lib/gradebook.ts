/** Gradebook files of Canvas and Moodle. docs/grading.md links to descriptions of their columns. */
import { csvCell } from '#contract/spreadsheet';
import { labelKey, labelList, TITLE_ROWS_MAX, type PastedTable } from './paste-table.ts';

export type Gradebook = {
  system: 'canvas' | 'moodle';
  header: number;
  name: number;
  /** Moodle's column of family names. A family name precedes a Korean given name and follows any other. */
  familyName: number | undefined;
  id: number | undefined;
  /** Columns without scores: ids, sections, feedback, dates, and numbers computed by the system. */
  others: readonly number[];
  /** Course totals that the system computed; a total may be the score, but never one part of the score. */
  totals: readonly number[];
};

/** Column names of both systems in Korean and English; case and punctuation are ignored. */
const moodleLabels = {
  given: ['First name', '이름'],
  family: ['Last name', 'Surname', '성'],
  id: ['ID number', 'ID 번호', '학번', '개인식별번호'],
  email: ['Email address', '이메일 주소', '이메일'],
  other: labelList(
    'Institution, 기관, 소속, Department, 부서, 학과, Last downloaded from this course, 이 강좌에서 마지막으로 다운로드',
  ),
};
const CANVAS_FIGURE = /(current|final)(score|grade|points)(readonly)?$|^override(score|grade|status)$/;
const CANVAS_TOTAL = /^(current|final)score(readonly)?$/;
const MOODLE_TOTAL = /^(coursetotal|강좌총점)/;

/** Canvas lists a test student, which lecturers use to see the course as a student does. */
export const isTestStudent = (name: string): boolean => /^(student, test|test student)$/i.test(name);

/** Detects a gradebook; undefined for any other table. */
export function gradebookOf(table: PastedTable): Gradebook | undefined {
  for (const [header, cells] of table.slice(0, TITLE_ROWS_MAX).entries()) {
    const labels = cells.map(labelKey);
    const found = canvasOf(labels, header) ?? moodleOf(labels, header);
    if (found) return found;
  }
  return undefined;
}

function canvasOf(labels: readonly string[], header: number): Gradebook | undefined {
  const at = (label: string) => indexOf(labels, label);
  const [student, id, section] = [at('student'), at('id'), at('section')];
  if (student !== 0 || id === undefined || section === undefined) return undefined;
  const known = new Set(labelList('id, sisuserid, sisloginid, integrationid, rootaccount, section, notes'));
  return {
    system: 'canvas',
    header,
    name: student,
    familyName: undefined,
    id: at('sisuserid') ?? at('sisloginid') ?? id,
    // Each group of assignments has its own computed columns, such as `과제 Current Score`.
    others: columnsOf(
      labels,
      (label, column) =>
        known.has(label) || (column > section && CANVAS_FIGURE.test(label) && !CANVAS_TOTAL.test(label)),
    ),
    totals: columnsOf(labels, (label) => CANVAS_TOTAL.test(label)),
  };
}

function moodleOf(labels: readonly string[], header: number): Gradebook | undefined {
  const at = (names: readonly string[]) =>
    names.map((name) => indexOf(labels, labelKey(name))).find((column) => column !== undefined);
  const [given, family, email] = [at(moodleLabels.given), at(moodleLabels.family), at(moodleLabels.email)];
  // Student lists have names and addresses, too, but only Moodle splits the name.
  if (given === undefined || family === undefined || email === undefined) return undefined;
  const others = new Set(moodleLabels.other.map(labelKey));
  return {
    system: 'moodle',
    header,
    name: given,
    familyName: family,
    id: at(moodleLabels.id),
    others: columnsOf(
      labels,
      (label, column) =>
        others.has(label) || column === email || /^(feedback|피드백)|(feedback|피드백)$/.test(label),
    ),
    totals: columnsOf(labels, (label) => MOODLE_TOTAL.test(label)),
  };
}

function columnsOf(labels: readonly string[], is: (label: string, column: number) => boolean): number[] {
  return labels.flatMap((label, column) => (is(label, column) ? [column] : []));
}

function indexOf(labels: readonly string[], label: string): number | undefined {
  const at = labels.indexOf(label);
  return at === -1 ? undefined : at;
}

/** The new column. It replaces the cells of a column with this name, or is added at the end. */
type NewColumn = { name: string; full: number | undefined; cells: ReadonlyMap<number, string> };

/**
 * The gradebook with one more column; all else stays as it was read. Canvas makes an assignment of an unknown
 * column, with the full marks in the row `Points Possible`; Moodle asks what each column means.
 */
export function gradebookFile(table: PastedTable, { system, header }: Gradebook, added: NewColumn): string {
  const width = table.reduce((most, row) => Math.max(most, row.length), 0);
  const label = labelKey(added.name);
  const found = table[header]?.findIndex((cell) => labelKey(cell) === label) ?? -1;
  const at = found === -1 ? width : found;
  const lines = table.map((cells, row) => {
    const line = Array.from({ length: Math.max(width, at + 1) }, (_, column) => cells[column] ?? '');
    if (row === header) line[at] = found === -1 ? added.name : (cells[at] ?? '');
    else if (added.cells.has(row)) line[at] = added.cells.get(row) ?? '';
    else if (system === 'canvas' && isPointsRow(cells) && found === -1) line[at] = String(added.full ?? '');
    // Canvas itself begins this label with four spaces.
    if (system === 'canvas' && isPointsRow(cells)) line[0] = '    Points Possible';
    // Unlike other exports, adds no apostrophe, because the system that wrote the cells reads them.
    return line.map(csvCell).join(',');
  });
  return `\ufeff${lines.map((line) => `${line}\r\n`).join('')}`;
}

function isPointsRow([first = '']: readonly string[]): boolean {
  return labelKey(first) === 'pointspossible';
}
