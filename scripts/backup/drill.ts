import { join } from 'node:path';
import { openLocalStore } from './local-store.ts';
import { restore } from './restore.ts';
import type { Keys } from './sealing.ts';
import type { DrillContent, DrillNote, Store } from './store.ts';
import { inWorkplace } from './workplace.ts';

type Listener = { say: (line: string) => void; begin: (step: string) => void };

/**
 * Restores the archive into a throw-away store, which proves it and compares what then stands there with it, table by
 * table and file by file; then records the outcome in the store that it is an archive of.
 * @throws Error when it could not be restored, or while a backup or a restore is at work, which is not recorded
 */
export function drill(store: Store, archive: string, keys: Keys, listener: Listener): Promise<void> {
  return inWorkplace(store.workplace, async (workplace) => {
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
  keys: Keys,
  { say, begin }: Listener,
): Promise<DrillContent> {
  begin('restoring into a throw-away store');
  const away = await openLocalStore(place, { claim: true });
  try {
    // What follows a restore, who gets what back and what is not taken over, is not true of a store that goes again.
    const { madeAt, tables, objects } = await restore(away, {
      archive,
      keys,
      overwrite: undefined,
      say,
      sayWithheld: () => undefined,
    });
    const rows = Object.values(tables).reduce((sum, table) => sum + table.rows, 0);
    return { madeAt: new Date(madeAt), rows, files: objects.count };
  } finally {
    await away.close();
  }
}

async function leaveWord(store: Store, note: DrillNote, { say, begin }: Listener): Promise<void> {
  begin('leaving word for the health page');
  try {
    await store.noteDrill(note);
  } catch (error) {
    say(`the health page does not learn of it: ${error instanceof Error ? error.message : String(error)}`);
  }
}
