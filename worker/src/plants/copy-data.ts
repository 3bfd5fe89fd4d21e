import { fixedStatement, type Database } from '#db/client';
import { plantMonths, plantReadings, plantRises, plantRollups } from '#db/plants';
import { getTableColumns, sql, type SQL } from 'drizzle-orm';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import * as z from 'zod';

/*
 * Plants' rows on their way from one home to another, table by table in the order of their keys, so that a copy that was
 * interrupted goes on behind the last row that is there.
 */

/** What is copied: these plants, by their numbers, readings from `since` on, rollups of intervals that end by `bound`. */
export type Copied = { plants: readonly number[]; since: number; bound: number };

/** Queries that may still be asked, and until when (milliseconds since 1970); what is left waits. */
export type Budget = { queries: number; deadline: number };

/** Queries that a page takes. */
export const PAGE_QUERIES = 3;

/** Rows of a page: some 700 KB of JSON, where D1 takes 2 MB. */
const PAGE = 10_000;
/** Sums of it stay exact for nine million rows. */
const MODULUS = sql.raw(String(10 ** 9 + 7));

const given = sql`SELECT value FROM json_each(${sql.placeholder('plants')})`;
const after = (at: number) => sql`(${sql.placeholder('after')} ->> ${sql.raw(String(at))})`;

/** @param keys columns of the primary key behind the plant's number */
function copying(table: SQLiteTable, plant: SQLiteColumn, keys: readonly SQLiteColumn[], isCopied: SQL) {
  const columns = Object.values(getTableColumns(table)).map((column) => sql.identifier(column.name));
  const all = sql.join(columns, sql`, `);
  const key = sql.join([plant, ...keys], sql`, `);
  const descending = sql.join(
    [plant, ...keys].map((column) => sql`${column} DESC`),
    sql`, `,
  );
  const rest = sql`(${sql.join([...keys], sql`, `)}) > (${sql.join(
    keys.map((_, at) => after(at + 1)),
    sql`, `,
  )})`;
  const page = (which: SQL) =>
    sql`SELECT * FROM (SELECT ${all} FROM ${table} WHERE ${which} AND ${isCopied} ORDER BY ${key} LIMIT ${sql.raw(String(PAGE))})`;
  const isGiven = sql`${plant} IN (${given})`;
  const sums = Object.values(getTableColumns(table))
    .filter((column) => column !== plant)
    .map((column) =>
      column.getSQLType() === 'text'
        ? sql`group_concat(${column})`
        : sql`coalesce(sum(${column} % ${MODULUS}), 0), count(${column})`,
    );
  return {
    last: fixedStatement<{ last: string }>(
      sql`SELECT json_array(${key}) AS last FROM ${table} WHERE ${isGiven} ORDER BY ${descending} LIMIT 1`,
    ),
    read: fixedStatement<{ rows: string; many: number }>(sql`
      SELECT json_group_array(json_array(${all})) AS rows, count(*) AS many FROM (
        ${page(sql`${plant} = ${after(0)} AND ${rest}`)}
        UNION ALL ${page(sql`${isGiven} AND ${plant} > ${after(0)}`)}
        LIMIT ${sql.raw(String(PAGE))})`),
    write: fixedStatement(sql`
      INSERT INTO ${table} (${all})
      SELECT ${sql.join(
        columns.map((_, at) => sql`value ->> ${sql.raw(String(at))}`),
        sql`, `,
      )} FROM json_each(${sql.placeholder('rows')}) WHERE true ON CONFLICT DO NOTHING`),
    clear: fixedStatement(
      sql`DELETE FROM ${table} WHERE ${isGiven} AND ${plant} >= ${sql.placeholder('first')}`,
    ),
    /** Of each plant its number and, as text, what its rows add up to. */
    count: fixedStatement<{ plant: number; sums: string }>(sql`
      SELECT ${plant} AS plant, json_array(count(*), ${sql.join(sums, sql`, `)}) AS sums
      FROM ${table} WHERE ${isGiven} AND ${isCopied} GROUP BY ${plant}`),
  };
}

type Copying = ReturnType<typeof copying>;

const readings = copying(
  plantReadings,
  plantReadings.plant_id,
  [plantReadings.measured_at, plantReadings.seq],
  sql`${plantReadings.measured_at} >= ${sql.placeholder('since')}`,
);
const rollups = copying(
  plantRollups,
  plantRollups.plant_id,
  [plantRollups.width, plantRollups.start],
  sql`${plantRollups.start} + ${plantRollups.width} <= ${sql.placeholder('bound')}`,
);
const months = copying(plantMonths, plantMonths.plant_id, [plantMonths.start], sql`true`);
const rises = copying(plantRises, plantRises.plant_id, [plantRises.seen_at], sql`true`);

const lastSchema = z.string().default('[-1,-1,-1]');

/** @returns whether all is there now */
async function copy(
  { last, read, write }: Copying,
  { from, to }: { from: Database; to: Database },
  { plants, ...bounds }: Copied,
  budget: Budget,
): Promise<boolean> {
  const values = { plants: JSON.stringify(plants), ...bounds };
  let after = lastSchema.parse((await last(to, values))[0]?.last);
  while (budget.queries > 0 && Date.now() < budget.deadline) {
    const [page] = await read(from, { ...values, after });
    if (page === undefined || page.many === 0) return true;
    budget.queries -= PAGE_QUERIES;
    const [, [written]] = await to.batch([write(to, { rows: page.rows }), last(to, values)]);
    after = lastSchema.parse(written?.last);
  }
  return false;
}

/** The first plant whose rows are not the same in both; undefined when all are. */
async function firstDifference(
  { count }: Copying,
  { from, to }: { from: Database; to: Database },
  { plants, ...bounds }: Copied,
): Promise<number | undefined> {
  const values = { plants: JSON.stringify(plants), ...bounds };
  const counted = await Promise.all([from, to].map((home) => count(home, values)));
  const [there = new Map<number, string>(), here = new Map<number, string>()] = counted.map(
    (rows) => new Map(rows.map(({ plant, sums }) => [plant, sums])),
  );
  return plants.toSorted((a, b) => a - b).find((plant) => there.get(plant) !== here.get(plant));
}

/**
 * Copies what is left of these plants' rows, and compares when nothing is. What differs, because the nightly tasks were at
 * it, is deleted again.
 * @returns whether all is there and the same
 */
export async function copyRows(
  homes: { from: Database; to: Database },
  copied: Copied,
  budget: Budget,
): Promise<boolean> {
  for (const table of [readings, rollups])
    // oxlint-disable-next-line no-await-in-loop -- one after another, and no further than the budget
    if (!(await copy(table, homes, copied, budget))) return false;
  const values = { plants: JSON.stringify(copied.plants), first: 0 };
  // Few, and never half of them.
  await homes.to.batch([months.clear(homes.to, values), rises.clear(homes.to, values)]);
  for (const table of [months, rises])
    // oxlint-disable-next-line no-await-in-loop -- as above
    if (!(await copy(table, homes, copied, budget))) return false;
  let isSame = true;
  for (const table of [readings, rollups, months]) {
    // oxlint-disable-next-line no-await-in-loop -- as above
    const first = await firstDifference(table, homes, copied);
    if (first === undefined) continue;
    isSame = false;
    // oxlint-disable-next-line no-await-in-loop -- as above
    await table.clear(homes.to, { ...values, first });
  }
  return isSame;
}
