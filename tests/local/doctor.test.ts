import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { doctorCommand } from '../../local/doctor.ts';
import { recordStart, readSettings } from '../../local/settings.ts';
import { claimDataDir, releaseDataDir } from '../../scripts/database/data-dir.ts';
import { runCommand } from '../support/run-command.ts';
import { type } from '../support/shell.ts';
import { canMount, leaveFree, smallDisk } from '../support/small-disk.ts';

/** Ports on which no server answers. */
const PORTS = { PORT: '1023', INGEST_PORT: '1022', MQTT_PORT: '1021', BRIDGE_PORT: '1020' };

function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'cps-lab-doctor-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** Runs the doctor; `of` returns its line about a part. */
async function asked(dataDir: string, env: Record<string, string> = PORTS) {
  const { output, status } = await runCommand(doctorCommand, [], { ...env, DATA_DIR: dataDir });
  return { status, of: (part: string) => new RegExp(`^(ok |RED)  ${part} .*$`, 'm').exec(output)?.[0] };
}

test('OPS-17 it knows ports and --lan of the last start, and its first steps say them again', async () => {
  const dataDir = freshFolder();
  recordStart(readSettings({ ...PORTS, DATA_DIR: dataDir }), true);
  const typed = `First step: DATA_DIR=${dataDir} PORT=1023 INGEST_PORT=1022 MQTT_PORT=1021 BRIDGE_PORT=1020 npm start -- --lan`;
  const { of, status } = await asked(dataDir, {});
  expect(of('broker')).toContain(typed);
  expect(of('worker')).toContain(typed);
  expect(status).toBe(1);
  // A damaged start.json counts as missing; the next start writes it again.
  writeFileSync(join(dataDir, 'start.json'), '{');
  expect((await asked(dataDir)).of('worker')).toMatch(/ npm start$/);
});

test('OPS-14 OPS-17 a run that answers nothing and holds the folder is ended as its first step says', async () => {
  const dataDir = freshFolder();
  const hold = `import { claimDataDir } from './scripts/database/data-dir.ts';
    await claimDataDir(${JSON.stringify(dataDir)}); console.log('held'); setInterval(() => {}, 1e9);`;
  // A separate process, because the first step kills it.
  const run = spawn(process.execPath, ['--input-type=module-typescript', '-e', hold]);
  onTestFinished(() => void run.kill('SIGKILL'));
  await once(run.stdout, 'data');
  const { of } = await asked(dataDir);
  const [, kill = '', start] =
    /First step: (kill \d+), which takes some seconds, then (.*)$/.exec(of('worker') ?? '') ?? [];
  expect(kill).toBe(`kill ${run.pid}`);
  const gone = once(run, 'exit');
  await type(kill);
  await gone;
  expect((await asked(dataDir)).of('worker')).toContain(`First step: ${start}`);
  await claimDataDir(dataDir);
  releaseDataDir(dataDir);
});

test('OPS-14 OPS-17 the key of archives that is empty is red, with the command that moves it away', async () => {
  const dataDir = freshFolder();
  expect((await asked(dataDir)).of('archive key')).toMatch(/^ok /);
  writeFileSync(join(dataDir, 'archive-key.pem'), '');
  expect((await asked(dataDir)).of('archive key')).toContain(
    `mv ${dataDir}/archive-key.pem ${dataDir}/damaged-`,
  );
});

const SIZE = 256 * 1024;
const disk = smallDisk(SIZE);

test.skipIf(!canMount)('OPS-14 on a full disk room comes first, whatever a part says itself', async () => {
  const dataDir = join(disk, 'data');
  mkdirSync(dataDir);
  writeFileSync(join(dataDir, 'spool.sqlite'), 'no database');
  leaveFree(disk, SIZE, 4096);
  const { of } = await asked(dataDir);
  for (const part of ['disk', 'spool', 'worker'])
    expect(of(part)).toMatch(new RegExp(`^RED .*First step: make room on it: df -h ${dataDir}$`));
});
