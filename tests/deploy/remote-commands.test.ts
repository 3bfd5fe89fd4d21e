import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { restoreCommand } from '../../scripts/backup/restore.ts';
import { bridgeKey } from '../../scripts/operator/bridge-key.ts';
import { wranglerFailure, runWrangler, type Wrangler } from '../../scripts/deploy/run-wrangler.ts';
import { grantCommand } from '../../scripts/operator/grant.ts';
import { personCommand } from '../../scripts/operator/person.ts';
import type { Command } from '../../scripts/terminal.ts';
import { backupHere } from '../support/backup-here.ts';
import { runCommand } from '../support/run-command.ts';

const place = mkdtempSync(join(tmpdir(), 'cps-lab-remote-'));
afterAll(() => rmSync(place, { recursive: true }));
writeFileSync(join(place, 'archive.gz'), 'no archive');

/** A program that prints wrangler's error for a token without the right. */
const LACKS_A_RIGHT = `#!/bin/sh
printf '\\033[31m✘ [ERROR]\\033[0m A request to the Cloudflare API (/accounts/1/d1/database) failed.\\n\\n  Authentication error [code: 10000]\\n'
exit 1
`;
writeFileSync(join(place, 'wrangler'), LACKS_A_RIGHT, { mode: 0o755 });

/** Where nobody is logged in, with the wrangler of that folder. */
const around = (bin: string) => ({
  CLOUDFLARE_API_TOKEN: undefined,
  PATH: [bin, dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter),
  HOME: place,
  DATA_DIR: join(place, 'data'),
});

/** The wrangler of that folder, which is asked each thing once: it answers every command alike. */
function wranglerIn(bin: string): Wrangler {
  const answers = new Map<string, Promise<string>>();
  return (args, options) => {
    const words = args.join(' ');
    const answer = answers.get(words) ?? runWrangler(args, { ...options, env: around(bin) });
    answers.set(words, answer);
    return answer;
  };
}
const real = wranglerIn(resolve('node_modules/.bin'));
const refused = wranglerIn(place);

const IN_PLAIN_WORDS = {
  status: 1,
  output: expect.stringContaining(
    'what to do: run npx wrangler login; a token (CLOUDFLARE_API_TOKEN) needs the rights',
  ),
};
const RAW = /\\x1b|^ +at |Logs were written/m;

const TO_PLACE = ['--to', place, '--unencrypted'];

/** Commands that use the deployed product, each with its script. */
const commands: [script: string, typed: Command, args: string[]][] = [
  ['grant', grantCommand, ['a@lab.example', '3']],
  ['bridge', bridgeKey, ['key', 'list']],
  ['person', personCommand, ['erase', 'a@lab.example']],
  ['backup/backup', backupHere, TO_PLACE],
  ['backup/restore', restoreCommand, [join(place, 'archive.gz')]],
];

describe.each(commands)('%s --remote', (_, typed, args) => {
  test.each([
    ['nobody is logged in', real],
    ['the token lacks a right', refused],
  ])('OPS-13 where %s it says so in plain words, and what to do', async (_why, wrangler) => {
    const said = await runCommand(typed, ['--remote', ...args], around(place), { wrangler });
    expect(said).toEqual(IN_PLAIN_WORDS);
    expect(said.output).not.toMatch(RAW);
  });
});

test('OPS-13 the program that makes a backup says so too, though its work is a process of its own', async () => {
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', 'scripts/backup/backup.ts', '--remote', ...TO_PLACE],
    { env: { ...process.env, ...around(place) }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await once(child, 'close');
  expect({ status: child.exitCode, output }).toEqual(IN_PLAIN_WORDS);
  expect(output).not.toMatch(RAW);
});

test('OPS-13 what wrangler advises about an account that is nobody’s is not passed on', () => {
  const said =
    '✘ [ERROR] set a CLOUDFLARE_API_TOKEN\n\nTo continue without logging in, rerun this command with `--temporary`. Wrangler will use a temporary account.';
  const { message } = wranglerFailure(['d1', 'list'], 1, said);
  expect(message).toContain('CLOUDFLARE_API_TOKEN');
  expect(message).not.toContain('temporary');
});
