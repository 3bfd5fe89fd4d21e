import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { extname, basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp, { type Sharp } from 'sharp';

/**
 * Data about a photograph for the page; its files are `/pictures/<name>-<width>.avif` and `.webp`. A drawing
 * may have a `dark` file, which dark pages show instead: `garden-dark.png` beside `garden.png`.
 */
export type BuiltPhotograph = {
  name: string;
  width: number;
  height: number;
  widths: number[];
  dark?: string;
};

/** How a photograph is shown: a person's portrait is cropped to a square; others keep their shape. */
export type PhotographUse = 'portrait' | 'wide';

/** Widths in pixels, for normal and high-density screens. */
const WIDTHS: Record<PhotographUse, number[]> = { portrait: [128, 256], wide: [480, 960] };
const FORMATS = [
  { type: 'avif', encode: (image: Sharp) => image.avif({ quality: 55 }) },
  { type: 'webp', encode: (image: Sharp) => image.webp({ quality: 78 }) },
];
/** Part of every file name; increase it when the settings above change. */
const RECIPE = 1;

/** Converted files are cached between builds, because encoding AVIF is slow. */
const CACHE = fileURLToPath(new URL('../../.cache/photographs/', import.meta.url));

/**
 * Scales and converts a photograph. The files contain only pixels: no place, time or camera.
 * @throws Error if the file is not a photograph or is too small
 */
export async function buildPhotograph(
  path: string,
  use: PhotographUse,
): Promise<{ built: BuiltPhotograph; files: Map<string, Buffer> }> {
  const source = await readFile(path);
  // `autoOrient` applies the orientation that the camera recorded.
  const original = sharp(source).autoOrient();
  const { width, height } = await sharp(source)
    .metadata()
    .then(({ autoOrient }) => autoOrient);
  const widths = WIDTHS[use];
  const least = widths[0] ?? 0;
  if (Math.min(width, height) < least) throw new Error(`is smaller than ${least} pixels`);
  const digest = createHash('sha256').update(`${RECIPE} ${use}`).update(source).digest('hex').slice(0, 8);
  const name = `${basename(path, extname(path))}-${digest}`;
  const kept = widths.filter((each) => each <= width);
  const files = new Map<string, Buffer>();
  for (const each of kept) {
    for (const { type, encode } of FORMATS) {
      const file = `${name}-${each}.${type}`;
      const scaled = original.clone().resize({
        width: each,
        ...(use === 'portrait' && { height: each, fit: 'cover', position: 'attention' }),
      });
      files.set(file, await fromCache(file, () => encode(scaled).toBuffer()));
    }
  }
  const built = { name, ...shape(use, width, height), widths: kept };
  const night = path.replace(/(?=\.\w+$)/, '-dark');
  if (!existsSync(night)) return { built, files };
  const dark = await buildPhotograph(night, use);
  return { built: { ...built, dark: dark.built.name }, files: new Map([...files, ...dark.files]) };
}

const shape = (use: PhotographUse, width: number, height: number) => {
  const shown = Math.min(WIDTHS[use].at(-1) ?? width, width);
  return { width: shown, height: use === 'portrait' ? shown : Math.round((shown * height) / width) };
};

async function fromCache(file: string, make: () => Promise<Buffer>): Promise<Buffer> {
  const path = join(CACHE, file);
  try {
    return await readFile(path);
  } catch {
    const content = await make();
    await mkdir(CACHE, { recursive: true });
    // A temporary name, because several builds may write the file at the same time.
    const half = `${path}.${process.pid}`;
    await writeFile(half, content);
    await rename(half, path);
    return content;
  }
}
