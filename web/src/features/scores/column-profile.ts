import type { PastedTable } from '../../lib/paste-table.ts';
import { isIdOrPhone } from './non-students.ts';
import { readNumber } from './read-number.ts';

/** Properties of a column's cells. */
export type Profile = {
  column: number;
  numbers: number[];
  /** Whether it holds nothing but marks of a missing score. */
  isOpen: boolean;
  /** Whether every row has a number. */
  isFull: boolean;
  distinct: number;
  isId: boolean;
  isName: boolean;
  /** Whether fewer than half of the non-empty cells are numbers. */
  isMostlyText: boolean;
  isPercent: boolean;
  /** 1, 2, 3 … in row order. */
  isSerial: boolean;
};

const MISSING = /^(-+|[xX]|결시|미응시|미제출|미정|불참|결석|absent|n\/?a)$/i;

export function profileOf(rows: PastedTable, column: number): Profile {
  const cells = rows.map((row) => row[column] ?? '').filter((cell) => cell !== '');
  const most = (is: (cell: string) => boolean) =>
    cells.length > 0 && cells.filter(is).length * 10 >= cells.length * 8;
  const numbers = cells.flatMap((cell) => readNumber(cell) ?? []);
  return {
    column,
    numbers,
    isOpen: cells.length > 0 && cells.every((cell) => MISSING.test(cell)),
    isFull: rows.length > 0 && numbers.length === rows.length,
    distinct: new Set(cells).size,
    isId: most(isIdOrPhone),
    isName: most((cell) => /^(\p{Script=Hangul}[\p{Script=Hangul} ]{1,9}|\p{L}[\p{L}'. -]+)$/u.test(cell)),
    isMostlyText: numbers.length * 2 < cells.length,
    isPercent: most((cell) => cell.endsWith('%')),
    isSerial: numbers.length > 1 && numbers.every((value, index) => value === index + 1),
  };
}
