import { Unzip, UnzipInflate, unzipSync, type UnzipFile, type UnzipFileInfo } from 'fflate';
import { TableRefusal } from './table-source.ts';

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
