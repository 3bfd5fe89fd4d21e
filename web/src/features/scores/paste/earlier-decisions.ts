/** Replaces a table by another table, and finds earlier decisions that the user may apply again. */
import type { PastedTable } from '../../../lib/paste-table.ts';
import {
  type ClassRow,
  columnName,
  CLASS_FIELDS,
  type ColumnMapping,
  readClass,
} from '../columns/class-list.ts';
import { readPastedClass, detectColumnsBelow, detectColumns, type PastedClass } from '../columns/columns.ts';
import { DEFAULT_RULES, type Rules } from '../grading/methods.ts';
import type { Weighting } from '../weights/weighting.ts';
import type { RowDecisions, ClassWork, RowDecision, Work } from '../work.ts';
import { groupBy } from '../../../lib/collections.ts';

/**
 * Replaces the table: method and notation stay, and columns are detected again. Decisions about the previous
 * rows and scores are not applied, even to a similar table, until the user agrees.
 * @param read the new table, if it has been read already
 */
export function withTable(work: Work, text: string, read?: PastedClass): Work {
  if (text === work.text) return work;
  const { before, ...last } = work;
  const { attendance, floors, cutoffs } = DEFAULT_RULES;
  return {
    ...last,
    ...(read ? { text, ...read } : readPastedClass(text)),
    rules: { ...last.rules, attendance, floors, cutoffs },
    byRow: {},
    weighting: undefined,
    before: isTouched(last) ? last : before,
  };
}

/** Whether the user has set anything for this class by hand. */
function isTouched({ table, mapping, rules, byRow, weighting }: ClassWork): boolean {
  const { attendance, floors, cutoffs } = rules;
  return (
    Object.keys(byRow).length > 0 ||
    weighting !== undefined ||
    cutoffs !== undefined ||
    Object.keys(floors).length > 0 ||
    attendance.meaning !== 'off' ||
    !isSameMapping(mapping, detectColumns(table))
  );
}

function isSameMapping(one: ColumnMapping, other: ColumnMapping): boolean {
  return (
    one.header === other.header && CLASS_FIELDS.every((field) => one.columns[field] === other.columns[field])
  );
}

/** Earlier decisions that could be applied to this table. */
type Carried = {
  byRow: RowDecisions;
  /** Students with decisions who are not found in this table, with the reason. */
  lost: string[];
  rules: Partial<Pick<Rules, 'cutoffs' | 'floors' | 'attendance'>>;
  /** The earlier columns, if the user chose them by hand and the header is the same. */
  mapping: ColumnMapping | undefined;
  /** The earlier weights, if the user set weights and the header is the same. */
  weighting: Weighting | undefined;
};

/** Undefined if the user set nothing by hand, or no student of the previous table is in this table. */
export function earlierDecisions({
  before,
  table,
  mapping,
}: Pick<Work, 'before' | 'table' | 'mapping'>): Carried | undefined {
  if (!before) return undefined;
  const isSameShape = shapeOf(before) === shapeOf({ table, mapping });
  const carriedMapping =
    isSameShape && before.mapping.header === mapping.header && !isSameMapping(before.mapping, mapping)
      ? before.mapping
      : undefined;
  // A row that the user included is a student, although it does not look like one.
  const then = readClass(before.table, before.mapping).filter(
    ({ row, nonStudent }) => !nonStudent || before.byRow[row]?.isExcluded === false,
  );
  const now = readClass(table, carriedMapping ?? mapping);
  const rowOf = sameStudents(then, now);
  if (rowOf.size === 0) return undefined;
  const byRow: Record<number, RowDecision> = {};
  for (const [row, decision] of Object.entries(before.byRow)) {
    const at = rowOf.get(Number(row));
    if (at !== undefined) byRow[at] = decision;
  }
  const { cutoffs, floors, attendance } = before.rules;
  const isAttendanceKnown = isSameShape && attendance.meaning !== 'off';
  const carried: Carried = {
    byRow,
    lost: Object.keys(before.byRow).flatMap((row) =>
      rowOf.has(Number(row)) ? [] : [lostText(Number(row), then, now)],
    ),
    rules: {
      ...(cutoffs && { cutoffs }),
      ...(Object.keys(floors).length > 0 && { floors }),
      ...(isAttendanceKnown && { attendance }),
    },
    mapping: carriedMapping,
    weighting: isSameShape ? before.weighting : undefined,
  };
  const isAnything =
    Object.keys(byRow).length > 0 ||
    Object.keys(carried.rules).length > 0 ||
    carried.mapping !== undefined ||
    carried.weighting !== undefined;
  return isAnything ? carried : undefined;
}

/** Describes the decisions that could be applied. */
export function decisionTexts({ byRow, rules, mapping, weighting }: Carried, table: PastedTable): string[] {
  const count = (is: (decision: RowDecision) => boolean) => Object.values(byRow).filter(is).length;
  const grades = count(({ grade }) => grade !== undefined);
  const excluded = count(({ isExcluded }) => isExcluded === true);
  const included = count(({ isExcluded }) => isExcluded === false);
  const outside = count(({ isOutside }) => isOutside === true);
  const columns =
    mapping &&
    CLASS_FIELDS.flatMap((field) => (mapping.columns[field] === undefined ? [] : [mapping.columns[field]]));
  return [
    ...(grades > 0 ? [`직접 정한 학점 ${grades}명`] : []),
    ...(excluded > 0 ? [`제외 ${excluded}명`] : []),
    ...(included > 0 ? [`학생으로 넣은 행 ${included}개`] : []),
    ...(outside > 0 ? [`정원 외 ${outside}명`] : []),
    ...(weighting ? ['총점 비율'] : []),
    ...(rules.cutoffs ? ['옮긴 컷'] : []),
    ...(rules.floors ? ['최저 점수 기준'] : []),
    ...(rules.attendance ? ['출석 규칙'] : []),
    ...(mapping && columns
      ? [`고른 열 (${columns.map((at) => columnName(table, mapping, at)).join(', ')})`]
      : []),
  ];
}

/** Applies or drops the earlier decisions, as the user answered. */
export function applyDecisions(work: Work, isWanted: boolean): Work {
  const carried = isWanted ? earlierDecisions(work) : undefined;
  const answered = { ...work, before: undefined };
  if (!carried) return answered;
  return {
    ...answered,
    mapping: carried.mapping ?? work.mapping,
    weighting: carried.weighting ?? work.weighting,
    rules: { ...work.rules, ...carried.rules },
    byRow: {
      ...carried.byRow,
      ...Object.fromEntries(
        Object.entries(work.byRow).map(([row, now]) => [row, { ...carried.byRow[Number(row)], ...now }]),
      ),
    },
  };
}

/** Whether two tables are of the same class: equal headers and at least one common student. */
export function isSameClass(one: ClassWork, other: ClassWork): boolean {
  const rowsOf = ({ table, mapping }: ClassWork) =>
    readClass(table, mapping).filter(({ nonStudent }) => !nonStudent);
  return shapeOf(one) === shapeOf(other) && sameStudents(rowsOf(one), rowsOf(other)).size > 0;
}

/** A table's labels; without a header, its number of columns and their detected fields. */
function shapeOf({ table, mapping: { header } }: Pick<ClassWork, 'table' | 'mapping'>): string {
  if (header !== undefined) return JSON.stringify(table[header]);
  const width = table.reduce((most, row) => Math.max(most, row.length), 0);
  return JSON.stringify([width, detectColumnsBelow(table, undefined)]);
}

/** A student who was not found, with the reason: `김가람(이름이 여러 행에 있음)`. */
function lostText(row: number, before: readonly ClassRow[], now: readonly ClassRow[]): string {
  const who = before.find((each) => each.row === row);
  if (!who) return `${row + 1}행`;
  const keyOf = keyBy(before, now);
  const count = Math.max(
    ...[before, now].map((rows) => rows.filter((each) => keyOf(each) === keyOf(who)).length),
  );
  const what =
    keyOf(who) === '' ? '학번이나 이름이 없음' : keyOf(who) === who.name.normalize('NFC') ? '이름' : '학번';
  const why = keyOf(who) === '' ? what : count > 1 ? `${what}이 여러 행에 있음` : '이 표에 없음';
  return `${who.name || who.id || `${row + 1}행`}(${why})`;
}

/** The key that identifies students: the id, or the name if a table has no ids. */
function keyBy(before: readonly ClassRow[], now: readonly ClassRow[]) {
  const hasIds = [before, now].every((rows) => rows.some(({ id }) => id !== ''));
  return ({ id, name }: ClassRow) => (hasIds ? id : name).normalize('NFC');
}

/** The row of each student in both tables, matched by id, or by a unique name if a table has no ids. */
function sameStudents(before: readonly ClassRow[], now: readonly ClassRow[]): Map<number, number> {
  const keyOf = keyBy(before, now);
  const rowByKey = (rows: readonly ClassRow[]) =>
    new Map(
      [...groupBy(rows, keyOf)].flatMap(([key, [first, second]]) =>
        key !== '' && first && !second ? [[key, first] as const] : [],
      ),
    );
  const here = rowByKey(now);
  return new Map(
    [...rowByKey(before)].flatMap(([key, then]) => {
      const same = here.get(key);
      const isOther = !same || (same.name !== '' && then.name !== '' && same.name !== then.name);
      return isOther ? [] : [[then.row, same.row] as const];
    }),
  );
}
