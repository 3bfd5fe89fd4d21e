import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { extname, basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp, { type Sharp } from 'sharp';

/** What the page knows of a photograph, whose files are `/pictures/<name>-<width>.avif` and `.webp`. */
export type BuiltPhotograph = { name: string; width: number; height: number; widths: number[] };

/** How a photograph is shown: a person's is cut square, others keep their shape. */
export type Use = 'portrait' | 'wide';

/** In pixels, for plain and dense screens. */
const WIDTHS: Record<Use, number[]> = { portrait: [128, 256], wide: [480, 960] };
const FORMATS = [
  { type: 'avif', encode: (image: Sharp) => image.avif({ quality: 55 }) },
  { type: 'webp', encode: (image: Sharp) => image.webp({ quality: 78 }) },
];
/** Part of every name: changes when the numbers above do. */
const RECIPE = 1;

/** Kept between builds, because AVIF is slow to make. */
const CACHE = fileURLToPath(new URL('../../.cache/photographs/', import.meta.url));

/**
 * Scales and converts a photograph. Nothing but its pixels is kept: no place, no time, no camera.
 * @throws Error when it is none, or too small to be shown
 */
export async function buildPhotograph(
  path: string,
  use: Use,
): Promise<{ built: BuiltPhotograph; files: Map<string, Buffer> }> {
  const source = await readFile(path);
  // `autoOrient` is what the camera's own orientation asks for.
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
  return { built: { name, ...shape(use, width, height), widths: kept }, files };
}

const shape = (use: Use, width: number, height: number) => {
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
    // Builds may run at the same time.
    const half = `${path}.${process.pid}`;
    await writeFile(half, content);
    await rename(half, path);
    return content;
  }
}
