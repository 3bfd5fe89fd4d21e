import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { bridgeCommand } from '../../firmware-bridge/src/commands/commands.ts';
import { parseBoardsArguments } from '../../local/boards/run.ts';
import { doctorCommand } from '../../local/doctor.ts';
import { backupCommand } from '../../scripts/backup/backup.ts';
import { restoreCommand } from '../../scripts/backup/restore.ts';
import { contentCommand } from '../../scripts/operator/content.ts';
import { bridgeKey } from '../../scripts/operator/bridge-key.ts';
import { buildCommand } from '../../scripts/build/build.ts';
import { checkCommand } from '../../scripts/test/check.ts';
import { deadLettersCommand } from '../../scripts/operator/dead-letters.ts';
import { deployCommand } from '../../scripts/deploy/deploy.ts';
import { migrationCommand } from '../../scripts/database/migration.ts';
import { packageCommand } from '../../scripts/build/package.ts';
import { personCommand } from '../../scripts/operator/person.ts';
import { replayCommand } from '../../scripts/operator/replay.ts';
import { answer, commands } from '../../scripts/setup-help.mjs';
import type { Command } from '../../scripts/terminal.ts';
import { shareOrAll } from '../support/counts.ts';
import { runCommand } from '../support/run-command.ts';

const place = mkdtempSync(join(tmpdir(), 'cps-lab-commands-'));
afterAll(() => rmSync(place, { recursive: true }));

/** What npm runs by itself. */
const OWN = 'postinstall';
const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync('package.json', 'utf8')));

/** What those scripts are that npm starts. */
const functions: Record<string, Command> = {
  'local/doctor.ts': doctorCommand,
  'scripts/backup/backup.ts': backupCommand,
  'scripts/backup/restore.ts': restoreCommand,
  'scripts/operator/bridge-key.ts': bridgeKey,
  'scripts/build/build.ts': buildCommand,
  'scripts/test/check.ts': checkCommand,
  'scripts/operator/content.ts': contentCommand,
  'scripts/operator/dead-letters.ts': deadLettersCommand,
  'scripts/deploy/deploy.ts': deployCommand,
  'scripts/database/migration.ts': migrationCommand,
  'scripts/build/package.ts': packageCommand,
  'scripts/operator/person.ts': personCommand,
  'scripts/operator/replay.ts': replayCommand,
};

const nowhere = join(place, 'data');
const settingsFile = join(place, 'settings.env');
writeFileSync(settingsFile, '');

type Said = { code: number | null; out: string; error: string };
type Call = (...args: string[]) => Promise<Said>;

/** Calls a command in this process. */
async function called(script: string, args: readonly string[]): Promise<Said> {
  const command = functions[script];
  expect(readFileSync(script, 'utf8'), script).toMatch(
    /^if \(import\.meta\.main\) .*\b(runAsProgram|exit)\(/m,
  );
  if (command === undefined) throw new Error(`${script} is no command that this test knows`);
  const wrong: string[] = [];
  const error = (text: string) => void wrong.push(text);
  const { status, output } = await runCommand(command, args, { DATA_DIR: nowhere }, { error });
  return { code: status, out: output, error: wrong.join('\n') };
}

async function ofBridge(args: readonly string[]): Promise<Said> {
  const said: Said = { code: null, out: '', error: '' };
  const code = await bridgeCommand(
    args,
    { DATA_DIR: nowhere },
    async (text) => void (said.out += text),
    (text) => void (said.error += text),
  );
  if (typeof code === 'string') throw new Error(`the ${code} would run`);
  return { ...said, code };
}

function ofBoards(args: readonly string[]): Said {
  const order = parseBoardsArguments(args);
  if (!('text' in order)) throw new Error('the boards would run');
  const { exitCode: code, text } = order;
  return { code, out: code === 0 ? text : '', error: code === 0 ? '' : text };
}

function bySetUp([command = '', ...args]: readonly string[]): Promise<Said> | Said {
  const answered = answer(command, args);
  if (answered === undefined) return called(commands[command]?.script ?? '', args);
  const { text, status } = answered;
  return { code: status, out: status === 0 ? text : '', error: status === 0 ? '' : text };
}

/** Runs a line as a shell does, with nothing of this machine that it could find or change. */
async function run(line: string, settings = join(place, 'no-settings.env')): Promise<Said> {
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
  // What does not refuse its words runs on.
  onTestFinished(() => void child.kill());
  const said = { out: '', error: '' };
  child.stdout.on('data', (chunk: Buffer) => (said.out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (said.error += chunk.toString()));
  const code = await new Promise<number | null>((done) => child.once('close', done));
  return { code, ...said };
}

/** Started all the same: it shows that setup.mjs says what it is to say. */
const STARTED = 'dev';

/** The command that npm starts by that line. */
const byNpm =
  (name: string, line: string): Call =>
  async (...args) => {
    if (name === STARTED) return await run([line, ...args].join(' '));
    const [, script = '', given = ''] = /^node (?:--import \S+ )?(?:--\S+ )*(\S+)(.*)$/.exec(line) ?? [];
    const words = [...given.split(' ').filter((word) => word !== ''), ...args];
    if (script === 'scripts/setup.mjs') return await bySetUp(words);
    if (script === 'firmware-bridge/src/main.ts') return await ofBridge(words);
    if (script === 'local/boards/run.ts') return ofBoards(words);
    return await called(script, words);
  };

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
const installed =
  (name: string): Call =>
  (...args) =>
    run(`${join(place, name)} ${args.join(' ')}`, args.includes('--help') ? undefined : settingsFile);

const all: [name: string, call: Call][] = [
  ...Object.entries(scripts)
    .filter(([name]) => name !== OWN)
    .map(([name, line]): [string, Call] => [name, byNpm(name, line)]),
  // Each a program of its own: some of them every day.
  ...shareOrAll(2, [...INSTALLED, 'cps-bridge certificate', 'cps-bridge dead-letters']).map(
    (name): [string, Call] => [name, installed(name)],
  ),
  ...['health', 'doctor'].map((name): [string, Call] => [
    `cps-bridge ${name}`,
    (...args) => ofBridge([name, ...args]),
  ]),
];

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

describe.each(all)('%s', (name, call) => {
  test('OPS-13 tells by --help what it does, how it is typed, an example and where more is; nothing else happens', async () => {
    const { code, out, error } = await call('--help');
    expect({ code, error }).toEqual({ code: 0, error: '' });
    const [first = '', , usage = ''] = out.split('\n');
    const typed = name.startsWith('cps-')
      ? name
      : `npm (run )?(${name.replace(/^(test):.*/, '$1').replace('format', 'check')})`;
    // The bridge's program is called otherwise where npm starts it.
    const others: Record<string, string> = {
      board: 'cps-board|npm run board',
      'cps-bridge health': 'cps-bridge|node firmware-bridge/src/main.ts',
      'cps-bridge doctor': 'cps-bridge|node firmware-bridge/src/main.ts',
    };
    const itself = `(${others[name] ?? typed})`;
    expect(first).toMatch(new RegExp(`^${itself}: [a-z].{10,}[^:]$`));
    expect(usage).toMatch(new RegExp(`^usage: ${itself}`));
    expect(out).toMatch(/^ +-h, --help +\S/m);
    expect(out).toMatch(/^example: \S/m);
    const [, page = '', anchor] = /^more: +([^#\s]+)(?:#(\S+))?$/m.exec(out) ?? [];
    expect(existsSync(page), page).toBe(true);
    expect([undefined, ...anchorsOf(page)]).toContain(anchor);
    expect(existsSync(nowhere)).toBe(false);
  });

  test('OPS-13 names an option that it does not have, in one word and without a stack', async () => {
    const { code, out, error } = await call('--no-such-option');
    expect(code).not.toBe(0);
    expect(out + error).toContain('--no-such-option');
    expect(out + error).toContain('usage: ');
    expect(out + error).not.toMatch(/^ +at /m);
    expect(existsSync(nowhere)).toBe(false);
  });
});

test('OPS-13 on a machine that is not set up each command of the package says what comes first', async () => {
  const lines = ['cps-board list', 'cps-board add fern', 'cps-bridge health', 'cps-bridge dead-letters list'];
  expect(await run(lines.map((line) => `${join(place, line)}; echo $?`).join('; '))).toEqual({
    code: 0,
    out: '78\n'.repeat(lines.length),
    error: 'cps-bridge: this machine is not set up: run sudo cps-setup first\n'.repeat(lines.length),
  });
  const { out } = await run(`cd ${place}; ./cps-bridge -h; ./cps-bridge --version`);
  expect(out).toMatch(/\nusage: cps-bridge health [^]*\n\d+\.\d+\.\d+\n$/);
});
