/**
 * Describes what a feature imports, as data; the feature stores the rows with its own API call. Every import
 * has three steps:
 *
 * 1. Input. `<TableInput />` shows the pasted, dropped or chosen table; `useTableInput` stores it as a draft.
 * 2. Check. `useCheckedTable(kind, table)` reads the rows; its component needs `key={table.id}`. In
 *    `<ColumnChoice />` the user maps columns, in `<CheckTable />` corrects and ticks rows.
 * 3. Store. `chosenRows(check)` are the ticked rows without an error; `<ImportFoot />` has the buttons.
 *
 * A table with different columns each time, such as scores, uses the first step alone.
 */
export type ImportKind<Field extends string, Row> = {
  /** The fields, in the order of the check step. */
  fields: readonly ImportField<Field>[];
  /** Labels of known columns that are not needed; they are left out without being reported as unknown. */
  unused?: ReadonlySet<string>;
  /** For these fields the user chooses the column, because several columns could be the right one. */
  undecided?: ReadonlySet<Field>;
  /** How many columns the table must have; a different number is reported. */
  columnCount?: number;
  /** The order of the columns when no header is found; without this order a header is required. */
  withoutHeader?: readonly Field[];
  rowsMax: number;
  /** The counter word for the rows: `명`, `과목`, `건`. */
  unit: string;
  /** Reads a row from trimmed, single-line cells. Must be pure: a corrected row is read again. */
  readRow: (cell: (field: Field) => string) => ReadRow<Field, Row>;
  /** `keyOf` must be unique. A row with a repeated key gets an error in the cell `field`: `3행과 학번이 같습니다`. */
  once?: { keyOf: (row: Row) => string; field: Field; reason: (firstLine: number, row: Row) => string };
};

export type ImportField<Field extends string> = {
  name: Field;
  label: string;
  /** Usual labels of the column, the likeliest first; case, spaces, punctuation and brackets are ignored. */
  names: readonly string[];
  /**
   * `required`: nothing can be read without the column. `expected`: a missing column is reported, and the
   * user is asked while the table has unknown columns. `optional`: a missing column is not reported.
   */
  presence: 'required' | 'expected' | 'optional';
  /** Makes this field the row header; used for the first field that identifies the row. */
  isRowHeader?: true;
  /** Shown even when the table has no column for this field, so that the user can fill it in. */
  isShown?: true;
  /** Whether the values of this field are counted on screen, as those of columns without a field are. */
  areValuesShown?: true;
  align?: 'end';
  /** Width of the column while the table is windowed. */
  width: string;
  maxLength?: number;
};

/** A problem in a row that the user should look at. */
export type RowFlag<Field extends string> = {
  /** The field concerned; if absent, the whole row is concerned. */
  field?: Field;
  reason: string;
  /** The suggested correction. */
  repair?: string;
};

/** Either a row that can be stored, perhaps with doubts, or the errors for which the row cannot be stored. */
export type ReadRow<Field extends string, Row> =
  | {
      row: Row;
      doubts?: readonly RowFlag<Field>[];
      /** The cells whose stored text will differ from the input, with the stored text. */
      cells?: Readonly<Partial<Record<Field, string>>>;
    }
  | { errors: readonly [RowFlag<Field>, ...RowFlag<Field>[]] };

/** A row of the table with its corrections applied. */
export type CheckedRow<Field extends string, Row> = {
  /** The row number, counted from 1 below the header. */
  line: number;
  cells: Readonly<Partial<Record<Field, string>>>;
  /** Undefined while there are errors. */
  row: Row | undefined;
  errors: readonly RowFlag<Field>[];
  doubts: readonly RowFlag<Field>[];
};
