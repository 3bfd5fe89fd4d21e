/**
 * `npm run bench:upgrade [-- readings]`: the upgrade of a deployed installation whose plants are still in the one database that held
 * everything, by `npm run deploy` and the real wrangler, into a pretended Cloudflare.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { buildChanged } from '../../scripts/build.ts';
import { openLocalD1 } from '../../scripts/local-d1.ts';
import { laboratoryBefore } from '../deploy/laboratory-before.ts';
import { PretendedCloudflare } from '../deploy/pretended-cloudflare.ts';
import { makeWorkplace } from '../deploy/workplace.ts';
import { watchMemory } from './memory.ts';
import { printTable, type Row } from './table.ts';

const READINGS = Number(process.argv[2] ?? 100_000);
const ANSWERS = {
  GOOGLE_CLIENT_ID: 'a-client.apps.example',
  GOOGLE_CLIENT_SECRET: 'a-client-secret',
  ADMIN_EMAILS: 'boss@lab.example',
  UNIVERSITY_EMAIL_DOMAINS: 'univ.example',
  SITE_DOMAIN: '-',
};

/** Of each plant the number of its readings and sums of what they say. */
const contents = (db: DatabaseSync): string =>
  JSON.stringify(
    db
      .prepare(
        `SELECT plant_id, count(*) AS readings, total(soil_moisture) AS moisture, sum(measured_at % 1000003) AS times,
           total(seq % 1000003) AS seqs, total(received_at % 1000003) AS received, total(refused_time) AS refused
         FROM plant_readings GROUP BY plant_id`,
      )
      .all(),
  );

/** Runs the deployment up to the smoke test, whose addresses are in the internet. */
async function deploy(place: string, url: string) {
  const began = performance.now();
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', 'scripts/deploy/deploy.ts'],
    {
      cwd: place,
      env: {
        ...process.env,
        ...ANSWERS,
        PATH: `${resolve('node_modules/.bin')}:${process.env['PATH'] ?? ''}`,
        CLOUDFLARE_API_BASE_URL: url,
        CLOUDFLARE_API_TOKEN: 'a-token',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const peak = watchMemory(child);
  const ends = new Map<string, number>();
  const peaks = new Map<string, number>();
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    const seconds = (performance.now() - began) / 1000;
    output += chunk.toString();
    for (const [, step = ''] of output.matchAll(/^deploy {2}\d+\/\d+ ([^:\n]+): /gm))
      if (!ends.has(step)) {
        ends.set(step, seconds);
        peaks.set(step, peak());
      }
    process.stdout.write(chunk.toString().replaceAll(/^(?=.)/gm, `${seconds.toFixed(1).padStart(7)}  `));
    if (ends.has('bridge key')) child.kill('SIGKILL');
  });
  await new Promise((done) => void child.once('close', done));
  if (!ends.has('bridge key')) throw new Error('the deployment broke off');
  return { ends, peaks };
}

const folder = mkdtempSync(join(tmpdir(), 'cps-lab-bench-'));
await buildChanged(['site', 'site functions', 'api worker', 'ingest worker']);
const place = makeWorkplace();
const cloudflare = new PretendedCloudflare();
const { url, close } = await cloudflare.listen();
try {
  const old = openLocalD1(laboratoryBefore(folder, 'before', READINGS));
  const before = contents(old);
  old.exec(`VACUUM INTO '${join(folder, 'copy.sqlite')}'`);
  old.close();
  const file = cloudflare.open('cps-lab', join(folder, 'copy.sqlite'));
  cloudflare.open('cps-lab-plants', join(folder, 'plants.sqlite'));
  const { ends, peaks } = await deploy(place, url);
  const after = contents(cloudflare.sql('cps-lab-plants'));
  const at = (step: string) => ends.get(step) ?? Number.NaN;
  const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`;
  const seconds = (value: number) => `${value.toFixed(1)} s`;
  const left = file.prepare("SELECT count(*) AS n FROM sqlite_schema WHERE name = 'plant_readings'").get();
  const rows: Row[] = [
    { figure: 'the whole deployment, without the smoke test', value: seconds(at('bridge key')), target: '' },
    {
      figure: 'of it: plants are moved and counted',
      value: seconds(at('plants') - at('ingest worker')),
      target: '',
    },
    {
      figure: 'bridges wait',
      value: seconds(at('plants') - at('migrations')),
      target: 'from the new ingest worker on',
    },
    {
      figure: 'tables left behind are dropped',
      value: seconds(at('tables left behind') - at('site')),
      target: '',
    },
    { figure: "the pretended databases' own work", value: seconds(cloudflare.work.sqlMs / 1000), target: '' },
    { figure: 'requests to Cloudflare', value: String(cloudflare.work.requests), target: '' },
    {
      figure: 'most memory of deployment and wrangler while they move',
      value: megabytes(peaks.get('plants') ?? 0),
      target: '',
    },
    { figure: 'in all', value: megabytes(Math.max(...peaks.values())), target: '' },
    {
      figure: 'readings of each plant, counted and summed',
      value: before === after ? 'equal' : 'DIFFERENT',
      target: 'equal',
    },
    { figure: 'tables of readings in the old database', value: String(left?.['n']), target: '0' },
  ];
  printTable(`The upgrade of ${READINGS} readings by npm run deploy`, rows);
  if (before !== after) {
    console.log(before, after);
    process.exitCode = 1;
  }
} finally {
  close();
  for (const each of [folder, place]) rmSync(each, { recursive: true, force: true });
}
