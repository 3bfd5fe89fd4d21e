import {
  TEXT_TABLE,
  cleanTable,
  hasContent,
  readPastedText,
  type ReadRows,
  type RowOptions,
} from '../paste-table.ts';
import { fileKindOf, refusalText, TableRefusal } from './file-kind.ts';
import { TABLE_CELLS_MAX, DECODED_BYTES_MAX, TABLE_ROWS_MAX, throwTooLarge } from './limits.ts';
import type { TableWithDigest, ReadTable, ReadRefusal, TableSource } from './read-table.ts';

/** The part of readTable() that runs in the worker. */
export async function decodeTable(
  source: TableSource,
  options: RowOptions,
): Promise<ReadTable | ReadRefusal> {
  if ('text' in source) return { ...readPastedText(source.text, options), ...TEXT_TABLE };
  const { file, ...chosen } = source;
  const bytes = await bytesOf(file);
  if (!bytes) return { refusal: '파일이 바뀌었거나 옮겨졌습니다. 다시 선택하세요.' };
  const kind = fileKindOf(file.name, bytes);
  if ('refusal' in kind) return kind;
  try {
    if (kind.kind !== 'xlsx' && bytes.length > DECODED_BYTES_MAX) throwTooLarge();
    if (kind.kind === 'text') return readTextFile(bytes, file.name, options);
    // Loaded on demand, because it is the largest chunk and a paste does not need it.
    const { readHtml, readWorkbook } = await import('./workbook.ts');
    const read =
      kind.kind === 'html' ? readHtml(textOf(bytes) ?? '', chosen) : await readWorkbook(bytes, chosen);
    if ('refusal' in read) return read;
    const { rows, ...rest } = read;
    const hasHidden = chosen.withHidden === true;
    return { ...fromFirstCell(cleanTable(rows, options)), ...rest, hasHidden };
  } catch (error) {
    return { refusal: refusalText(error) };
  }
}

function readTextFile(bytes: Uint8Array, name: string, options: RowOptions): ReadTable {
  const text = textOf(bytes);
  if (text === undefined)
    throw new TableRefusal('글자를 알아볼 수 없는 파일입니다. 엑셀 파일(.xlsx)이나 CSV로 저장하세요.');
  refuseCostly(text);
  const read = readPastedText(text, { ...options, isCsv: /\.csv$/i.test(name) });
  return { ...fromFirstCell(read), ...TEXT_TABLE };
}

const codesOf = (characters: string) => new Set(Array.from(characters, (each) => each.charCodeAt(0)));
const LINE_ENDS = codesOf('\r\n');
const PARTING = codesOf('\r\n\t,;|"');

/** Rejects a text with too many lines or cells, before any cell is created. */
function refuseCostly(text: string): void {
  let [lines, cells] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (!PARTING.has(code)) continue;
    cells += 1;
    if (LINE_ENDS.has(code)) lines += 1;
  }
  if (lines > 2 * TABLE_ROWS_MAX || cells > TABLE_CELLS_MAX) throwTooLarge();
}

/** Undefined if the file was changed, moved or deleted after it was chosen. */
async function bytesOf(file: File): Promise<Uint8Array | undefined> {
  try {
    return new Uint8Array(await file.arrayBuffer());
  } catch (error) {
    if (error instanceof DOMException) return undefined;
    throw error;
  }
}

/** Removes the empty rows and columns before a sheet's table, as copying the table would do. */
function fromFirstCell({ rows, doubtful }: ReadRows): ReadRows {
  const top = Math.max(0, rows.findIndex(hasContent));
  let left = Number.POSITIVE_INFINITY;
  for (const row of rows) {
    const first = row.findIndex((cell) => cell !== '');
    if (first !== -1) left = Math.min(left, first);
  }
  return {
    rows: rows.slice(top).map((row) => row.slice(left)),
    doubtful: doubtful.map((at) => at - top),
  };
}

const SAMPLE = 4096;
/** Matches control characters that no table contains. */
const BINARY = /(?!\s)\p{Cc}/u;

/** A file's text: UTF-8 or UTF-16 with or without byte order mark, or else CP949, as in Korean Excel. */
function textOf(bytes: Uint8Array): string | undefined {
  for (const encoding of encodingsOf(bytes)) {
    try {
      const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
      if (!BINARY.test(text)) return text;
    } catch {
      // The bytes are not in this encoding; try the next one.
    }
  }
  return withCutLetters(bytes);
}

/** If more than one letter in fifty is damaged, the text is taken to have another encoding. */
const DAMAGED_MAX = 1 / 50;

/** Banks cut long texts between the bytes of a letter. The letter becomes U+FFFD, which the import flags. */
function withCutLetters(bytes: Uint8Array): string | undefined {
  const damaged = (text: string) => text.split('\ufffd').length - 1;
  const [best = ''] = encodingsOf(bytes)
    .map((encoding) => new TextDecoder(encoding).decode(bytes))
    .toSorted((a, b) => damaged(a) - damaged(b));
  return damaged(best) <= best.length * DAMAGED_MAX && !BINARY.test(best) ? best : undefined;
}

function encodingsOf(bytes: Uint8Array): readonly string[] {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return ['utf-16le'];
  if (first === 0xfe && second === 0xff) return ['utf-16be'];
  // In UTF-16, tabs, digits and line breaks have a zero byte, before or after the character's byte.
  let little = 0;
  let big = 0;
  for (let at = 0; at < Math.min(bytes.length, SAMPLE); at += 2) {
    if (isAscii(bytes[at]) && bytes[at + 1] === 0) little += 1;
    if (bytes[at] === 0 && isAscii(bytes[at + 1])) big += 1;
  }
  if (little + big > 0) return [little > big ? 'utf-16le' : 'utf-16be'];
  // The Encoding Standard's EUC-KR decoder reads CP949.
  return ['utf-8', 'euc-kr'];
}

const isAscii = (byte: number | undefined) => byte !== undefined && byte >= 0x09 && byte < 0x7f;

/** Adds a digest of the table's cells, which changes with any character. */
export async function addDigest(table: ReadTable): Promise<TableWithDigest> {
  const text = JSON.stringify(table.rows);
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  const mark = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
  return { ...table, mark, size: text.length };
}
