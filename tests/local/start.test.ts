import { existsSync, mkdtempSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { preflight } from '../../local/preflight.ts';
import { readSettings } from '../../local/settings.ts';
import { openLocalStore } from '../../scripts/backup/local-store.ts';
import { releaseDataDir } from '../../scripts/database/data-dir.ts';
import { selected } from '../support/both-databases.ts';
import { shareOrAll } from '../support/counts.ts';
import { freePorts } from '../support/ports.ts';
import { credential, login } from '../support/sign-in.ts';
import { descendants, isAlive, partsOf } from '../support/stack-processes.ts';
import { keepLogsOnFailure, launchStack, startStack, type Stack } from '../support/stack.ts';

const isLinux = process.platform === 'linux';
/** Long enough for a busy machine; the tests do not measure time. */
const IN_TIME = 60_000;

/** Otherwise `npm start` would install the packages again, while other tests use them. */
const isInstalled = existsSync('node_modules/.package-lock.json');

const health = async (stack: Stack) => {
  const answer = await fetch(`${stack.origin}/api/health`);
  return { status: answer.status, body: await answer.json() };
};

const portOf = (url: string) => new URL(url).port;

/** The settings of a second start on the same ports and the same data. */
const sameAs = (stack: Stack) => ({
  DATA_DIR: stack.dataDir,
  PORT: portOf(stack.origin),
  INGEST_PORT: portOf(stack.ingestUrl),
  MQTT_PORT: portOf(stack.brokerUrl),
  BRIDGE_PORT: portOf(stack.bridgeHealthUrl),
});

/** Expects that a start fails, and returns its lines. */
async function refused(env: Record<string, string>): Promise<string[]> {
  const stack = await launchStack(env);
  expect(await stack.ended).toBe(1);
  return stack.output().trim().split('\n');
}

/** The message that prevents a start. */
async function obstacle(env: Record<string, string>): Promise<string> {
  const settings = readSettings(env);
  onTestFinished(() => releaseDataDir(settings.DATA_DIR));
  return await preflight(settings).then(
    () => 'none',
    (error: unknown) => String(error),
  );
}

const withoutDemo = { DEMO_DATA: 'off', SIMULATOR: 'off' };

describe('npm start', () => {
  const dev = [process.execPath, '--disable-warning=ExperimentalWarning', 'local/start.ts', '--dev'];

  type Killed = { others: string; command?: string[]; next?: string[] };
  /** A stack that a test leaves running for the next test, because a start takes long. */
  let survivor: Stack | undefined;
  afterAll(() => survivor?.stop());
  const take = () => {
    const taken = survivor;
    survivor = undefined;
    return taken;
  };

  test('OPS-1 of several starts on one data folder at the same moment one runs, and the others name it', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'cps-lab-raced-'));
    const stacks = await Promise.all([1, 2, 3].map(() => launchStack({ DATA_DIR: dataDir })));
    const isRunning = (stack: Stack) => stack.process.exitCode === null;
    await vi.waitFor(() => expect(stacks.filter(isRunning)).toHaveLength(1), IN_TIME);
    survivor = stacks.find(isRunning);
    await survivor?.untilPrinted(/^ready http/m);
    for (const stack of stacks.filter((other) => other !== survivor))
      expect(stack.output().trim()).toBe(
        `the data folder ${dataDir} cannot be used: it is in use by process ${survivor?.process.pid}. ` +
          `First step: kill ${survivor?.process.pid}, then try again`,
      );
  });

  test('OPS-1 says where everything is and is ready only when all of it answers', async () => {
    const stack = (survivor ??= await startStack());
    keepLogsOnFailure(stack);
    expect(stack.output()).toMatch(new RegExp(`^ready ${stack.origin}$`, 'm'));
    expect(stack.output()).toContain(stack.brokerUrl);
    for (const account of ['admin', 'account', 'member', 'university', 'guest', 'new']) {
      expect(stack.output()).toContain(`${account}@lab.test`);
    }
    expect(stack.output().includes('\u001B')).toBe(false);
    expect(await health(stack)).toEqual({
      status: 200,
      body: { ok: true, parts: { api: true, ingest: true, broker: true, bridge: true } },
    });
    for (const path of ['/', '/ko', '/en', '/login', '/manage_plants', '/dev/identity/jwks']) {
      expect((await fetch(stack.origin + path, { redirect: 'manual' })).status).toBe(200);
    }
    for (const path of ['/nowhere', '/markdown/missing.md'])
      expect((await fetch(stack.origin + path)).status).toBe(404);
    expect(selected(stack.dataDir, 'SELECT id FROM courses')).not.toEqual([]);
  });

  // The guard reads from a pipe until the workers have ended.
  test
    .skipIf(!isLinux)
    .each<Killed>(
      shareOrAll(1, [
        { others: 'nothing else', next: dev },
        { others: 'nothing else', command: dev },
        { others: 'workers', command: dev },
        { others: 'workers' },
        { others: 'broker|bridge|workers|guard|workerd' },
        { others: 'broker|bridge|workers' },
      ]),
    )(
    'OPS-1 parts do not outlive a parent that is killed together with $others, and the next start has ports and data',
    async ({ others, command, next }) => {
      if (command) await take()?.stop();
      const stack = take() ?? (await startStack(withoutDemo, command));
      keepLogsOnFailure(stack);
      const pids = descendants(stack);
      const dying = pids.filter((pid) => partsOf(pid).some((part) => others.split('|').includes(part)));
      expect(dying.length > 0).toBe(others !== 'nothing else');
      for (const pid of dying) process.kill(Number(pid), 'SIGKILL');
      stack.process.kill('SIGKILL');
      await stack.ended;
      for (const pid of pids) await vi.waitFor(() => expect(isAlive(pid)).toBe(false), IN_TIME);
      survivor = await startStack({ ...withoutDemo, ...sameAs(stack) }, next);
    },
  );

  test.skipIf(!isLinux)(
    'OPS-1 where the runtime is left behind all the same, start and restore name it and suggest no other port',
    async () => {
      const stack = take() ?? (await startStack(withoutDemo));
      const pids = descendants(stack);
      const runtime = pids.find((pid) => partsOf(pid).includes('workerd')) ?? '';
      const dying = pids.filter((pid) => partsOf(pid).some((part) => ['workers', 'guard'].includes(part)));
      // The guard is killed first.
      for (const pid of dying.toReversed()) process.kill(Number(pid), 'SIGKILL');
      stack.process.kill('SIGKILL');
      await stack.ended;
      onTestFinished(() => {
        if (isAlive(runtime)) process.kill(Number(runtime), 'SIGKILL');
      });

      const line = `the data folder ${stack.dataDir} cannot be used: process ${runtime} (workerd) has its database open; if it does not end by itself, end it: kill ${runtime}`;
      const again = { ...withoutDemo, ...sameAs(stack) };
      expect(await obstacle(again)).toBe(`Error: ${line}`);
      // With other ports, too, because the database is the same.
      expect(await obstacle({ DATA_DIR: stack.dataDir })).toBe(`Error: ${line}`);
      await expect(openLocalStore(stack.dataDir, { claim: true })).rejects.toThrow(line);

      process.kill(Number(runtime));
      await vi.waitFor(() => expect(isAlive(runtime)).toBe(false), IN_TIME);
      survivor = await startStack(again);
    },
  );

  /** The command that starts with npm, if npm would install nothing. */
  const npm = ['npm', 'start'];
  let byNpm: Stack | undefined;
  afterAll(() => byNpm?.stop());

  test('OPS-1 SIGTERM ends every process, also when it is told twice, and the data outlives the restart', async () => {
    const first = take() ?? (await startStack(withoutDemo));
    keepLogsOnFailure(first);
    const before = await login(first.origin, await credential(first.origin, 'kept@lab.test'));
    const pids = isLinux ? descendants(first) : [];
    first.process.kill('SIGTERM');
    first.process.kill('SIGTERM');
    expect(await first.ended).toBe(0);
    for (const pid of pids) expect(isAlive(pid)).toBe(false);
    const second = await startStack({ ...withoutDemo, ...sameAs(first) }, isInstalled ? npm : undefined);
    byNpm = second;
    keepLogsOnFailure(second);
    const after = await login(second.origin, await credential(second.origin, 'kept@lab.test'));
    expect(after.user).toEqual(before.user);
    expect(second.output()).not.toContain('migrate');
  });

  test.skipIf(!isInstalled)('OPS-1 SIGTERM ends every process when npm alone hears it', async () => {
    const stack = byNpm ?? (await startStack(withoutDemo, npm));
    byNpm = undefined;
    onTestFinished(stack.stop);
    keepLogsOnFailure(stack);
    const pids = isLinux ? descendants(stack) : [];
    stack.process.kill('SIGTERM');
    await stack.ended;
    for (const pid of pids) await expect.poll(() => isAlive(pid)).toBe(false);
  });
});

describe('npm start, in the way', () => {
  test('OPS-5 a taken port is one clear line', async () => {
    const server = createServer();
    const [port = 0] = await freePorts(1);
    await new Promise<void>((resolve) => {
      server.listen(port, '127.0.0.1', resolve);
    });
    onTestFinished(() => void server.close());
    const [line = '', ...more] = await refused({ PORT: String(port) });
    expect(more).toEqual([]);
    expect(line.replace(/ \(node.*\)/, '')).toBe(
      `port ${port} is in use${isLinux ? ` by process ${process.pid}` : ''}; choose another with PORT=<port>`,
    );
  });

  // Not even root can make a folder in /sys/kernel.
  test.skipIf(!isLinux)('a data folder without write permission is one clear line', async () => {
    expect(await obstacle({ DATA_DIR: '/sys/kernel/cps-lab' })).toMatch(
      /^Error: the data folder \/sys\/kernel\/cps-lab cannot be used: .+$/,
    );
  });
});
