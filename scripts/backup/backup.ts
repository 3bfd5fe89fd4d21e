/**
 * `npm run backup`: writes everything that the product stores into one verified file. A worker process does
 * the work. This process kills the worker process if it takes longer than --limit.
 */
import { MINUTE_MS } from '#contract/time';
import { wholeNumber } from '#contract/variables';
import { printable } from '#contract/printable-text';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { LOCAL, nameOption, deploymentTarget, type DeploymentTarget } from '../deployment-name.ts';
import { applyChange } from '../operator/operator-d1.ts';
import {
  refuseExtraArguments,
  UsageError,
  type ParsedArgs,
} from '../../firmware-bridge/src/commands/command-line.ts';
import { createFile } from '../../firmware-bridge/src/files.ts';
import { explainError, withErrorPath } from '../../firmware-bridge/src/system-error.ts';
import { defineCommand, printToStderr, print, printError } from '../terminal.ts';
import { commandEnvSchema, parseSettings } from '../variables.ts';
import { archivesIn, ARCHIVE_RETENTION, newestArchive, pruneListing } from './prune.ts';
import {
  isAtTerminal,
  findArchiveKeys,
  DEFAULT_ARCHIVE_FOLDER,
  chooseArchiveEncryption,
} from './archive-keys.ts';
import { CLOSING_STEP, drillOutcomeSql, backupOutcomeSql } from './store.ts';
import type { BackupJob } from './backup-jobs.ts';
import { clearWorkFolder, workFolderOf } from './work-folder.ts';

/** The time limit for recording a failure, because Cloudflare may not answer. */
const NOTE_WITHIN_MS = MINUTE_MS;

/** A local backup gets less memory: it reads millions of rows but keeps only a few. wrangler needs more. */
const LITTLE_MEMORY = ['--max-semi-space-size=1', '--max-old-space-size=48'];

const HELP = {
  command: 'npm run backup --',
  does: 'writes all stored data into one verified file, encrypted unless it stays on this machine.',
  ways: [
    ['[--remote] [--to <folder>] [--prune] [--unencrypted]', 'makes an archive'],
    ['list [--remote] [--to <folder>]', 'lists the archives, and which of them --prune would delete'],
    [
      'drill [<archive>] [--remote] [--to <folder>]',
      'restores the archive, or the newest one, into a temporary store as a test',
    ],
    ['new-key <file>', 'makes a key pair for the encryption and writes the secret key there'],
  ],
  options: {
    remote: { type: 'boolean', default: false, tells: 'the deployed product instead of DATA_DIR' },
    name: nameOption,
    to: {
      type: 'string',
      takes: '<folder>',
      tells: `folder of the archives (default: ${DEFAULT_ARCHIVE_FOLDER})`,
    },
    unencrypted: { type: 'boolean', default: false, tells: 'makes an archive that anybody can read' },
    prune: {
      type: 'boolean',
      default: false,
      tells: `then keeps only the newest archive of each of ${ARCHIVE_RETENTION.days} days, ${ARCHIVE_RETENTION.weeks} weeks and ${ARCHIVE_RETENTION.months} months, and deletes the others`,
    },
    limit: { type: 'string', takes: '<seconds>', tells: 'stops after this time (3600)' },
  },
  notes: 'Encryption needs BACKUP_RECIPIENT (a public key) or BACKUP_PASSPHRASE_FILE (a passphrase).',
  example: 'BACKUP_RECIPIENT=age1… npm run backup -- --remote --to /mnt/backups --prune',
  page: 'docs/operations.md#backup-and-restore',
} as const;

const limitSchema = wholeNumber(1, 86_400).default(3600);

const ended = (worker: ChildProcess) => worker.exitCode !== null || worker.signalCode !== null;

/** Waits for the worker process. Returns why it was killed or must be; undefined if it exited by itself. */
async function trouble(worker: ChildProcess, limitSeconds: number): Promise<string | undefined> {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const told = signals.map((signal) => once(process, signal).then(() => `it received ${signal}`));
  const late = wait(limitSeconds * 1000, `it took longer than ${limitSeconds} seconds (--limit)`, {
    ref: false,
  });
  const exited = once(worker, 'exit').then(() =>
    worker.exitCode === null ? `its process was killed by ${worker.signalCode}` : undefined,
  );
  return await Promise.race([exited, late, ...told]);
}

/** Kills the worker process and all processes that it has started. */
async function end(worker: ChildProcess): Promise<void> {
  try {
    if (worker.pid !== undefined) process.kill(-worker.pid, 'SIGKILL');
  } catch {
    // All of these processes have already ended.
  }
  if (!ended(worker)) await once(worker, 'exit');
}

async function recordFailure(sql: string, where: DeploymentTarget): Promise<void> {
  const noted = applyChange({ write: [sql], read: 'SELECT 1' }, where).then(() => undefined, explainError);
  const late = wait(NOTE_WITHIN_MS, 'the database does not answer', { ref: false });
  const problem = await Promise.race([noted, late]);
  if (problem !== undefined) printError(`the health page does not show this failure: ${problem}`);
}

const VERBS = ['make', 'list', 'drill', 'new-key'] as const;
type Order = { verb: (typeof VERBS)[number]; named: string | undefined };

/** @throws UsageError naming the arguments that contradict each other */
function orderIn({ values, words }: ParsedArgs<typeof HELP.options>): Order {
  const [word = 'make', named, ...more] = words;
  const verb = VERBS.find((each) => each === word && (word !== 'make' || words.length === 0));
  if (verb === undefined)
    throw new UsageError(`there is no command ${printable(word)}: list, drill or new-key`);
  const { prune, unencrypted, to, remote } = values;
  if (verb !== 'make' && (prune || unencrypted))
    throw new UsageError(
      `--${prune ? 'prune' : 'unencrypted'} needs a new archive, and ${verb} does not make one`,
    );
  if (verb === 'new-key' && (named === undefined || to !== undefined || remote))
    throw new UsageError('new-key takes one argument, the file for the key');
  if (verb === 'drill' && named !== undefined && to !== undefined)
    throw new UsageError('--to is a folder of archives: give either the folder or one archive');
  if (verb === 'list' && named !== undefined) refuseExtraArguments([named]);
  refuseExtraArguments(more);
  return { verb, named };
}

/** Does a job. @returns the exit status; undefined means 0 */
type CarryOut = (job: BackupJob, limitSeconds: number) => Promise<number | void>;

async function run(line: ParsedArgs<typeof HELP.options>, carryOut: CarryOut): Promise<number | void> {
  const { verb, named } = orderIn(line);
  const { values } = line;
  const { to = DEFAULT_ARCHIVE_FOLDER } = values;
  const where = deploymentTarget(values);
  if (verb === 'new-key') return await writeKey(named ?? '');
  if (verb === 'list') {
    for (const each of pruneListing(to, where === LOCAL ? undefined : where)) print(each);
    return 0;
  }
  const limit = limitSchema.safeParse(values.limit);
  if (!limit.success) throw new UsageError(`--limit ${limit.error.issues[0]?.message}`);
  const kind = verb === 'drill' ? 'drill' : 'backup';
  const at = new Date();
  const job = await jobOf(kind, named, line).catch(async (error: unknown) => {
    // If a timer has started the backup, nobody reads its output. So the health page must show the failure.
    if (!isAtTerminal()) await recordFailure(failureSql(kind, at), where);
    throw error;
  });
  return await carryOut(job, limit.data);
}

/** @throws Error if variables or files that the job needs are missing */
async function jobOf(
  kind: BackupJob['kind'],
  named: string | undefined,
  { values }: ParsedArgs<typeof HELP.options>,
): Promise<BackupJob> {
  const { remote, prune, unencrypted, to = DEFAULT_ARCHIVE_FOLDER } = values;
  const where = deploymentTarget(values);
  if (kind === 'drill') return await drillOf(named ?? newestIn(to, where), where);
  return { kind, where, to, prune, seal: await chooseArchiveEncryption({ remote, to, unencrypted }) };
}

const failureSql = (kind: BackupJob['kind'], at: Date) =>
  kind === 'drill' ? drillOutcomeSql({ at }) : backupOutcomeSql({ at });

/** Does the job in another process. If it takes too long, kills the process and deletes its files. */
async function inItsOwnProcess(job: BackupJob, limitSeconds: number): Promise<number> {
  const { where } = job;
  const { DATA_DIR } = parseSettings(commandEnvSchema);
  const at = new Date();
  let step = 'starting';
  const worker = fork(join(import.meta.dirname, 'backup-jobs.ts'), {
    detached: true,
    execArgv: ['--disable-warning=ExperimentalWarning', ...(where === LOCAL ? LITTLE_MEMORY : [])],
  });
  worker.send(job);
  worker.on('message', (begun) => {
    if (typeof begun === 'string') step = begun;
  });
  const reason = await trouble(worker, limitSeconds);
  if (reason === undefined) return worker.exitCode ?? 1;
  await end(worker);
  const workplace = workFolderOf(DATA_DIR, where);
  if (existsSync(workplace)) clearWorkFolder(workplace);
  if (step === CLOSING_STEP) return 0;
  printError(`the ${job.kind} was stopped while ${step}: ${reason}`);
  await recordFailure(failureSql(job.kind, at), where);
  return 1;
}

function newestIn(folder: string, where: DeploymentTarget): string {
  const newest = newestArchive(archivesIn(folder).filter(({ store }) => store === where));
  if (!newest)
    throw new Error(`there is no archive of ${where === LOCAL ? 'this machine' : where} in ${folder}`);
  return join(folder, newest.name);
}

async function drillOf(archive: string, where: DeploymentTarget): Promise<BackupJob> {
  const { isEncryptedArchive } = await import('./encryption.ts');
  return {
    kind: 'drill',
    where,
    archive,
    keys: withErrorPath(archive, () => isEncryptedArchive(archive)) ? await findArchiveKeys() : {},
  };
}

async function writeKey(file: string): Promise<number> {
  const { newKeyPair } = await import('./encryption.ts');
  const { recipient, file: content } = await newKeyPair();
  createFile(file, content);
  print(`BACKUP_RECIPIENT=${recipient}`);
  printToStderr(
    `${printable(file)} decrypts the backups: keep it away from the archives, and keep a second copy`,
  );
  return 0;
}

export const createBackupCommand = (carryOut: CarryOut) => defineCommand(HELP, (line) => run(line, carryOut));

export const backupCommand = createBackupCommand(inItsOwnProcess);

if (import.meta.main) process.exit(await backupCommand(process.argv.slice(2)));
