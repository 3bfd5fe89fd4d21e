import { spawn, spawnSync } from 'node:child_process';
import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { REPAIR_STEPS } from '#contract/first-steps';
import { shareOrAll, someOrAll } from '../../support/counts.ts';
import { type } from '../../support/shell.ts';
import { freshFolder } from '../support/processes.ts';

const DAY = 86_400_000;
/** Only root may run the script. */
const canRun = process.getuid?.() === 0 && existsSync('/usr/bin/openssl') && existsSync('/usr/bin/flock');

/** A new machine, or a copy of a machine with certificates. */
function freshPi(model?: string) {
  const root = freshFolder();
  for (const folder of ['etc/cps-bridge', 'etc/mosquitto/certs', 'run/mosquitto'])
    mkdirSync(join(root, folder), { recursive: true });
  if (model !== undefined) cpSync(join(model, 'etc'), join(root, 'etc'), { recursive: true });
  const script = join(root, 'certificates');
  const text = readFileSync('firmware-bridge/debian/certificates', 'utf8');
  writeFileSync(
    script,
    text.replace(/(?<=[\s=])\/(?=(etc|run)\/)/g, `${root}/`).replace('chown mosquitto:', 'chown root:'),
  );
  chmodSync(script, 0o755);
  const own = (file: string) => join(root, 'etc', file);
  const ca = own('cps-bridge/ca');
  const server = own('mosquitto/certs/server');
  const run = (...words: string[]) => {
    const { status, stdout, stderr } = spawnSync(script, words, { encoding: 'utf8' });
    return { status, said: stdout + stderr };
  };
  /** Does the first step of a line, with the script of the repository instead of the installed script. */
  const follow = async (said: string) => {
    const [, line = ''] = /First step: (.*)/.exec(said) ?? [];
    for (const step of line.split(/, then |; without a copy, /).slice(line.startsWith('restore') ? 1 : 0)) {
      if (step.startsWith("each board's")) continue;
      await type(step.replace('cps-bridge certificate', script).replace(/^sudo /, ''));
    }
  };
  return { root, script, ca, server, run, follow };
}
type Pi = ReturnType<typeof freshPi>;

const made = mkdtempSync(join(tmpdir(), 'certificates-'));
afterAll(() => rmSync(made, { recursive: true }));

/** A machine with certificates, which are made once for all tests. */
function readyPi(): Pi {
  if (!existsSync(join(made, 'etc'))) {
    const first = freshPi();
    const { status, said } = first.run('renew');
    if (status !== 0) throw new Error(said);
    cpSync(join(first.root, 'etc'), join(made, 'etc'), { recursive: true });
  }
  return freshPi(made);
}

const certificate = (file: string) => new X509Certificate(readFileSync(`${file}.crt`));

/** Expects that the broker could start, and that a board that knows the authority could connect. */
function expectWhole({ ca, server }: Pi, authority = certificate(ca)): void {
  const own = certificate(server);
  expect(own.verify(authority.publicKey)).toBe(true);
  for (const [file, shown] of [
    [server, own],
    [ca, certificate(ca)],
  ] as const) {
    const key = createPublicKey(createPrivateKey(readFileSync(`${file}.key`)));
    expect(key.equals(shown.publicKey)).toBe(true);
  }
}

describe.skipIf(!canRun)('the certificates of a Pi', () => {
  test('OPS-15 they hold from a day ago on, because the clock of a board or of the Pi may be behind', () => {
    const pi = freshPi();
    expect(pi.run('renew', '--if-due', '--name', 'pi.lab.example').status).toBe(0);
    expectWhole(pi);
    for (const file of [pi.ca, pi.server])
      expect(Date.now() - certificate(file).validFromDate.getTime()).toBeGreaterThan(DAY - 60_000);
    expect(certificate(pi.server).checkHost('pi.lab.example')).toBe('pi.lab.example');
    const days = (certificate(pi.server).validToDate.getTime() - Date.now()) / DAY;
    expect(Math.round(days)).toBe(365);
    const before = readFileSync(`${pi.server}.crt`, 'utf8');
    expect(pi.run('renew', '--if-due').status).toBe(0);
    expect(readFileSync(`${pi.server}.crt`, 'utf8')).toBe(before);
  });

  test('OPS-15 of three renewals at once key and certificate belong together, and none is made in vain', async () => {
    const pi = freshPi();
    const ended = Array.from({ length: 3 }, (_, n) => {
      const child = spawn(pi.script, ['renew', '--name', `n${n}.lab.example`], { stdio: 'ignore' });
      return new Promise((resolve) => child.once('close', resolve));
    });
    expect(await Promise.all(ended)).toEqual([0, 0, 0]);
    expectWhole(pi);
    for (let n = 0; n < 3; n += 1)
      expect(certificate(pi.server).checkHost(`n${n}.lab.example`)).toBeDefined();
  });

  const damages: [what: string, damage: (pi: Pi) => void][] = [
    ['the key of the broker is empty', ({ server }) => writeFileSync(`${server}.key`, '')],
    [
      'the certificate of the broker is cut off',
      ({ server }) => writeFileSync(`${server}.crt`, '-----BEGIN'),
    ],
    ['the certificate of the broker is gone', ({ server }) => renameSync(`${server}.crt`, `${server}.old`)],
    ['the key is another one', ({ ca, server }) => copyFileSync(`${ca}.key`, `${server}.key`)],
  ];

  test.each(shareOrAll(2, damages))(
    'OPS-14 where %s, it is said, and the first step cures it',
    async (_, damage) => {
      const pi = readyPi();
      const authority = certificate(pi.ca);
      damage(pi);
      const { status, said } = pi.run();
      expect(status).toBe(1);
      expect(said).toContain(`First step: ${REPAIR_STEPS.certificate}`);
      await pi.follow(said);
      expectWhole(pi, authority);
      expect(pi.run()).toMatchObject({ status: 0 });
      // The timer and the start of the broker do the same.
      damage(pi);
      expect(pi.run('renew', '--if-due').status).toBe(0);
      expectWhole(pi, authority);
    },
  );

  test('OPS-14 a certificate of the authority that is lost is made again of its key, and boards notice nothing', () => {
    const pi = readyPi();
    const authority = certificate(pi.ca);
    writeFileSync(`${pi.ca}.crt`, '');
    expect(pi.run('renew').status).toBe(0);
    expectWhole(pi, authority);
  });

  test('OPS-14 a lost key of the authority is no reason to cut off every board: the first step is said when one has to sign', async () => {
    const pi = readyPi();
    writeFileSync(`${pi.ca}.key`, '');
    expect(pi.run('renew', '--if-due').status).toBe(0);
    const { status, said } = pi.run('renew');
    expect(status).toBe(1);
    expect(said).toContain(REPAIR_STEPS.authority(`${pi.ca}.crt`));
    await pi.follow(said);
    expectWhole(pi);
  });

  test('OPS-15 an installation that was cut off at the authority can be gone on with', () => {
    const pi = freshPi();
    writeFileSync(`${pi.ca}.key`, '');
    expect(pi.run('renew', '--if-due').status).toBe(0);
    expectWhole(pi);
  });

  /** Kills the script when it calls a program for the n-th time; false if the script has ended before. */
  function killedAt(pi: Pi, n: number): boolean {
    const shims = join(pi.root, 'shims');
    mkdirSync(shims, { recursive: true });
    const count = join(pi.root, 'count');
    writeFileSync(count, '0');
    for (const name of ['openssl', 'sync', 'mv', 'cp', 'mktemp', 'chmod', 'chown', 'mkdir', 'rm']) {
      const shim = `#!/bin/sh
left=$(($(cat ${count}) + 1)); echo $left > ${count}
[ $left -lt ${n} ] || kill -9 0
exec /usr/bin/${name} "$@"`;
      writeFileSync(join(shims, name), shim, { mode: 0o755 });
    }
    const { signal } = spawnSync('setsid', ['--wait', pi.script, 'renew'], {
      env: { ...process.env, PATH: `${shims}:${process.env['PATH'] ?? ''}` },
    });
    const calls = Number(readFileSync(count, 'utf8'));
    return signal !== null || calls >= n;
  }

  const CALLS = Array.from({ length: 40 }, (_, n) => n + 1);

  test.each(shareOrAll(1, ['later', 'at first']))(
    'OPS-15 killed at whatever call, %s, it is whole after the next run, and boards still know the authority',
    (when) => {
      let killed = 0;
      for (const n of someOrAll(4, CALLS)) {
        const pi = when === 'later' ? readyPi() : freshPi();
        const authority = when === 'later' ? certificate(pi.ca) : undefined;
        if (killedAt(pi, n)) killed += 1;
        expect(pi.run('renew', '--if-due'), `${n}`).toMatchObject({ status: 0 });
        expectWhole(pi, authority);
      }
      expect(killed).toBeGreaterThan(2);
    },
  );
});
