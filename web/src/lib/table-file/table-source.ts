import type { PastedTable } from '../paste-table.ts';

/** What is given: a pasted text or a file, of which one sheet is read, with what it hides or without. */
export type TableSource = { text: string } | { file: File; sheet?: number; withHidden?: boolean };

/** A table's cells as text that is their value, and the sheets that could be read instead. */
export type ReadTable = {
  rows: PastedTable;
  /** Indexes of rows whose quotation marks can be read in two ways. */
  doubtful: readonly number[];
  sheets: readonly string[];
  sheet: number;
  remarks: Remarks;
};

/** What a sheet has hidden, merged over several rows, or not computed. */
export type Remarks = { hiddenRows: number; hiddenColumns: number; merged: number; uncomputed: number };

/** A table that was read, with what tells it from every other one, and how many characters keeping it takes. */
export type MarkedTable = ReadTable & { mark: string; size: number };

/** Why something cannot be read, and what to do about it. */
export type Refused = { refusal: string };

/** Thrown where a file turns out not to be readable. */
export class TableRefusal extends Error {}
