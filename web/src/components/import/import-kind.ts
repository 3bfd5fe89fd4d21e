/**
 * What a feature imports, as data; it stores by its own call. The three steps of every import:
 *
 * 1. Give. `useTableInput('students/import', useAutosavedText('students/import'))` holds what was pasted, dropped or chosen,
 *    reads it in a worker and keeps it as drafts; `<TableInput given={…} label="명단" />` shows the field, the file and the
 *    choice of a sheet. `given.table` is rows of cells, or undefined.
 * 2. Check. `useCheckedTable(kind, table)` finds the header and the columns, reads the rows and keeps corrections and
 *    ticks as a draft too; give its component `key={table.id}`. `<ColumnChoice />` names columns that are unknown, missing or double and
 *    lets them be mapped; `<CheckTable />` shows the rows, to be corrected in place, ticked or left out. A feature adds its
 *    own columns (what the server says, a twin) with `outcome`.
 * 3. Store. `chosenRows(check)` are the ticked rows without an error.
 *
 * What has other columns each time, such as scores, uses the first step alone.
 */
export type ImportKind<Field extends string, Row> = {
  /** The fields in the order in which the check shows them. */
  fields: readonly ImportField<Field>[];
  /** Labels of columns that are known and of no use; they are left out without being told as unknown. */
  unused?: ReadonlySet<string>;
  /** How many columns the table must have. Another number is told, and which. */
  columnCount?: number;
  /** The order of the columns where no header is found; without it a header is needed. */
  withoutHeader?: readonly Field[];
  /** Most rows of one import. */
  rowsMax: number;
  /** What is counted: `명`, `과목`, `건`. */
  unit: string;
  /** Reads a row from its cells, which are trimmed and on one line. Pure: a corrected row is read again. */
  readRow: (cell: (field: Field) => string) => ReadRow<Field, Row>;
  /** What may be given once only, and how a second one is told, at which cell: `3행과 학번이 같습니다`. */
  once?: { keyOf: (row: Row) => string; field: Field; reason: (firstLine: number, row: Row) => string };
};

export type ImportField<Field extends string> = {
  name: Field;
  label: string;
  /** Usual names of the column; case, spaces, punctuation and brackets do not count. */
  names: readonly string[];
  /**
   * `required`: nothing can be read without the column. `expected`: its absence is told, and goes on only when somebody
   * says so. `optional`: may be absent without a word.
   */
  presence: 'required' | 'expected' | 'optional';
  /** The first field with a row's identity is the row's header. */
  isRowHeader?: true;
  /** The check shows it also where the table has no such column, to be filled in. */
  isShown?: true;
  align?: 'end';
  /** Of the column while the table is windowed. */
  width: string;
  maxLength?: number;
};

/** Something about a row that a person should look at. */
export type Flag<Field extends string> = {
  /** The cell concerned; without it, the whole row. */
  field?: Field;
  reason: string;
  /** What was probably meant. */
  repair?: string;
};

/** A row that can be stored, perhaps with doubts, or what keeps it from being one. */
export type ReadRow<Field extends string, Row> =
  | {
      row: Row;
      doubts?: readonly Flag<Field>[];
      /** Cells as they will be stored, where that differs from what was given. */
      cells?: Readonly<Partial<Record<Field, string>>>;
    }
  | { errors: readonly [Flag<Field>, ...Flag<Field>[]] };

/** A row of the table as it stands, with its corrections. */
export type CheckedRow<Field extends string, Row> = {
  /** From 1 below the header. */
  line: number;
  cells: Readonly<Partial<Record<Field, string>>>;
  /** Undefined while there are errors. */
  row: Row | undefined;
  errors: readonly Flag<Field>[];
  doubts: readonly Flag<Field>[];
};
