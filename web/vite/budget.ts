/** Limits in bytes after brotli at quality 11, as in web/budget.json. */
export type Budget = {
  /** The entry script and everything it imports statically. */
  mainPageScript: number;
  /** Each prerendered main page, including its inlined styles. */
  mainPageHtml: number;
  styles: number;
  aboutPicture: number;
  /** Each file that is made of a photograph. */
  photograph: number;
  /** Scripts by chunk name. */
  chunks: Record<string, number>;
  /** Every other script. */
  anyOtherChunk: number;
};

/** Size of one part of the build and its limit. */
export type Weight = { name: string; size: number; limit: number };

/** One line for each part that exceeds its limit. */
export function whatGrew(weights: Weight[]): string[] {
  return weights
    .filter(({ size, limit }) => size > limit)
    .map(({ name, size, limit }) => `${name} has grown ${size - limit} bytes beyond its ${limit} (${size})`);
}

type Chunk = { fileName: string; imports: string[] };

/** A chunk's file and everything it imports, directly or indirectly. */
export function withImports(chunks: Chunk[], fileName: string, seen = new Set<string>()): Set<string> {
  if (seen.has(fileName)) return seen;
  seen.add(fileName);
  const chunk = chunks.find((each) => each.fileName === fileName);
  for (const imported of chunk?.imports ?? []) withImports(chunks, imported, seen);
  return seen;
}
