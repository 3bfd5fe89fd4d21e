import { askWorker } from '../ask-worker.ts';
import type { PastedTable, RowOptions } from '../paste-table.ts';

/** The input: a pasted text, or one sheet of a file, with or without the sheet's hidden rows and columns. */
export type TableSource = { text: string } | { file: File; sheet?: number; withHidden?: boolean };

/** A table's cells as text, and the sheets that could be read instead. */
export type ReadTable = {
  rows: PastedTable;
  /** Indexes of rows with ambiguous quotation marks. */
  doubtful: readonly number[];
  sheets: readonly string[];
  sheet: number;
  /** Whether the rows include hidden rows and columns. */
  hasHidden: boolean;
  remarks: TableRemarkCounts;
};

/** What a sheet's rows do not show. `struckRows` have struck-out cells; `below` is text below the tables. */
export type TableRemarkCounts = {
  hiddenRows: number;
  hiddenColumns: number;
  /** Numbers of rows in the sheet, and columns with their first text: `D열 ‘총점’`. */
  hiddenRowNumbers?: number[];
  hiddenColumnNames?: string[];
  /** Names of the workbook's hidden sheets that have cells. */
  hiddenSheets?: string[];
  merged: number;
  mergedNumbers?: string[];
  uncomputed: number;
  /** Numbers of rows; the sheet's first row is 1. */
  struckRows?: number[];
  /** Cells with a struck-out part, which is not read: `C5 ‘78’ → ‘8’`. */
  struckParts?: string[];
  /** Cells that a spreadsheet shows differently because of their format: `C5 ‘85(재)’ → 85`. */
  drawnOtherwise?: string[];
  /** Whether a web page strikes out text, which its rows do not show. */
  hasStruckText?: true;
  /** Comments on cells, which no row contains: `3행 ‘수강취소’`. */
  comments?: string[];
  below?: string;
};

/** A table with a digest that identifies it, and the number of characters that storing it takes. */
export type TableWithDigest = ReadTable & { mark: string; size: number };

/** Why the input cannot be read, what the user can do, and the sheets that may be read instead. */
export type ReadRefusal = { refusal: string; sheets?: readonly string[]; sheet?: number };

const FILE_MAX_MB = 50;
const TIME_MAX_MS = 60_000;

export type TableQuestion = { source: TableSource; options: RowOptions };

/** Reads a table in a worker, so that the page stays responsive for any input. */
export const readTable = (
  source: TableSource,
  options: RowOptions = {},
): Promise<TableWithDigest | ReadRefusal> =>
  readWithWorker(
    () => new Worker(new URL('./table-file.worker.ts', import.meta.url), { type: 'module' }),
    source,
    options,
  );

/** Reads a table with another worker, which computes more from the table than `readTable` does. */
export async function readWithWorker<Read>(
  start: () => Worker,
  source: TableSource,
  options: RowOptions,
): Promise<Read | ReadRefusal> {
  if ('file' in source && source.file.size > FILE_MAX_MB * 1024 * 1024)
    return { refusal: `${FILE_MAX_MB} MB보다 큰 파일은 읽을 수 없습니다. 필요한 시트만 따로 저장하세요.` };
  const worker = start();
  try {
    const question: TableQuestion = { source, options };
    return await askWorker<Read | ReadRefusal>(worker, question, AbortSignal.timeout(TIME_MAX_MS));
  } catch (error) {
    const isLate = error instanceof DOMException && error.name === 'TimeoutError';
    return {
      refusal: isLate
        ? '표를 읽는 데 너무 오래 걸려 멈췄습니다. 필요한 시트만 따로 저장하세요.'
        : '표를 읽지 못했습니다. 표를 복사해 붙여넣으세요.',
    };
  } finally {
    worker.terminate();
  }
}
