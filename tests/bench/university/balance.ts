import type { DatabaseSync } from 'node:sqlite';

export type Balance = {
  acknowledged: number;
  /** Acknowledged, and not in D1: refused, or gone. */
  lost: number;
  /** Some of these, by plant and number. */
  missing: string[];
  /** In D1 beyond one of each. */
  double: number;
  /** Refused behind the queue. */
  refused: number;
};

/** Weighs what D1 holds against what the boards were acknowledged. @param book the file that boards.ts wrote */
export function balance(d1: DatabaseSync, book: string): Balance {
  d1.exec(`ATTACH '${book}' AS boards`);
  const count = (sql: string) => Number(d1.prepare(`SELECT (${sql}) AS n`).get()?.['n']);
  const stored = 'SELECT topic AS plant, seq FROM plant_readings JOIN plants ON plants.id = plant_id';
  const absent = `SELECT plant, seq FROM boards.acknowledged EXCEPT ${stored}`;
  const missing = d1.prepare(`SELECT plant || ' ' || seq AS reading FROM (${absent}) LIMIT 100`).all();
  const found = {
    acknowledged: count('SELECT count(*) FROM boards.acknowledged'),
    lost: count(`SELECT count(*) FROM (${absent})`),
    missing: missing.map(({ reading }) => String(reading)),
    double: count(
      `SELECT (SELECT count(*) FROM plant_readings) - count(*) FROM (SELECT DISTINCT * FROM (${stored}))`,
    ),
    refused: count('SELECT count(*) FROM refused_readings'),
  };
  d1.exec('DETACH boards');
  return found;
}
