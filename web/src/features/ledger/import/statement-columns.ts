import * as z from 'zod';
import { plainLabel, TITLE_ROWS, type PastedTable } from '../../../lib/paste-table.ts';
import { privateKey, readStoredText, writeStoredText } from '../../../lib/stored-text.ts';
import {
  PROFILES,
  STATEMENT_FIELDS,
  USUAL_LABELS,
  type StatementField,
  type StatementProfile,
} from './bank-profiles.ts';
import { without } from '../../../lib/collections.ts';

/** Which column of a header is what, and the name of the profile that said so. */
type StatementColumns = {
  name?: string;
  columns: Readonly<Partial<Record<StatementField, number>>>;
  /** Cells of the header whose columns the profile knows and makes nothing of; none without a profile. */
  unused: readonly string[];
};

/** Amounts are read from their sign, from the word beside them, or from two columns. */
const hasAmount = ({ amount, deposit, withdrawal }: StatementColumns['columns']) =>
  amount !== undefined || (deposit ?? withdrawal) !== undefined;

/**
 * The columns of a header: by what its bank is known to export, or else by the usual names. Undefined for a row that is
 * no header of a statement.
 */
export function statementColumns(header: readonly string[]): StatementColumns | undefined {
  const labels = header.map(keyOf);
  const known = PROFILES.filter((profile) => fits(profile, labels)).toSorted(
    (a, b) => matches(b, labels) - matches(a, labels),
  )[0];
  if (known) {
    const columns = columnsOf(known, labels);
    return { ...(known.name && { name: known.name }), columns, unused: unusedOf(known, header) };
  }
  const columns = usualColumns(labels);
  if (columns.date === undefined || columns.description === undefined || !hasAmount(columns))
    return undefined;
  return { columns, unused: [] };
}

/** The label without its brackets, as in 출금액(원). */
function keyOf(label: string): string {
  const bare = plainLabel(label.normalize('NFKC').replace(/\([^)]*\)?/g, ''));
  return bare === '' ? plainLabel(label) : bare;
}

/** Whether every column is there of which the profile makes something. */
const fits = ({ columns }: StatementProfile, labels: readonly string[]) =>
  Object.keys(columns).every((label) => labels.includes(keyOf(label)));

const matches = ({ columns, unused = [] }: StatementProfile, labels: readonly string[]) =>
  [...Object.keys(columns), ...unused].filter((label) => labels.includes(keyOf(label))).length;

const columnsOf = ({ columns }: StatementProfile, labels: readonly string[]): StatementColumns['columns'] =>
  Object.fromEntries(Object.entries(columns).map(([label, field]) => [field, labels.indexOf(keyOf(label))]));

/** What any bank's profile makes nothing of, unless this one does, and what is no part of a statement. */
const NEVER_STORED = new Set(
  PROFILES.flatMap(({ unused = [] }) => unused)
    .concat('No', '순번', '전체선택')
    .map(keyOf),
);

/** A column without a name stands before those of some exports. */
function unusedOf({ columns }: StatementProfile, header: readonly string[]): string[] {
  const labels = without(NEVER_STORED, new Set(Object.keys(columns).map(keyOf)));
  return header.filter((cell) => cell.trim() === '' || labels.has(keyOf(cell)));
}

function usualColumns(labels: readonly string[]): StatementColumns['columns'] {
  const found: Partial<Record<StatementField, number>> = {};
  const taken = new Set<number>();
  for (const [field, names] of USUAL_LABELS) {
    // Where amounts have two columns, none of them needs a sign.
    if (field === 'amount' && (found.deposit ?? found.withdrawal) !== undefined) continue;
    if (field === 'direction' && found.amount === undefined) continue;
    const at = names
      .map((name) => labels.findIndex((label, column) => label === keyOf(name) && !taken.has(column)))
      .find((column) => column !== -1);
    if (at === undefined) continue;
    found[field] = at;
    taken.add(at);
  }
  return found;
}

/* Columns that somebody chose by hand, kept for tables of the same header until the user signs out. */

/** A header, and the field of each of its columns, or null for one that is left out. */
export type RememberedColumns = { header: readonly string[]; fields: readonly (StatementField | null)[] };

const storedSchema = z.array(z.literal(STATEMENT_FIELDS).nullable());

const placeOf = (userId: number, header: readonly string[]) =>
  privateKey(userId, `import-columns/account/${header.map(plainLabel).join('|')}`);

export function rememberColumns(userId: number, { header, fields }: RememberedColumns): void {
  writeStoredText(placeOf(userId, header), JSON.stringify(fields));
}

/** What was chosen for the header of this table, wherever it stands. */
export function rememberedColumns(userId: number, table: PastedTable): RememberedColumns | undefined {
  for (const row of table.slice(0, TITLE_ROWS)) {
    const header = row.slice(0, row.findLastIndex((cell) => cell !== '') + 1);
    const fields = storedFields(placeOf(userId, header));
    if (fields?.length === header.length) return { header, fields };
  }
  return undefined;
}

function storedFields(key: string): RememberedColumns['fields'] | undefined {
  const text = readStoredText(key);
  if (text === null) return undefined;
  try {
    return storedSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
