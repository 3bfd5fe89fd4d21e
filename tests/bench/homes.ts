/**
 * `npm run bench:homes`: how long groups of plants are closed while the five-minutes task moves them to another database: one with a
 * million readings of 250 boards, and two hundred small ones.
 */
import type { D1Database } from '@cloudflare/workers-types';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { database } from '#db/client';
import { rightHome } from '#db/homes';
import { buildChanged } from '../../scripts/build.ts';
import { migrate } from '../../scripts/migrate.ts';
import { keepRises } from '../../worker/src/plants/keep-rises-data.ts';
import { writeRollups } from '../../worker/src/plants/rollups-data.ts';
import { WATCH_CRON } from '../../worker/src/watch/rules.ts';
import { freePorts } from '../support/ports.ts';
import { apiWorker, runTask, startApi } from './api-worker.ts';
import { printTable, type Row } from './table.ts';

const MINUTE = 60_000;
/** The most that V8 may give each worker; an isolate of Cloudflare has 128 MB, of which its buffers need some. */
const HEAP_MB = 32;
const HOMES = ['PLANTS_DB', 'PLANTS_DB_2'];
/** The many that belong to the other database. */
const leaving = (many: number): string[] =>
  Array.from({ length: many * 3 }, (_, n) => `lab-${n}`)
    .filter((group) => rightHome(group, HOMES) === 'PLANTS_DB_2')
    .slice(0, many);

async function seed(
  plants: D1Database,
  groups: readonly string[],
  boards: number,
  each: number,
): Promise<void> {
  await plants.prepare('DELETE FROM plant_rollup_watermark').run();
  const start = Math.floor(Date.now() / MINUTE) * MINUTE - each * 10 * MINUTE;
  for (const group of groups)
    await plants
      .prepare(
        `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
         INSERT INTO plants (name) SELECT ? || '/board-' || i FROM n`,
      )
      .bind(boards, group)
      .run();
  await plants
    .prepare(
      `WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${each - 1})
       INSERT INTO plant_readings (plant_id, measured_at, seq, soil_moisture, received_at)
       SELECT id, ${start} + i * ${10 * MINUTE} + id % 60000, i, 400 + (i * 7 + id) % 300, ${start} + i * ${10 * MINUTE} + 60000
       FROM plants CROSS JOIN n`,
    )
    .run();
  await plants.prepare(`UPDATE plant_states SET readings = ${each}`).run();
  await writeRollups(database(plants), Date.now(), Number.POSITIVE_INFINITY);
  await keepRises(database(plants), Number.POSITIVE_INFINITY);
}

async function moved(name: string, groups: readonly string[], boards: number, each: number): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'cps-lab-bench-'));
  const [port = 0] = await freePorts(1);
  const miniflare = startApi(port, folder, {
    ...apiWorker('ingest'),
    d1Databases: { DB: 'db', PLANTS_DB: 'plants', PLANTS_DB_2: 'plants-2' },
  });
  try {
    const homes = await Promise.all(HOMES.map((home) => miniflare.getD1Database(home, 'api')));
    await migrate(await miniflare.getD1Database('DB', 'api'), 'migrations');
    for (const home of homes) await migrate(home, 'migrations/plants');
    const [old, other] = homes;
    if (!old || !other) throw new Error('two homes are needed');
    await seed(old, groups, boards, each);
    const began = performance.now();
    let runs = 0;
    for (let left = groups.length; left > 0; runs += 1) {
      await runTask(port, WATCH_CRON);
      left =
        groups.length -
        Number(await old.prepare('SELECT count(*) AS n FROM plant_homes WHERE moving_to IS NULL').first('n'));
      if (runs > 50) throw new Error('the groups do not arrive');
    }
    const seconds = (performance.now() - began) / 1000;
    const there = await other
      .prepare('SELECT count(*) AS n FROM plant_readings JOIN plant_states USING (plant_id)')
      .first<number>('n');
    const rollups = await other.prepare('SELECT count(*) AS n FROM plant_rollups').first<number>('n');
    return [
      {
        figure: `${name}: readings and rollups there`,
        value: `${there}, ${rollups}`,
        target: `${groups.length * boards * each}`,
      },
      { figure: `${name}: runs of the task`, value: String(runs), target: '' },
      {
        figure: `${name}: on the clock, both databases included`,
        value: `${seconds.toFixed(1)} s, ${((seconds * 1000) / groups.length).toFixed(0)} ms a group`,
        target: `with a heap of ${HEAP_MB} MB a worker`,
      },
    ];
  } finally {
    await miniflare.dispose();
    rmSync(folder, { recursive: true, force: true });
  }
}

process.env['MINIFLARE_WORKERD_V8_FLAGS'] = `--max-heap-size=${HEAP_MB}`;
await buildChanged(['api worker', 'ingest worker']);
printTable('Groups of plants that move to another database', [
  ...(await moved('one of a million readings', leaving(1), 250, 4000)),
  ...(await moved('two hundred small ones', leaving(200), 2, 50)),
]);
