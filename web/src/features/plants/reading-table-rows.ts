import type { ChartLine } from './chart-plot.ts';
import { isFaultyAt } from './line-points.ts';
import type { TimeSpan } from './range.ts';

const PARTS = 24;

/** `cells` in the order of the lines: undefined without a reading in this part, `faulty` with only faulty ones. */
type ReadingTableRow = {
  from: number;
  cells: ({ lowestRaw: number; highestRaw: number } | 'faulty' | undefined)[];
};

/** Lowest and highest raw value of each line for 24 equal parts of a time range, oldest first. */
export function readingTableRows(
  lines: readonly Pick<ChartLine, 'readings' | 'faults'>[],
  { from, to }: TimeSpan,
): ReadingTableRow[] {
  const length = (to - from) / PARTS;
  const rows = Array.from({ length: PARTS }, (_, part): ReadingTableRow => ({
    from: from + part * length,
    cells: lines.map(() => undefined),
  }));
  for (const [index, line] of lines.entries()) {
    for (const { time, raw } of line.readings) {
      const cells = rows[Math.floor((time - from) / length)]?.cells;
      if (!cells) continue;
      if (isFaultyAt(line, time)) {
        cells[index] ??= 'faulty';
        continue;
      }
      const before = cells[index];
      const { lowestRaw = raw, highestRaw = raw } = before === 'faulty' ? {} : (before ?? {});
      cells[index] = { lowestRaw: Math.min(lowestRaw, raw), highestRaw: Math.max(highestRaw, raw) };
    }
  }
  return rows;
}
