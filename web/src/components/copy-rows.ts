import type { ClipboardEvent } from 'react';
import { toTsv } from '../lib/csv.ts';

/** Parts of a cell that are not copied; `data-aside` marks badges, sum rows and the like. */
const ASIDES = 'button:not([data-value]), input, select, .sr-only, [data-aside]';
const AMOUNT = /^[-+]?\d{1,3}(,\d{3})*원$/;

/**
 * Copies the selected rows as table rows. A browser would break lines within cells and include button labels,
 * so that neither a spreadsheet nor our own import could read the rows.
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

/** Unlike other cells, a header keeps its button, because the header's text is inside the sort button. */
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
