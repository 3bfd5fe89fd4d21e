import { withoutGuard } from './csv.ts';

/** What a spreadsheet or a web table puts on the clipboard: rows of cells. */
export type PastedTable = string[][];

/** Labels under which a column is known, for each field. Case, spaces and punctuation do not count. */
export type Synonyms<Field extends string> = Readonly<Record<Field, readonly string[]>>;

const ZERO_WIDTH = /[\u200b-\u200d\u2060\ufeff]/g;
const WIDE_SPACE = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g;
const DASH = /[\u2010-\u2015\u2212]/g;

/**
 * Clipboard text as rows of cells, in linear time. Cells are trimmed, lose the apostrophe of an export, and keep their line breaks as `\n`; rows without
 * content and columns that are empty to the end of every row are left out. With `keepEmptyRows` a row without content
 * stays where it is, as long as one with content follows.
 */
export function parsePaste(text: string, { keepEmptyRows = false } = {}): PastedTable {
  const rows: PastedTable = [];
  let row: string[] = [];
  let at = 0;
  while (at < text.length) {
    const { raw, end } = readCell(text, at);
    row.push(cleanCell(raw));
    const isLineEnd = text[end] !== '\t';
    if (isLineEnd) {
      rows.push(row);
      row = [];
    } else if (end === text.length - 1) row.push('');
    at = text.startsWith('\r\n', end) ? end + 2 : end + 1;
  }
  if (row.length > 0) rows.push(row);
  const kept = keepEmptyRows ? rows.slice(0, rows.findLastIndex(hasContent) + 1) : rows.filter(hasContent);
  return withoutEmptyColumns(kept);
}

/** A cell's text on one line. */
export function oneLine(cell: string): string {
  return cell.replace(/\s+/g, ' ');
}

/** For numbers, ids and addresses alone, never for names: full-width forms become ASCII, every dash a hyphen. */
export function asciiText(cell: string): string {
  return cell.normalize('NFKC').replace(DASH, '-').trim();
}

/** Which field a label names, if any. */
export function fieldOfLabels<Field extends string>(
  synonyms: Synonyms<Field>,
): (label: string) => Field | undefined {
  const byLabel = new Map<string, Field>();
  for (const field in synonyms) {
    for (const label of synonyms[field]) byLabel.set(plainLabel(label), field);
  }
  // `연락처(휴대폰)` is known by the whole of it or by what stands beside the brackets.
  return (label) => byLabel.get(plainLabel(label)) ?? byLabel.get(plainLabel(withoutBrackets(label)));
}

/** In which column each field stands, by the labels of a header row; the first column that fits has the field. */
export function findColumns<Field extends string>(
  header: readonly string[],
  synonyms: Synonyms<Field>,
): Partial<Record<Field, number>> {
  const fieldOf = fieldOfLabels(synonyms);
  const columns: Partial<Record<Field, number>> = {};
  for (const [column, cell] of header.entries()) {
    const field = fieldOf(cell);
    if (field !== undefined) columns[field] ??= column;
  }
  return columns;
}

type RawCell = { raw: string; end: number };

/** The cell that begins at `start`, and where its separator stands. */
function readCell(text: string, start: number): RawCell {
  const quoted = text[start] === '"' ? readQuoted(text, start + 1) : undefined;
  if (quoted) return quoted;
  let end = start;
  while (end < text.length && !isSeparator(text, end)) end += 1;
  return { raw: text.slice(start, end), end };
}

/**
 * A quoted cell, whose content begins at `start`; undefined where the quote is an ordinary character: it is not closed,
 * or something follows it. An odd run of quotes ends every reading, so no part is read more than twice.
 */
function readQuoted(text: string, start: number): RawCell | undefined {
  let quote = text.indexOf('"', start);
  while (quote !== -1) {
    if (isSeparator(text, quote + 1)) {
      const raw = text.slice(start, quote).replaceAll('""', '"').replace(/\r\n?/g, '\n');
      return { raw, end: quote + 1 };
    }
    if (text[quote + 1] !== '"') return undefined;
    quote = text.indexOf('"', quote + 2);
  }
  return undefined;
}

function isSeparator(text: string, at: number): boolean {
  return at >= text.length || text[at] === '\t' || text[at] === '\n' || text[at] === '\r';
}

export function hasContent(row: readonly string[]): boolean {
  return row.some((cell) => cell !== '');
}

function cleanCell(raw: string): string {
  return withoutGuard(raw.replace(ZERO_WIDTH, '').replace(WIDE_SPACE, ' ').trim());
}

function withoutEmptyColumns(rows: PastedTable): PastedTable {
  let width = 0;
  for (const row of rows) width = Math.max(width, row.findLastIndex((cell) => cell !== '') + 1);
  return rows.map((row) => row.slice(0, width));
}

function withoutBrackets(label: string): string {
  return asciiText(label).replace(/[([][^)\]]*[)\]]?/g, '');
}

/** A label without case, spaces and punctuation. */
export function plainLabel(label: string): string {
  return label
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}
