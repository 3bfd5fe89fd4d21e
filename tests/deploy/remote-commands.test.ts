import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';

const place = mkdtempSync(join(tmpdir(), 'cps-lab-remote-'));
afterAll(() => rmSync(place, { recursive: true }));
writeFileSync(join(place, 'archive.gz'), 'no archive');

/** Commands that reach for the deployed product, by their scripts. */
const commands: [script: string, args: string[]][] = [
  ['grant', ['a@lab.example', '3']],
  ['bridge-key', ['list']],
  ['dead-letters', ['list']],
  ['person', ['erase', 'a@lab.example']],
  ['backup/backup', ['--to', place, '--unencrypted']],
  ['backup/restore', [join(place, 'archive.gz')]],
];

/** Runs a command where nobody is logged in, with the wrangler of the folder, or the real one. */
async function run(script: string, args: string[], bin = resolve('node_modules/.bin')) {
  const { CLOUDFLARE_API_TOKEN: _, ...env } = process.env;
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', `scripts/${script}.ts`, '--remote', ...args],
    {
      env: {
        ...env,
        PATH: [bin, dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter),
        HOME: place,
        DATA_DIR: join(place, 'data'),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const status = await new Promise<number | null>((done) => child.once('close', done));
  return { status, output };
}

/** As wrangler says it when the token may not. */
const LACKS_A_RIGHT = `#!/bin/sh
printf '\\033[31m✘ [ERROR]\\033[0m A request to the Cloudflare API (/accounts/1/d1/database) failed.\\n\\n  Authentication error [code: 10000]\\n'
exit 1
`;

describe.each(commands)('%s --remote', (script, args) => {
  test.each([
    ['nobody is logged in', undefined],
    ['the token lacks a right', LACKS_A_RIGHT],
  ])('OPS-13 where %s it says so in plain words, and what to do', async (_, wrangler) => {
    const bin = wrangler === undefined ? undefined : mkdtempSync(join(place, 'bin-'));
    if (bin !== undefined) writeFileSync(join(bin, 'wrangler'), wrangler ?? '', { mode: 0o755 });
    const { status, output } = await run(script, args, bin);
    expect(status).toBe(1);
    expect(output).toContain(
      'what to do: run npx wrangler login; a token (CLOUDFLARE_API_TOKEN) needs the rights',
    );
    expect(output).not.toMatch(/\\x1b|^ +at |Logs were written/m);
  });
});
