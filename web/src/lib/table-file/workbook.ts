import { Unzip, UnzipInflate, unzipSync, type UnzipFile, type UnzipFileInfo } from 'fflate';
import { builtInFormat } from './cell-text.ts';
import { MACROS, notATable, TableRefusal } from './file-kind.ts';
import { readSharedStrings, readSheet, walkXml, type Book } from './sheet.ts';

/** The rows of one sheet, and the names of those that can be seen. */
export function readWorkbook(
  bytes: Uint8Array,
  chosen = 0,
): { rows: string[][]; sheets: string[]; sheet: number } {
  refuseOthers(listParts(bytes));
  const parts = unzipParts(bytes, (name) => /\.(?:xml|rels)$/i.test(name));
  const bookPath = targetsOf(parts, '', 'officeDocument')[0]?.path ?? 'xl/workbook.xml';
  const { sheets, is1904 } = readBook(partOf(parts, bookPath));
  const targets = targetsOf(parts, bookPath, 'worksheet');
  const visible = sheets.filter(({ isHidden }) => !isHidden);
  const sheet = visible[chosen] ? chosen : 0;
  const part = targets.find(({ id }) => id === visible[sheet]?.relation);
  if (!part) throw new TableRefusal('시트가 없는 엑셀 파일입니다.');
  const only = (type: string) => {
    const [target] = targetsOf(parts, bookPath, type);
    return target && parts.get(target.path);
  };
  const book: Book = {
    strings: readSharedStrings(only('sharedStrings')),
    formats: readFormats(only('styles')),
    is1904,
  };
  return { rows: readSheet(partOf(parts, part.path), book), sheets: visible.map(({ name }) => name), sheet };
}

/** A zip may hold anything. */
function refuseOthers(names: readonly string[]): void {
  const has = (pattern: RegExp) => names.some((name) => pattern.test(name));
  if (has(/vbaProject\.bin$/i)) throw new TableRefusal(MACROS);
  if (has(/^Contents\/section\d+\.xml$/i)) throw new TableRefusal(notATable('한글 문서'));
  if (has(/^word\//i)) throw new TableRefusal(notATable('워드 문서'));
  if (has(/^ppt\//i)) throw new TableRefusal(notATable('발표 자료'));
  if (has(/^content\.xml$/i)) throw new TableRefusal(notATable('ODS'));
  if (!has(/^\[Content_Types\]\.xml$/i) || has(/workbook\.bin$/i)) throw new TableRefusal(notATable('압축'));
}

type Target = { id: string; path: string };

/** The parts that a part points to with relations of a type, which a file names relative to itself. */
function targetsOf(parts: ReadonlyMap<string, Uint8Array>, from: string, type: string): Target[] {
  const folder = from.slice(0, from.lastIndexOf('/') + 1);
  const relations = parts.get(`${folder}_rels/${from.slice(folder.length)}.rels`);
  const targets: Target[] = [];
  if (!relations) return targets;
  walkXml(relations, {
    open: (name, attributes) => {
      if (name !== 'Relationship') return;
      const { Id: id = '', Type: own = '', Target: target = '' } = attributes();
      if (!own.endsWith(`/${type}`)) return;
      const path = decodeURIComponent(new URL(target, `file:///${folder}`).pathname.slice(1));
      targets.push({ id, path });
    },
  });
  return targets;
}

function partOf(parts: ReadonlyMap<string, Uint8Array>, path: string): Uint8Array {
  const part = parts.get(path);
  if (!part) throw new Error(`a part is missing: ${path}`);
  return part;
}

type Sheet = { name: string; relation: string; isHidden: boolean };

function readBook(bytes: Uint8Array): { sheets: Sheet[]; is1904: boolean } {
  const sheets: Sheet[] = [];
  let is1904 = false;
  walkXml(bytes, {
    open: (tag, attributes) => {
      if (tag === 'workbookPr') is1904 ||= /^(?:1|true)$/.test(attributes()['date1904'] ?? '');
      if (tag !== 'sheet') return;
      // `r:id`, after `sheetId`.
      const { name = '', id = '', state = '' } = attributes();
      sheets.push({ name, relation: id, isHidden: /hidden/i.test(state) });
    },
  });
  return { sheets, is1904 };
}

/** The number format of each style of a cell. */
function readFormats(bytes: Uint8Array | undefined): string[] {
  const own = new Map<number, string>();
  const formats: string[] = [];
  let isOfCells = false;
  if (!bytes) return formats;
  walkXml(bytes, {
    open: (name, attributes) => {
      if (name === 'cellXfs') isOfCells = true;
      if (name === 'numFmt') {
        const { numFmtId, formatCode = 'General' } = attributes();
        own.set(Number(numFmtId), formatCode);
      }
      if (name !== 'xf' || !isOfCells) return;
      const id = Number(attributes()['numFmtId'] ?? 0);
      formats.push(own.get(id) ?? builtInFormat(id));
    },
    close: (name) => {
      if (name === 'cellXfs') isOfCells = false;
    },
  });
  return formats;
}

/** All parts of a workbook together; a table of 5,000 rows has 3 MB. */
const UNZIPPED_MAX = 200 * 1024 * 1024;
const PARTS_MAX = 5000;
/** Of compressed bytes, a thousand times as many at most come out at once. */
const STEP = 16 * 1024;
const TOO_LARGE = '압축을 풀면 너무 커지는 파일이어서 읽지 않습니다. 필요한 시트만 따로 저장하세요.';

/** What is in a zip, without unpacking it. Refuses one that says it is too large. */
export function listParts(bytes: Uint8Array): string[] {
  const found: UnzipFileInfo[] = [];
  unzipSync(bytes, { filter: (part) => found.push(part) > PARTS_MAX && tooLarge() });
  if (found.reduce((sum, { originalSize }) => sum + originalSize, 0) > UNZIPPED_MAX) tooLarge();
  return found.map(({ name }) => name);
}

/** Unpacks some parts step by step, because a zip can hold more than it says. */
export function unzipParts(
  bytes: Uint8Array,
  isWanted: (name: string) => boolean,
  sizeMax = UNZIPPED_MAX,
): Map<string, Uint8Array> {
  const parts = new Map<string, Uint8Array>();
  let size = 0;
  const take = (part: UnzipFile) => {
    if (!isWanted(part.name)) return;
    const chunks: Uint8Array[] = [];
    part.ondata = (error, chunk, isLast) => {
      if (error) throw error;
      size += chunk.length;
      if (size > sizeMax) tooLarge();
      chunks.push(chunk);
      if (isLast) parts.set(part.name, joined(chunks));
    };
    part.start();
  };
  const unzip = new Unzip(take);
  unzip.register(UnzipInflate);
  for (let at = 0; at < bytes.length; at += STEP)
    unzip.push(bytes.subarray(at, at + STEP), at + STEP >= bytes.length);
  return parts;
}

function joined(chunks: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

function tooLarge(): never {
  throw new TableRefusal(TOO_LARGE);
}
