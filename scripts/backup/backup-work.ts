/** The work of `npm run backup`, in a process that backup.ts can kill and that it tells what to encrypt with. */
import { visible } from '#contract/visible-text';
import { once } from 'node:events';
import { basename } from 'node:path';
import * as z from 'zod';
import { LOCAL } from '../deployment-name.ts';
import { print, printError } from '../terminal.ts';
import { commandVariables, settings } from '../variables.ts';
import { drill } from './drill.ts';
import { openLocalStore } from './local-store.ts';
import { backUp } from './make-archive.ts';
import { prune } from './prune.ts';
import { sealSchema } from './sealing.ts';
import { CLOSING } from './store.ts';
import { refuseUnfinishedRestore } from '../database/unfinished-restore.ts';

/** Not in arguments or the environment, which others on the machine could read. */
const jobSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('backup'),
    where: z.string(),
    to: z.string(),
    prune: z.boolean(),
    seal: sealSchema.optional(),
  }),
  z.object({
    kind: z.literal('drill'),
    where: z.string(),
    archive: z.string(),
    keys: z.object({ passphrase: z.string().optional(), identities: z.array(z.string()).optional() }),
  }),
]);
export type Job = z.input<typeof jobSchema>;

/** Imported lazily: it loads wrangler. */
const openRemote = async (name: string) => await (await import('./remote-store.ts')).openRemoteStore(name);

/**
 * Does what the job says, and prints what comes of it.
 * @param begin gets the name of each step before the step starts
 * @throws Error as soon as a step fails
 */
export async function carryOut(job: Job, begin: (step: string) => void): Promise<void> {
  begin('opening the store');
  const { DATA_DIR } = settings(commandVariables);
  const isLocal = job.where === LOCAL;
  if (!isLocal) refuseUnfinishedRestore(DATA_DIR, job.where);
  const store = isLocal ? await openLocalStore(DATA_DIR) : await openRemote(job.where);
  const say = (line: string) => print(`${job.kind.padEnd(6)}  ${line}`);
  try {
    if (job.kind === 'drill') {
      await drill(store, job.archive, job.keys, { say, begin });
      say(`${visible(job.archive)} came back whole in a throw-away store`);
    } else {
      const archive = await backUp(store, job.to, { say, begin }, job.seal);
      print(archive);
      if (job.prune) for (const line of prune(job.to, basename(archive))) say(line);
    }
    begin(CLOSING);
  } finally {
    await store.close();
  }
}

/** A parent process that has ended gets no message, which is no failure. */
const tell = (step: string) => void process.send?.(step, undefined, undefined, () => undefined);

async function asTold(): Promise<void> {
  const [told] = await once(process, 'message');
  const job = jobSchema.parse(told);
  process.channel?.unref();
  await carryOut(job, tell);
}

if (import.meta.main) {
  // The parent, which would have ended it, was killed; so end the whole process group, which includes wrangler and
  // workerd.
  process.once('disconnect', () => process.kill(-process.pid, 'SIGTERM'));
  try {
    await asTold();
  } catch (error) {
    printError(error);
    process.exitCode = 1;
  }
}
