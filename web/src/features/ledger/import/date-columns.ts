import { labelKey, TITLE_ROWS_MAX, type PastedTable } from '../../../lib/paste-table.ts';

const isMonthAndDay = (row: readonly string[], at: number) =>
  labelKey(row[at] ?? '') === '월' && labelKey(row[at + 1] ?? '') === '일';
const YEAR = /^(?:20\d\d|\d\d)년?$/;
const MONTH = /^(?:0?[1-9]|1[0-2])월?$/;
const DAY = /^(?:0?[1-9]|[12]\d|3[01])일?$/;

/**
 * Joins a cash book's columns for month and day, and often year, into one column of dates. An empty month or
 * year takes the value of the row above; an empty day stays empty.
 */
export function joinDateColumns(table: PastedTable): PastedTable {
  const header = table
    .slice(0, TITLE_ROWS_MAX)
    .find((row) => row.some((_, column) => isMonthAndDay(row, column)));
  if (!header) return table;
  const monthAt = header.findIndex((_, column) => isMonthAndDay(header, column));
  const hasYear = ['년', '연도', '년도'].includes(labelKey(header[monthAt - 1] ?? ''));
  const from = hasYear ? monthAt - 1 : monthAt;
  let [year, month] = ['', ''];
  const dateOf = (row: readonly string[]) => {
    const cells = row.slice(from, monthAt + 2).map((cell) => cell.trim());
    if (isMonthAndDay(row, monthAt)) return '날짜';
    const day = cells.at(-1) ?? '';
    const [ownYear, ownMonth] = [hasYear ? (cells[0] ?? '') : '', cells.at(-2) ?? ''];
    if (YEAR.test(ownYear)) year = ownYear;
    if (MONTH.test(ownMonth)) month = ownMonth;
    const isRead = DAY.test(day) && month !== '' && (ownMonth === '' || MONTH.test(ownMonth));
    if (!isRead) return cells.filter(Boolean).join(' ');
    const text = `${month.replace('월', '')}월 ${day.replace('일', '')}일`;
    return year === '' ? text : `${year.replace('년', '')}년 ${text}`;
  };
  return table.map((row) => row.toSpliced(from, monthAt + 2 - from, dateOf(row)));
}
