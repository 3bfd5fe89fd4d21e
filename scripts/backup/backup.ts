/**
 * `npm run backup [-- --remote] [--to <folder>] [--unencrypted] [--prune [--dry-run]]`: everything the product stores, in one
 * verified file, encrypted when it leaves this machine. `npm run backup -- --drill [<archive>]` restores one into a throw-away
 * store. A separate process does the work, and is killed from here if any step hangs for longer than BACKUP_LIMIT_SECONDS.
 * `npm run backup -- --new-key <file>` makes a pair of keys for the encryption.
 */
import { MINUTE_MS } from '#contract/time';
import { visible } from '#contract/visible-text';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { applyChange } from '../operator-d1.ts';
import { print, printError } from '../terminal.ts';
import { commandVariables, settings } from '../variables.ts';
import { archivesIn, newestOf, pruneListing } from './prune.ts';
import { keysAtHand, OWN_FOLDER, sealFor } from './secrets.ts';
import { CLOSING, drillSql, noteSql } from './store.ts';
import type { Job } from './backup-work.ts';
import { clearWorkplace, workplaceOf } from './workplace.ts';

/** Recording the failure is limited too, because Cloudflare may be what hangs. */
const NOTE_WITHIN_MS = MINUTE_MS;

/** Has V8 collect its garbage early: rows pass through by the million, and nothing large stays. wrangler needs more. */
const LITTLE_MEMORY = ['--max-semi-space-size=1', '--max-old-space-size=48'];

const ended = (worker: ChildProcess) => worker.exitCode !== null || worker.signalCode !== null;

/** Why the worker was killed or has to be; undefined when it exited by itself. */
async function trouble(worker: ChildProcess, limitSeconds: number): Promise<string | undefined> {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const told = signals.map((signal) => once(process, signal).then(() => `${signal} came`));
  const late = wait(limitSeconds * 1000, `${limitSeconds} seconds (BACKUP_LIMIT_SECONDS) are over`, {
    ref: false,
  });
  const exited = once(worker, 'exit').then(() =>
    worker.exitCode === null ? `its process was ended by ${worker.signalCode}` : undefined,
  );
  return await Promise.race([exited, late, ...told]);
}

/** Kills the worker with everything it has started. */
async function end(worker: ChildProcess): Promise<void> {
  try {
    if (worker.pid !== undefined) process.kill(-worker.pid, 'SIGKILL');
  } catch {
    // All of its processes are gone already.
  }
  if (!ended(worker)) await once(worker, 'exit');
}

async function noteFailure(sql: string, where: 'local' | 'remote'): Promise<void> {
  const noted = applyChange({ write: [sql], read: 'SELECT 1' }, where).then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
  const late = wait(NOTE_WITHIN_MS, 'the database does not answer', { ref: false });
  const problem = await Promise.race([noted, late]);
  if (problem !== undefined) printError(`the health page does not learn of it: ${problem}`);
}

async function run(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      remote: { type: 'boolean', default: false },
      to: { type: 'string', default: OWN_FOLDER },
      unencrypted: { type: 'boolean', default: false },
      prune: { type: 'boolean', default: false },
      'dry-run': { type: 'boolean', default: false },
      drill: { type: 'boolean', default: false },
      'new-key': { type: 'string' },
    },
  });
  const { remote, to } = values;
  if (positionals.length > (values.drill ? 1 : 0)) throw new Error(`unknown: ${positionals.join(' ')}`);
  if (values['dry-run'] && !values.prune)
    throw new Error('--dry-run goes with --prune, and lists what would go');
  if (values['new-key'] !== undefined) return await writeKey(values['new-key']);
  if (values['dry-run']) {
    for (const line of pruneListing(to)) print(line);
    return 0;
  }
  return await done(
    values.drill
      ? await drillOf(positionals[0] ?? newestIn(to, remote), remote)
      : { kind: 'backup', remote, to, prune: values.prune, seal: await sealFor(values) },
  );
}

/** @returns the exit code */
async function done(job: Job): Promise<number> {
  const where = job.remote ? 'remote' : 'local';
  const { DATA_DIR, BACKUP_LIMIT_SECONDS } = settings(commandVariables);
  const at = new Date();
  let step = 'starting';
  const worker = fork(join(import.meta.dirname, 'backup-work.ts'), {
    detached: true,
    execArgv: [...process.execArgv, ...(job.remote ? [] : LITTLE_MEMORY)],
  });
  worker.send(job);
  worker.on('message', (begun) => {
    if (typeof begun === 'string') step = begun;
  });
  const reason = await trouble(worker, BACKUP_LIMIT_SECONDS);
  if (reason === undefined) return worker.exitCode ?? 1;
  await end(worker);
  const workplace = workplaceOf(DATA_DIR, where);
  if (existsSync(workplace)) clearWorkplace(workplace);
  if (step === CLOSING) return 0;
  printError(`the ${job.kind} was given up while ${step}: ${reason}`);
  await noteFailure(job.kind === 'drill' ? drillSql({ at }) : noteSql({ at }), where);
  return 1;
}

function newestIn(folder: string, remote: boolean): string {
  const newest = newestOf(archivesIn(folder).filter(({ store }) => (store !== 'local') === remote));
  if (!newest)
    throw new Error(
      `there is no archive of ${remote ? 'the deployed product' : 'this machine'} in ${folder}`,
    );
  return join(folder, newest.name);
}

async function drillOf(archive: string, remote: boolean): Promise<Job> {
  const { isSealed } = await import('./sealing.ts');
  return { kind: 'drill', remote, archive, keys: isSealed(archive) ? await keysAtHand() : {} };
}

async function writeKey(file: string): Promise<number> {
  const { newKey } = await import('./sealing.ts');
  const { recipient, file: content } = await newKey();
  writeFileSync(file, content, { flag: 'wx', mode: 0o600 });
  print(`BACKUP_RECIPIENT=${recipient}`);
  print(
    `${visible(file)} opens what is encrypted for it: keep it where the archives are not, and a copy of it`,
  );
  return 0;
}

try {
  process.exit(await run());
} catch (error) {
  printError(error);
  process.exit(1);
}
