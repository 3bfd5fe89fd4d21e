import { Unzip, UnzipInflate, unzipSync, type UnzipFileInfo } from 'fflate';
import { TableRefusal } from './file-kind.ts';

/** All parts of a workbook together; a table of 5,000 rows has 3 MB. */
const UNZIPPED_MAX = 64 * 1024 * 1024;
const PARTS_MAX = 5000;
/** Of compressed bytes, a thousand times as many at most come out at once. */
const STEP = 16 * 1024;

/** The names of what is in a zip. Refuses one that is too large, by what it says and by what really comes out. */
export function listParts(bytes: Uint8Array, sizeMax = UNZIPPED_MAX): string[] {
  const found: UnzipFileInfo[] = [];
  unzipSync(bytes, { filter: (part) => found.push(part) > PARTS_MAX && tooLarge() });
  const declared = found.filter(({ name }) => isRead(name)).map(({ originalSize }) => originalSize);
  if (declared.reduce((sum, each) => sum + each, 0) > sizeMax) tooLarge();
  let size = 0;
  const unzip = new Unzip((part) => {
    if (!isRead(part.name)) return;
    part.ondata = (error, chunk) => {
      if (error) throw error;
      size += chunk.length;
      if (size > sizeMax) tooLarge();
    };
    part.start();
  });
  unzip.register(UnzipInflate);
  for (let at = 0; at < bytes.length; at += STEP)
    unzip.push(bytes.subarray(at, at + STEP), at + STEP >= bytes.length);
  return found.map(({ name }) => name);
}

/** Pictures are not unpacked. */
const isRead = (name: string) => /\.(?:xml|rels)$/i.test(name);

function tooLarge(): never {
  throw new TableRefusal('압축을 풀면 너무 커지는 파일이어서 읽지 않습니다. 필요한 시트만 따로 저장하세요.');
}
