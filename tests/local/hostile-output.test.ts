import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { boardCommand } from '../../firmware-bridge/src/commands/board-command.ts';
import { deadLetterCommand } from '../../firmware-bridge/src/commands/dead-letters-command.ts';
import { openSpool } from '../../firmware-bridge/src/spool/spool.ts';
import { addManifest, addObjectTable, compressAndVerify } from '../../scripts/backup/archive.ts';
import { restoreCommand } from '../../scripts/backup/restore.ts';
import { bridgeKey } from '../../scripts/operator/bridge-key.ts';
import { deadLettersCommand } from '../../scripts/operator/dead-letters.ts';
import { grantCommand } from '../../scripts/operator/grant.ts';
import { openLocalD1 } from '../../scripts/database/local-d1.ts';
import { personCommand } from '../../scripts/operator/person.ts';
import { replayCommand } from '../../scripts/operator/replay.ts';
import type { Command } from '../../scripts/terminal.ts';
import { migrateLocal } from '../../scripts/database/migrate.ts';
import { pretendAccount } from '../deploy/deployment.ts';
import { backupHere } from '../support/backup-here.ts';
import { runCommand, type Run } from '../support/run-command.ts';

/** Control characters that clear the screen, rename the window, reverse a line, or are invisible. */
const HOSTILE = 'x\u001b[2J\u001b]0;owned\u0007\u202e\u0085\u007f\u2028\u200b\u009b31m';
/** The characters of these that file names, arguments and plants' names may have. */
const HOSTILE_NAME = 'x\u202e\u2066\u200b\ufeff\u2028y';
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;

const place = mkdtempSync(join(tmpdir(), 'cps-lab-hostile-'));
const dataDir = join(place, 'data');
const file = (name: string) => join(place, name);
afterAll(() => rmSync(place, { recursive: true }));

beforeAll(async () => {
  migrateLocal(dataDir);
  const db = openLocalD1(dataDir);
  db.prepare(
    'INSERT INTO users (id, sub, email, name, secure_level, created_at) VALUES (7, ?, ?, ?, 5, 1), (8, ?, ?, ?, 1, 1)',
  ).run('a', `${HOSTILE}@lab.test`, HOSTILE, 'b', 'admin@lab.test', 'b');
  db.prepare("INSERT INTO students (id, name, email) VALUES ('20990001', ?, ?)").run(
    HOSTILE,
    `${HOSTILE}@lab.test`,
  );
  db.prepare(
    "INSERT INTO ledger_entries (id, amount, datetime, description) VALUES (1, 5, '2026-03-02T13:00:00', ?)",
  ).run(`dues of ${HOSTILE} and more`);
  db.close();
  const plants = openLocalD1(dataDir, { database: 'PLANTS_DB' });
  plants
    .prepare(
      'INSERT INTO bridge_keys (bridge_id, key, plants, created_at) VALUES (?, hex(zeroblob(16)), ?, 1)',
    )
    .run(HOSTILE, JSON.stringify([HOSTILE_NAME]));
  plants.close();
  openSpool(join(dataDir, 'spool.sqlite')).close();

  const spool = openSpool(file('spool.sqlite'));
  for (const payload of [HOSTILE, JSON.stringify({ [HOSTILE]: 1 }), Buffer.from([0x1b, 0xff])])
    spool.commit([
      {
        topic: `lab/plants/${HOSTILE}/soil_moisture`,
        payload: Buffer.from(payload),
        retained: false,
        receivedAt: Date.now(),
      },
    ]);
  spool.commit([
    {
      topic: `lab/plants/${HOSTILE_NAME}/soil_moisture`,
      payload: Buffer.from(JSON.stringify({ soil_moisture: 1, [HOSTILE]: 1 })),
      retained: false,
      receivedAt: Date.now(),
    },
  ]);
  spool.close();

  writeFileSync(file('passwords'), `${HOSTILE}:$7$\n`);
  writeFileSync(
    file(`${HOSTILE}.csv`),
    `datetime,plant,soil_moisture\n2026-03-02T00:00:00Z,${HOSTILE_NAME},1\n`,
  );
  const archived = new DatabaseSync(file('archived.sqlite'));
  archived.exec(`CREATE TABLE "${HOSTILE}" (id INTEGER PRIMARY KEY AUTOINCREMENT)`);
  addObjectTable(archived);
  addManifest(archived, { source: HOSTILE, at: new Date(), plants: [], dataDir });
  archived.exec(`INSERT INTO "${HOSTILE}" VALUES (1)`);
  archived.close();
  await compressAndVerify(file('archived.sqlite'), file('damaged.gz'), async () => undefined);
});

const variables = { NO_COLOR: '1', DATA_DIR: dataDir };
const run = (typed: Command, args: string[], env: Record<string, string> = {}): Promise<Run> =>
  runCommand(typed, args, { ...variables, ...env });

async function letters(args: string[], env: Record<string, string>): Promise<Run> {
  const lines: string[] = [];
  const print = async (line: string) => void lines.push(line);
  const status = await deadLetterCommand(args, env, print, print);
  return { status, output: lines.join('\n') };
}

async function board(args: string[], env: Record<string, string> = {}): Promise<Run> {
  const { exitCode, text } = boardCommand(args, env);
  return { status: exitCode, output: text };
}

/** Runs the bridge's program, which has its own output. */
async function bridge(args: string[]): Promise<Run> {
  const program = ['--disable-warning=ExperimentalWarning', 'firmware-bridge/src/main.ts'];
  const child = spawn(process.execPath, [...program, ...args], {
    env: { ...process.env, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  await once(child, 'close');
  return { status: child.exitCode ?? 1, output };
}

/** Every command that prints text of a board, a file, a person or another program. */
const commands: [name: string, () => Promise<Run>][] = [
  ['grant', () => run(grantCommand, ['--id', '7', '8'])],
  ['grant without a user', () => run(grantCommand, [`a'${HOSTILE_NAME}@lab.test`, '8'])],
  ['bridge key list', () => run(bridgeKey, ['key', 'list'])],
  ['bridge key add', () => run(bridgeKey, ['key', 'add', 'roof', '--plants', HOSTILE])],
  ['an unknown option', () => run(bridgeKey, ['key', 'list', `--${HOSTILE}`])],
  ['person erase', () => run(personCommand, ['erase', '20990001'])],
  ['person erase by address', () => run(personCommand, ['erase', `x'${HOSTILE_NAME}@lab.test`])],
  [
    'person export',
    () => run(personCommand, ['export', '20990001', '--reason', 'test', '--to', file(HOSTILE)]),
  ],
  ['dead-letters list', () => run(deadLettersCommand, ['list', '--spool', file('spool.sqlite')])],
  ['dead-letters export', () => letters(['export'], { SPOOL_FILE: file('spool.sqlite') })],
  ['dead-letters of no file', () => run(deadLettersCommand, ['list', '--spool', file(HOSTILE_NAME)])],
  ['board list', () => board(['list'], { MOSQUITTO_PASSWORD_FILE: file('passwords') })],
  [
    'board add',
    () =>
      board(['add', HOSTILE_NAME], {
        MOSQUITTO_PASSWORD_FILE: file('passwords'),
        MOSQUITTO_PID_FILE: file(HOSTILE),
      }),
  ],
  ['board add of no plant', () => board(['add', HOSTILE])],
  ['an unknown command', () => bridge([HOSTILE])],
  ['replay', () => run(replayCommand, [file(`${HOSTILE}.csv`)], { MQTT_URL: 'mqtt://127.0.0.1:1' })],
  ['replay of no file', () => run(replayCommand, [file(`${HOSTILE}.nothing`)])],
  ['backup', () => run(backupHere, ['--unencrypted', '--to', file(`backups-${HOSTILE}`)])],
  [
    'restore of a damaged archive',
    () => run(restoreCommand, [file('damaged.gz')], { DATA_DIR: file('another') }),
  ],
];

test.each(commands)('SEC-49 %s prints nothing of a board, a file or a person raw', async (_, command) => {
  const { output } = await command();
  const lines = output.split(/[\n\t]/);
  expect(lines.filter((line) => INVISIBLE.test(line))).toEqual([]);
  // Without output, this test would check nothing.
  expect(output).not.toBe('');
});

test('SEC-49 what is hidden in names is shown as text', async () => {
  const [list, erase] = await Promise.all([
    run(deadLettersCommand, ['list', '--spool', file('spool.sqlite')]),
    run(personCommand, ['erase', '20990001']),
  ]);
  for (const { output } of [list, erase]) {
    expect(output).toContain(String.raw`\x1b[2J\x1b]0;owned\x07\u202e\x85\x7f\u2028\u200b\x9b31m`);
  }
  expect(list.output.trim().split('\n')).toHaveLength(4);
});

test('SEC-49 deploy prints nothing of an account raw', async () => {
  const { deploy } = await pretendAccount([
    { id: 'account-1', name: HOSTILE },
    { id: 'account-2', name: 'The lab' },
  ]);
  const { output } = await deploy();
  expect(output).toContain(String.raw`\x1b[2J`);
  expect(output.split('\n').filter((line) => INVISIBLE.test(line))).toEqual([]);
});
