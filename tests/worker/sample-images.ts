import { ascii, concat } from '../../worker/src/lib/images/bytes.ts';
import { tiffWith } from '../../worker/src/lib/images/exif.ts';
import { chunkOf } from '../../worker/src/lib/images/png.ts';
import { webpOf } from '../../worker/src/lib/images/webp.ts';

/* Pictures of 12 × 8 pixels as Chromium writes them, and ways to hide something in them. */

const decoded = (base64: string) => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));

export const jpeg = decoded(
  '/9j/4AAQSkZJRgABAQAAAQABAAD/4gHYSUNDX1BST0ZJTEUAAQEAAAHIAAAAAAQwAABtbnRyUkdCIFhZWiAH4AABAAEAAAAAAABhY3NwAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAQAA9tYAAQAAAADTLQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAlkZXNjAAAA8AAAACRyWFlaAAABFAAAABRnWFlaAAABKAAAABRiWFlaAAABPAAAABR3dHB0AAABUAAAABRyVFJDAAABZAAAAChnVFJDAAABZAAAAChiVFJDAAABZAAAAChjcHJ0AAABjAAAADxtbHVjAAAAAAAAAAEAAAAMZW5VUwAAAAgAAAAcAHMAUgBHAEJYWVogAAAAAAAAb6IAADj1AAADkFhZWiAAAAAAAABimQAAt4UAABjaWFlaIAAAAAAAACSgAAAPhAAAts9YWVogAAAAAAAA9tYAAQAAAADTLXBhcmEAAAAAAAQAAAACZmYAAPKnAAANWQAAE9AAAApbAAAAAAAAAABtbHVjAAAAAAAAAAEAAAAMZW5VUwAAACAAAAAcAEcAbwBvAGcAbABlACAASQBuAGMALgAgADIAMAAxADb/2wBDABsSFBcUERsXFhceHBsgKEIrKCUlKFE6PTBCYFVlZF9VXVtqeJmBanGQc1tdhbWGkJ6jq62rZ4C8ybqmx5moq6T/2wBDARweHigjKE4rK06kbl1upKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKT/wAARCAAIAAwDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAT/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFQEBAQAAAAAAAAAAAAAAAAAAAgT/xAAYEQACAwAAAAAAAAAAAAAAAAAAAQIDEf/aAAwDAQACEQMRAD8AmAUVRWCuk9P/2Q==',
);
export const png = decoded(
  'iVBORw0KGgoAAAANSUhEUgAAAAwAAAAICAYAAADN5B7xAAAA30lEQVR4ATSQIQsCQRCF9/a43V9kUIOIgsELgmizCRbBZLCITbAINsFiNlqN/qmdCeOb2TUMj5md971h/bfTk093JO9+K6/BQp7DldzHG7lOdnKeHuTYnmQ/u8h2fpP18iGefXBUoaAJyj665BvH6KlqHNXRkfVZPelDHfIQasu2pDOtBubokpoBywaQCY0OWQH2GAAJeVkTACMoDCCUhkFOaijF0AzBOQYNDoZocYwEvZmxRKXUzAVGpmbQBJgQ9180E85S1Y8ggwWcBwNbA1OhEjSTY/4tIzdOE/S8HwAAAP//xSCFRgAAAAZJREFUAwA2BG/iyEqQ8wAAAABJRU5ErkJggg==',
);
export const webp = decoded(
  'UklGRhQCAABXRUJQVlA4WAoAAAAgAAAACwAABwAASUNDUMgBAAAAAAHIAAAAAAQwAABtbnRyUkdCIFhZWiAH4AABAAEAAAAAAABhY3NwAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAQAA9tYAAQAAAADTLQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAlkZXNjAAAA8AAAACRyWFlaAAABFAAAABRnWFlaAAABKAAAABRiWFlaAAABPAAAABR3dHB0AAABUAAAABRyVFJDAAABZAAAAChnVFJDAAABZAAAAChiVFJDAAABZAAAAChjcHJ0AAABjAAAADxtbHVjAAAAAAAAAAEAAAAMZW5VUwAAAAgAAAAcAHMAUgBHAEJYWVogAAAAAAAAb6IAADj1AAADkFhZWiAAAAAAAABimQAAt4UAABjaWFlaIAAAAAAAACSgAAAPhAAAts9YWVogAAAAAAAA9tYAAQAAAADTLXBhcmEAAAAAAAQAAAACZmYAAPKnAAANWQAAE9AAAApbAAAAAAAAAABtbHVjAAAAAAAAAAEAAAAMZW5VUwAAACAAAAAcAEcAbwBvAGcAbABlACAASQBuAGMALgAgADIAMAAxADZWUDggJgAAAHABAJ0BKgwACAAEAGglsAJ0AYhAAP7izbKGl7Ytx+/JVO7soAAA',
);
export const losslessWebp = decoded(
  'UklGRuQCAABXRUJQVlA4WAoAAAAwAAAACwAABwAASUNDUMgBAAAAAAHIAAAAAAQwAABtbnRyUkdCIFhZWiAH4AABAAEAAAAAAABhY3NwAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAQAA9tYAAQAAAADTLQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAlkZXNjAAAA8AAAACRyWFlaAAABFAAAABRnWFlaAAABKAAAABRiWFlaAAABPAAAABR3dHB0AAABUAAAABRyVFJDAAABZAAAAChnVFJDAAABZAAAAChiVFJDAAABZAAAAChjcHJ0AAABjAAAADxtbHVjAAAAAAAAAAEAAAAMZW5VUwAAAAgAAAAcAHMAUgBHAEJYWVogAAAAAAAAb6IAADj1AAADkFhZWiAAAAAAAABimQAAt4UAABjaWFlaIAAAAAAAACSgAAAPhAAAts9YWVogAAAAAAAA9tYAAQAAAADTLXBhcmEAAAAAAAQAAAACZmYAAPKnAAANWQAAE9AAAApbAAAAAAAAAABtbHVjAAAAAAAAAAEAAAAMZW5VUwAAACAAAAAcAEcAbwBvAGcAbABlACAASQBuAGMALgAgADIAMAAxADZWUDhM9gAAAC8LwAEQp8KgbRtBcQ/J8+f4o4GgYdoU/Gu6sA8Ig7ZtBCfTtHf3QN5A2ra5QMclPr73/9t3bluXOVsDdnZHQ9ayHAtZG/ovG8iQNeNiQyXLGrga5LIQ49ImFDd0Say1RXRZjq2Fumwgoa4Jl26grgm1AaWjEEuAqiOUBiS4LUOMJJYkLkEbQTpZjKW1LkJs29al3f47OAwAgExm27Yylm27/n+mJyL63wYAQmnB8LNaOV6DCMlpTlLpDJY7GGcUK8pbvdnmjFGSHqSN7mR1vBK86sXV9nC+vzxZ2Q6LZn+6Pd3foumn9XK0PtxeX839z8Xu8vj8AA==',
);

/** What a camera writes of the place, and must not be found any more. */
export const SECRET = 'GPS 37.5665N 126.9780E';

/** A TIFF block with an orientation and the secret behind it. */
export const secretTiff = (orientation: number) => concat([tiffWith(orientation), ascii(SECRET)]);

export function segment(marker: number, content: Uint8Array): Uint8Array {
  const length = content.length + 2;
  return concat([Uint8Array.of(0xff, marker, length >> 8, length & 0xff), content]);
}

/** Puts segments behind the first marker. */
export const jpegWith = (...segments: Uint8Array[]) =>
  concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)]);

export const exifSegment = (orientation: number) =>
  segment(0xe1, concat([ascii('Exif\0\0'), secretTiff(orientation)]));

/** Puts chunks behind IHDR. */
export const pngWith = (...chunks: [type: string, content: Uint8Array][]) =>
  concat([png.subarray(0, 33), ...chunks.map(([type, content]) => chunkOf(type, content)), png.subarray(33)]);

/** Puts chunks behind the image. */
export function webpWith(...chunks: [type: string, content: Uint8Array][]): Uint8Array<ArrayBuffer> {
  const rest = webpOf(chunks.map(([type, content]) => ({ type, content }))).subarray(12);
  const whole = concat([webp, rest]);
  new DataView(whole.buffer).setUint32(4, whole.length - 8, true);
  return whole;
}

/** A PNG's beginning that says how large it is. */
export function pngOf(width: number, height: number): Uint8Array<ArrayBuffer> {
  const header = png.slice(16, 29);
  const view = new DataView(header.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  return concat([png.subarray(0, 8), chunkOf('IHDR', header), png.subarray(33)]);
}

/** Files that are no picture, whatever they are called. */
export const hostile: Record<string, Uint8Array<ArrayBuffer>> = {
  'an empty file': new Uint8Array(),
  SVG: concat([ascii('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')]),
  HTML: concat([ascii('<!doctype html><script>alert(1)</script>')]),
  'a GIF with a script': concat([ascii('GIF89a/*<script>alert(1)</script>*/')]),
  'a PDF that is a PNG too': concat([ascii('%PDF-1.7\n'), png]),
  'a PNG with a PDF behind it': concat([png, ascii('%PDF-1.7\n%%EOF')]),
  'a JPEG with HTML behind it': concat([jpeg, ascii('<script>alert(1)</script>')]),
  'a WebP with a ZIP behind it': concat([webp, ascii('PK\x05\x06')]),
  'half a JPEG': jpeg.slice(0, 600),
  'half a PNG': png.slice(0, 200),
  'half a WebP': webp.slice(0, 300),
  'a PNG of 30,000 × 30,000': pngOf(30_000, 30_000),
  'a PNG of no pixels': pngOf(0, 8),
  'a PNG with a wrong checksum': png.with(20, 1),
  'a signature alone': png.slice(0, 8),
};
/** What an iPhone sends. */
export const heic = concat([Uint8Array.of(0, 0, 0, 24), ascii('ftypheic'), new Uint8Array(100)]);
