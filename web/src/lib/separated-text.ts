/**
 * Splits text into cells, although quotation marks are ambiguous. Excel, Google Sheets (on the clipboard) and
 * writers of CSV quote a cell only if it contains a line break, a tab or the separator, and then double the
 * marks inside; a lone mark (a ditto, an inch) is copied as it is. So a mark at a cell's start may begin a
 * quoted cell or be a plain character: the text is split in the way that makes all rows equally wide.
 */

type Separator = '\t' | ',' | ';' | '|';

export type SeparatedText = {
  rows: string[][];
  /** The usual number of cells in a row. */
  width: number;
  /** Number of rows with another number of cells. */
  uneven: number;
  /** Whether a cell contains a tab outside of quotation marks. */
  hasBareTab: boolean;
  /** Indexes of rows whose quotation marks could also be read differently. */
  doubtful: number[];
};

type Line = { start: number; end: number; next: number };
/** A possible row that begins at some line: its cells, and the first line after the row. */
type Reading = {
  cells: string[];
  next: number;
  /** What each ambiguous mark is in this row: `q` is the start of a quoted cell, `p` a plain character. */
  ways: string;
  isBlank: boolean;
  hasBareTab: boolean;
  isDoubtful: boolean;
};
/** The best way to split the text from some line to its end. */
type Rest = { uneven: number; rows: number; reading: Reading | undefined };

/** @param isFile in a file, cells may be quoted without need; cells on the clipboard are not */
export function readSeparated(text: string, separator: Separator, isFile: boolean): SeparatedText {
  const lines = linesOf(text);
  const isQuotedThroughout = isFile || everyLineIsQuoted(text, lines);
  const reader: Reader = { text, lines, separator, isQuotedThroughout, closings: new Map() };
  const literal = lines.map(({ start, end }) =>
    start === end ? 0 : text.slice(start, end).split(separator).length,
  );
  const strict = text.includes('"') ? strictWidths(reader) : literal;
  // A non-empty line without quotation marks proves the number of columns. Without such a line, no number of
  // columns is more likely than another.
  const isShown = (width: number) =>
    width > 1 &&
    lines.some(({ start, end }, at) => {
      const line = text.slice(start, end);
      return literal[at] === width && !line.includes('"') && line.replaceAll(separator, '').trim() !== '';
    });
  const widths = [mostFrequent(strict), mostFrequent(literal)];
  if (isShown(Math.max(...widths)) && !isQuotedThroughout) widths.sort((one, other) => other - one);
  const [first, second] = [...new Set(widths)].map((width) => readAs(reader, width));
  if (!first) throw new Error('a text has a width');
  const chosen = second && second.uneven < first.uneven ? second : first;
  if (isShown(chosen.width) || isQuotedThroughout || !text.includes('"')) return chosen;
  const isDoubtful = new Set(chosen.doubtful);
  return {
    ...chosen,
    doubtful: chosen.rows.flatMap((cells, at) => (isDoubtful.has(at) || cells.some(hasMark) ? at : [])),
  };
}

const hasMark = (cell: string) => /["\t\n]/.test(cell);

type Reader = {
  text: string;
  lines: readonly Line[];
  separator: Separator;
  isQuotedThroughout: boolean;
  /** For the position of each opening mark, the position of its closing mark. */
  closings: Map<number, number | undefined>;
};

function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  let start = 0;
  for (const { index, 0: end } of text.matchAll(/\r\n|\r|\n/g)) {
    lines.push({ start, end: index, next: index + end.length });
    start = index + end.length;
  }
  if (start < text.length) lines.push({ start, end: text.length, next: text.length });
  return lines;
}

/** The most frequent width; of two widths that are equally frequent, the larger. */
function mostFrequent(widths: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const width of widths) if (width > 0) counts.set(width, (counts.get(width) ?? 0) + 1);
  let best = 1;
  for (const [width, count] of counts) {
    const most = counts.get(best) ?? 0;
    if (count > most || (count === most && width > best)) best = width;
  }
  return best;
}

/** The widths that the rows have if every mark that can be closed starts a quoted cell. */
function strictWidths(reader: Reader): number[] {
  const widths: number[] = [];
  for (let at = 0; at < reader.lines.length;) {
    const { start, end } = reader.lines[at] ?? { start: 0, end: 0 };
    const reading = readingOf(reader, at, () => true);
    if (start < end) widths.push(reading.cells.length);
    at = reading.next;
  }
  return widths;
}

/**
 * Whether all cells seem quoted, as some programs do: the first line's, and the first of every other line.
 */
function everyLineIsQuoted(text: string, lines: readonly Line[]): boolean {
  const filled = lines.filter(({ start, end }) => start < end);
  const [first] = filled;
  if (!first || filled.length < 2 || !filled.every(({ start }) => text[start] === '"')) return false;
  return /^"[^"\t]+"(?:[\t,;|]"[^"\t]+")+$/.test(text.slice(first.start, first.end));
}

/** Splits all lines with the fewest uneven rows. Works from the last line to the first. */
function readAs(reader: Reader, width: number): SeparatedText {
  const { length } = reader.lines;
  const rest: Rest[] = [{ uneven: 0, rows: 0, reading: undefined }];
  const from = (line: number) => rest[length - line] ?? { uneven: 0, rows: 0, reading: undefined };
  for (let line = length - 1; line >= 0; line--) {
    let best: Rest | undefined;
    for (const reading of readingsFrom(reader, line)) {
      const following = from(reading.next);
      const isEven = reading.isBlank || reading.cells.length === width;
      const uneven = following.uneven + (isEven ? 0 : 1);
      const found = { uneven, rows: following.rows + 1, reading };
      best = best ? better(best, found, reader.isQuotedThroughout, width) : found;
    }
    if (!best) throw new Error('a line has a reading');
    rest.push(best);
  }
  return { ...joined(from, length), width, uneven: from(0).uneven };
}

/** The less uneven result; if equal, the result in which no quoted cell contains a possible row. */
function better(one: Rest, other: Rest, isQuotedThroughout: boolean, width: number): Rest {
  if (one.uneven !== other.uneven) return one.uneven < other.uneven ? one : other;
  const isQuotedMore = quotedOf(one) > quotedOf(other);
  // In a single column every line is a row of its own.
  const isOne =
    one.rows === other.rows ? isQuotedMore === isQuotedThroughout : one.rows > other.rows === width > 1;
  const { reading, ...chosen } = isOne ? one : other;
  return { ...chosen, reading: reading && { ...reading, isDoubtful: true } };
}

const quotedOf = ({ reading }: Rest) => (reading?.ways ?? '').split('q').length;

function joined(from: (line: number) => Rest, length: number) {
  const rows: string[][] = [];
  const doubtful: number[] = [];
  let hasBareTab = false;
  for (let line = 0; line < length;) {
    const { reading } = from(line);
    if (!reading) break;
    if (reading.isDoubtful) doubtful.push(rows.length);
    rows.push(reading.cells);
    hasBareTab ||= reading.hasBareTab;
    line = reading.next;
  }
  return { rows, doubtful, hasBareTab };
}

/** Decides whether an ambiguous mark starts a quoted cell. `mark` is the mark's index in the row. */
type Way = (mark: number) => boolean;

/** From the fourth mark on, all are treated alike: a row seldom has more than a ditto and a long note. */
const MARKS_TRIED = 4;
const MARKS_MAX = 8;

/** The possible rows from this line: all marks as characters, then all as quotes, then mixed. */
function readingsFrom(reader: Reader, line: number): Reading[] {
  const { text, lines, separator } = reader;
  const { start, end } = lines[line] ?? { start: 0, end: 0 };
  const raw = text.slice(start, end);
  const isBlank = start === end;
  if (!raw.includes('"'))
    return [
      {
        cells: raw.split(separator),
        next: line + 1,
        ways: '',
        isBlank,
        hasBareTab: separator !== '\t' && raw.includes('\t'),
        isDoubtful: false,
      },
    ];
  const readings = [readingOf(reader, line, () => false), readingOf(reader, line, () => true)];
  const marks = Math.max(...readings.map(({ ways }) => ways.length));
  if (marks === 0) return readings.slice(1);
  if (marks > MARKS_MAX || reader.isQuotedThroughout) return readings;
  for (let mask = 1; mask < 2 ** MARKS_TRIED - 1; mask++) {
    const isQuoted: Way = (mark) => ((mask >> Math.min(mark, MARKS_TRIED - 1)) & 1) === 1;
    const reading = readingOf(reader, line, isQuoted);
    if (!readings.some(({ ways }) => ways === reading.ways)) readings.push(reading);
  }
  return readings;
}

function readingOf({ text, lines, separator, closings, isQuotedThroughout }: Reader, line: number, way: Way) {
  const reading: Reading = {
    cells: [],
    next: line + 1,
    ways: '',
    isBlank: false,
    hasBareTab: false,
    isDoubtful: false,
  };
  let at = lines[line]?.start ?? 0;
  for (;;) {
    const { end } = lines[reading.next - 1] ?? { end: text.length };
    const found = text.slice(at, end).indexOf(separator);
    const stop = found === -1 ? end : at + found;
    const closing = text[at] === '"' ? closingOf(text, separator, at, closings) : undefined;
    let to = stop;
    let cell = text.slice(at, stop);
    if (closing !== undefined) {
      const isShort = closing + 1 === stop;
      const isQuoted = isShort ? isQuotedThroughout || needsMarks(cell) : way(reading.ways.length);
      if (isQuoted) {
        cell = text
          .slice(at + 1, closing)
          .replaceAll('""', '"')
          .replace(/\r\n?/g, '\n');
        to = closing + 1;
      }
      // If a quoted cell has no content, or lines and separators, its two marks are more likely unrelated.
      const isOdd = cell.trim() === '' || (cell.includes('\n') && cell.includes(separator));
      if (!isQuotedThroughout && (isShort || (to > stop && isOdd))) reading.isDoubtful = true;
      if (!isShort) reading.ways += to > stop ? 'q' : 'p';
      if (to > stop) {
        reading.next = lineAt(lines, closing, reading.next - 1) + 1;
      }
    }
    if (cell.includes('\t') && to === stop && separator !== '\t' && cell === text.slice(at, stop))
      reading.hasBareTab = true;
    reading.cells.push(cell);
    if (text[to] !== separator) return reading;
    at = to + 1;
  }
}

/** Whether a program would quote such a cell: the cell is empty, or contains marks or separators. */
const needsMarks = (quoted: string) => quoted === '""' || /""|[,;|]/.test(quoted.slice(1, -1));

/**
 * Position of the mark that closes a quoted cell; undefined if the opening mark is a plain character: not
 * closed, or followed by text. A search ends at an odd run of marks: no part is read more than twice.
 */
function closingOf(
  text: string,
  separator: Separator,
  start: number,
  closings: Map<number, number | undefined>,
): number | undefined {
  if (closings.has(start)) return closings.get(start);
  let closing: number | undefined;
  for (let mark = text.indexOf('"', start + 1); mark !== -1; mark = text.indexOf('"', mark + 2)) {
    const next = text[mark + 1];
    if (next === undefined || next === separator || next === '\n' || next === '\r') closing = mark;
    if (closing !== undefined || next !== '"') break;
  }
  closings.set(start, closing);
  return closing;
}

/** The index of the line that contains a position. The search begins at the line `from`. */
function lineAt(lines: readonly Line[], at: number, from: number): number {
  let low = from;
  let high = lines.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((lines[middle]?.next ?? 0) > at) high = middle;
    else low = middle + 1;
  }
  return low;
}
