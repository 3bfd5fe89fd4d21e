import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSelfSignedCertificate } from '../../local/certificate.ts';
import { change } from '../support/both-databases.ts';
import { shareOrAll } from '../support/counts.ts';
import { commandBlocks } from '../support/page-commands.ts';
import { sharedStack } from '../support/shared-stack.ts';

const PAGES = [
  'README.md',
  'docs/first-board.md',
  'docs/operations.md',
  'docs/deploy.md',
  'firmware-bridge/README.md',
  'firmware/README.md',
];

/** Commands that cannot run in the tests, and what else shows that the command is correct. */
const ELSEWHERE: [command: RegExp, shownBy: string][] = [
  [/^npm (start|test)$/, 'every test'],
  [/^npm start -- --lan/, 'tests/local/lan.test.ts'],
  [/^(git clone|pipx|esptool) |^cd <the folder>/, 'a newcomer and a board'],
  [/^npm run deploy( -- --name \S+)?$/, 'tests/deploy/deploy.test.ts, at a pretended Cloudflare'],
  [/^npm run deploy -- --rollback/, 'tests/deploy/rollback.test.ts, at a pretended Cloudflare'],
  [/^npx wrangler /, 'tests/deploy/deploy.test.ts, which holds such words against the real wrangler'],
  [
    /^(sudo|scp|cps-board|systemctl) /,
    'tests/firmware-bridge/package/installed.test.ts, in a Debian of its own',
  ],
  [/^(MQTT_URL=.* )?node .*bridge\.mjs/, 'tests/firmware-bridge/process.test.ts'],
  [/^cd basil && mpremote |^arduino-cli |^esphome /, 'a board'],
];

/** Commands that print the command to run next, and so end with 1. */
const ASKS = /person -- erase (-- -2026|\d+)$/;

/** Replaces the examples of a page; FOLDER is the folder of the test. */
const EXAMPLES: [example: RegExp, here: string][] = [
  // The tests have no Cloudflare account; tests/deploy runs these commands with a simulated account.
  [/ --remote\b( --name \S+)?/, ''],
  [/\/mnt\/backups\/….sqlite.gz.age/, '"$(ls $FOLDER/mnt/backups/*.age | tail -1)"'],
  [/\/mnt\/backups|\/somewhere\/else|\/tmp\b|\/root\b/, '$FOLDER$&'],
  [/backups\/local-….sqlite.gz|(?<=restore -- )…/, '"$(ls $FOLDER/plain/*.gz | tail -1)" --author $AUTHOR'],
  [/(?<=backup)$/, ' -- --to $FOLDER/plain --unencrypted'],
  [/age1…/, '$RECIPIENT'],
  // The package without Node is made in a second.
  [/(?<=run package -- )arm64/, 'armhf'],
  [/season\.csv/, '$FOLDER/season.csv'],
  [/(?<=--to )basil/, '$FOLDER/basil'],
  [/<file>/, '$FOLDER/dead-letters-2026-03-02-1.jsonl'],
  [/(?<=export )…/, 'someone@univ.example --reason why --to $FOLDER'],
  [/(?<=revoke (greenhouse|lab)) \d/, ' $KEY'],
  [/(?<=--mood sleeping,garbage)$/, ' --measurements 1'],
];

const folder = mkdtempSync(join(tmpdir(), 'cps-lab-pages-'));
const deadLetter = {
  id: 1,
  received_at: '2026-03-02T00:00:00.000Z',
  topic: 'lab/plants/fern/soil_moisture',
  reason: 'no number',
  messages: 1,
  readings: 1,
  payload: '{}',
};

const stack = sharedStack('empty');
beforeAll(() => {
  for (const name of ['mnt/backups', 'somewhere/else', 'tmp', 'root', 'basil', 'plain', 'broker'])
    mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, 'root/passphrase'), 'a passphrase of many words\n', { mode: 0o600 });
  writeFileSync(join(folder, 'season.csv'), 'datetime,plant,soil_moisture\n2026-03-02T09:00:00Z,basil,512\n');
  writeFileSync(join(folder, 'dead-letters-2026-03-02-1.jsonl'), `${JSON.stringify(deadLetter)}\n`);
  writeFileSync(join(folder, 'broker/acl'), '');
  writeFileSync(join(folder, 'broker/ca.crt'), createSelfSignedCertificate(['127.0.0.1']).certificate);
  change(
    stack.dataDir,
    `
    INSERT INTO users (id, sub, email, name, univ_id, univ_id_verified_at, secure_level, created_at) VALUES
      (7, 'page-7', 'another@univ.example', '서민재', '202112345', 1, 8, 1),
      (70, 'page-70', 'someone@univ.example', '한지우', NULL, NULL, 8, 1);
    INSERT INTO students (id, name, email) VALUES
      ('202112345', '서민재', 'another@univ.example'), ('-2026', '이하늘', 'sky@univ.example');
    INSERT INTO ledger_entries (id, amount, datetime, description) VALUES
      (12, -1000, '2026-03-02T13:00:00', '한지우 택배비')`,
  );
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Values that a command prints and a later command needs, such as the number of a bridge's key. */
const printed: Record<string, string> = {
  RECIPIENT: 'age1pvzv04c3xtxcesr262c606uft7wjen2mu97s7nvdf50920ex05tsk3laqt',
};

/** Runs a command of a page in a shell, in the root folder of the project. */
async function run(command: string): Promise<{ status: number | null; output: string }> {
  const child = spawn('bash', ['-c', command], {
    env: {
      ...process.env,
      FOLDER: folder,
      // npm must not install packages while other tests run.
      npm_config_dry_run: 'true',
      DATA_DIR: command.includes('run restore') ? join(folder, 'restored') : stack.dataDir,
      MQTT_URL: command.includes('run board ') ? 'mqtts://broker.lab.example:8883' : stack.brokerUrl,
      MQTT_CA_FILE: join(folder, 'broker/ca.crt'),
      MOSQUITTO_PASSWORD_FILE: join(folder, 'broker/passwords'),
      MOSQUITTO_ACL_FILE: join(folder, 'broker/acl'),
      MOSQUITTO_PID_FILE: join(folder, 'broker/pid'),
      ...printed,
      ...(!/PASSPHRASE|IDENTITY/.test(command) && { BACKUP_RECIPIENT: printed['RECIPIENT'] }),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const status = await new Promise<number | null>((done) => child.once('close', done));
  const [recipient] = /age1[0-9a-z]{50,}/.exec(output) ?? [];
  if (recipient !== undefined) printed['RECIPIENT'] = recipient;
  const [, author] = /signed by ([0-9a-f]{24})/.exec(output) ?? [];
  // Restores into another folder, as on a new machine, so the author must be allowed.
  if (author !== undefined) printed['AUTHOR'] = author;
  const [, key] = /^(?:# )?key (\d+) of (?:greenhouse|lab)\b/m.exec(output) ?? [];
  if (key !== undefined) printed['KEY'] = key;
  return { status, output };
}

const here = (command: string) =>
  EXAMPLES.reduce((text, [example, what]) => text.replace(example, what), command);
const isHere = (command: string) => !ELSEWHERE.some(([those]) => those.test(command));

const blocks = PAGES.flatMap(commandBlocks);
const runnable = blocks.filter(({ commands }) => commands.some(isHere));

test.each(shareOrAll(1, runnable))(
  'OPS-12 what $page says under "$heading" does as it says',
  async ({ commands }) => {
    rmSync(join(folder, 'restored'), { recursive: true, force: true });
    for (const command of commands.filter(isHere)) {
      const { status, output } = await run(here(command));
      expect(status, `${here(command)}\n${output}`).toBe(ASKS.test(command) ? 1 : 0);
    }
  },
);

test.each(ELSEWHERE)('OPS-12 %s stands on a page; it needs %s', (those) => {
  expect(blocks.flatMap(({ commands }) => commands).some((command) => those.test(command))).toBe(true);
});
