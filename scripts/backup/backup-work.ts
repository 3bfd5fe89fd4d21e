/** The work of `npm run backup`, in a process that backup.ts can kill and that it tells what to encrypt with. */
import { once } from 'node:events';
import * as z from 'zod';
import { print, printError } from '../terminal.ts';
import { commandVariables, settings } from '../variables.ts';
import { openLocalStore } from './local-store.ts';
import { backUp, CLOSING } from './make-archive.ts';
import { openRemoteStore } from './remote-store.ts';
import { sealSchema } from './sealing.ts';

/** Not in arguments or the environment, which others on the machine could read. */
const jobSchema = z.object({ remote: z.boolean(), to: z.string(), seal: sealSchema.optional() });

/** The parent may be gone, in which case the message is lost. */
const begin = (step: string) => void process.send?.(step, undefined, undefined, () => undefined);

async function work(): Promise<void> {
  const [told] = await once(process, 'message');
  const { remote, to, seal } = jobSchema.parse(told);
  process.channel?.unref();
  begin('opening the store');
  const store = remote ? await openRemoteStore() : await openLocalStore(settings(commandVariables).DATA_DIR);
  try {
    const say = (line: string) => print(`backup  ${line}`);
    print(await backUp(store, to, { say, begin }, seal));
    begin(CLOSING);
  } finally {
    await store.close();
  }
}

// The parent, which would have ended it, was killed; so end the whole process group, which includes wrangler and
// workerd.
process.once('disconnect', () => process.kill(-process.pid, 'SIGTERM'));
try {
  await work();
} catch (error) {
  printError(error);
  process.exitCode = 1;
}
