/** What `npm run backup` does, in a process that backup.ts can end. */
import { parseArgs } from 'node:util';
import { commandVariables, settings } from '../variables.ts';
import { openLocalStore } from './local-store.ts';
import { backUp, CLOSING } from './make-archive.ts';
import { openRemoteStore } from './remote-store.ts';

/** Nobody may be there to hear it any more. */
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
    const say = (line: string) => console.log(`backup  ${line}`);
    console.log(await backUp(store, values.to, { say, begin }));
    begin(CLOSING);
  } finally {
    await store.close();
  }
}

// Whoever would end it has been killed: it ends itself, with wrangler and workerd, which are of its group.
process.once('disconnect', () => process.kill(-process.pid, 'SIGTERM'));
process.channel?.unref();
try {
  await work();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
