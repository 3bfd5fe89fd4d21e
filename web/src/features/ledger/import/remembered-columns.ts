import * as z from 'zod';
import { plainLabel, TITLE_ROWS, type PastedTable } from '../../../lib/paste-table.ts';
import { privateKey, readStoredText, writeStoredText } from '../../../lib/stored-text.ts';
import { STATEMENT_FIELDS, type StatementField } from './bank-profiles.ts';

/* Columns that somebody chose by hand, kept for tables of the same header until the user signs out. */

/** A header, and the field of each of its columns, or null for one that is left out. */
export type RememberedColumns = { header: readonly string[]; fields: readonly (StatementField | null)[] };

const storedSchema = z.array(z.literal(STATEMENT_FIELDS).nullable());

const keyOf = (userId: number, header: readonly string[]) =>
  privateKey(userId, `import-columns/account/${header.map(plainLabel).join('|')}`);

export function rememberColumns(userId: number, { header, fields }: RememberedColumns): void {
  writeStoredText(keyOf(userId, header), JSON.stringify(fields));
}

/** What was chosen for the header of this table, wherever it stands. */
export function rememberedColumns(userId: number, table: PastedTable): RememberedColumns | undefined {
  for (const row of table.slice(0, TITLE_ROWS)) {
    const header = row.slice(0, row.findLastIndex((cell) => cell !== '') + 1);
    const fields = storedFields(keyOf(userId, header));
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
