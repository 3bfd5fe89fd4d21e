import { TableRefusal } from './file-kind.ts';

/* Limits of a table. No import takes more than 5,000 rows; files made to be costly are rejected early. */

export const TABLE_ROWS_MAX = 100_000;
export const TABLE_COLUMNS_MAX = 500;
/** Maximum of rows times columns. */
export const TABLE_CELLS_MAX = 500_000;
/** Maximum characters of one cell, as in Excel, and of all cells: many cells may refer to one text. */
export const CELL_TEXT_MAX = 32_767;
export const TABLE_TEXT_MAX = 20_000_000;
/** Maximum number of bytes that are decoded to one text. */
export const DECODED_BYTES_MAX = 24 * 1024 * 1024;

export function throwTooLarge(): never {
  const [rows, columns, cells] = [TABLE_ROWS_MAX, TABLE_COLUMNS_MAX, TABLE_CELLS_MAX].map((most) =>
    most.toLocaleString('ko'),
  );
  throw new TableRefusal(
    `표가 너무 큽니다. ${rows}행, ${columns}열, 모두 ${cells}칸까지 읽을 수 있습니다. 필요한 시트만 따로 저장하세요.`,
  );
}
