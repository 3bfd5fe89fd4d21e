/**
 * `npm run bench:night`: how long and with how much memory the nightly task moves old readings to R2: a month of a board
 * with a reading a second, and a month of 36 with one a minute.
 */
import type { D1Database } from '@cloudflare/workers-types';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { database } from '#db/client';
import { buildChanged } from '../../scripts/build.ts';
import { migrate } from '../../scripts/migrate.ts';
import { keepRises } from '../../worker/src/plants/keep-rises-data.ts';
import { writeRollups } from '../../worker/src/plants/rollups-data.ts';
import { freePorts } from '../support/ports.ts';
import { apiWorker, NIGHTLY, runTask, startApi } from './api-worker.ts';
import { printTable, type Row } from './table.ts';

const SECOND = 1000;
const DAY = 86_400 * SECOND;
const today = new Date();
const START = Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - 2, 1);
const UNTIL = Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - 1, 1);
/** Readings that one statement stores. */
const SLICE = 100_000;
/** The most that V8 may give each worker; an isolate of Cloudflare has 128 MB, of which its buffers need some. */
const HEAP_MB = 32;

/** Soil that dries for a week and is watered, with some noise, as it is measured: some milliseconds late. */
async function seed(plants: D1Database, boards: number, interval: number): Promise<void> {
  await migrate(plants, 'migrations/plants');
  await plants.prepare('DELETE FROM plant_rollup_watermark').run();
  const each = (UNTIL - START) / interval;
  for (let plant = 1; plant <= boards; plant++) {
    await plants.prepare('INSERT INTO plants (id, name) VALUES (?, ?)').bind(plant, `화분 ${plant}`).run();
    for (let first = 0; first < each; first += SLICE)
      await plants
        .prepare(
          `WITH RECURSIVE steps (n) AS (
             SELECT ${first} UNION ALL SELECT n + 1 FROM steps WHERE n < ${Math.min(each, first + SLICE) - 1})
           INSERT INTO plant_readings (plant_id, measured_at, seq, soil_moisture, received_at)
           SELECT ${plant}, at, n, 400 + at % ${7 * DAY} / ${2000 * SECOND} + abs(random() % 8), at + 30 + abs(random() % 40)
           FROM (SELECT n, ${START} + n * ${interval} + abs(random() % 20) AS at FROM steps)`,
        )
        .run();
  }
  await plants
    .prepare(
      `UPDATE plant_states SET readings = ${each}, last_measured_at = ${UNTIL - interval}, last_seq = ${each - 1},
         last_soil_moisture = 500, last_received_at = ${UNTIL - interval}`,
    )
    .run();
  await writeRollups(database(plants), Date.now(), Number.POSITIVE_INFINITY);
  await keepRises(database(plants), Number.POSITIVE_INFINITY);
}

const countSchema = z.object({ n: z.int() });

/** The process that Miniflare has started. */
function workerd(): string {
  const pids = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').split(' ');
  const pid = pids.find(
    (one) => one !== '' && readFileSync(`/proc/${one}/cmdline`, 'utf8').includes('workerd'),
  );
  if (pid === undefined) throw new Error('workerd does not run');
  return pid;
}

/** Megabytes that a process holds now and, when asked again, at most since. */
function peakOf(pid: string): () => [number, number] {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
  const most = () => {
    const [, kilobytes] = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kilobytes) / 1000;
  };
  const before = most();
  return () => [before, most()];
}

/** A reading that comes after its month was moved, and the night after. @returns seconds that it takes */
async function mergeLate(port: number, plants: D1Database): Promise<number> {
  await plants
    .prepare(
      `INSERT INTO plant_readings (plant_id, measured_at, seq, soil_moisture, received_at)
       VALUES (1, ${START + 5 * DAY}, -1, 5, ${UNTIL})`,
    )
    .run();
  const began = performance.now();
  await runTask(port, NIGHTLY);
  const seconds = (performance.now() - began) / 1000;
  const { n } = countSchema.parse(
    await plants.prepare('SELECT count(*) AS n FROM plant_readings WHERE plant_id = 1').first(),
  );
  if (n !== 0) throw new Error('the late reading was not merged');
  return seconds;
}

async function night(name: string, boards: number, interval: number): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'cps-lab-bench-'));
  const [port = 0] = await freePorts(1);
  const api = apiWorker('ingest');
  const bindings = { ...api.bindings, READINGS_TO_R2_AFTER_MONTHS: '1' };
  const miniflare = startApi(port, folder, { ...api, bindings });
  try {
    const plants = await miniflare.getD1Database('PLANTS_DB', 'api');
    await migrate(await miniflare.getD1Database('DB', 'api'), 'migrations');
    await seed(plants, boards, interval);
    const count = async (sql: string) => countSchema.parse(await plants.prepare(sql).first());
    const { n: readings } = await count('SELECT count(*) AS n FROM plant_readings');
    const memory = peakOf(workerd());
    const began = performance.now();
    await runTask(port, NIGHTLY);
    const seconds = (performance.now() - began) / 1000;
    const { n: left } = await count('SELECT count(*) AS n FROM plant_readings');
    const { n: moved } = await count('SELECT sum(readings) AS n FROM plant_months WHERE is_emptied');
    const bucket = await miniflare.getR2Bucket('FILES', 'api');
    const { objects } = await bucket.list({ prefix: 'readings/' });
    const bytes = objects.reduce((sum, { size }) => sum + size, 0);
    const merging = await mergeLate(port, plants);
    const [before, peak] = memory();
    return [
      {
        figure: `${name}: readings moved, left`,
        value: `${moved}, ${left}; ${objects.length} files, ${(bytes / readings).toFixed(2)} bytes a reading`,
        target: `${readings}, 0`,
      },
      {
        figure: `${name}: on the clock, its D1 and R2 included`,
        value: `${seconds.toFixed(0)} s`,
        target: '≤ 900 s',
      },
      { figure: `${name}: merging a late reading`, value: `${merging.toFixed(0)} s`, target: '≤ 900 s' },
      {
        figure: `${name}: most memory of workerd, its D1 and R2 included`,
        value: `${before.toFixed(0)} MB before, ${peak.toFixed(0)} MB`,
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
printTable('A night that moves readings to R2', [
  ...(await night('a reading a second', 1, SECOND)),
  ...(await night('36 boards, one a minute', 36, 60 * SECOND)),
]);
