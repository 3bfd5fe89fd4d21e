/** The work of `npm run backup`, in a process that backup.ts can kill. */
import { parseArgs } from 'node:util';
import { print, printError } from '../terminal.ts';
import { commandVariables, settings } from '../variables.ts';
import { openLocalStore } from './local-store.ts';
import { backUp, CLOSING } from './make-archive.ts';
import { openRemoteStore } from './remote-store.ts';

/** The parent may be gone, in which case the message is lost. */
const begin = (step: string) => void process.send?.(step, undefined, undefined, () => undefined);

async function work(): Promise<void> {
  const { values } = parseArgs({
    options: { remote: { type: 'boolean', default: false }, to: { type: 'string', default: 'backups' } },
  });
  begin('opening the store');
  const store = values.remote
    ? await openRemoteStore()
    : await openLocalStore(settings(commandVariables).DATA_DIR);
  try {
    const say = (line: string) => print(`backup  ${line}`);
    print(await backUp(store, values.to, { say, begin }));
    begin(CLOSING);
  } finally {
    await store.close();
  }
}

// The parent, which would have ended it, was killed; so end the whole process group, which includes wrangler and
// workerd.
process.once('disconnect', () => process.kill(-process.pid, 'SIGTERM'));
process.channel?.unref();
try {
  await work();
} catch (error) {
  printError(error);
  process.exitCode = 1;
}
