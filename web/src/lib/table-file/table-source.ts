import type { PastedTable } from '../paste-table.ts';

/** What is given: a pasted text or a file, of which one sheet is read. */
export type TableSource = { text: string } | { file: File; sheet?: number };

/** A table's cells as text, exactly as a paste of it gives them, and the sheets that could be read instead. */
export type ReadTable = { rows: PastedTable; sheets: readonly string[]; sheet: number };

/** A table that was read, with what tells it from every other one, and how many characters keeping it takes. */
export type MarkedTable = ReadTable & { mark: string; size: number };

/** Why something cannot be read, and what to do about it. */
export type Refused = { refusal: string };

/** Rows without content go, unless another one follows and they keep their place. */
export type RowOptions = { keepEmptyRows?: boolean };

/** Thrown where a file turns out not to be readable. */
export class TableRefusal extends Error {}
