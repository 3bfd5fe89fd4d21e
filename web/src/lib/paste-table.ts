import { unescapeFormula } from '#contract/spreadsheet';
import { normalizeText } from '#contract/printable-text';
import { readSeparated, type SeparatedText } from './separated-text.ts';

/** Rows of cells, as copied from a spreadsheet or a web page. */
export type PastedTable = string[][];

/** Known labels of each field's column. Case, spaces and punctuation are ignored. */
export type Synonyms<Field extends string> = Readonly<Record<Field, readonly string[]>>;

/** The text of a cell whose formula no program has computed yet. */
export const UNCOMPUTED_CELL = '#계산되지 않음';

/** Properties of a workbook, with the values that a text has for them. */
export const TEXT_TABLE = {
  sheets: [] as string[],
  sheet: 0,
  hasHidden: false,
  remarks: { hiddenRows: 0, hiddenColumns: 0, merged: 0, uncomputed: 0 },
};

const DASH = /[\u2010-\u2015\u2212]/g;
/** Matches `="00123"`, which programs write to keep a spreadsheet from converting a number. */
const KEPT_TEXT = /^="((?:[^"]|"")*)"$/;

export type RowOptions = {
  /** Keeps empty rows that are followed by a non-empty row. */
  keepEmptyRows?: boolean;
};

/** Rows, and the indexes of rows with ambiguous quotation marks. */
export type ReadRows = { rows: PastedTable; doubtful: readonly number[] };

/**
 * Reads clipboard or CSV text into rows of cells, in linear time.
 * @param isCsv the text is a .csv file; despite the name, the separator is often a semicolon or a tab
 */
export function readPastedText(text: string, options: RowOptions & { isCsv?: boolean } = {}): ReadRows {
  const whole = text.replace(/^\ufeff/, '');
  const [line, named] = SEPARATOR_LINE.exec(whole) ?? [];
  const separator = SEPARATORS.find((each) => each === named);
  const read =
    line !== undefined && separator
      ? readSeparated(whole.slice(line.length), separator, true)
      : options.isCsv === true
        ? readCsv(whole)
        : readPaste(whole);
  const rows = read.rows.map((row) => row.map(withoutFormula));
  return cleanTable(rows, options, read.doubtful);
}

/** A first line such as `sep=;`, which tells Excel the separator. */
const SEPARATOR_LINE = /^"?sep=([\t,;|])"?(?:\r\n|\r|\n)/i;
const SEPARATORS = [',', ';', '\t', '|'] as const;

const withoutFormula = (cell: string) => KEPT_TEXT.exec(cell)?.[1]?.replaceAll('""', '"') ?? cell;

/** Reads only the rows. */
export const parsePastedRows = (text: string, options: RowOptions & { isCsv?: boolean } = {}): PastedTable =>
  readPastedText(text, options).rows;

/**
 * Trims cells, composes them (NFC), and removes the apostrophe of an export; line breaks stay as `\n`. Empty
 * rows and trailing empty columns are removed.
 */
export function cleanTable(
  raw: PastedTable,
  { keepEmptyRows = false }: RowOptions = {},
  doubtful: readonly number[] = [],
): ReadRows {
  const rows = raw.map((row) => row.map(cleanCell));
  const last = rows.findLastIndex(hasContent);
  const kept = rows.flatMap((row, at) => ((keepEmptyRows ? at <= last : hasContent(row)) ? at : []));
  const isDoubtful = new Set(doubtful);
  return {
    rows: withoutEmptyColumns(kept.map((at) => rows[at] ?? [])),
    doubtful: kept.flatMap((from, at) => (isDoubtful.has(from) ? at : [])),
  };
}

/** `1,234` and `1,234,567`: thousands separators. */
const GROUPED_NUMBER = /^[^\d,]*\d{1,3}(?:,\d{3})+[^\d,]*$/;
/** Maximum number of rows above a table, such as title and date. */
export const TITLE_ROWS_MAX = 20;
const NARROWEST_WITH_TITLE = 3;

/** Reads a file with the separator that gives the fewest uneven rows, most often the comma. */
function readCsv(text: string): SeparatedText {
  const [commas, ...others] = SEPARATORS.map((each) => readSeparated(text, each, true));
  if (!commas) throw new Error('there are separators');
  return others.reduce((best, other) => (isMoreEven(other, best) ? other : best), commas);
}

/** A separator that gives one cell per row occurs at most in a title, so it is never the better one. */
function isMoreEven(one: SeparatedText, other: SeparatedText): boolean {
  if (one.width < 2) return false;
  return other.width < 2 || one.uneven < other.uneven;
}

/** Spreadsheets copy tabs. A text without unquoted tabs may be CSV, or sentences with commas. */
function readPaste(text: string): SeparatedText {
  for (const separator of [',', ';', '|'] as const) {
    if (!text.includes(separator)) continue;
    const read = readSeparated(text, separator, true);
    if (!read.hasBareTab && isTable(text, read)) return read;
  }
  return readSeparated(text, '\t', false);
}

/**
 * Whether the text is a table: all rows have the same number of cells, at least two. Titles may precede a
 * table of at least three columns.
 */
function isTable(text: string, { rows }: SeparatedText): boolean {
  const filled = rows.filter((row) => row.length > 1 || row[0]?.trim() !== '');
  const width = filled.at(-1)?.length ?? 0;
  const titles = filled.findLastIndex((row) => row.length !== width) + 1;
  const areTitles = titles <= TITLE_ROWS_MAX && width >= NARROWEST_WITH_TITLE && filled.length > titles + 1;
  if (width < 2 || (titles > 0 && !areTitles)) return false;
  if (filled.slice(0, titles).some((row) => row.length > width)) return false;
  const lines = text.split(/[\r\n]+/).filter((line) => line.trim() !== '');
  return !lines.every((line) => GROUPED_NUMBER.test(line));
}

/** A cell's text with its line breaks replaced by spaces. */
export function oneLine(cell: string): string {
  return /\s/.test(cell) ? cell.replace(/\s+/g, ' ') : cell;
}

/**
 * For numbers, ids and addresses, never for names: full-width forms become ASCII, dashes become hyphens, and
 * a whole number loses the decimals that programs add (`202600001.0`).
 */
export function asciiText(cell: string): string {
  const text = composed(cell).replace(DASH, '-').trim();
  return text.endsWith('0') ? text.replace(/^(\d+)\.0+$/, '$1') : text;
}

/** The text in NFKC. The conversion is slow and does not change plain ASCII, so it is skipped for ASCII. */
const composed = (text: string) => (/^[\x20-\x7e]*$/.test(text) ? text : text.normalize('NFKC'));

/** Splits each text at its commas, so that a list of labels can be written as one text. */
export const labelList = (...texts: readonly string[]) => texts.flatMap((text) => text.split(', '));

/** Returns a function that finds the field of a label; undefined if no field has the label. */
export function fieldOfLabels<Field extends string>(
  synonyms: Partial<Synonyms<Field>>,
): (label: string) => Field | undefined {
  const byLabel = new Map<string, Field>();
  for (const field in synonyms) {
    for (const label of synonyms[field] ?? []) byLabel.set(labelKey(label), field);
  }
  return (label) => {
    const known = keysOf(label).find((key) => byLabel.has(key));
    return known === undefined ? undefined : byLabel.get(known);
  };
}

/** A label's key, and the keys without brackets (`연락처(휴대폰)`) and without a request (`학번을 입력하세요`). */
const keysOf = (label: string): string[] => {
  const [whole, bare] = [labelKey(label), labelKey(withoutBrackets(label.replace(QUESTION_NUMBER, '')))];
  return [whole, bare, whole.replace(REQUEST, ''), bare.replace(REQUEST, '')];
};

/** The number of a form's question: `1.` in `1. 학번을 적어주세요`. */
const QUESTION_NUMBER = /^\s*\d{1,2}\s*[.)]\s*/;

/** The request in the question of a form: `을 입력하세요` in `학번을 입력하세요`. */
const REQUEST = /(?:[은는이가을를]|의)?(?:입력|기입|기재|작성|적어|써주|무엇|알려).*$/;

/** The index of the likeliest header among the first rows, and how many known labels that row has. */
export function likelyHeader(
  rows: PastedTable,
  knownIn: (row: readonly string[]) => number,
): { at: number; known: number } {
  const counts = rows.map(knownIn);
  const known = Math.max(0, ...counts);
  let at = counts.indexOf(known);
  // A header whose cells are merged over two rows appears in both rows; the lower row is taken.
  while (at >= 0 && rows[at + 1]?.join('\t') === rows[at]?.join('\t')) at += 1;
  return { at, known };
}

/**
 * The column of each field. Of several columns for a field, a column with values comes first, then a label of
 * a Korean name or a new value (not of a name in other letters or a former value), then the likelier label
 * (학번 before ID), then the leftmost column.
 * @param below the rows below the labels
 */
export function firstColumns<Field extends string>(
  labels: readonly string[],
  fields: readonly (Field | undefined)[],
  synonyms: Partial<Synonyms<Field>>,
  below: PastedTable,
): Partial<Record<Field, number>> {
  const columns: Partial<Record<Field, number>> = {};
  const rankOf = (column: number, names: readonly string[]) => {
    const label = labels[column] ?? '';
    const keys = new Set(keysOf(label));
    const place = names.findIndex((name) => keys.has(labelKey(name)));
    const isEmpty = below.every((row) => (row[column] ?? '') === '');
    const worse = Number(OTHER_LETTERS.test(label)) + Number(FORMER.test(label)) + 2 * Number(isEmpty);
    return (place === -1 ? names.length : place) + worse * (names.length + 1);
  };
  for (const [column, field] of fields.entries()) {
    if (field === undefined) continue;
    const [before, names = []] = [columns[field], synonyms[field]];
    if (before === undefined || rankOf(column, names) < rankOf(before, names)) columns[field] = column;
  }
  return columns;
}

const OTHER_LETTERS = /영문|영어|한자|english/i;
const FORMER = /변경\s?전|기존|이전|before|previous/i;

/** Whether several tables are side by side: the header repeats to the right. Only the first table is read. */
export const hasSideBySideTables = (rows: PastedTable): boolean =>
  rows.slice(0, TITLE_ROWS_MAX).some((row) => {
    const labels = row.slice(0, row.findLastIndex((cell) => cell !== '') + 1);
    const [first] = labels;
    const period = first === undefined ? -1 : labels.indexOf(first, 1);
    const block = labels.slice(0, Math.max(period, 0)).filter((label) => label !== '');
    return (
      block.length > 1 &&
      new Set(block).size === block.length &&
      block.every((label) => /\p{L}/u.test(label)) &&
      labels.length % period === block.length % period &&
      labels.every((label, at) => label === (block[at % period] ?? ''))
    );
  });

/** Whether a cell is only a ditto mark, which stands for the value above. */
export const isDittoMark = (cell: string) => /^["″〃“”]+$/.test(cell);

export function hasContent(row: readonly string[]): boolean {
  return row.some((cell) => cell !== '');
}

function cleanCell(raw: string): string {
  // The apostrophe of an export precedes everything else, so it is removed before the cell is trimmed.
  return normalizeText(unescapeFormula(raw));
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
export function labelKey(label: string): string {
  return composed(label)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}
