import { HEIC_ADVICE } from '#contract/pictures';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ascii, concatBytes } from '../../worker/src/lib/images/bytes.ts';
import { exifOrientation } from '../../worker/src/lib/images/exif.ts';
import { parsePicture } from '../../worker/src/lib/images/image.ts';
import { stripJpegMetadata } from '../../worker/src/lib/images/jpeg.ts';
import { stripPngMetadata } from '../../worker/src/lib/images/png.ts';
import { stripWebpMetadata } from '../../worker/src/lib/images/webp.ts';
import { propertyRuns } from '../support/counts.ts';
import {
  exifSegment,
  heicOf,
  hostile,
  jpeg,
  jpegWith,
  losslessWebp,
  ofPhones,
  png,
  pngOf,
  pngWith,
  SECRET,
  secretTiff,
  segment,
  twoInOne,
  webp,
  webpWith,
} from './sample-images.ts';

const options = propertyRuns(100, 5000);

const samples = { jpeg, png, webp, losslessWebp };
const formats = [
  ['JPEG', jpeg, stripJpegMetadata],
  ['PNG', png, stripPngMetadata],
  ['WebP', webp, stripWebpMetadata],
  ['lossless WebP', losslessWebp, stripWebpMetadata],
] as const;

const latin1 = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));
const textOf = (bytes: Uint8Array | undefined) => new TextDecoder('latin1').decode(bytes);
/** Bytes, whole pictures and their parts, and texts that something runs. */
const behind = fc.oneof(
  fc.uint8Array({ minLength: 1, maxLength: 100 }),
  fc.constantFrom(...Object.values(samples), ...Object.values(twoInOne)),
  fc.constantFrom('\xff\xd8', '\xff\xd9', 'IEND', 'RIFF', '<script>', 'PK\x05\x06').map(latin1),
);
const hidden = fc.uint8Array({ maxLength: 200 }).map((bytes) => concatBytes([bytes, ascii(SECRET)]));

describe.each(formats)('a %s', (_, file, clean) => {
  test('PIC-4 comes through with its size and its colour profile, and a second time as it is', () => {
    const first = clean(file);
    expect(first).toMatchObject({ width: 12, height: 8 });
    expect(clean(first?.bytes ?? new Uint8Array())).toEqual(first);
    expect(textOf(first?.bytes).includes('acsp')).toBe(file !== png);
  });

  test('SEC-32 that ends anywhere before its end is none', () => {
    for (let length = 0; length < file.length; length++) expect(clean(file.slice(0, length))).toBeUndefined();
  });

  test('SEC-61 is the first picture alone, whatever stands behind its end', () => {
    fc.assert(
      fc.property(fc.array(behind, { minLength: 1, maxLength: 3 }), (more) => {
        expect(clean(concatBytes([file, ...more]))).toEqual(clean(file));
      }),
      options,
    );
  });

  test('SEC-32 with a PDF anywhere behind its end is none: nobody knows which of both was meant', () => {
    fc.assert(
      fc.property(behind, behind, (before, after) => {
        expect(clean(concatBytes([file, before, ascii('%PDF-1.7'), after]))).toBeUndefined();
      }),
      options,
    );
  });

  test('SEC-32 with any bytes changed is refused or cleaned, and never breaks anything', () => {
    const change = fc.tuple(fc.nat(file.length - 1), fc.nat(255));
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 8 }), (changes) => {
        const bytes = file.slice();
        for (const [at, value] of changes) bytes[at] = value;
        const first = clean(bytes);
        expect(first === undefined ? undefined : clean(first.bytes)).toEqual(first);
      }),
      options,
    );
  });
});

test('SEC-32 no bytes at all break anything', () => {
  const signatures = Object.values(samples).map((file) => file.subarray(0, 16));
  const anything = fc
    .tuple(fc.constantFrom(...signatures, new Uint8Array()), fc.uint8Array({ maxLength: 400 }))
    .map(([begin, rest]) => concatBytes([begin, rest]));
  fc.assert(
    fc.property(anything, (bytes) => {
      expect(parsePicture(bytes)).toHaveProperty('reason');
    }),
    options,
  );
});

describe('what is hidden beside the image', () => {
  test('SEC-33 is removed from a JPEG, in whatever segments it stands', () => {
    const markers = [0xe0, 0xe1, 0xe2, 0xe3, 0xe5, 0xeb, 0xed, 0xee, 0xef, 0xfe];
    const segments = fc.array(
      fc.tuple(fc.constantFrom(...markers), hidden).map(([marker, content]) => segment(marker, content)),
      { minLength: 1, maxLength: 5 },
    );
    fc.assert(
      fc.property(segments, (more) => {
        const cleaned = stripJpegMetadata(jpegWith(...more));
        expect(textOf(cleaned?.bytes)).not.toContain(SECRET);
        expect(cleaned).toEqual(stripJpegMetadata(jpeg));
      }),
      options,
    );
  });

  test("SEC-33 is removed from a JPEG's thumbnail", () => {
    const thumbnail = concatBytes([ascii('JFIF\0'), Uint8Array.of(1, 1, 0, 0, 1, 0, 1, 3, 3), ascii(SECRET)]);
    const without = concatBytes([jpeg.subarray(0, 2), segment(0xe0, thumbnail), jpeg.subarray(20)]);
    expect(stripJpegMetadata(without)).toEqual(stripJpegMetadata(jpeg));
  });

  test('SEC-33 is removed from a PNG, in whatever chunks it stands', () => {
    const types = ['tEXt', 'zTXt', 'iTXt', 'tIME', 'eXIf', 'hIST', 'sPLT', 'acTL', 'fdAT', 'prVt', 'gpSx'];
    const chunks = fc.array(fc.tuple(fc.constantFrom(...types), hidden), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(chunks, (more) => {
        const cleaned = stripPngMetadata(pngWith(...more));
        expect(textOf(cleaned?.bytes)).not.toContain(SECRET);
        expect(cleaned).toEqual(stripPngMetadata(png));
      }),
      options,
    );
  });

  test('SEC-33 is removed from a WebP, in whatever chunks it stands', () => {
    const chunks = fc.array(fc.tuple(fc.constantFrom('EXIF', 'XMP ', 'JUNK', 'ALPX'), hidden), {
      minLength: 1,
      maxLength: 5,
    });
    fc.assert(
      fc.property(chunks, (more) => {
        const cleaned = stripWebpMetadata(webpWith(...more));
        expect(textOf(cleaned?.bytes)).not.toContain(SECRET);
        expect(cleaned).toEqual(stripWebpMetadata(webp));
      }),
      options,
    );
  });
});

describe('what is two files in one', () => {
  test.each(Object.entries({ ...ofPhones, ...twoInOne }))(
    'SEC-61 is its first picture alone: %s',
    (_, file) => {
      const picture = parsePicture(file);
      expect(Object.values(samples).map(parsePicture)).toContainEqual(picture);
      expect(textOf('bytes' in picture ? picture.bytes : file)).not.toMatch(/GPS|<script|MPF|GainMap|PK/);
    },
  );

  test('SEC-61 is none when its first picture is cut off: the second does not complete it', () => {
    // A JPEG's image data is its last bytes; PNG has checksums, and WebP nothing that would tell.
    for (const [first, cuts] of [
      [jpeg, 20],
      [png, png.length],
    ] as const)
      for (const second of [jpeg, png])
        for (let cut = 1; cut < cuts; cut++)
          expect(parsePicture(concatBytes([first.subarray(0, -cut), second]))).toHaveProperty('reason');
  });
});

describe('the way up', () => {
  test.each([1, 2, 3, 4, 5, 6, 7, 8])('PIC-4 %i survives the removal of the place', (orientation) => {
    const cleaned = {
      jpeg: stripJpegMetadata(jpegWith(exifSegment(orientation))),
      png: stripPngMetadata(pngWith(['eXIf', secretTiff(orientation)])),
      webp: stripWebpMetadata(webpWith(['EXIF', secretTiff(orientation)])),
    };
    const clean = { jpeg: stripJpegMetadata, png: stripPngMetadata, webp: stripWebpMetadata };
    for (const format of ['jpeg', 'png', 'webp'] as const) {
      const bytes = cleaned[format]?.bytes ?? new Uint8Array();
      const at = textOf(bytes).indexOf('MM\0*');
      expect(at === -1 ? 1 : exifOrientation(bytes.subarray(at)), format).toBe(orientation);
      expect(textOf(bytes)).not.toContain(SECRET);
      expect(clean[format](bytes), format).toEqual(cleaned[format]);
    }
  });

  test('PIC-4 is understood in either order of bytes, and taken as it is where it makes no sense', () => {
    const little = Uint8Array.from(
      [0x49, 0x49, 0x2a, 0, 8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, 6, 0, 0, 0].concat([0, 0, 0, 0]),
    );
    expect(exifOrientation(little)).toBe(6);
    expect(exifOrientation(little.with(18, 9))).toBe(1);
    expect(exifOrientation(little.with(4, 200))).toBe(1);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        expect(exifOrientation(concatBytes([little.subarray(0, 8), bytes]))).toBeOneOf([
          1, 2, 3, 4, 5, 6, 7, 8,
        ]);
      }),
      options,
    );
  });
});

describe('what is no picture', () => {
  test.each(Object.entries(hostile))('SEC-32 is refused: %s', (_, bytes) => {
    expect(parsePicture(bytes)).toHaveProperty('reason');
  });

  test.each(['heic', 'heix', 'hevc', 'mif1', 'msf1'])(
    'SEC-61 is refused with advice when it is HEIC: %s',
    (brand) => {
      expect(parsePicture(heicOf(brand))).toEqual({ reason: HEIC_ADVICE, isImage: false });
    },
  );

  test('SEC-32 is refused when it moves, or when its sizes contradict each other', () => {
    expect(stripWebpMetadata(webp.with(20, 0x22))).toBeUndefined();
    expect(stripWebpMetadata(webp.with(24, 13))).toBeUndefined();
  });

  test('SEC-32 is as large as a telephone photographs at most', () => {
    expect(parsePicture(pngOf(8160, 6120))).toHaveProperty('width', 8160);
    expect(parsePicture(pngOf(16_385, 1))).toHaveProperty('reason');
    expect(parsePicture(pngOf(10_000, 5001))).toHaveProperty('reason');
  });
});
