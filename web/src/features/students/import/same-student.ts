import type { ClassKey, RosterPreview, RosterRow } from '#contract/students';
import { useMemo } from 'react';
import type { CheckedRow, RowFlag } from '../../../components/import/import-kind.ts';
import { groupBy } from '../../../lib/collections.ts';
import { bareStudentNumber } from '../../../lib/student-columns.ts';
import {
  type CheckedTable,
  excludedLines,
  suggestedCorrections,
} from '../../../components/import/use-checked-table.ts';
import { rowsNotOfClass, titlesAbove, type OutOfClass } from './other-class.ts';
import { rosterFieldLabel, type RosterField } from './roster-kind.ts';
import type { PreviewedRows, PreviewRow } from './roster-preview.ts';

type Row<Value> = CheckedRow<RosterField, Value>;

const withDoubts = <Value>(row: Row<Value>, doubts: readonly RowFlag<RosterField>[]): Row<Value> =>
  doubts.length === 0 ? row : { ...row, doubts: [...row.doubts, ...doubts] };

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

/** Flags empty cells below a filled cell: a paste has the value of merged cells only in their first row. */
export function flagBlanksBelow<Value>(rows: readonly Row<Value>[]): readonly Row<Value>[] {
  const above: Partial<Record<RosterField, string>> = {};
  return rows.map((checked) => {
    const doubts = (['department', 'year'] as const).flatMap((field): RowFlag<RosterField>[] => {
      const [cell, repair] = [checked.cells[field], above[field]];
      if (cell && checked.row) above[field] = cell;
      else if (cell === '' && repair !== undefined)
        return [{ field, reason: '빈 칸입니다. 위와 합쳐진 칸이면 고치세요', repair }];
      return [];
    });
    return checked.row ? withDoubts(checked, doubts) : checked;
  });
}

const DEPARTMENT = /(?:학과|학부|전공)$/;
const SWAPPED = '이름과 학과가 바뀐 것으로 보입니다';

/** A number in which letters look like digits, as a program that reads pictures or a person may write it. */
const DIGIT_LETTERS = /^(?=\d*[OoIlSB])(?=(?:[^\d]*\d){4})[\dOoIlSB]+$/;
const LETTERS = { O: '0', o: '0', I: '1', l: '1', S: '5', B: '8' } as const;
const asDigits = (id: string) =>
  Object.entries(LETTERS).reduce((text, [letter, digit]) => text.replaceAll(letter, digit), id);

/** So many telephones that rise by one from row to row are from a cell that was dragged down. */
const COUNTED_MIN = 5;

function countedPhones(rows: readonly RosterRow[]): ReadonlySet<string> {
  const found = new Set<string>();
  let run: string[] = [];
  for (const { tel } of rows) {
    const number = Number(tel.replace(/\D/g, ''));
    const isNext = run.length > 0 && number === Number(run.at(-1)?.replace(/\D/g, '')) + 1;
    run = isNext ? [...run, tel] : [tel];
    if (run.length >= COUNTED_MIN) for (const each of run) found.add(each);
  }
  return found;
}

/** The list numbers that are missing among numbers that rise from row to row; none for other numbers. */
export function missingListNumbers(rows: readonly Row<unknown>[]): number[] {
  const numbers = rows.flatMap(({ cells }) => (/^\d{1,4}$/.test(cells.no ?? '') ? Number(cells.no) : []));
  const isRising = numbers.every((number, at) => at === 0 || number > (numbers[at - 1] ?? 0));
  const [first = 0, last = 0] = [numbers[0], numbers.at(-1)];
  const has = new Set(numbers);
  const missing = Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at).filter(
    (number) => !has.has(number),
  );
  return isRising && missing.length * 2 <= numbers.length ? missing : [];
}

/** Flags unusual rows: a shorter number, swapped name and department, or a contact of two students. */
export function flagOddRows(rows: readonly Row<RosterRow>[]): readonly Row<RosterRow>[] {
  const good = rows.flatMap(({ row }) => row ?? []);
  const usual = [...groupBy(good, ({ id }) => id.length)].find(
    ([, { length }]) => length * 2 > good.length,
  )?.[0];
  const areDigits = good.filter(({ id }) => /^\d+$/.test(id)).length * 2 > good.length;
  const counted = countedPhones(good);
  const withContact = {
    tel: groupBy(good, ({ tel }) => tel),
    email: groupBy(good, ({ email }) => email.toLowerCase()),
  };
  const inDepartment = groupBy(good, ({ department }) => department);
  const sizeOf = (text: string) => (text === '' ? 0 : (inDepartment.get(text)?.length ?? 0));
  return rows.map((checked) => {
    if (!checked.row) return checked;
    const { id, name, department, tel, email } = checked.row;
    const isShared = {
      tel: tel !== '' && (withContact.tel.get(tel)?.length ?? 0) > 1,
      email: email !== '' && (withContact.email.get(email.toLowerCase())?.length ?? 0) > 1,
    };
    // A department of other rows is no name, unless the row's own department is that of more rows.
    const isDepartment = name !== department && sizeOf(name) > 0 && sizeOf(name) >= sizeOf(department);
    const isSwapped = DEPARTMENT.test(name) || isDepartment;
    const odd: RowFlag<RosterField>[] = [
      ...(usual !== undefined && id.length !== usual
        ? [
            {
              field: 'id',
              reason: `다른 학번(${usual}자)보다 ${id.length < usual ? '짧습니다' : '깁니다'}`,
            } as const,
          ]
        : []),
      ...(areDigits && DIGIT_LETTERS.test(id)
        ? [{ field: 'id', reason: '숫자 대신 글자가 있습니다', repair: asDigits(id) } as const]
        : []),
      ...(counted.has(tel)
        ? [
            {
              field: 'tel',
              reason: '위 행의 번호에서 1씩 늘어납니다. 끌어서 채운 값인지 확인하세요',
            } as const,
          ]
        : []),
      ...(/@|:\/\//.test(department)
        ? [{ field: 'department', reason: '학과에 주소가 있습니다' } as const]
        : []),
      ...(isSwapped && department === ''
        ? [{ field: 'name', reason: '이름이 아니라 학과로 보입니다' } as const]
        : []),
      ...(isSwapped && department !== ''
        ? [
            { field: 'name', reason: SWAPPED, repair: department } as const,
            { field: 'department', reason: SWAPPED, repair: name } as const,
          ]
        : []),
      ...(['tel', 'email'] as const).flatMap((field) =>
        isShared[field] ? [{ field, reason: '다른 행에도 있는 값입니다' }] : [],
      ),
    ];
    return withDoubts(checked, odd);
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
