import { fixedStatement, type Database } from '#db/client';
import { refusedReadings } from '#db/plants';
import { insertFrom } from '#db/sql';
import { eq, sql } from 'drizzle-orm';
import { SENT } from './arrivals-data.ts';
import type { Row } from './readings-data.ts';

/** A board that is refused for years must not fill the database. */
const REFUSED_MAX = 100_000;

type Refused = { row: Row; reason: string };

const asSent = (refused: readonly Refused[]) =>
  JSON.stringify(refused.map(({ row, reason }) => ({ reading: JSON.stringify(row), reason })));

/**
 * Keeps rows that the queue had taken before they were refused, and forgets the oldest beyond `most`. Idempotent: the first
 * reason stays.
 */
export async function keepRefused(
  db: Database,
  refused: readonly Refused[],
  now: number,
  most = REFUSED_MAX,
): Promise<void> {
  if (refused.length === 0) return;
  await db.batch([keepThem(db, { sent: asSent(refused), now }), forgetOldest(db, { most })]);
}

/** @throws Error when a database would take no dead letter; those of a queue are kept in PLANTS_DB alone */
export async function tryToKeep(db: Database, refused: Refused): Promise<void> {
  const isIt = eq(refusedReadings.reading, JSON.stringify(refused.row));
  await db.batch([keepThem(db, { sent: asSent([refused]), now: 0 }), db.delete(refusedReadings).where(isIt)]);
}

const keepThem = fixedStatement(
  insertFrom(
    refusedReadings,
    {
      reading: sql`value ->> 'reading'`,
      reason: sql`value ->> 'reason'`,
      refused_at: sql.placeholder('now'),
    },
    sql`FROM ${SENT} WHERE true ON CONFLICT DO NOTHING`,
  ),
);

/** New rows get the highest rowid, so the oldest are found without reading the others. */
const forgetOldest = fixedStatement(
  sql`DELETE FROM ${refusedReadings} WHERE rowid <= (SELECT max(rowid) FROM ${refusedReadings}) - ${sql.placeholder('most')}`,
);
