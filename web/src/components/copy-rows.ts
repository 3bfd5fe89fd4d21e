import type { ClipboardEvent } from 'react';
import { toTsv } from '../lib/csv.ts';

/** What stands beside the values of the cells; `data-aside` marks badges, rows of sums and the like. */
const ASIDES = 'button:not([data-value]), input, select, .sr-only, [data-aside]';
const AMOUNT = /^[-+]?\d{1,3}(,\d{3})*원$/;

/**
 * Copies the selected rows as rows of cells. A browser would break lines within cells and take labels of buttons along, so
 * that neither a spreadsheet nor our own imports could read them.
 */
export function copyRows(event: ClipboardEvent<HTMLElement>): void {
  const selection = getSelection();
  const rows = [...event.currentTarget.querySelectorAll('tr')].filter(
    (row) => row.cells.length > 0 && !row.matches(ASIDES) && selection?.containsNode(row, true) === true,
  );
  if (rows.length < 2) return;
  event.preventDefault();
  event.clipboardData.setData('text/plain', toTsv(rows.map(({ cells }) => [...cells].map(valueOf))));
}

/** Its words stand in the button that sorts by it. */
function headerOf(cell: HTMLTableCellElement): string {
  const words = cell.cloneNode(true);
  if (!(words instanceof HTMLElement)) return '';
  for (const note of words.querySelectorAll('[data-aside]')) note.remove();
  return words.textContent.trim();
}

function valueOf(cell: HTMLTableCellElement): string | number {
  if (cell.scope === 'col') return headerOf(cell);
  const copy = document.createElement('div');
  copy.append(...[...cell.childNodes].map((node) => node.cloneNode(true)));
  for (const aside of copy.querySelectorAll(ASIDES)) aside.remove();
  const text = copy.textContent.trim();
  return AMOUNT.test(text) ? Number(text.replaceAll(/[,원]/g, '')) : text;
}
