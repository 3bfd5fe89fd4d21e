import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync, existsSync, writeFileSync } from 'node:fs';
import { basename, join, dirname, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { withPath } from '../../firmware-bridge/src/system-error.ts';
import { isBusy } from '../database/data-dir.ts';

const LOOK_AGAIN_MS = 100;

/** However the process ends, the operating system releases it. */
export async function lockBuilds(): Promise<DatabaseSync> {
  mkdirSync('dist', { recursive: true });
  const file = resolve('dist/building.lock');
  const lock = withPath(file, () => new DatabaseSync(file));
  for (let isTold = false; ; isTold = true) {
    try {
      withPath(file, () => lock.exec('BEGIN EXCLUSIVE'));
      return lock;
    } catch (error) {
      if (!isBusy(error)) throw error;
    }
    if (!isTold) console.log('build  waiting for another process that builds here');
    await setTimeout(LOOK_AGAIN_MS);
  }
}

/** Generated and installed files are not sources; what they are made from is in the list. */
const skipped = new Set(['dist', 'node_modules', 'paraglide', 'route-tree.gen.ts', '.wrangler', '.tanstack']);

/** Of this folder only the settings are ours: inlang writes the rest into it. */
const INLANG = 'project.inlang';

/** Of the contents of files, and of folders with all that is in them but what is skipped. */
export function digestOf(paths: string[], without = skipped): string {
  const hash = createHash('sha256');
  const add = (path: string) => {
    if (statSync(path).isDirectory()) {
      const names = path.endsWith(INLANG) ? ['settings.json'] : readdirSync(path).sort();
      for (const name of names) if (!without.has(name)) add(join(path, name));
    } else {
      hash.update(`${path}\0`).update(readFileSync(path)).update('\0');
    }
  };
  paths.forEach(add);
  return hash.digest('hex');
}

/** @throws Error with what the script printed, when it fails */
export function runNode(script: string, args: string[], cwd = '.'): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, ...args], {
      cwd,
      // Always a production build, even when a test triggers it.
      env: {
        ...process.env,
        NODE_ENV: 'production',
        WRANGLER_SEND_METRICS: 'false',
        NO_COLOR: '1',
        FORCE_COLOR: undefined,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`${basename(script)} ${args.join(' ')} ended with ${code}\n${output}`));
    });
  });
}

/** What is generated from messages and routes; type checking needs it and git does not contain it. */
const GENERATED = ['web/src/paraglide', 'web/src/route-tree.gen.ts'];
const GENERATED_STAMP = 'dist/stamps/generated';

/** Generates the code that git does not contain, unless it is there as its sources and its maker left it. */
export async function generateChanged(): Promise<void> {
  if (isGenerated()) return;
  const lock = await lockBuilds();
  try {
    await generate();
  } finally {
    lock.close();
  }
}

/** `vite` generates it too while a route or a message is written: what lies there counts as well. */
const digestOfGenerated = () =>
  GENERATED.every((path) => existsSync(path)) &&
  digestOf(
    [
      'package-lock.json',
      'web/generate.ts',
      'web/vite/generated-code.ts',
      'web/messages',
      'web/project.inlang',
      'web/src/routes',
      ...GENERATED,
    ],
    new Set(),
  );
const isGenerated = () =>
  existsSync(GENERATED_STAMP) && readFileSync(GENERATED_STAMP, 'utf8') === digestOfGenerated();

/** The same for who builds already. */
export async function generate(): Promise<void> {
  if (isGenerated()) return;
  const started = Date.now();
  await runNode('web/generate.ts', []);
  mkdirSync(dirname(GENERATED_STAMP), { recursive: true });
  writeFileSync(GENERATED_STAMP, digestOfGenerated() || '');
  console.log(`build  generated code (${((Date.now() - started) / 1000).toFixed(1)} s)`);
}
