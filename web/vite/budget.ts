/** Sizes in bytes after brotli at its best (quality 11), as web/budget.json has them. */
export type Budget = {
  /** Everything that a visitor's browser runs before touching anything: the first file and all that it imports. */
  mainPageScript: number;
  /** Each of the prerendered main pages, its styles included. */
  mainPageHtml: number;
  styles: number;
  aboutPicture: number;
  /** Scripts by the name of their chunk. */
  chunks: Record<string, number>;
  /** Every script that has no line of its own. */
  anyOtherChunk: number;
};

/** What a build weighs: a name, a size, and what the line in the budget allows. */
export type Weight = { name: string; size: number; limit: number };

/** The lines of what grew beyond its budget; none when all is well. */
export function whatGrew(weights: Weight[]): string[] {
  return weights
    .filter(({ size, limit }) => size > limit)
    .map(({ name, size, limit }) => `${name} has grown ${size - limit} bytes beyond its ${limit} (${size})`);
}

type Chunk = { fileName: string; imports: string[] };

/** Files that come with a chunk, its own first: what it imports, and what that imports. */
export function withImports(chunks: Chunk[], fileName: string, seen = new Set<string>()): Set<string> {
  if (seen.has(fileName)) return seen;
  seen.add(fileName);
  const chunk = chunks.find((each) => each.fileName === fileName);
  for (const imported of chunk?.imports ?? []) withImports(chunks, imported, seen);
  return seen;
}
