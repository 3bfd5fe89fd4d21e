import { ascii, concatBytes, hasText, isFollowedByPdf, dataViewOf, type StrippedImage } from './bytes.ts';
import { exifOrientation, tiffWithOrientation } from './exif.ts';

const PNG_SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
/** Chunks that hold the image or that its colours depend on. */
const KEPT = new Set([
  'PLTE',
  'IDAT',
  'IEND',
  'tRNS',
  'cHRM',
  'gAMA',
  'iCCP',
  'sBIT',
  'sRGB',
  'cICP',
  'pHYs',
  'bKGD',
]);
const DEPTHS: Record<number, number[]> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
};

/**
 * The PNG with only its image chunks, without data after its end. Undefined for data that does not begin with
 * one whole PNG with correct checksums.
 * @see https://www.w3.org/TR/png-3/
 */
export function stripPngMetadata(bytes: Uint8Array): StrippedImage | undefined {
  if (PNG_SIGNATURE.some((byte, at) => bytes[at] !== byte)) return undefined;
  const view = dataViewOf(bytes);
  const kept: Uint8Array[] = [];
  let header: Uint8Array | undefined;
  let orientation = 1;
  let last = '';
  let hasData = false;
  let at = PNG_SIGNATURE.length;
  while (last !== 'IEND') {
    if (at + 12 > bytes.length) return undefined;
    const length = view.getUint32(at);
    const end = at + 12 + length;
    if (end > bytes.length) return undefined;
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    if (!/^[A-Za-z]{4}$/.test(type) || view.getUint32(end - 4) !== crc32(bytes.subarray(at + 4, end - 4)))
      return undefined;
    const content = bytes.subarray(at + 8, end - 4);
    const chunk = bytes.subarray(at, end);
    if (!header) {
      if (type !== 'IHDR' || !isHeader(content)) return undefined;
      header = chunk;
    } else if (type === 'eXIf') orientation = exifOrientation(content);
    else if (KEPT.has(type)) {
      if (type === 'IDAT' && hasData && last !== 'IDAT') return undefined;
      hasData ||= type === 'IDAT';
      kept.push(chunk);
    } else if (/^[A-Z]/.test(type)) return undefined;
    last = type;
    at = end;
  }
  if (!header || !hasData || isFollowedByPdf(bytes, at)) return undefined;
  const exif = orientation === 1 ? [] : [pngChunk('eXIf', tiffWithOrientation(orientation))];
  const size = dataViewOf(header);
  return {
    width: size.getUint32(8),
    height: size.getUint32(12),
    bytes: concatBytes([PNG_SIGNATURE, header, ...exif, ...kept]),
  };
}

function isHeader(content: Uint8Array): boolean {
  const [depth = 0, colour = -1, compression, filter, interlace = 2] = content.subarray(8);
  const isKnown = DEPTHS[colour]?.includes(depth) ?? false;
  return content.length === 13 && isKnown && compression === 0 && filter === 0 && interlace <= 1;
}

export function pngChunk(type: string, content: Uint8Array): Uint8Array<ArrayBuffer> {
  const chunk = new Uint8Array(12 + content.length);
  const view = dataViewOf(chunk);
  view.setUint32(0, content.length);
  chunk.set(ascii(type), 4);
  chunk.set(content, 8);
  view.setUint32(8 + content.length, crc32(chunk.subarray(4, -4)));
  return chunk;
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value;
});

function crc32(bytes: Uint8Array): number {
  let value = 0xffffffff;
  for (const byte of bytes) value = (CRC_TABLE[(value ^ byte) & 0xff] ?? 0) ^ (value >>> 8);
  return (value ^ 0xffffffff) >>> 0;
}

export const isPng = (bytes: Uint8Array) => hasText(bytes, 1, 'PNG\r\n') && bytes[0] === 0x89;
