import { Unzip, UnzipInflate, unzipSync } from 'fflate';
import { TableRefusal } from './file-kind.ts';

/** Maximum size of a workbook's parts together, in bytes; a table of 5,000 rows has 3 MB. */
const UNZIPPED_MAX = 32 * 1024 * 1024;
const PARTS_MAX = 5000;
/** How many compressed bytes are unpacked at a time: they grow to at most a thousand times as many. */
const STEP = 4 * 1024;

/** The cost of reading a part. */
export type ZipPartCost = {
  size: number;
  tags: number;
  /** `columnTags` may each define many columns; `otherTags` are links, merged cells, filters and the like. */
  columnTags: number;
  otherTags: number;
  /** The highest numbers of a row and of a column with a cell, counted from 1. */
  lastRow: number;
  lastColumn: number;
  /** Whether a number format is longer than spreadsheets allow; hucre parses it again for every cell. */
  hasLongFormat: boolean;
};

const LONG_FORMAT = /formatCode\s*=\s*(?:"[^"]{2000}|'[^']{2000})/;
/** Number of characters that are read again with the next chunk, because a tag may continue there. */
const TAIL = 2100;
const COLUMN_TAG = /<(?:\w{1,9}:)?col\s/g;
const OTHER_TAG = /<(?:\w{1,9}:)?(?:hyperlink|mergeCell|cfRule|dataValidation|sparkline|brk|filter)\s/g;
const CELL_TAG = /<(?:\w{1,9}:)?(row|c)(?=[\s/>])(?:[^<>]*?\sr\s*=\s*["']([A-Z]*)(\d{1,15}))?/gi;

/**
 * Returns the parts of a zip by name; parts that are read have their cost, measured on the unpacked data.
 * Rejects a zip that is too large, whatever sizes it declares, or whose list names a part that it lacks.
 */
export function measureZipParts(bytes: Uint8Array, sizeMax = UNZIPPED_MAX): Map<string, ZipPartCost> {
  const parts = new Map<string, ZipPartCost>();
  let declared = 0;
  unzipSync(bytes, {
    filter: ({ name, originalSize }) => {
      parts.set(name, { ...NO_COST });
      if (isRead(name)) declared += originalSize;
      return parts.size > PARTS_MAX || declared > sizeMax ? tooLarge() : false;
    },
  });
  const unseen = new Set(parts.keys());
  let size = 0;
  let count = 0;
  const unzip = new Unzip((part) => {
    unseen.delete(part.name);
    if ((count += 1) > PARTS_MAX) tooLarge();
    const cost = parts.get(part.name);
    if (!cost || !isRead(part.name)) return;
    let tail = '';
    part.ondata = (error, chunk) => {
      if (error) throw error;
      size += chunk.length;
      if (size > sizeMax) tooLarge();
      const text = asText.decode(chunk);
      addCost(cost, text);
      cost.hasLongFormat ||= LONG_FORMAT.test(tail + text);
      tail = text.slice(-TAIL);
    };
    part.start();
  });
  unzip.register(UnzipInflate);
  for (let at = 0; at < bytes.length; at += STEP)
    unzip.push(bytes.subarray(at, at + STEP), at + STEP >= bytes.length);
  if (unseen.size > 0) throw new Error('parts of the zip are listed that it does not hold');
  return parts;
}

const NO_COST: ZipPartCost = {
  size: 0,
  tags: 0,
  columnTags: 0,
  otherTags: 0,
  lastRow: 0,
  lastColumn: 0,
  hasLongFormat: false,
};
const asText = new TextDecoder('latin1');

function addCost(cost: ZipPartCost, text: string): void {
  cost.size += text.length;
  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', at + 1)) cost.tags += 1;
  cost.columnTags += text.match(COLUMN_TAG)?.length ?? 0;
  cost.otherTags += text.match(OTHER_TAG)?.length ?? 0;
  // A row or cell without a position follows the previous one.
  let [row, column] = [cost.lastRow, 0];
  for (const [, tag, letters, digits] of text.matchAll(CELL_TAG)) {
    if (tag === 'c') {
      column = letters === undefined ? column + 1 : columnNumber(letters);
      cost.lastColumn = Math.max(cost.lastColumn, column);
      row = digits === undefined ? row : Number(digits);
      cost.lastRow = Math.max(cost.lastRow, row);
    } else {
      row = digits === undefined ? row + 1 : Number(digits);
      column = 0;
    }
  }
}

/** The number of a column: 28 for `AB`. */
export const columnNumber = (letters: string) =>
  letters
    .toUpperCase()
    .split('')
    .reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);

/** Whether a part is read; pictures are not unpacked. */
const isRead = (name: string) => /\.(?:xml|rels)$/i.test(name);

function tooLarge(): never {
  throw new TableRefusal('압축을 풀면 너무 커지는 파일이어서 읽지 않습니다. 필요한 시트만 따로 저장하세요.');
}
