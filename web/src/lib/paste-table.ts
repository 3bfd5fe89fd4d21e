import { withoutGuard } from '#contract/spreadsheet';

/** Rows of cells, as copied from a spreadsheet or a web page. */
export type PastedTable = string[][];

/** Known labels of each field's column. Case, spaces and punctuation are ignored. */
export type Synonyms<Field extends string> = Readonly<Record<Field, readonly string[]>>;

/** Zero-width characters, except a joiner between two pictographs, as in 👩‍🔬. */
const ZERO_WIDTH =
  /[\u200b\u200c\u2060\ufeff]|(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d|\u200d(?!\p{Extended_Pictographic})/gu;
const WIDE_SPACE = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g;
const DASH = /[\u2010-\u2015\u2212]/g;

type RowOptions = {
  /** Empty rows stay if a non-empty one follows. */
  keepEmptyRows?: boolean;
};

/**
 * Parses clipboard or CSV text into rows of cells, in linear time.
 * @param isCsv the text is known to be separated by commas, as a file's name says
 */
export function parsePaste(
  text: string,
  { isCsv = false, ...options }: RowOptions & { isCsv?: boolean } = {},
): PastedTable {
  const whole = text.replace(/^\ufeff/, '');
  const commas = isCsv ? readRows(whole, ',') : readCommas(whole);
  return cleanTable(commas ?? readRows(whole, '\t') ?? [], options);
}

/**
 * Cells are trimmed, lose the apostrophe of an export and keep line breaks as `\n`. Empty rows and trailing empty columns
 * are removed.
 */
export function cleanTable(raw: PastedTable, { keepEmptyRows = false }: RowOptions = {}): PastedTable {
  const rows = raw.map((row) => row.map(cleanCell));
  const kept = keepEmptyRows ? rows.slice(0, rows.findLastIndex(hasContent) + 1) : rows.filter(hasContent);
  return withoutEmptyColumns(kept);
}

/** `1,234` and `1,234,567`: thousands separators. */
const GROUPED_NUMBER = /^[^\d,]*\d{1,3}(?:,\d{3})+[^\d,]*$/;
/** Rows that may stand above a table: its title, its date. */
export const TITLE_ROWS = 20;
const NARROWEST_WITH_TITLE = 3;

/**
 * Comma-separated rows: at least two cells, equally many in every row, and no unquoted tab. Titles may stand above a
 * table of at least three columns. Undefined for any other text, where commas belong to the content.
 */
function readCommas(text: string): PastedTable | undefined {
  if (!text.includes(',')) return undefined;
  const rows = readRows(text, ',');
  const filled = rows?.filter((row) => row.length > 1 || row[0]?.trim() !== '') ?? [];
  const width = filled.at(-1)?.length ?? 0;
  const titles = filled.findLastIndex((row) => row.length !== width) + 1;
  const areTitles = titles <= TITLE_ROWS && width >= NARROWEST_WITH_TITLE && filled.length > titles + 1;
  if (width < 2 || (titles > 0 && !areTitles)) return undefined;
  if (filled.slice(0, titles).some((row) => row.length > width)) return undefined;
  const lines = text.split(/[\r\n]+/).filter((line) => line.trim() !== '');
  return lines.every((line) => GROUPED_NUMBER.test(line)) ? undefined : rows;
}

type Separator = '\t' | ',';

/** Undefined if an unquoted tab shows that commas are not separators. */
function readRows(text: string, separator: Separator): PastedTable | undefined {
  const rows: PastedTable = [];
  let row: string[] = [];
  let at = 0;
  while (at < text.length) {
    const { raw, end, isQuoted } = readCell(text, at, separator);
    if (separator === ',' && !isQuoted && raw.includes('\t')) return undefined;
    row.push(raw);
    if (text[end] !== separator) {
      rows.push(row);
      row = [];
    } else if (end === text.length - 1) row.push('');
    at = text.startsWith('\r\n', end) ? end + 2 : end + 1;
  }
  if (row.length > 0) rows.push(row);
  return rows;
}

/** A cell's text on one line. */
export function oneLine(cell: string): string {
  return cell.replace(/\s+/g, ' ');
}

/** For numbers, ids and addresses, never for names: full-width forms become ASCII, dashes become hyphens. */
export function asciiText(cell: string): string {
  return cell.normalize('NFKC').replace(DASH, '-').trim();
}

/** The field that a label names, if any. */
export function fieldOfLabels<Field extends string>(
  synonyms: Partial<Synonyms<Field>>,
): (label: string) => Field | undefined {
  const byLabel = new Map<string, Field>();
  for (const field in synonyms) {
    for (const label of synonyms[field] ?? []) byLabel.set(plainLabel(label), field);
  }
  // `연락처(휴대폰)` matches as a whole or without the brackets.
  return (label) => byLabel.get(plainLabel(label)) ?? byLabel.get(plainLabel(withoutBrackets(label)));
}

/** The header among the first rows: the one with most known labels, and how many it has. Titles may stand above it. */
export function likelyHeader(
  rows: PastedTable,
  knownIn: (row: readonly string[]) => number,
): { at: number; known: number } {
  const counts = rows.map(knownIn);
  const known = Math.max(0, ...counts);
  return { at: counts.indexOf(known), known };
}

/** The column of each field that labels have named; the first one wins. */
export function firstColumns<Field extends string>(
  fields: readonly (Field | undefined)[],
): Partial<Record<Field, number>> {
  const columns: Partial<Record<Field, number>> = {};
  for (const [column, field] of fields.entries()) if (field !== undefined) columns[field] ??= column;
  return columns;
}

type RawCell = { raw: string; end: number; isQuoted: boolean };

/** The cell that starts at `start`, and the position of its separator. */
function readCell(text: string, start: number, separator: Separator): RawCell {
  const quoted = text[start] === '"' ? readQuoted(text, start + 1, separator) : undefined;
  if (quoted) return quoted;
  let end = start;
  while (end < text.length && !isCellEnd(text, end, separator)) end += 1;
  return { raw: text.slice(start, end), end, isQuoted: false };
}

/**
 * A quoted cell whose content starts at `start`; undefined if the quote is an ordinary character, because it is not
 * closed or is followed by something. Every attempt ends at an odd run of quotes, so no part is read more than twice.
 */
function readQuoted(text: string, start: number, separator: Separator): RawCell | undefined {
  let quote = text.indexOf('"', start);
  while (quote !== -1) {
    if (isCellEnd(text, quote + 1, separator)) {
      const raw = text.slice(start, quote).replaceAll('""', '"').replace(/\r\n?/g, '\n');
      return { raw, end: quote + 1, isQuoted: true };
    }
    if (text[quote + 1] !== '"') return undefined;
    quote = text.indexOf('"', quote + 2);
  }
  return undefined;
}

function isCellEnd(text: string, at: number, separator: Separator): boolean {
  return at >= text.length || text[at] === separator || text[at] === '\n' || text[at] === '\r';
}

export function hasContent(row: readonly string[]): boolean {
  return row.some((cell) => cell !== '');
}

function cleanCell(raw: string): string {
  // First, because an export puts its apostrophe before everything else.
  return withoutGuard(raw).replace(ZERO_WIDTH, '').replace(WIDE_SPACE, ' ').trim();
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
