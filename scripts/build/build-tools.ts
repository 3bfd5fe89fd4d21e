import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync, existsSync, writeFileSync } from 'node:fs';
import { basename, join, dirname, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { withErrorPath } from '../../firmware-bridge/src/system-error.ts';
import { isSqliteBusy } from '../database/data-dir.ts';

const LOOK_AGAIN_MS = 100;

/** Waits for the lock of builds. The operating system releases the lock even if the process is killed. */
export async function lockBuilds(): Promise<DatabaseSync> {
  mkdirSync('dist', { recursive: true });
  const file = resolve('dist/building.lock');
  const lock = withErrorPath(file, () => new DatabaseSync(file));
  for (let isTold = false; ; isTold = true) {
    try {
      withErrorPath(file, () => lock.exec('BEGIN EXCLUSIVE'));
      return lock;
    } catch (error) {
      if (!isSqliteBusy(error)) throw error;
    }
    if (!isTold) console.log('build  waiting until another build in this folder has ended');
    await setTimeout(LOOK_AGAIN_MS);
  }
}

/** Names of folders and files that are not sources: they are generated or installed. */
const skipped = new Set(['dist', 'node_modules', 'paraglide', 'route-tree.gen.ts', '.wrangler', '.tanstack']);

/** In this folder only settings.json is a source. inlang generates the other files. */
const INLANG = 'project.inlang';

/** The digest of the files, and of all files in the folders except those in `without`. */
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

/** @throws Error with the script's output if the script fails */
export function runNodeScript(script: string, args: string[], cwd = '.'): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, ...args], {
      cwd,
      // Builds for production, even if a test starts the build.
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
      else reject(new Error(`${basename(script)} ${args.join(' ')} exited with ${code}\n${output}`));
    });
  });
}

/** Code that is generated from messages and routes, and is not in git. Type checks need it. */
const GENERATED = ['web/src/paraglide', 'web/src/route-tree.gen.ts'];
const GENERATED_STAMP = 'dist/stamps/generated';

/** Generates this code again if its sources or its generator have changed. */
export async function generateChangedCode(): Promise<void> {
  if (isGenerated()) return;
  const lock = await lockBuilds();
  try {
    await generateCode();
  } finally {
    lock.close();
  }
}

/** The generated files are part of the digest, because `vite` changes them in development. */
const digestOfGenerated = () =>
  GENERATED.every((path) => existsSync(path)) &&
  digestOf(
    [
      'package-lock.json',
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

/** Like `generateChangedCode`, but for a caller that already has the lock of builds. */
export async function generateCode(): Promise<void> {
  if (isGenerated()) return;
  const started = Date.now();
  await runNodeScript('web/vite/generated-code.ts', []);
  mkdirSync(dirname(GENERATED_STAMP), { recursive: true });
  writeFileSync(GENERATED_STAMP, digestOfGenerated() || '');
  console.log(`build  generated code (${((Date.now() - started) / 1000).toFixed(1)} s)`);
}
