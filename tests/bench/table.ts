/** One line of a benchmark's table. */
export type Row = { figure: string; value: string; target: string };

export function median(values: number[]): number {
  return quantile(values, 0.5);
}

/** @param at 0..1 */
export function quantile(values: number[], at: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * at))] ?? Number.NaN;
}

export function printTable(title: string, rows: Row[]): void {
  const width = (key: keyof Row) => Math.max(...rows.map((row) => row[key].length));
  console.log(`\n${title}`);
  for (const { figure, value, target } of rows) {
    console.log(`  ${figure.padEnd(width('figure'))}  ${value.padStart(width('value'))}  (${target})`);
  }
}
