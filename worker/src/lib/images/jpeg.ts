import { ascii, concatBytes, hasText, isFollowedByPdf, dataViewOf, type StrippedImage } from './bytes.ts';
import { exifOrientation, tiffWithOrientation } from './exif.ts';

/** Second bytes of the accepted JPEG markers: those that browsers render, and no others. */
const SOI = 0xd8;
const EOI = 0xd9;
const SOS = 0xda;
const DQT = 0xdb;
const DHT = 0xc4;
const DRI = 0xdd;
const COM = 0xfe;
const APP0 = 0xe0;
const APP1 = 0xe1;
const APP2 = 0xe2;
const APP14 = 0xee;
const APP15 = 0xef;
const frames = new Set([0xc0, 0xc1, 0xc2]);

const EXIF = 'Exif\0\0';

/**
 * The JPEG with only its tables, scans and colour profile. Phones append further pictures, gain maps and
 * films, and point to them in APP1 and APP2; only the first picture remains. Undefined for data that does not
 * begin with one whole JPEG.
 * @see https://www.w3.org/Graphics/JPEG/itu-t81.pdf annex B
 */
export function stripJpegMetadata(bytes: Uint8Array): StrippedImage | undefined {
  if (bytes[0] !== 0xff || bytes[1] !== SOI) return undefined;
  const view = dataViewOf(bytes);
  let header: Uint8Array = new Uint8Array();
  const kept: Uint8Array[] = [];
  let size: { width: number; height: number } | undefined;
  let orientation = 1;
  let scans = 0;
  let at = 2;
  for (;;) {
    if (bytes[at] !== 0xff) return undefined;
    while (bytes[at] === 0xff) at++;
    const marker = bytes[at++];
    if (marker === EOI) break;
    if (marker === undefined || at + 2 > bytes.length) return undefined;
    const end = at + view.getUint16(at);
    if (end < at + 2 || end > bytes.length) return undefined;
    const content = bytes.subarray(at + 2, end);
    at = end;
    if (marker === APP0) {
      if (header.length === 0 && hasText(content, 0, 'JFIF\0')) header = jfif(content);
    } else if (marker === APP1) {
      if (hasText(content, 0, EXIF)) orientation = exifOrientation(content.subarray(EXIF.length));
    } else if ((marker < APP0 || marker > APP15) && marker !== COM) {
      if (!isWhole(marker, content)) return undefined;
      if (frames.has(marker)) {
        if (size) return undefined;
        size = sizeOf(content);
      }
      if (marker === SOS) {
        if (!size) return undefined;
        at = endOfScan(bytes, end);
        if (at === -1) return undefined;
        scans++;
      }
      kept.push(segment(marker, content), bytes.subarray(end, at));
    } else if (isColour(marker, content)) kept.push(segment(marker, content));
  }
  if (!size || scans === 0 || isFollowedByPdf(bytes, at)) return undefined;
  const exif =
    orientation === 1 ? [] : [segment(APP1, concatBytes([ascii(EXIF), tiffWithOrientation(orientation)]))];
  const marks = [Uint8Array.of(0xff, SOI), Uint8Array.of(0xff, EOI)] as const;
  return { ...size, bytes: concatBytes([marks[0], header, ...exif, ...kept, marks[1]]) };
}

function segment(marker: number, content: Uint8Array): Uint8Array<ArrayBuffer> {
  const length = content.length + 2;
  return concatBytes([Uint8Array.of(0xff, marker, length >> 8, length & 0xff), content]);
}

/** The JFIF segment without its thumbnail. */
function jfif(content: Uint8Array): Uint8Array {
  const fields = new Uint8Array(14);
  fields.set(content.subarray(0, 12));
  return segment(APP0, fields);
}

/** Whether the segment is a colour profile or Adobe's colour transform: both affect the colours. */
function isColour(marker: number, content: Uint8Array): boolean {
  if (marker === APP2) return hasText(content, 0, 'ICC_PROFILE\0');
  return marker === APP14 && content.length === 12 && hasText(content, 0, 'Adobe');
}

function sizeOf(frame: Uint8Array): { width: number; height: number } {
  const view = dataViewOf(frame);
  return { width: view.getUint16(3), height: view.getUint16(1) };
}

/** Whether a segment's length matches its declared contents; false for segments that are not allowed here. */
function isWhole(marker: number, content: Uint8Array): boolean {
  if (marker === DQT) return endsWithTable(content, (at) => 65 + ((content[at] ?? 0) > 0x0f ? 64 : 0));
  if (marker === DHT) {
    return endsWithTable(content, (at) =>
      content.subarray(at + 1, at + 17).reduce((sum, count) => sum + count, 17),
    );
  }
  if (marker === DRI) return content.length === 2;
  if (marker === SOS) return content.length === 4 + 2 * (content[0] ?? 0);
  const components = content[5] ?? 0;
  return (
    frames.has(marker) &&
    content.length === 6 + 3 * components &&
    [1, 3, 4].includes(components) &&
    content[0] === 8
  );
}

function endsWithTable(content: Uint8Array, lengthAt: (at: number) => number): boolean {
  let at = 0;
  while (at < content.length) at += lengthAt(at);
  return at === content.length && at > 0;
}

/** Offset of the marker after a scan: the first 0xff that is neither data nor a restart; -1 without one. */
function endOfScan(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at !== -1; at = bytes.indexOf(0xff, at)) {
    const next = bytes[at + 1];
    if (next === undefined) return -1;
    if (next === 0xff) at += 1;
    else if (next === 0 || (next >= 0xd0 && next <= 0xd7)) at += 2;
    else return at;
  }
  return -1;
}
