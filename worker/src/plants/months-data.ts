import { statement, type Database } from '#db/client';
import { plantMonths, plantRemovals } from '#db/plants';
import { sql } from 'drizzle-orm';
import { removeOrphanFiles } from '../lib/orphan-files.ts';
import { MonthFile, writeMonthFile, type MonthReading } from './month-file.ts';

/* Files of R2 with the raw readings of a plant and month. */

/** Where readings are: in the database and, those of months that were moved, in R2. */
export type ReadingStore = { db: Database; files: R2Bucket };

export type Month = typeof plantMonths.$inferSelect;

/** Whether no month was moved or merged between two looks. */
export const areSame = (a: readonly Month[], b: readonly Month[]) => JSON.stringify(a) === JSON.stringify(b);

const PREFIX = 'readings/';
const DIGEST_LETTERS = 32;

/** The key of a month's file without its prefix. */
const NAME = sql<string>`format('%d/%s-%s.parquet', ${plantMonths.plant_id},
  strftime('%Y-%m', ${plantMonths.start} / 1000, 'unixepoch'), ${plantMonths.digest})`;

function keyOf({ plant_id, start, digest }: Pick<Month, 'plant_id' | 'start' | 'digest'>): string {
  return `${PREFIX}${plant_id}/${new Date(start).toISOString().slice(0, 7)}-${digest}.parquet`;
}

/** @throws Error naming the file that is missing or damaged */
export async function openMonth(
  files: R2Bucket,
  month: Pick<Month, 'plant_id' | 'start' | 'digest' | 'readings'>,
): Promise<MonthFile> {
  const key = keyOf(month);
  const object = await files.get(key);
  if (object === null) throw new Error(`the file ${key} is missing`);
  const content = await object.arrayBuffer();
  if ((await digestOf(content)) !== month.digest) throw new Error(`the file ${key} is damaged`);
  const file = new MonthFile(content);
  if (file.readings !== month.readings)
    throw new Error(`the file ${key} holds ${file.readings} readings and not ${month.readings}`);
  return file;
}

/**
 * Writes a file and reads it back. It exists for nobody until a row of plant_months names it.
 * @param groups in the order of `measured_at` and `seq`
 * @throws Error when what was read back is not what was written
 */
export async function storeMonth(
  files: R2Bucket,
  { plant_id, start }: Pick<Month, 'plant_id' | 'start'>,
  groups: AsyncIterable<readonly MonthReading[]>,
): Promise<Pick<Month, 'digest' | 'readings'>> {
  const { content, readings } = await writeMonthFile(groups);
  const digest = await digestOf(content);
  const month = { plant_id, start, digest, readings };
  await files.put(keyOf(month), content, { httpMetadata: { contentType: 'application/vnd.apache.parquet' } });
  await openMonth(files, month);
  return { digest, readings };
}

async function digestOf(content: BufferSource): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', content);
  return new Uint8Array(hash).toHex().slice(0, DIGEST_LETTERS);
}

/**
 * Removes the files that no month of a plant names in any of its homes, removed plants not counted.
 * @returns how many
 */
export function removeOrphanMonths(homes: readonly Database[], files: R2Bucket): Promise<number> {
  return removeOrphanFiles(files, PREFIX, async (names) => {
    // A plant that moves is in its new home before it leaves the old one.
    const named = await Promise.all(homes.map((home) => namedIn(home, names)));
    const all = new Set(named.flat());
    return names.filter((name) => !all.has(name));
  });
}

async function namedIn(db: Database, names: readonly string[]): Promise<string[]> {
  const rows = await statement<{ name: string }>(
    db,
    sql`SELECT value AS name FROM json_each(${JSON.stringify(names)}) WHERE value IN (
      SELECT ${NAME} FROM ${plantMonths}
      WHERE ${plantMonths.plant_id} NOT IN (SELECT ${plantRemovals.plant_id} FROM ${plantRemovals}))`,
  );
  return rows.map(({ name }) => name);
}
