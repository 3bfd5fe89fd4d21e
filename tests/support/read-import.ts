import { checkRows, withTwins } from '../../web/src/components/import/checked-rows.ts';
import { findColumns, type ColumnChoices } from '../../web/src/components/import/columns.ts';
import type { ImportKind } from '../../web/src/components/import/import-kind.ts';
import { parsePaste } from '../../web/src/lib/paste-table.ts';

/** What the check of an import makes of a paste. */
export async function readImport<Field extends string, Row>(
  kind: ImportKind<Field, Row>,
  text: string,
  choices?: ColumnChoices<Field>,
) {
  const table = parsePaste(text);
  const columns = findColumns(table, kind, choices);
  const { signal } = new AbortController();
  const rows = withTwins(kind, await checkRows(kind, { rows: table, doubtful: [] }, columns, signal));
  const good = rows.flatMap(({ row }) => row ?? []);
  const bad = rows.flatMap(({ line, errors }) => errors.map(({ reason }) => `${line} ${reason}`));
  return { columns, rows, good, bad };
}
