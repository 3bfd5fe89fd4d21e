/** Detects which column of a pasted table contains which field. */
import {
  fieldOfLabels,
  firstColumns,
  labelList,
  likelyHeader,
  readPastedText,
  TITLE_ROWS_MAX,
  type PastedTable,
  labelKey,
} from '../../../lib/paste-table.ts';
import { familyNameColumns, studentColumns } from '../../../lib/student-columns.ts';
import { joinedHeader } from '../../../components/import/columns.ts';
import { readNumber } from '../numbers.ts';
import type { Work } from '../work.ts';
import { type ClassField, CLASS_FIELDS, columnName, type ColumnMapping, readClass } from './class-list.ts';
import { type Gradebook, gradebookOf } from '../../../lib/gradebook.ts';
import { isFigureLine, isIdOrPhone } from './non-students.ts';
import {
  findScoreCandidates,
  isHeaderRow,
  certainScore,
  isTotalLabel,
  type ColumnProfile,
  columnProfile,
} from './score-candidates.ts';

/** Maximum number of students. */
export const CLASS_ROWS_MAX = 5000;

const synonyms = {
  ...studentColumns,
  attendance: labelList(
    '결석, 결석수, 결석횟수, 결석일수, 출석, 출석수, 출석횟수, 출석일수, 출석률, 출석율, absence, absences, absent',
    'attendance, attended',
  ),
  late: labelList('지각, 지각수, 지각횟수, late, lateness'),
  tieBreak: labelList('동점기준, 동점처리, tie break, tiebreak'),
  other: labelList('행, 줄, 분반, 반, 조, 팀, 석차, 등수, 순위, 비고, 생년월일, section, group, team, rank'),
};
const fieldOf = fieldOfLabels(synonyms);

/**
 * Detects columns by their labels, then by their content. If several columns could be the score, none is
 * chosen and the user decides (score-candidates.ts).
 */
export function detectColumns(table: PastedTable): ColumnMapping {
  return detectColumnsBelow(table, gradebookOf(table)?.header ?? headerOf(table));
}

/** The columns of a table with a known header. */
export function detectColumnsBelow(table: PastedTable, header: number | undefined): ColumnMapping {
  const gradebook = gradebookOf(table);
  if (gradebook && gradebook.header === header) return gradebookColumns(table, gradebook);
  const labels = labelsOf(table, header);
  const fields = labels.map((label) => CLASS_FIELDS.find((field) => field === fieldOf(label)));
  const columns = firstColumns(labels, fields, synonyms, table.slice((header ?? -1) + 1));
  const unnamed = profilesBelow(table, { header, columns }).filter(({ column }) => isUnknown(labels[column]));
  const name = mostDistinct(unnamed.filter((each) => each.isName))?.column;
  if (name !== undefined) columns.name ??= name;
  const id = mostDistinct(unnamed.filter((each) => each.isId))?.column;
  if (id !== undefined) columns.id ??= id;
  const score = certainScore(scoreCandidates(table, { header, columns }));
  if (score !== undefined) columns.score = score;
  const family = columns.name === undefined ? -1 : labels.findIndex(isFamilyName);
  return withAttendance(table, { header, columns, ...(family !== -1 && { familyName: family }) });
}

const isFamilyName = (label: string) => familyNameColumns.includes(label.trim().toLowerCase());

function gradebookColumns(table: PastedTable, { header, name, id, familyName }: Gradebook): ColumnMapping {
  const columns = { name, ...(id !== undefined && { id }) };
  const score = certainScore(scoreCandidates(table, { header, columns, familyName }));
  return { header, columns: { ...columns, ...(score !== undefined && { score }) }, familyName };
}

/** Possible score columns; columns with a total's label first. */
export function scoreCandidates(table: PastedTable, mapping: ColumnMapping) {
  const { header, columns } = mapping;
  const gradebook = gradebookOf(table);
  const taken = new Set<number | undefined>([
    ...CLASS_FIELDS.map((field) => (field === 'score' ? undefined : columns[field])),
    ...(gradebook ? [gradebook.familyName, ...gradebook.others] : []),
  ]);
  const labels = labelsOf(table, header);
  const profiles = profilesBelow(table, mapping).filter(
    ({ column }) => !taken.has(column) && isUnknown(labels[column]),
  );
  return findScoreCandidates(profiles, labels);
}

const CHANGES_SCORE =
  /재시험|보너스|가산|감점|감산|벌점|지각\s?제출|이의\s?신청|추가|정정|보정|조정|재채점|bonus|extra|resit|retake|make-?up|adjust|curve|penalt|deduct/i;

/** Columns such as 보너스 (bonus) that are ignored if a single column is the score. */
export const unreadAdjustments = (table: PastedTable, mapping: ColumnMapping): string[] =>
  scoreCandidates(table, mapping)
    .filter(({ column }) => column !== mapping.columns.score)
    .map(({ column }) => columnName(table, mapping, column))
    .filter((label) => CHANGES_SCORE.test(label));

/** All columns of numbers for a weighted total: possible scores, attendance and lateness. */
export function numberColumns(table: PastedTable, mapping: ColumnMapping): ColumnProfile[] {
  const { attendance, late, score } = mapping.columns;
  const usable = new Set([
    attendance,
    late,
    score,
    ...scoreCandidates(table, mapping).map(({ column }) => column),
  ]);
  return profilesBelow(table, mapping).filter(
    ({ column, numbers }) => usable.has(column) && numbers.length > 0,
  );
}

/** Without a header, attendance is the column of percentages, or else the only other column of numbers. */
function withAttendance(table: PastedTable, mapping: ColumnMapping): ColumnMapping {
  const { header, columns } = mapping;
  if (header !== undefined || columns.score === undefined || columns.attendance !== undefined) return mapping;
  const rest = scoreCandidates(table, mapping).filter(({ column }) => column !== columns.score);
  const found = rest.find(({ isPercent }) => isPercent) ?? (rest.length === 1 ? rest[0] : undefined);
  const isCount = found?.numbers.every((value) => Number.isInteger(value) && value >= 0) === true;
  return isCount ? { header, columns: { ...columns, attendance: found.column } } : mapping;
}

/** Within this many rows, a row with a single known label is the header, even without a label such as 이름. */
const UNSURE_WITHIN = 5;

/** The rows that may be the header: rows below a header with numbers are students or another table. */
function rowsOfHeader(table: PastedTable): PastedTable {
  const rows = table.slice(0, TITLE_ROWS_MAX);
  const first = rows.findIndex(isHeaderRow);
  if (first === -1) return rows.slice(0, UNSURE_WITHIN);
  // Labels may be numbers too, such as 1 and 2 below 과제.
  const data = rows.findIndex((row, at) => at > first && hasNumber(row) && !row.some(isWhose));
  return data === -1 ? rows : rows.slice(0, data);
}

/** The row with the most known labels, or else the first row if only the rows below it have numbers. */
function headerOf(table: PastedTable): number | undefined {
  const { at, known } = likelyHeader(rowsOfHeader(table), (row) => {
    const words = row.filter((cell) => isTotalLabel(cell) || !isUnknown(cell)).length;
    // A row with numbers is a student (with words such as 전공) or the class's averages, not a header.
    return words > 2 || !(hasNumber(row) || isFigureLine(row)) ? words : 0;
  });
  // Students above a header that only a second page has are no title.
  const students = table.slice(0, at).filter((row) => row.some(isIdOrPhone) && hasNumber(row)).length;
  if (known > 0 && students * 2 <= at) return at;
  const [first = []] = table;
  const isHeader =
    table.length > 1 &&
    !(hasNumber(first) || isFigureLine(first)) &&
    findScoreCandidates(profilesBelow(table, { header: 0, columns: {} }), []).length > 0;
  return isHeader ? 0 : undefined;
}

/** Whether a label is of the names or the student numbers. */
const isWhose = (label: string) => ['name', 'id'].includes(fieldOf(label) ?? '');

function hasNumber(row: readonly string[]): boolean {
  return row.some((cell) => readNumber(cell) !== undefined);
}

function labelsOf(table: PastedTable, header: number | undefined): readonly string[] {
  return header === undefined ? [] : (table[header] ?? []);
}

/** Whether a label does not say what its column contains. */
function isUnknown(label = ''): boolean {
  return fieldOf(label) === undefined && !labelKey(label).endsWith('번호');
}

/** Caches the profiles, which are needed often and are slow for a large class. A table never changes. */
const profiled = new WeakMap<PastedTable, ColumnProfiles>();
export type ColumnProfiles = ReadonlyMap<string, ColumnProfile[]>;

/** The profiles computed so far. A worker sends its profiles to the page, which has a copy of the table. */
export const cachedColumnProfiles = (table: PastedTable): ColumnProfiles => profiled.get(table) ?? new Map();
export const cacheColumnProfiles = (table: PastedTable, profiles: ColumnProfiles) =>
  profiled.set(table, profiles);

/** Profiles of the columns, from the rows that look like students. */
function profilesBelow(table: PastedTable, mapping: ColumnMapping): ColumnProfile[] {
  const { header, columns, familyName } = mapping;
  const key = [header, columns.name, columns.id, familyName].join();
  const known = cachedColumnProfiles(table);
  const profiles = known.get(key) ?? readProfiles(table, mapping);
  if (!known.has(key)) cacheColumnProfiles(table, new Map(known).set(key, profiles));
  return profiles;
}

function readProfiles(table: PastedTable, mapping: ColumnMapping): ColumnProfile[] {
  const rows = readClass(table, mapping)
    .flatMap(({ row, nonStudent }) => (nonStudent ? [] : [table[row] ?? []]))
    .slice(0, CLASS_ROWS_MAX);
  const width = table.reduce((most, row) => Math.max(most, row.length), 0);
  return Array.from({ length: width }, (_, column) => columnProfile(rows, column));
}

/** The column with the most distinct values: departments and years repeat, names and numbers do not. */
function mostDistinct(profiles: readonly ColumnProfile[]): ColumnProfile | undefined {
  return profiles.reduce<ColumnProfile | undefined>(
    (best, each) => (best && best.distinct >= each.distinct ? best : each),
    undefined,
  );
}

/** The labels of a header with a second row, such as 중간 and 기말 below a merged 시험; undefined without one. */
function joinedWith(header: string[], below: string[]): string[] | undefined {
  const isMerged = header.some((cell, column) => cell === '' && (below[column] ?? '') !== '');
  const isStudent = header.some((cell, column) => isWhose(cell) && !['', cell].includes(below[column] ?? ''));
  return isMerged && !isStudent ? joinedHeader(header, below) : undefined;
}

/** The table, each row of whose header has the labels of all rows of the header. */
function withJoinedHeader(table: PastedTable): PastedTable {
  const at = gradebookOf(table) ? undefined : headerOf(table);
  if (at === undefined) return table;
  let [labels = [], last] = [table[at], at];
  for (
    let next = joinedWith(labels, table[at + 1] ?? []);
    next;
    next = joinedWith(labels, table[last + 1] ?? [])
  )
    [labels, last] = [next, last + 1];
  return table.map((row, index) => (index >= at && index <= last ? labels : row));
}

/** Reads the text. Keeps empty rows, so that a copied column has the same rows as the spreadsheet. */
export function readPasted(text: string): Pick<Work, 'table' | 'doubtful'> {
  const { rows, doubtful } = readPastedText(text, { keepEmptyRows: true });
  return { table: withJoinedHeader(rows), doubtful };
}

/** A pasted table that has been read, with the meaning of its columns. */
export type PastedClass = Pick<Work, 'table' | 'doubtful' | 'mapping'>;

export function readPastedClass(text: string): PastedClass & Pick<Work, 'text'> {
  const read = readPasted(text);
  return { text, ...read, mapping: detectColumns(read.table) };
}

/** Assigns a column to a field. A column has only one field, so its previous field has no column any more. */
export function withColumn(work: Work, field: ClassField, column: number | undefined): Work {
  const columns: ColumnMapping['columns'] = {};
  for (const each of CLASS_FIELDS) {
    const kept = each === field ? column : work.mapping.columns[each];
    if (kept !== undefined && (each === field || kept !== column)) columns[each] = kept;
  }
  const mapping = { ...work.mapping, columns };
  if (field === 'name') return { ...work, mapping: { ...mapping, familyName: undefined } };
  if (field !== 'score') return { ...work, mapping };
  return { ...work, mapping: withAttendance(work.table, mapping), weighting: undefined };
}

/** Chooses another header row and detects the columns again. */
export function withHeader(work: Work, header: number | undefined): Work {
  return { ...work, mapping: detectColumnsBelow(work.table, header), weighting: undefined };
}
