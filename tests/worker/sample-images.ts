import { ascii, concatBytes, dataViewOf } from '../../worker/src/lib/images/bytes.ts';
import { tiffWithOrientation } from '../../worker/src/lib/images/exif.ts';
import { pngChunk } from '../../worker/src/lib/images/png.ts';
import { buildWebp } from '../../worker/src/lib/images/webp.ts';

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
export const secretTiff = (orientation: number) =>
  concatBytes([tiffWithOrientation(orientation), ascii(SECRET)]);

export function segment(marker: number, content: Uint8Array): Uint8Array {
  const length = content.length + 2;
  return concatBytes([Uint8Array.of(0xff, marker, length >> 8, length & 0xff), content]);
}

/** Puts segments behind the first marker. */
export const jpegWith = (...segments: Uint8Array[]) =>
  concatBytes([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)]);

export const exifSegment = (orientation: number) =>
  segment(0xe1, concatBytes([ascii('Exif\0\0'), secretTiff(orientation)]));

/** Puts chunks behind IHDR. */
export const pngWith = (...chunks: [type: string, content: Uint8Array][]) =>
  concatBytes([
    png.subarray(0, 33),
    ...chunks.map(([type, content]) => pngChunk(type, content)),
    png.subarray(33),
  ]);

/** Puts chunks behind the image. */
export function webpWith(...chunks: [type: string, content: Uint8Array][]): Uint8Array<ArrayBuffer> {
  const rest = buildWebp(chunks.map(([type, content]) => ({ type, content }))).subarray(12);
  const whole = concatBytes([webp, rest]);
  new DataView(whole.buffer).setUint32(4, whole.length - 8, true);
  return whole;
}

/** A PNG's beginning that says how large it is. */
export function pngOf(width: number, height: number): Uint8Array<ArrayBuffer> {
  const header = png.slice(16, 29);
  const view = new DataView(header.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  return concatBytes([png.subarray(0, 8), pngChunk('IHDR', header), png.subarray(33)]);
}

/** Files that are no picture, whatever they are called. */
export const hostile: Record<string, Uint8Array<ArrayBuffer>> = {
  'an empty file': new Uint8Array(),
  SVG: concatBytes([ascii('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')]),
  HTML: concatBytes([ascii('<!doctype html><script>alert(1)</script>')]),
  'a GIF with a script': concatBytes([ascii('GIF89a/*<script>alert(1)</script>*/')]),
  'a PDF that is a PNG too': concatBytes([ascii('%PDF-1.7\n'), png]),
  'a PNG with a PDF behind it': concatBytes([png, ascii('%PDF-1.7\n%%EOF')]),
  'a JPEG with a PDF behind it': concatBytes([jpeg, ascii('\n1 0 obj\n%PDF-1.7\n%%EOF')]),
  'a WebP with a PDF behind it': concatBytes([webp, ascii('%PDF-1.7\n%%EOF')]),
  'half a JPEG': jpeg.slice(0, 600),
  'half a PNG': png.slice(0, 200),
  'half a WebP': webp.slice(0, 300),
  'a PNG of 30,000 × 30,000': pngOf(30_000, 30_000),
  'a PNG of no pixels': pngOf(0, 8),
  'a PNG with a wrong checksum': png.with(20, 1),
  'a signature alone': png.slice(0, 8),
};
/** What iPhones photograph into, and some others with other brands. */
export const heicOf = (brand: string) =>
  concatBytes([Uint8Array.of(0, 0, 0, 24), ascii(`ftyp${brand}`), new Uint8Array(100)]);
export const heic = heicOf('heic');

/** APP2 as the Multi-Picture Format has it: an index that says where the second picture begins and how long it is. */
function multiPicture(sizeOfSecond: number, offset: number): Uint8Array {
  const index = new Uint8Array(4 + 82);
  index.set(ascii('MPF\0MM\0*'));
  const view = dataViewOf(index.subarray(4));
  view.setUint32(4, 8);
  view.setUint16(8, 3);
  const entries = [
    [0xb000, 7, 4, 0x30313030],
    [0xb001, 4, 1, 2],
    [0xb002, 7, 32, 50],
  ] as const;
  for (const [at, [tag, type, count, value]] of entries.entries()) {
    view.setUint16(10 + 12 * at, tag);
    view.setUint16(12 + 12 * at, type);
    view.setUint32(14 + 12 * at, count);
    view.setUint32(18 + 12 * at, value);
  }
  view.setUint32(50, 0x20030000);
  view.setUint32(66, 0);
  view.setUint32(70, sizeOfSecond);
  view.setUint32(74, offset);
  return segment(0xe2, index);
}

const xmp = (text: string) =>
  segment(0xe1, ascii(`http://ns.adobe.com/xap/1.0/\0<x:xmpmeta>${text}</x:xmpmeta>`));
const secondPicture = jpegWith(exifSegment(1), xmp(`<rdf:Description hdrgm:GainMapMax="2"/>${SECRET}`));
const film = concatBytes([Uint8Array.of(0, 0, 0, 24), ascii(`ftypmp42\0\0\0\0isommp42${SECRET}`)]);
const ofSamsung = concatBytes([
  ascii(`\0\0\x01\x0a\x0e\0\0\0Image_UTC_Data${SECRET}`),
  ascii('SEFH\x6b\0\0\0\x01\0\0\0\0\0\x01\x0a\x24\0\0\0\x23\0\0\0\x18\0\0\0SEFT'),
]);

/** What phones write into one file around the picture; of each the first picture alone is kept. */
export const ofPhones: Record<string, Uint8Array<ArrayBuffer>> = {
  'a second picture of the Multi-Picture Format': concatBytes([
    jpegWith(multiPicture(secondPicture.length, jpeg.length + 90)),
    secondPicture,
  ]),
  'a gain map (Ultra HDR)': concatBytes([
    jpegWith(
      xmp(`<rdf:li Item:Semantic="GainMap" Item:Length="${secondPicture.length}"/>${SECRET}`),
      segment(0xe2, ascii('urn:iso:std:iso:ts:21496:-1\0\0\0\0\0')),
      multiPicture(secondPicture.length, 0),
    ),
    secondPicture,
  ]),
  "Samsung's trailer": concatBytes([jpeg, ofSamsung]),
  'a film (motion photo)': concatBytes([jpegWith(xmp('GCamera:MotionPhoto="1"')), film]),
  "a film inside Samsung's trailer": concatBytes([jpeg, ascii('MotionPhoto_Data'), film, ofSamsung]),
  'two pictures and zeros': concatBytes([
    jpeg,
    new Uint8Array(64),
    secondPicture,
    secondPicture,
    new Uint8Array(3),
  ]),
  'a second JPEG as it is': concatBytes([jpeg, jpeg]),
  'a PNG with what a cropped screenshot left behind': concatBytes([png, ascii(SECRET), png]),
  "a PNG with Samsung's trailer": concatBytes([png, ofSamsung]),
  'a WebP with a trailer': concatBytes([webp, ofSamsung]),
};

/** Files that are a picture in front and something else behind: the picture alone is kept. */
export const twoInOne: Record<string, Uint8Array<ArrayBuffer>> = {
  'a JPEG and HTML': concatBytes([jpeg, ascii(`<script>alert(1)</script>${SECRET}`)]),
  'a JPEG and a ZIP': concatBytes([jpeg, ascii(`PK\x03\x04${SECRET}PK\x05\x06`)]),
  'a PNG and HTML': concatBytes([png, ascii(`<!doctype html><script>alert(1)</script>${SECRET}`)]),
  'a WebP and a ZIP': concatBytes([webp, ascii(`PK\x05\x06${SECRET}`)]),
  'a lossless WebP and a JPEG': concatBytes([losslessWebp, secondPicture]),
};
