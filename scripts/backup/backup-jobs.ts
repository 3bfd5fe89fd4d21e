/** Does the work of `npm run backup` in a process that backup.ts can kill. backup.ts sends the job to it. */
import { printable } from '#contract/printable-text';
import { once } from 'node:events';
import { basename, join } from 'node:path';
import { explainError } from '../../firmware-bridge/src/system-error.ts';
import * as z from 'zod';
import { LOCAL } from '../deployment-name.ts';
import { print, printError } from '../terminal.ts';
import { commandEnvSchema, parseSettings } from '../variables.ts';
import { ANY_AUTHOR } from './author.ts';
import { openLocalStore } from './local-store.ts';
import { createBackup } from './make-archive.ts';
import { pruneArchives } from './prune.ts';
import { archiveEncryptionSchema, type ArchiveKeys } from './encryption.ts';
import { CLOSING_STEP, type DrillContent, type DrillOutcome, type Store } from './store.ts';
import { refuseUnfinishedRestore } from '../database/unfinished-restore.ts';
import { restoreArchive } from './restore.ts';
import { withWorkFolder } from './work-folder.ts';

/** backup.ts sends the job as a message: other users of the machine could read arguments and environment. */
const jobSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('backup'),
    where: z.string(),
    to: z.string(),
    prune: z.boolean(),
    seal: archiveEncryptionSchema.optional(),
  }),
  z.object({
    kind: z.literal('drill'),
    where: z.string(),
    archive: z.string(),
    keys: z.object({ passphrase: z.string().optional(), identities: z.array(z.string()).optional() }),
  }),
]);
export type BackupJob = z.input<typeof jobSchema>;

/** Imports the module only if it is needed, because it loads wrangler. */
const openRemote = async (name: string) => await (await import('./remote-store.ts')).openRemoteStore(name);

/**
 * Does the job and prints the result.
 * @param begin is called with the name of each step before that step starts
 * @throws Error as soon as a step fails
 */
export async function runBackupJob(job: BackupJob, begin: (step: string) => void): Promise<void> {
  begin('opening the store');
  const { DATA_DIR } = parseSettings(commandEnvSchema);
  const isLocal = job.where === LOCAL;
  if (!isLocal) refuseUnfinishedRestore(DATA_DIR, job.where);
  const store = isLocal ? await openLocalStore(DATA_DIR) : await openRemote(job.where);
  const say = (line: string) => print(`${job.kind.padEnd(6)}  ${line}`);
  try {
    if (job.kind === 'drill') {
      await runRestoreDrill(store, job.archive, job.keys, { say, begin });
      say(`${printable(job.archive)} was restored in a temporary store: success`);
    } else {
      const archive = await createBackup(store, job.to, { say, begin }, job.seal);
      print(archive);
      if (job.prune) for (const line of pruneArchives(job.to, basename(archive))) say(line);
    }
    begin(CLOSING_STEP);
  } finally {
    await store.close();
  }
}

/** Tells the parent process which step begins. If the parent has ended, this is no failure. */
const tell = (step: string) => void process.send?.(step, undefined, undefined, () => undefined);

async function asTold(): Promise<void> {
  const [told] = await once(process, 'message');
  const job = jobSchema.parse(told);
  process.channel?.unref();
  await runBackupJob(job, tell);
}

if (import.meta.main) {
  // If the parent was killed, no other process would end this one. So it ends its own process group, with
  // wrangler and workerd.
  process.once('disconnect', () => process.kill(-process.pid, 'SIGTERM'));
  try {
    await asTold();
  } catch (error) {
    printError(error);
    process.exitCode = 1;
  }
}

type Listener = { say: (line: string) => void; begin: (step: string) => void };

/**
 * Restores the archive into a temporary store and compares each table and file there with the archive. Then
 * records the outcome in the store from which the archive is.
 * @throws Error if the restore failed or, without a record of the failure, if another backup or restore runs
 */
export function runRestoreDrill(
  store: Store,
  archive: string,
  keys: ArchiveKeys,
  listener: Listener,
): Promise<void> {
  return withWorkFolder(store.workplace, async (workplace) => {
    const at = new Date();
    try {
      const content = await restoreAway(join(workplace, 'drill'), archive, keys, listener);
      await leaveWord(store, { at, content }, listener);
    } catch (error) {
      await leaveWord(store, { at }, listener);
      throw error;
    }
  });
}

async function restoreAway(
  place: string,
  archive: string,
  keys: ArchiveKeys,
  { say, begin }: Listener,
): Promise<DrillContent> {
  begin('restoring into a temporary store');
  const away = await openLocalStore(place, { claim: true });
  try {
    // Drops the notes after the restore: they would be about a temporary store.
    const { madeAt, tables, objects } = await restoreArchive(away, {
      archive,
      keys,
      overwrite: undefined,
      author: ANY_AUTHOR,
      say,
      sayWithheld: () => undefined,
    });
    const rows = Object.values(tables).reduce((sum, table) => sum + table.rows, 0);
    return { madeAt: new Date(madeAt), rows, files: objects.count };
  } finally {
    await away.close();
  }
}

async function leaveWord(store: Store, note: DrillOutcome, { say, begin }: Listener): Promise<void> {
  begin('recording the result for the health page');
  try {
    await store.noteDrill(note);
  } catch (error) {
    say(`the health page does not show this drill: ${explainError(error)}`);
  }
}
