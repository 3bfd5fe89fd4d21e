import * as z from 'zod';
import { labelKey, TITLE_ROWS_MAX, type PastedTable } from '../../../lib/paste-table.ts';
import { privateStorageKey, readStoredText, writeStoredText } from '../../../lib/stored-text.ts';
import {
  BANK_PROFILES,
  STATEMENT_FIELDS,
  UNUSED_LABELS,
  USUAL_COLUMN_LABELS,
  type StatementField,
  type StatementProfile,
} from './bank-profiles.ts';
import { withoutItems } from '../../../lib/collections.ts';

/** The column of each field, and the name of the bank profile that determined the columns. */
type StatementColumns = {
  name?: string;
  columns: Readonly<Partial<Record<StatementField, number>>>;
  /** Labels of known columns that are left out; empty without a profile. */
  unused: readonly string[];
};

/**
 * The columns of a header, by the matching bank profile or else by the usual labels. Undefined if the row is
 * not the header of a statement.
 */
export function statementColumns(header: readonly string[]): StatementColumns | undefined {
  const labels = header.map(keyOf);
  const [known] = BANK_PROFILES.filter(({ columns }) =>
    Object.keys(columns).every((label) => labels.includes(keyOf(label))),
  ).toSorted((a, b) => Object.keys(b.columns).length - Object.keys(a.columns).length);
  if (known) {
    const columns = columnsOf(known, labels);
    return { ...(known.name && { name: known.name }), columns, unused: unusedOf(known, header) };
  }
  const columns = usualColumns(labels);
  const { date, description, amount, deposit, withdrawal } = columns;
  const needed = [date, description, amount ?? deposit ?? withdrawal];
  return needed.includes(undefined) ? undefined : { columns, unused: [] };
}

/** The label without its brackets, as in 출금액(원). */
function keyOf(label: string): string {
  const bare = labelKey(label.normalize('NFKC').replace(/\([^)]*\)?/g, ''));
  return bare === '' ? labelKey(label) : bare;
}

const columnsOf = ({ columns }: StatementProfile, labels: readonly string[]): StatementColumns['columns'] =>
  Object.fromEntries(Object.entries(columns).map(([label, field]) => [field, labels.indexOf(keyOf(label))]));

const NEVER_STORED = new Set(UNUSED_LABELS.map(keyOf));

/** Some exports begin with a column without a label, so such columns count as left out. */
function unusedOf({ columns }: StatementProfile, header: readonly string[]): string[] {
  const labels = withoutItems(NEVER_STORED, new Set(Object.keys(columns).map(keyOf)));
  return header.filter((cell) => cell.trim() === '' || labels.has(keyOf(cell)));
}

function usualColumns(labels: readonly string[]): StatementColumns['columns'] {
  const found: Partial<Record<StatementField, number>> = {};
  const taken = new Set<number>();
  for (const [field, names] of USUAL_COLUMN_LABELS) {
    // With separate deposit and withdrawal columns, no signed amount column is needed.
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

/* Stores which columns the user chose, for tables with the same header, until the user signs out. */

/** A header, and the field of each column; null for a column that is left out. */
export type RememberedColumns = { header: readonly string[]; fields: readonly (StatementField | null)[] };

const storedSchema = z.array(z.literal(STATEMENT_FIELDS).nullable());

const placeOf = (userId: number, header: readonly string[]) =>
  privateStorageKey(userId, `import-columns/account/${header.map(labelKey).join('|')}`);

export function rememberColumns(userId: number, { header, fields }: RememberedColumns): void {
  writeStoredText(placeOf(userId, header), JSON.stringify(fields));
}

/** The stored choice for this table's header, which may be in any of the first rows. */
export function rememberedColumns(userId: number, table: PastedTable): RememberedColumns | undefined {
  for (const row of table.slice(0, TITLE_ROWS_MAX)) {
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

/** Fields whose values another word in the header may change: planned or summed amounts, another time zone. */
const QUALIFIED: ReadonlySet<StatementField | undefined> = new Set([
  'date',
  'amount',
  'deposit',
  'withdrawal',
]);
/** Words in brackets that change nothing: the unit, the direction, or how a date is written. */
const PLAIN_WORDS =
  /^(?:(?:단위\s?[:：]?\s?)?[천만백십]*원|[\d,]+\s?원|₩|krw|won|[+-]|[dmy년월일\s./-]+|입금|출금|수입|지출|필수)$/i;

/** Labels with a word in brackets that may change what the column means: `지출(예정)`, `Date (UTC)`. */
export const qualifiedLabels = (
  columns: readonly { label: string; field: StatementField | undefined }[],
): string[] =>
  columns.flatMap(({ label, field }) => {
    const [, word] = /[([（]([^)\]）]+)[)\]）]/.exec(label) ?? [];
    return QUALIFIED.has(field) && word !== undefined && !PLAIN_WORDS.test(word.trim()) ? [label] : [];
  });
