/**
 * `npm run backup`: everything the product stores, in one verified file. A separate process does the work, and is killed from
 * here if any step hangs for longer than BACKUP_LIMIT_SECONDS.
 */
import { MINUTE_MS } from '#contract/time';
import { visible } from '#contract/visible-text';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { LOCAL, nameOption, whereOf, type Where } from '../deployment-name.ts';
import { applyChange } from '../operator/operator-d1.ts';
import { noMore, WrongUse, type Line } from '../../firmware-bridge/src/commands/command-line.ts';
import { onPath } from '../../firmware-bridge/src/system-error.ts';
import { command, print, printError } from '../terminal.ts';
import { commandVariables, settings } from '../variables.ts';
import { archivesIn, KEPT, newestOf, pruneListing } from './prune.ts';
import { isTerminal, keysAtHand, OWN_FOLDER, sealFor } from './secrets.ts';
import { CLOSING, drillSql, noteSql } from './store.ts';
import type { Job } from './backup-work.ts';
import { clearWorkplace, workplaceOf } from './workplace.ts';

/** Recording the failure is limited too, because Cloudflare may be what hangs. */
const NOTE_WITHIN_MS = MINUTE_MS;

/** Has V8 collect its garbage early: rows pass through by the million, and nothing large stays. wrangler needs more. */
const LITTLE_MEMORY = ['--max-semi-space-size=1', '--max-old-space-size=48'];

const HELP = {
  command: 'npm run backup --',
  does: 'puts everything the product stores into one verified file, encrypted when it leaves this machine.',
  ways: [
    ['[--remote] [--to <folder>] [--prune]', 'makes an archive'],
    ['--prune --dry-run [--to <folder>]', 'makes none, and lists which would go'],
    ['--drill [<archive>] [--remote] [--to <folder>]', 'restores one into a throw-away store and compares'],
    ['--new-key <file>', 'makes a pair of keys for the encryption'],
  ],
  options: {
    remote: { type: 'boolean', default: false, tells: 'the deployed product; without it that of DATA_DIR' },
    name: nameOption,
    to: { type: 'string', takes: '<folder>', tells: `where archives are; without it ${OWN_FOLDER}` },
    unencrypted: { type: 'boolean', default: false, tells: 'insists on an archive that anybody can read' },
    prune: {
      type: 'boolean',
      default: false,
      tells: `afterwards keeps the newest of ${KEPT.days} days, ${KEPT.weeks} weeks and ${KEPT.months} months`,
    },
    'dry-run': { type: 'boolean', default: false, tells: 'with --prune: only says what would go' },
    drill: { type: 'boolean', default: false, tells: 'tries the newest archive, or the one that is named' },
    'new-key': {
      type: 'string',
      takes: '<file>',
      tells: 'where the secret key goes; the public one is printed',
    },
  },
  notes:
    'BACKUP_RECIPIENT or BACKUP_PASSPHRASE_FILE say what it is encrypted for, BACKUP_LIMIT_SECONDS (3600) when it is given up.',
  example: 'BACKUP_RECIPIENT=age1… npm run backup -- --remote --to /mnt/backups --prune',
  page: 'docs/operations.md#backup-and-restore',
} as const;

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

async function noteFailure(sql: string, where: Where): Promise<void> {
  const noted = applyChange({ write: [sql], read: 'SELECT 1' }, where).then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
  const late = wait(NOTE_WITHIN_MS, 'the database does not answer', { ref: false });
  const problem = await Promise.race([noted, late]);
  if (problem !== undefined) printError(`the health page does not learn of it: ${problem}`);
}

/** @throws WrongUse naming the option that does not go with the others */
function heldTogether({ values, words }: Line<typeof HELP.options>): void {
  const { drill, prune, unencrypted, to, 'dry-run': dryRun, 'new-key': newKey } = values;
  const given = Object.entries(values).flatMap(([name, value]) =>
    value === undefined || value === false ? [] : [name],
  );
  if (newKey !== undefined && given.length > 1)
    throw new WrongUse(
      `--new-key makes a key and nothing else: --${given.find((name) => name !== 'new-key')} goes without it`,
    );
  if (drill && prune)
    throw new WrongUse('--drill tries an archive and --prune follows a new backup: run one, then the other');
  if (drill && unencrypted)
    throw new WrongUse('--unencrypted is about a new archive, and --drill makes none');
  if (dryRun && !prune) throw new WrongUse('--dry-run goes with --prune, and lists what would go');
  if (dryRun && unencrypted)
    throw new WrongUse('--unencrypted is about a new archive, and --dry-run makes none');
  if (drill && words.length > 0 && to !== undefined)
    throw new WrongUse('--to names a folder of archives, and one archive is named already');
  noMore(words.slice(drill ? 1 : 0));
}

/** @returns the exit status; nothing is 0 */
type CarryOut = (job: Job) => Promise<number | void>;

async function run(line: Line<typeof HELP.options>, carryOut: CarryOut): Promise<number | void> {
  heldTogether(line);
  const { values } = line;
  const { to = OWN_FOLDER } = values;
  const where = whereOf(values);
  if (values['new-key'] !== undefined) return await writeKey(values['new-key']);
  if (values['dry-run']) {
    for (const each of pruneListing(to, where === LOCAL ? undefined : where)) print(each);
    return 0;
  }
  const at = new Date();
  const job = await jobOf(line, where).catch(async (error: unknown) => {
    // Nobody reads what a timer's run prints; at a terminal somebody does.
    if (!isTerminal()) await noteFailure(failureSql(values.drill ? 'drill' : 'backup', at), where);
    throw error;
  });
  return await carryOut(job);
}

/** @throws Error when what the variables or files say does not do for it */
async function jobOf({ values, words }: Line<typeof HELP.options>, where: Where): Promise<Job> {
  const { remote, prune, unencrypted, to = OWN_FOLDER } = values;
  if (values.drill) return await drillOf(words[0] ?? newestIn(to, where), where);
  return { kind: 'backup', where, to, prune, seal: await sealFor({ remote, to, unencrypted }) };
}

const failureSql = (kind: Job['kind'], at: Date) => (kind === 'drill' ? drillSql({ at }) : noteSql({ at }));

/** Does the job in a process that is killed when it takes too long, and what it left behind is cleared away. */
async function inItsOwnProcess(job: Job): Promise<number> {
  const { where } = job;
  const { DATA_DIR, BACKUP_LIMIT_SECONDS } = settings(commandVariables);
  const at = new Date();
  let step = 'starting';
  const worker = fork(join(import.meta.dirname, 'backup-work.ts'), {
    detached: true,
    execArgv: ['--disable-warning=ExperimentalWarning', ...(where === LOCAL ? LITTLE_MEMORY : [])],
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
  await noteFailure(failureSql(job.kind, at), where);
  return 1;
}

function newestIn(folder: string, where: Where): string {
  const newest = newestOf(archivesIn(folder).filter(({ store }) => store === where));
  if (!newest)
    throw new Error(`there is no archive of ${where === LOCAL ? 'this machine' : where} in ${folder}`);
  return join(folder, newest.name);
}

async function drillOf(archive: string, where: Where): Promise<Job> {
  const { isSealed } = await import('./sealing.ts');
  return {
    kind: 'drill',
    where,
    archive,
    keys: onPath(archive, () => isSealed(archive)) ? await keysAtHand() : {},
  };
}

async function writeKey(file: string): Promise<number> {
  const { newKey } = await import('./sealing.ts');
  const { recipient, file: content } = await newKey();
  onPath(file, () => writeFileSync(file, content, { flag: 'wx', mode: 0o600 }));
  print(`BACKUP_RECIPIENT=${recipient}`);
  print(
    `${visible(file)} opens what is encrypted for it: keep it where the archives are not, and a copy of it`,
  );
  return 0;
}

/** The command, and who does the work. */
export const backupBy = (carryOut: CarryOut) => command(HELP, (line) => run(line, carryOut));

export const backup = backupBy(inItsOwnProcess);

if (import.meta.main) process.exit(await backup(process.argv.slice(2)));
