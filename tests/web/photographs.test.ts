import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildPhotograph } from '../../web/vite/photographs.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'photographs-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A photograph as a phone takes one: lying on its side, with the place and the camera in it. */
async function photograph(name: string, width: number, height: number): Promise<string> {
  const path = join(folder, name);
  const pixels = sharp({ create: { width, height, channels: 3, background: '#12684c' } });
  const exif = {
    IFD0: { Make: 'Hanbit', Orientation: '6' },
    IFD3: { GPSLatitude: '37/1 32/1 40/1', GPSLatitudeRef: 'N' },
  };
  await writeFile(path, await pixels.withExif(exif).withMetadata({ orientation: 6 }).jpeg().toBuffer());
  return path;
}

test('PUB-21 a photograph comes in two widths and two formats, upright, and says nothing of where it was taken', async () => {
  const path = await photograph('garden.jpg', 1200, 1600);
  expect((await sharp(path).metadata()).exif?.toString('latin1')).toContain('Hanbit');
  const { built, files } = await buildPhotograph(path, 'wide');
  expect(built).toEqual({
    name: expect.stringMatching(/^garden-[\da-f]{8}$/),
    width: 960,
    height: 720,
    widths: [480, 960],
  });
  expect([...files.keys()]).toEqual(
    ['480.avif', '480.webp', '960.avif', '960.webp'].map((end) => `${built.name}-${end}`),
  );
  for (const [name, content] of files) {
    const made = await sharp(content).metadata();
    expect([name, made.width]).toEqual([name, Number(/-(\d+)\.\w+$/.exec(name)?.[1])]);
    expect([made.exif, made.xmp, made.iptc, made.orientation]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect(content.toString('latin1')).not.toMatch(/Hanbit|GPS|Exif/);
  }
});

test('PUB-10 PUB-21 a drawing with a copy for dark pages brings the files of both', async () => {
  const path = await photograph('drawn.jpg', 1200, 1600);
  await photograph('drawn-dark.jpg', 1200, 1600);
  const { built, files } = await buildPhotograph(path, 'wide');
  expect(built.dark).toMatch(/^drawn-dark-[\da-f]{8}$/);
  expect([...files.keys()].filter((name) => name.startsWith(`${built.dark}-`))).toHaveLength(4);
  expect(files.size).toBe(8);
});

test('PUB-21 a portrait is square; a small one is not enlarged, and one that is too small is refused', async () => {
  const { built } = await buildPhotograph(await photograph('person.jpg', 200, 300), 'portrait');
  expect(built).toMatchObject({ width: 256, height: 256, widths: [128, 256] });
  const small = await buildPhotograph(await photograph('small.jpg', 150, 150), 'portrait');
  expect(small.built).toMatchObject({ widths: [128] });
  await expect(
    photograph('tiny.jpg', 90, 90).then((path) => buildPhotograph(path, 'portrait')),
  ).rejects.toThrow('smaller than 128');
  const text = join(folder, 'text.jpg');
  await writeFile(text, 'no picture');
  await expect(buildPhotograph(text, 'wide')).rejects.toThrow(/unsupported|format/);
});
