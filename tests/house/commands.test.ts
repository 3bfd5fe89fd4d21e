import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import * as z from 'zod';

const place = mkdtempSync(join(tmpdir(), 'cps-lab-commands-'));
afterAll(() => rmSync(place, { recursive: true }));

/** What npm runs by itself. */
const OWN = 'postinstall';
const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync('package.json', 'utf8')));
const byNpm = Object.entries(scripts).filter(([name]) => name !== OWN);

/** The commands of the package, beside each other here as they are there, on the sources. */
const INSTALLED = ['cps-bridge', 'cps-board', 'cps-setup'];
for (const name of INSTALLED) {
  const text = readFileSync(join('firmware-bridge/debian', name), 'utf8')
    .replaceAll('/usr/bin/cps-bridge', join(place, 'cps-bridge'))
    .replaceAll('/usr/lib/cps-bridge/node', `${process.execPath} --disable-warning=ExperimentalWarning`)
    .replaceAll('/usr/lib/cps-bridge/bridge.mjs', resolve('firmware-bridge/src/main.ts'))
    .replaceAll('/usr/lib/cps-bridge/certificates', resolve('firmware-bridge/debian/certificates'));
  writeFileSync(join(place, name), text, { mode: 0o755 });
}
const onThePi = [...INSTALLED, 'cps-bridge dead-letters', 'cps-bridge certificate', 'cps-bridge health'];
const commands: [name: string, line: string][] = [
  ...byNpm,
  ...onThePi.map((name): [string, string] => [name, join(place, name)]),
];

const nowhere = join(place, 'data');
const settingsFile = join(place, 'settings.env');
writeFileSync(settingsFile, '');

/** Runs a line as npm or a shell does, with nothing of this machine that it could find or change. */
async function run(line: string, settings = join(place, 'no-settings.env')) {
  const child = spawn('sh', ['-c', line], {
    env: {
      HOME: place,
      NODE_COMPILE_CACHE: resolve('.cache/node'),
      PATH: `${dirname(process.execPath)}:${resolve('node_modules/.bin')}:/usr/bin:/bin`,
      DATA_DIR: nowhere,
      CPS_SETTINGS_FILE: settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { out: '', error: '' };
  child.stdout.on('data', (chunk: Buffer) => (said.out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (said.error += chunk.toString()));
  const code = await new Promise<number | null>((done) => child.once('close', done));
  return { code, ...said };
}

/** The headings of a page as links name them. */
function anchorsOf(page: string): string[] {
  const headings = readFileSync(page, 'utf8').matchAll(/^#+ (.+)$/gm);
  return [...headings].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\d\s-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

describe.each(commands)('%s', (name, line) => {
  test('OPS-13 tells by --help what it does, how it is typed, an example and where more is; nothing else happens', async () => {
    const { code, out, error } = await run(`${line} --help`);
    expect({ code, error }).toEqual({ code: 0, error: '' });
    const [first = '', , usage = ''] = out.split('\n');
    const typed = name.startsWith('cps-')
      ? name.replace(/ health$/, '')
      : `npm (run )?(${name.replace(/^(test):.*/, '$1').replace('format', 'check')})`;
    // The board's command of the package is the one of npm.
    const called = name === 'board' ? 'cps-board' : typed;
    expect(first).toMatch(new RegExp(`^${called}: [a-z].{10,}[^:]$`));
    expect(usage).toMatch(new RegExp(`^usage: ${called}`));
    expect(out).toMatch(/^ +-h, --help +\S/m);
    expect(out).toMatch(/^example: \S/m);
    const [, page = '', anchor] = /^more: +([^#\s]+)(?:#(\S+))?$/m.exec(out) ?? [];
    expect(existsSync(page), page).toBe(true);
    expect([undefined, ...anchorsOf(page)]).toContain(anchor);
    expect(existsSync(nowhere)).toBe(false);
  });

  test('OPS-13 names an option that it does not have, in one word and without a stack', async () => {
    const { code, out, error } = await run(`${line} --no-such-option`, settingsFile);
    expect(code).not.toBe(0);
    expect(out + error).toContain('--no-such-option');
    expect(out + error).toContain('usage: ');
    expect(out + error).not.toMatch(/^ +at /m);
    expect(existsSync(nowhere)).toBe(false);
  });
});

test('OPS-13 on a machine that is not set up each command of the package says what comes first', async () => {
  for (const line of [
    'cps-board list',
    'cps-board add fern',
    'cps-bridge health',
    'cps-bridge dead-letters list',
  ])
    expect(await run(join(place, line))).toEqual({
      code: 78,
      out: '',
      error: 'cps-bridge: this machine is not set up yet: run sudo cps-setup first\n',
    });
  expect((await run(`${join(place, 'cps-bridge')} -h`)).out).toContain('usage: cps-bridge health');
  expect((await run(`${join(place, 'cps-bridge')} --version`)).out).toMatch(/^\d+\.\d+\.\d+\n$/);
});
