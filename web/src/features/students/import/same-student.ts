import type { ClassKey, RosterPreview, RosterRow } from '#contract/students';
import { useMemo } from 'react';
import type { CheckedRow, RowFlag } from '../../../components/import/import-kind.ts';
import { bareStudentNumber } from '../../../lib/student-columns.ts';
import {
  type CheckedTable,
  excludedLines,
  suggestedCorrections,
} from '../../../components/import/use-checked-table.ts';
import { flagBlanksBelow, flagOddRows, withDoubts } from './odd-rows.ts';
import { rowsNotOfClass, titlesAbove, type OutOfClass } from './other-class.ts';
import { rosterFieldLabel, type RosterField } from './roster-kind.ts';
import type { PreviewedRows, PreviewRow } from './roster-preview.ts';

type Row<Value> = CheckedRow<RosterField, Value>;

/** How many digits of a number may be mistyped. */
const MISTYPED_MAX = 2;

/** Whether a number is probably the stored number: written differently, corrected later, or mistyped. */
function isSameNumber({ id, stored, corrected }: RosterPreview['alike'][number]): boolean {
  const [one, other] = [bareStudentNumber(id), bareStudentNumber(stored)];
  const wrong = Array.from(one, (digit, at) => digit !== other[at]).filter(Boolean).length;
  return corrected || one === other || (one.length === other.length && wrong <= MISTYPED_MAX);
}

/**
 * Flags rows of a person who is stored with another number. Suggests the stored number if the new number is
 * probably mistyped; otherwise the student may have a new number, as after the bachelor's degree.
 */
export function flagSimilarIds<Value extends { id: string }>(
  rows: readonly Row<Value>[],
  alike: RosterPreview['alike'],
): readonly Row<Value>[] {
  if (alike.length === 0) return rows;
  const storedOf = new Map(alike.map((each) => [each.id, each]));
  return rows.map((checked) => {
    const stored = checked.row && storedOf.get(checked.row.id);
    if (!stored) return checked;
    const { name, stored: repair, corrected } = stored;
    if (!isSameNumber(stored)) {
      const reason = `이름과 연락처가 같은 학생이 학번 ${repair}로 저장되어 있습니다`;
      return withDoubts(checked, [{ field: 'id', reason }]);
    }
    const reason = corrected
      ? `정정하기 전의 학번입니다. 지금은 ${name} ${repair}입니다`
      : `저장된 ${name} ${repair} 학생과 같은 사람으로 보입니다`;
    return withDoubts(checked, [{ field: 'id', reason, repair }]);
  });
}

/** A student of the class whom the import would leave in it. `word`: how the file says that they have left. */
export type AbsentStudent = { id: string; name: string; word?: string | undefined };

/**
 * The students of the class who are in no row, and those whose row says that they are not in the class. The
 * server overlooks numbers that are written in another way, and gets no unreadable rows, so unreadable rows
 * are searched for number, name and email.
 * @param outOfClass by line; of the rows that are not imported
 */
export function absentStudents(
  { rows: compared, missing, alike }: Pick<RosterPreview, 'rows' | 'missing' | 'alike'>,
  rows: readonly Row<{ id: string }>[],
  outOfClass: ReadonlyMap<number, OutOfClass>,
): AbsentStudent[] {
  const wordOf = new Map(rows.map(({ line, row }) => [row?.id, outOfClass.get(line)?.word]));
  const same = new Map(alike.filter(isSameNumber).map(({ id, stored }) => [stored, id]));
  const bad = rows.filter(({ row }) => row === undefined).map(({ cells }) => cells);
  const numbers = new Set(bad.map(({ id = '' }) => bareStudentNumber(id)));
  const names = new Set(bad.map(({ name = '' }) => name));
  const emails = new Set(bad.flatMap(({ email = '' }) => (email === '' ? [] : [email.toLowerCase()])));
  const listed = compared.flatMap(({ id, after, enrolment }) => (enrolment ? [{ ...after, id }] : []));
  return [...listed, ...missing].flatMap(({ id, name, email }) => {
    const isUnread = numbers.has(bareStudentNumber(id)) || names.has(name) || emails.has(email.toLowerCase());
    const word = wordOf.get(same.get(id) ?? id);
    const isListed = same.has(id) || wordOf.has(id);
    return isUnread || (isListed && word === undefined) ? [] : [{ id, name, word }];
  });
}

type RosterTable = CheckedTable<RosterField, RosterRow>;
type Compared = { preview: PreviewedRows; answer: Omit<RosterPreview, 'version'> };

/** Whether a row would replace a value that was corrected by hand. */
export const replacesCorrection = ({ changes }: PreviewRow) => changes.some(({ isTyped }) => isTyped);

/** Whether a row would enrol a student again who was removed from the class. */
export const isEnrolledAgain = ({ changes }: PreviewRow) =>
  changes.some(({ field, from }) => field === '수강' && from !== '');

/** Whether a row would replace a stored contact by an invalid value such as `1.022223e+09`. */
export const replacesContactByInvalid = ({ changes }: PreviewRow, doubts: readonly RowFlag<RosterField>[]) =>
  doubts.some(({ field }) =>
    changes.some(
      (change) =>
        field !== 'name' &&
        field !== undefined &&
        change.field === rosterFieldLabel(field) &&
        change.from !== '',
    ),
  );

/**
 * The checked rows with warnings from the server's comparison. A row is not ticked at first if it probably
 * belongs to another student, or would undo a manual change or replace a contact by an invalid value.
 */
export function useRosterWarnings(
  checked: RosterTable,
  comparison: Compared | undefined,
  course: ClassKey,
  isPaste: boolean,
) {
  const { rows: read, left: leftByHand, ticks, table } = checked;
  const { columns } = checked;
  const notOfClass = useMemo(() => rowsNotOfClass(course, table, columns), [course, table, columns]);
  const titles = useMemo(() => titlesAbove(table, columns), [table, columns]);
  // Apart from the flags that need the comparison, because thousands of rows take a while.
  const flagged = useMemo(() => read && flagOddRows(isPaste ? flagBlanksBelow(read) : read), [read, isPaste]);
  const rows = useMemo(() => {
    const known = comparison?.answer.alike ?? [];
    const reasonsOf = (line: number, row: RosterRow | undefined) => {
      const [out, title] = [notOfClass.get(line), titles.get(line)];
      if (!out && title !== undefined) return [{ reason: `‘${title}’ 아래에 있는 행입니다` }];
      const outcome = row && comparison?.preview.get(row.id);
      const isEnrolled =
        outcome && outcome.kind !== 'new' && !outcome.changes.some(({ field }) => field === '수강');
      const more = isEnrolled ? '. 이미 수강 중이니 수강을 끝내려면 아래 목록에서 체크하세요' : '';
      return out ? [{ reason: `${out.reason} 체크하지 않았습니다${more}` }] : [];
    };
    const similar = flagged && flagSimilarIds(flagged, known);
    if (notOfClass.size + titles.size === 0) return similar;
    return similar?.map((row) => withDoubts(row, reasonsOf(row.line, row.row)));
  }, [flagged, comparison, notOfClass, titles]);
  const left = useMemo(() => {
    const alike = new Set(comparison?.answer.alike.filter(isSameNumber).map(({ id }) => id));
    const asked = (read ?? []).flatMap(({ line, row, doubts }) => {
      const outcome = row && comparison?.preview.get(row.id);
      if (!row || !outcome) return [];
      const isRisky =
        replacesCorrection(outcome) || isEnrolledAgain(outcome) || replacesContactByInvalid(outcome, doubts);
      return isRisky || alike.has(row.id) ? [line] : [];
    });
    return excludedLines({ left: leftByHand, ticks }, [...asked, ...notOfClass.keys()]);
  }, [read, leftByHand, ticks, comparison, notOfClass]);
  const absent = useMemo(() => {
    const out = new Map([...notOfClass].filter(([line]) => left.has(line)));
    return comparison ? absentStudents(comparison.answer, read ?? [], out) : [];
  }, [read, comparison, notOfClass, left]);
  const repairAll = () => checked.correctRows('제안 모두 반영', suggestedCorrections(rows ?? []));
  return { ...checked, rows, left, absent, repairAll };
}
