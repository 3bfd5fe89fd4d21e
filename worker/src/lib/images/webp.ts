import { ascii, concatBytes, hasText, isFollowedByPdf, dataViewOf, type StrippedImage } from './bytes.ts';
import { exifOrientation, tiffWithOrientation } from './exif.ts';

const ICC = 0x20;
const ALPHA = 0x10;
const EXIF = 0x08;
const ANIMATION = 0x02;

type Chunk = { type: string; content: Uint8Array };

/**
 * The WebP with only its image, transparency and colour profile, without data after its end. Undefined for
 * data that does not begin with one whole still WebP.
 * @see https://developers.google.com/speed/webp/docs/riff_container
 */
export function stripWebpMetadata(bytes: Uint8Array): StrippedImage | undefined {
  const chunks = chunksOf(bytes);
  const [first] = chunks ?? [];
  if (!chunks || !first) return undefined;
  const find = (type: string) => chunks.find((chunk) => chunk.type === type)?.content;
  const images = chunks.filter(({ type }) => type === 'VP8 ' || type === 'VP8L');
  const [image] = images;
  if (!image || images.length > 1) return undefined;
  const size = image.type === 'VP8L' ? losslessSize(image.content) : lossySize(image.content);
  if (!size) return undefined;
  if (first === image) return { ...size, bytes: buildWebp([image]) };

  const flags = first.content[0] ?? 0;
  if (first.type !== 'VP8X' || first.content.length !== 10 || flags & ANIMATION) return undefined;
  if (uint24(first.content, 4) + 1 !== size.width || uint24(first.content, 7) + 1 !== size.height)
    return undefined;
  const profile = find('ICCP');
  const alpha = image.type === 'VP8 ' ? find('ALPH') : undefined;
  const orientation = exifOrientation(exifContent(find('EXIF') ?? new Uint8Array()));
  const extended = first.content.slice();
  extended[0] = (profile ? ICC : 0) | (flags & ALPHA) | (orientation === 1 ? 0 : EXIF);
  const kept: Chunk[] = [{ type: 'VP8X', content: extended }];
  if (profile) kept.push({ type: 'ICCP', content: profile });
  if (alpha) kept.push({ type: 'ALPH', content: alpha });
  kept.push(image);
  if (orientation !== 1) kept.push({ type: 'EXIF', content: tiffWithOrientation(orientation) });
  return { ...size, bytes: buildWebp(kept) };
}

export const isWebp = (bytes: Uint8Array) => hasText(bytes, 0, 'RIFF') && hasText(bytes, 8, 'WEBP');

/** The chunks in order; undefined if their total size differs from the header's. */
function chunksOf(file: Uint8Array): Chunk[] | undefined {
  if (!isWebp(file)) return undefined;
  const end = dataViewOf(file).getUint32(4, true) + 8;
  if (end % 2 !== 0 || end > file.length || isFollowedByPdf(file, end)) return undefined;
  const bytes = file.subarray(0, end);
  const view = dataViewOf(bytes);
  const chunks: Chunk[] = [];
  let at = 12;
  while (at + 8 <= bytes.length) {
    const length = view.getUint32(at + 4, true);
    const content = bytes.subarray(at + 8, at + 8 + length);
    if (content.length !== length) return undefined;
    chunks.push({ type: String.fromCharCode(...bytes.subarray(at, at + 4)), content });
    at += 8 + length + (length % 2);
  }
  return at === bytes.length ? chunks : undefined;
}

export function buildWebp(chunks: Chunk[]): Uint8Array<ArrayBuffer> {
  const parts = chunks.flatMap(({ type, content }) => [
    ascii(type),
    uint32(content.length),
    content,
    new Uint8Array(content.length % 2),
  ]);
  const length = parts.reduce((sum, part) => sum + part.length, 4);
  return concatBytes([ascii('RIFF'), uint32(length), ascii('WEBP'), ...parts]);
}

function uint32(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  dataViewOf(bytes).setUint32(0, value, true);
  return bytes;
}

const uint24 = (bytes: Uint8Array, at: number) =>
  (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16);

/** Some encoders put JPEG's six-byte "Exif" prefix before the TIFF block. */
const exifContent = (content: Uint8Array) =>
  hasText(content, 0, 'Exif\0\0') ? content.subarray(6) : content;

/** The size in the header of a lossy key frame, if the first partition is complete. */
function lossySize(content: Uint8Array): { width: number; height: number } | undefined {
  const tag = uint24(content, 0);
  const isKeyFrame = (tag & 1) === 0;
  if (content.length < 10 || !isKeyFrame || uint24(content, 3) !== 0x2a019d) return undefined;
  if (10 + (tag >> 5) > content.length) return undefined;
  const view = dataViewOf(content);
  return { width: view.getUint16(6, true) & 0x3fff, height: view.getUint16(8, true) & 0x3fff };
}

function losslessSize(content: Uint8Array): { width: number; height: number } | undefined {
  if (content.length < 6 || content[0] !== 0x2f) return undefined;
  const bits = dataViewOf(content).getUint32(1, true);
  // The top three bits are the version; only 0 is defined.
  if (bits >>> 29 !== 0) return undefined;
  return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 };
}
