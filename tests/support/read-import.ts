import { checkRows, markDuplicates } from '../../web/src/components/import/checked-rows.ts';
import { findColumns, type ColumnChoices } from '../../web/src/components/import/columns.ts';
import type { ImportKind } from '../../web/src/components/import/import-kind.ts';
import { parsePastedRows, type ReadRows } from '../../web/src/lib/paste-table.ts';

/** The result of an import's check, for a pasted text or for the rows of a file. */
export async function readImport<Field extends string, Row>(
  kind: ImportKind<Field, Row>,
  given: string | ReadRows,
  choices?: ColumnChoices<Field>,
) {
  const table = typeof given === 'string' ? { rows: parsePastedRows(given), doubtful: [] } : given;
  const columns = findColumns(table.rows, kind, choices);
  const { signal } = new AbortController();
  const rows = markDuplicates(kind, await checkRows(kind, table, columns, signal));
  const good = rows.flatMap(({ row }) => row ?? []);
  const bad = rows.flatMap(({ line, errors }) => errors.map(({ reason }) => `${line} ${reason}`));
  return { columns, rows, good, bad };
}
