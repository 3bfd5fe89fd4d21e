import type { RosterRow } from '#contract/students';
import type { CheckedRow, RowFlag } from '../../../components/import/import-kind.ts';
import { groupBy } from '../../../lib/collections.ts';
import { serverNow } from '../../../lib/server-time.ts';
import type { RosterField } from './roster-kind.ts';

/* Flags rows of a roster that look unusual among its other rows. */

type Row<Value> = CheckedRow<RosterField, Value>;

/** The row with further doubts. */
export const withDoubts = <Value>(row: Row<Value>, doubts: readonly RowFlag<RosterField>[]): Row<Value> =>
  doubts.length === 0 ? row : { ...row, doubts: [...row.doubts, ...doubts] };

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

/** The year at the start of a number: `2026` in `202600001`. */
const yearOf = (id: string) => Number(/^((?:19|20|21|22)\d\d)\d{4,}$/.exec(id)?.[1]);
const FIRST_YEAR = 1980;

/** By number, what is strange among the others: its year, or an address with another student's number. */
function strangeNumbers(rows: readonly RosterRow[]): Map<string, RowFlag<RosterField>[]> {
  const ids = new Set(rows.map(({ id }) => id));
  const isYear = (year: number) => year >= FIRST_YEAR && year <= new Date(serverNow()).getFullYear() + 1;
  const withYear = rows.map(({ id }) => id).filter((id) => isYear(yearOf(id)));
  const hasYears = withYear.length * 2 > rows.length;
  const lengths = new Set(withYear.map((id) => id.length));
  const isOdd = (id: string) => /^\d+$/.test(id) && lengths.has(id.length) && !isYear(yearOf(id));
  const digitsOf = (email: string) => /^\D{0,2}(\d{5,})@/.exec(email)?.[1] ?? '';
  const isOwn = ({ id, email }: RosterRow) => digitsOf(email) !== '' && id.endsWith(digitsOf(email));
  const haveOwn = rows.filter(isOwn).length * 2 > rows.length;
  return new Map(
    rows.map((row) => {
      const digits = digitsOf(row.email);
      const isOther = digits !== '' && !isOwn(row) && (haveOwn || ids.has(digits));
      return [
        row.id,
        [
          ...(hasYears && isOdd(row.id)
            ? [{ field: 'id', reason: '다른 학번과 달리 연도로 시작하지 않습니다' } as const]
            : []),
          ...(isOther
            ? [{ field: 'email', reason: '주소의 숫자가 이 학생의 학번과 다릅니다' } as const]
            : []),
        ],
      ];
    }),
  );
}

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
  const strange = strangeNumbers(good);
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
      ...(strange.get(id) ?? []),
      ...(counted.has(tel)
        ? [
            {
              field: 'tel',
              reason: '위 행의 번호에서 1씩 늘어납니다. 끌어서 채운 값인지 확인하세요',
            } as const,
          ]
        : []),
      ...(/^[\d#]+$|^(?:false|true|none|null|nan)$/i.test(department)
        ? [{ field: 'department', reason: '학과 이름이 아닙니다' } as const]
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
