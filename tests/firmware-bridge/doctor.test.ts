import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:tls';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { REPAIR_STEPS } from '#contract/first-steps';
import { SERVER_TIME_HEADER } from '#contract/readings';
import { boardCommand } from '../../firmware-bridge/src/commands/board-command.ts';
import { bridgeDoctor, checkParts, failedFinding } from '../../firmware-bridge/src/commands/doctor.ts';
import { openSpool } from '../../firmware-bridge/src/spool/spool.ts';
import { createSelfSignedCertificate } from '../../local/certificate.ts';
import { json, startIngestServer } from './support/ingest-server.ts';
import { freshFolder } from './support/processes.ts';
import { type } from '../support/shell.ts';
import { words } from '../support/words.ts';

const BRIDGE_KEY = 'k'.repeat(40);

/** A machine as the package sets it up: a broker, its files, and a worker that accepts the bridge. */
async function machine() {
  const folder = freshFolder();
  const at = (name: string) => join(folder, name);
  const { key, certificate } = createSelfSignedCertificate(['127.0.0.1']);
  for (const base of ['server', 'ca']) {
    writeFileSync(at(`${base}.key`), key);
    writeFileSync(at(`${base}.crt`), certificate);
  }
  const broker = createServer({ key, cert: certificate }, (socket) => socket.on('error', () => undefined));
  await new Promise<void>((resolve) => {
    broker.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => void broker.close());
  const address = broker.address();
  const ingest = await startIngestServer(json(200, {}));
  writeFileSync(at('acl'), readFileSync('firmware-bridge/mosquitto/acl'));
  const env: Record<string, string> = {
    MQTT_URL: `mqtts://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    MQTT_CA_FILE: at('ca.crt'),
    BRIDGE_ID: 'greenhouse',
    BRIDGE_KEY,
    INGEST_URL: ingest.url,
    SPOOL_FILE: at('spool.sqlite'),
    HEALTH_PORT: '1',
    MOSQUITTO_PASSWORD_FILE: at('passwords'),
    MOSQUITTO_ACL_FILE: at('acl'),
    MOSQUITTO_PID_FILE: at('none'),
  };
  const { text } = boardCommand(['bridge', 'greenhouse'], env);
  env['MQTT_PASSWORD'] = /^MQTT_PASSWORD=(.+)$/m.exec(text)?.[1] ?? '';
  const ask = async () => {
    const { exitCode, text: said } = await bridgeDoctor(env, {
      certificate: at('server'),
      authority: at('ca'),
    });
    return {
      exitCode,
      of: (part: string) => new RegExp(`^(ok |RED)  ${part} .*$`, 'm').exec(said)?.[0] ?? said,
    };
  };
  return { env, was: { ...env }, at, ask, broker, ingest };
}
async function workerOfTomorrow(): Promise<string> {
  const tomorrow = () => String(Date.now() + 86_400_000);
  const server = createHttpServer((_, response) => {
    response.setHeader(SERVER_TIME_HEADER, tomorrow()).end('{}');
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => void server.close());
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
}

type Machine = Awaited<ReturnType<typeof machine>>;

test('OPS-17 each part that is well is a line, and only what is wrong is red', async () => {
  const { ask } = await machine();
  const { exitCode, of } = await ask();
  for (const part of words('settings clock spool disk rights broker worker certificate authority versions'))
    expect(of(part)).toMatch(/^ok /);
  // No bridge runs in this test.
  expect(of('bridge')).toContain(`First step: ${REPAIR_STEPS.bridge('clone')}`);
  expect(exitCode).toBe(1);
});

const other = createSelfSignedCertificate(['127.0.0.1']);
/** Expects that the page of a first step contains the text. */
const listed = (step: string, what: string) =>
  expect(readFileSync(step.split(' ')[0] ?? '', 'utf8')).toContain(what);
/** Creates the bridge's password and rights again, as the page about the settings says. */
function addAgain({ env }: Machine): void {
  env['MQTT_PASSWORD'] =
    /^MQTT_PASSWORD=(.+)$/m.exec(boardCommand(['bridge', 'greenhouse'], env).text)?.[1] ?? '';
}

/** Each damage, with its repair by the first step. The package's own repairs: package/certificates.test.ts. */
const damages: [
  part: string,
  what: string,
  step: string,
  harm: (on: Machine) => unknown,
  follow?: (on: Machine, step: string) => unknown,
][] = [
  [
    'settings',
    'a key that is too short',
    REPAIR_STEPS.settings('clone'),
    ({ env }) => void (env['BRIDGE_KEY'] = 'x'),
    ({ env }, step) => {
      listed(step, '`BRIDGE_KEY`');
      env['BRIDGE_KEY'] = BRIDGE_KEY;
    },
  ],
  [
    'settings',
    'an authority that is no certificate',
    "set it to the certificate of the broker's certificate authority",
    ({ at }) => writeFileSync(at('ca.crt'), 'no certificate'),
    async ({ env, at }, step) => {
      await type(step.split(': ').at(-1) ?? '');
      env['MQTT_CA_FILE'] = at('server.crt');
    },
  ],
  [
    'certificate',
    "another one's key",
    REPAIR_STEPS.certificate,
    ({ at }) => writeFileSync(at('server.key'), other.key),
  ],
  [
    'certificate',
    'an empty certificate',
    REPAIR_STEPS.certificate,
    ({ at }) => writeFileSync(at('server.crt'), ''),
  ],
  ['authority', 'no key', 'restore it from a copy', ({ at }) => rmSync(at('ca.key'))],
  [
    'spool',
    'a file that is no database',
    'if this is the spool, stop the bridge',
    ({ at }) => writeFileSync(at('spool.sqlite'), 'x'.repeat(5000)),
    (_, step) => type(step.split(', then ')[1] ?? ''),
  ],
  [
    'dead letters',
    'a line that was cut off',
    'npm run dead-letters -- replay ',
    ({ at }) => writeFileSync(at('dead-letters-2026-03-02-001.jsonl'), '{"id":1'),
    (_, step) => type(step.split(', then ')[1] ?? ''),
  ],
  [
    'disk',
    'no folder',
    'list its folder',
    ({ env }) => void (env['SPOOL_FILE'] = '/nowhere/spool.sqlite'),
    async ({ env, at }, step) => {
      await type(step.replace('list its folder: ', ''));
      env['SPOOL_FILE'] = at('spool.sqlite');
    },
  ],
  [
    'rights',
    'no file of rights',
    'cp firmware-bridge/mosquitto/acl ',
    ({ at }) => rmSync(at('acl')),
    async (on, step) => {
      await type(step);
      addAgain(on);
    },
  ],
  [
    'rights',
    'no topics of the bridge',
    REPAIR_STEPS.settings('clone'),
    ({ at }) => writeFileSync(at('acl'), ''),
    (on, step) => {
      listed(step, '`MOSQUITTO_ACL_FILE`');
      addAgain(on);
    },
  ],
  [
    'rights',
    'another password',
    REPAIR_STEPS.settings('clone'),
    ({ env }) => void (env['MQTT_PASSWORD'] = 'typed wrongly'),
    (on, step) => {
      listed(step, '`MQTT_PASSWORD`');
      addAgain(on);
    },
  ],
  [
    'broker',
    'nobody who listens',
    'check that it runs, and that the port is right',
    ({ env, was }) => void (env['MQTT_URL'] = was['MQTT_URL']?.replace(/:\d+$/, ':1023') ?? ''),
    ({ env, was }) => void (env['MQTT_URL'] = was['MQTT_URL'] ?? ''),
  ],
  [
    'broker',
    'a stranger',
    'set its authority (MQTT_CA_FILE ',
    ({ at }) => writeFileSync(at('ca.crt'), other.certificate),
    ({ env, at }) => void (env['MQTT_CA_FILE'] = at('server.crt')),
  ],
  [
    'broker',
    'another name than its certificate has',
    'use one of its names',
    ({ env, was }) => void (env['MQTT_URL'] = was['MQTT_URL']?.replace('127.0.0.1', 'localhost') ?? ''),
    ({ env, was }) => void (env['MQTT_URL'] = was['MQTT_URL'] ?? ''),
  ],
  [
    'broker',
    'a port that speaks no TLS',
    'check the port',
    ({ env, ingest }) => void (env['MQTT_URL'] = ingest.url.replace('http:', 'mqtts:')),
    ({ env, was }) => void (env['MQTT_URL'] = was['MQTT_URL'] ?? ''),
  ],
  [
    'worker',
    'a key that it does not know',
    REPAIR_STEPS.settings('clone'),
    ({ ingest }) => ingest.answerWith(json(401, { error: { code: 'unauthorized' } })),
    ({ ingest }, step) => {
      listed(step, '`BRIDGE_KEY`');
      ingest.answerWith(json(200, {}));
    },
  ],
  [
    'clock',
    'a day behind the worker',
    REPAIR_STEPS.clock('clone'),
    async ({ env }) => void (env['INGEST_URL'] = await workerOfTomorrow()),
    async ({ env, was }, step) => {
      await type(step.split(' shows ')[0] ?? '');
      env['INGEST_URL'] = was['INGEST_URL'] ?? '';
    },
  ],
];

test.each(damages)(
  'OPS-17 OPS-14 %s with %s is red, with its first step, and well once that is followed',
  async (part, _, step, harm, follow) => {
    const on = await machine();
    openSpool(on.at('spool.sqlite')).close();
    await harm(on);
    const { of, exitCode } = await on.ask();
    expect(of(part)).toMatch(/^RED/);
    const [, printed = ''] = /First step: (.*)$/.exec(of(part)) ?? [];
    expect(printed).toContain(step);
    expect(exitCode).toBe(1);
    if (follow === undefined) return;
    await follow(on, printed);
    expect((await on.ask()).of(part)).toMatch(/^ok /);
  },
);

test('OPS-17 what a look throws is red with its reason, and hides no other', async () => {
  const { text, exitCode } = await checkParts({
    first: [() => Promise.reject(new Error('gone')), 'look there'],
    second: [() => ({ said: 'well\u001b[2J' }), 'none'],
    third: [() => failedFinding('bad. First step: do this', 'that'), 'none'],
  });
  expect(text.split('\n')).toEqual([
    'RED  first        gone. First step: look there',
    String.raw`ok   second       well\x1b[2J`,
    'RED  third        bad. First step: do this',
  ]);
  expect(exitCode).toBe(1);
  expect((await checkParts({ first: [() => ({ said: 'well' }), ''] })).exitCode).toBe(0);
});

test('OPS-17 as a program it prints to standard output alone and ends with 1', () => {
  const folder = freshFolder();
  mkdirSync(join(folder, 'data'));
  const run = spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', 'local/doctor.ts'], {
    encoding: 'utf8',
    env: { ...process.env, DATA_DIR: join(folder, 'data'), PORT: '1023', MQTT_PORT: '1022' },
  });
  expect({ status: run.status, stderr: run.stderr }).toEqual({ status: 1, stderr: '' });
  expect(run.stdout).toMatch(/^ok {3}keys /m);
  expect(run.stdout).toMatch(/^RED {2}worker .*First step: DATA_DIR=.* npm start$/m);
});
