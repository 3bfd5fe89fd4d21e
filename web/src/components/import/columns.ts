import {
  fieldOfLabels,
  firstColumns,
  labelKey,
  likelyHeader,
  oneLine,
  TITLE_ROWS_MAX,
  type PastedTable,
} from '../../lib/paste-table.ts';
import type { ImportField, ImportKind } from './import-kind.ts';

/** The column settings that a user chose by hand. */
export type ColumnChoices<Field extends string> = {
  /** The field chosen for each column, by position; null leaves the column out. */
  fields: ReadonlyMap<number, Field | null>;
  /** Whether the first row is data and not a header. */
  isHeaderless: boolean;
};

export type FoundColumns<Field extends string> = {
  /** Row index of the header; -1 for a table without one. */
  headerAt: number;
  columns: readonly { at: number; label: string; field: Field | undefined }[];
  /** Fields without a column. The table cannot be read while a required field is missing. */
  missing: readonly ImportField<Field>[];
  problem?: string;
  notes: readonly string[];
};

type AnyKind<Field extends string> = Pick<
  ImportKind<Field, never>,
  'fields' | 'unused' | 'undecided' | 'columnCount' | 'withoutHeader'
>;

/** A date, or a number as long as a student's. */
const LONG_NUMBER = /^\d{4}[-./]?\d/;
/** A row with fewer known column names is not taken for a header. */
const KNOWN_NAMES = 2;

type FieldOf<Field extends string> = (label: string) => Field | undefined;

export const fieldOfKind = <Field extends string>(kind: Pick<AnyKind<Field>, 'fields'>): FieldOf<Field> =>
  fieldOfLabels(namesOf(kind.fields));

/** Whether a row is a header: it has at least two known labels, and no date or number. */
export const isHeaderRow = (row: readonly string[], fieldOf: FieldOf<string>): boolean =>
  !row.some((cell) => /^\P{L}*\d/u.test(cell)) && countKnown(row, fieldOf) >= KNOWN_NAMES;

const countKnown = (row: readonly string[], fieldOf: FieldOf<string>) =>
  new Set(row.flatMap((label) => fieldOf(label) ?? [])).size;

/** Finds the fields' columns below a further header; undefined if its labels differ from the first header. */
export function reorderedColumns<Field extends string>(
  row: readonly string[],
  header: readonly string[],
  columns: FoundColumns<Field>['columns'],
  fieldOf: FieldOf<Field>,
): Map<Field, number> | undefined {
  const keys = header.map(labelKey);
  const fields = row.map((cell, at) => {
    const key = labelKey(cell);
    const twin = keys[at] === key ? at : cell === '' ? -1 : keys.indexOf(key);
    return twin === -1 ? fieldOf(cell) : columns[twin]?.field;
  });
  const isStrange = row.some((cell, at) => cell !== '' && !fields[at] && !keys.includes(labelKey(cell)));
  const positions = new Map(
    fields.flatMap((field, at) => (field ? [[field, at] as const] : [])).toReversed(),
  );
  const own = columns.flatMap(({ field }) => field ?? []);
  return !isStrange && positions.size === own.length && own.every((field) => positions.has(field))
    ? positions
    : undefined;
}

/** Finds the header and the field of each column; the user's own choices take precedence. */
export function findColumns<Field extends string>(
  table: PastedTable,
  kind: AnyKind<Field>,
  { fields: chosen, isHeaderless }: ColumnChoices<Field> = { fields: new Map(), isHeaderless: false },
): FoundColumns<Field> {
  const fieldOf = fieldOfKind(kind);
  const firstAt = isHeaderless ? -1 : findHeader(table, fieldOf, kind.withoutHeader !== undefined);
  const { labels, headerAt } = readHeader(table, firstAt, fieldOf);
  const found = labels.map((label, at) => (headerAt === -1 ? kind.withoutHeader?.[at] : fieldOf(label)));
  const first = firstColumns(labels, found, namesOf(kind.fields), table.slice(headerAt + 1));
  const taken = new Set(chosen.values());
  const columns = labels.map((label, at) => {
    if (chosen.has(at)) return { at, label, field: chosen.get(at) ?? undefined };
    const own = found[at];
    const isOwn =
      own !== undefined && first[own] === at && !taken.has(own) && kind.undecided?.has(own) !== true;
    return { at, label, field: isOwn ? own : undefined };
  });
  const missing = kind.fields.filter(({ name }) => !columns.some(({ field }) => field === name));
  const { problem, notes } = problemOf({ kind, labels, found, columns, missing, chosen });
  const isRead = (row: readonly string[]) =>
    kind.fields.every(({ name, presence }) => presence !== 'required' || row.map(fieldOf).includes(name));
  const above = table.slice(0, Math.max(0, headerAt - 1));
  const unread = above.findIndex((row) => isHeaderRow(row, fieldOf) && isRead(row));
  return {
    headerAt,
    columns,
    missing,
    ...(problem !== undefined && { problem }),
    notes: unread === -1 ? notes : [...notes, unreadAbove(unread + 1, headerAt + 1)],
  };
}

const unreadAbove = (from: number, header: number) =>
  `${header}행의 머리글 아래만 읽었습니다. ${from}행에도 머리글이 있으니 그 아래의 행은 따로 붙여넣으세요`;

function findHeader(
  table: PastedTable,
  fieldOf: (label: string) => string | undefined,
  mayBeMissing: boolean,
): number {
  const { at, known } = likelyHeader(table.slice(0, TITLE_ROWS_MAX), (row) => countKnown(row, fieldOf));
  if (known >= KNOWN_NAMES) return at;
  // A first row with a digit is data. Unknown headers have several cells, but titles above have one.
  if (mayBeMissing && table[0]?.some((cell) => /\d/.test(cell)) !== false) return -1;
  const first = table
    .slice(0, TITLE_ROWS_MAX)
    .findIndex((row) => row.filter((cell) => cell !== '').length > 1);
  // A row with a long number, such as a student's, has no labels.
  return table[first]?.some((cell) => LONG_NUMBER.test(cell)) ? -1 : Math.max(0, first);
}

/** The labels of a header, which has one or two rows, and the index of the header's last row. */
function readHeader(table: PastedTable, at: number, fieldOf: FieldOf<string>) {
  const header = table[Math.max(0, at)] ?? [];
  const ofTwoRows = at === -1 ? undefined : joinedHeader(header, table[at + 1] ?? [], fieldOf);
  const cells = ofTwoRows ?? header;
  const width = cells.findLastIndex((cell) => cell !== '') + 1;
  // Of labels that are the same, the row above says whose they are: `연락처(본인)`.
  const above = ofTwoRows === undefined ? (table[at - 1] ?? []) : [];
  const labelOf = (label: string, column: number) => {
    const [upper = '', isRepeated] = [
      above[column],
      label !== '' && cells.indexOf(label) !== cells.lastIndexOf(label),
    ];
    return isRepeated && upper !== '' && upper !== label ? `${label}(${upper})` : label;
  };
  const labels = cells
    .slice(0, width)
    .map((label, column) => (at === -1 ? `${column + 1}열` : columnLabel(labelOf(label, column))));
  return { labels, headerAt: ofTwoRows ? at + 1 : at };
}

/**
 * The labels of a header whose second row divides labels of the first row, such as 연락처 into 집 and 휴대폰;
 * undefined if the second row is data. A lower label that no field has is put in brackets: `연락처(집)`.
 */
export function joinedHeader(
  header: readonly string[],
  below: readonly string[],
  fieldOf?: FieldOf<string>,
): string[] | undefined {
  const divides = below.some((cell, at) => {
    const above = header[at] ?? '';
    return cell !== '' && cell !== above && (above === '' || above === header[at - 1]);
  });
  const areLabels = below.every((cell) => cell === '' || (/\p{L}/u.test(cell) && !/\d{3}/.test(cell)));
  if (!divides || !areLabels) return undefined;
  let above = '';
  return Array.from({ length: Math.max(header.length, below.length) }, (_, at) => {
    above = header[at] || above;
    const own = below[at] ?? '';
    if (own === '' || own === above) return header[at] ?? '';
    if (!fieldOf || above === '') return own;
    // Of two lower labels that are the same, the upper label says whose they are: `연락처(본인)`.
    if (below.filter((label) => label === own).length > 1) return `${own}(${above})`;
    return fieldOf(own) === undefined ? `${above}(${own})` : own;
  });
}

export const columnLabel = (cell: string): string => oneLine(cell) || '(이름 없음)';

function namesOf<Field extends string>(fields: readonly ImportField<Field>[]) {
  const names: Partial<Record<Field, readonly string[]>> = {};
  for (const { name, label, names: usual } of fields) {
    names[name] = usual.includes(label) ? usual : [label, ...usual];
  }
  return names;
}

type Found<Field extends string> = {
  kind: AnyKind<Field>;
  labels: readonly string[];
  /** Fields found from the labels alone, without the user's choices. */
  found: readonly (Field | undefined)[];
  columns: FoundColumns<Field>['columns'];
  missing: readonly ImportField<Field>[];
  chosen: ColumnChoices<Field>['fields'];
};

/** Added to the message about a wrong number of columns if no required column is missing. */
const NOTHING_MISSING = '필요한 열은 모두 있어 나머지 열을 제외하고 그대로 저장할 수 있습니다';

function problemOf<Field extends string>({ kind, labels, found, columns, missing, chosen }: Found<Field>) {
  const isRightCount = kind.columnCount === undefined || labels.length === kind.columnCount;
  const isOpen = (at: number) => columns[at]?.field === undefined && !chosen.has(at);
  const unknown = labels.filter(
    (label, at) => found[at] === undefined && isOpen(at) && kind.unused?.has(label) !== true,
  );
  const absent = missing.filter(({ presence }) => presence !== 'optional').map(({ label }) => label);
  const double = labels.flatMap((label, at) => {
    const taken = columns.find(({ field }) => field !== undefined && field === found[at]);
    return taken && isOpen(at) ? [`${taken.label}, ${label}`] : [];
  });
  const notes = [
    ...(absent.length > 0 ? [`찾지 못한 열: ${absent.join(', ')}`] : []),
    ...(isRightCount ? [] : [`열이 ${labels.length}개입니다: ${labels.join(', ')}`]),
    ...(unknown.length > 0 ? [`알 수 없는 열: ${unknown.join(', ')}`] : []),
    ...double.map((pair) => `뜻이 같은 열: ${pair}`),
    ...(!isRightCount && absent.length === 0 ? [NOTHING_MISSING] : []),
  ];
  if (!isRightCount) return { problem: `열 개수가 맞지 않습니다 (${kind.columnCount})`, notes };
  return { ...(absent.length > 0 && { problem: '열 이름이 맞지 않습니다' }), notes };
}
