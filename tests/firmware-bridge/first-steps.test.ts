import {
  chmodSync,
  closeSync,
  existsSync,
  globSync,
  openSync,
  readFileSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { SPOOL_ALERTS } from '#contract/first-steps';
import { bridgeDoctor } from '../../firmware-bridge/src/commands/doctor.ts';
import { openSpool } from '../../firmware-bridge/src/spool/spool.ts';
import { explainError } from '../../firmware-bridge/src/system-error.ts';
import { type } from '../support/shell.ts';
import { bridgeEnv, startBridge, untilConnected } from './support/bridge.ts';
import { brokers, connectBoard } from './support/brokers.ts';
import { startIngest } from './support/ingest.ts';
import { freshFolder, until } from './support/processes.ts';

/** Makes this process print the steps of a program at this path. */
function asIfOn(place: string): void {
  const [, program = ''] = process.argv;
  if (place === 'a Pi') process.argv[1] = '/usr/lib/cps-bridge/bridge.mjs';
  onTestFinished(() => void (process.argv[1] = program));
}

/** Runs a command as root's shell would; the test does the work of systemd. */
const typeAsRoot = (command: string) => type(command.replace(/^sudo /, ''));

test.each(['a Pi', 'a clone'])(
  'OPS-14 on %s a bridge whose spool is damaged prints what to do, and after that the next reading is stored',
  async (place) => {
    asIfOn(place);
    const [ingest, broker] = await Promise.all([startIngest(), brokers.embedded()]);
    const folder = freshFolder();
    const env = bridgeEnv(broker, ingest.url, folder);
    const file = env['SPOOL_FILE'] ?? '';
    openSpool(file).close();
    const opened = openSync(file, 'r+');
    writeSync(opened, Buffer.alloc(4000, 7), 0, 4000, 512);
    closeSync(opened);
    let bridge = await startBridge(env);
    const looked = async () => {
      const { text } = await bridgeDoctor({ ...env, HEALTH_PORT: new URL(bridge.healthUrl).port });
      return /^(ok |RED) {2}bridge .*$/m.exec(text)?.[0] ?? text;
    };
    const told = await until('alarm', async () => (await bridge.health()).last_error);
    expect(told.event).toBe('spool_corrupt');
    expect(told.reason).not.toContain('restore');
    // The doctor names a log to read, and this log contains the first step.
    expect(await looked()).toMatch(/^RED .*First step: (journalctl -u bridge -n 50|read its output)$/);
    expect(bridge.output()).toContain('First step: ');
    const [, line = ''] = /First step: (.*)/.exec(told.reason) ?? [];
    const steps = line.split(', then ');
    expect(steps).toHaveLength(3);
    let down = '';
    for (const step of steps) {
      if (/^(sudo systemctl stop bridge|stop the bridge .*)$/.test(step)) {
        await bridge.end();
        down = await looked();
      } else if (/^(sudo systemctl start bridge|start it again)$/.test(step)) bridge = await startBridge(env);
      else await typeAsRoot(step);
    }
    expect(down).toMatch(/First step: (sudo systemctl restart bridge|start it again)$/);
    await untilConnected(bridge);
    const board = await connectBoard(broker);
    await board.publishAsync('lab/plants/fern/soil_moisture', '512', { qos: 1 });
    await until('stored', async () => (await ingest.count()) === 1);
    await until('without problems', async () => (await looked()).startsWith('ok '));
    // The damaged spool is kept.
    expect(globSync('damaged-*/spool.sqlite', { cwd: folder })).toHaveLength(1);
  },
);

test('OPS-14 on a Pi a spool that root has left there is given to the bridge', async () => {
  asIfOn('a Pi');
  const folder = freshFolder();
  const file = join(folder, 'spool.sqlite');
  openSpool(file).close();
  chmodSync(file, 0o400);
  const refused = Object.assign(new Error('readonly'), { errcode: 8, path: file });
  const [, step = ''] = /First step: (.*)/.exec(explainError(refused)) ?? [];
  await typeAsRoot(step);
  expect(statSync(file).mode & 0o600).toBe(0o600);
  expect(statSync(file).uid).toBe(statSync(folder).uid);
  openSpool(file).close();
});

test('OPS-14 what an alert of the spool says is where the package keeps it', () => {
  const { full, corrupt } = SPOOL_ALERTS;
  const setup = readFileSync('firmware-bridge/src/commands/setup-command.ts', 'utf8');
  const [, spool = ''] = /^const SPOOL = '(.*)';$/m.exec(setup) ?? [];
  expect(full.first).toContain(`\`df -h ${dirname(spool)}\``);
  expect(corrupt.first).toContain('`journalctl -u bridge`');
  expect(existsSync('firmware-bridge/bridge.service')).toBe(true);
});
