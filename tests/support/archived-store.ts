import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { ANY_AUTHOR } from '../../scripts/backup/author.ts';
import { openLocalStore } from '../../scripts/backup/local-store.ts';
import { createBackup } from '../../scripts/backup/make-archive.ts';
import { restoreArchive } from '../../scripts/backup/restore.ts';
import type { Store } from '../../scripts/backup/store.ts';
import { makeDataFolder } from './data-folder.ts';

/**
 * A local store and an archive of it, for the tests of a file.
 * @param fill writes data before the archive is made
 * @param after changes data after the archive was made
 */
export function archivedStore(fill: (dataDir: string) => void, after: (dataDir: string) => void = () => {}) {
  const place = mkdtempSync(join(tmpdir(), 'cps-lab-archived-'));
  const dataDir = join(place, 'data');
  /** Lines that backup and restores have printed. */
  const said: string[] = [];
  const say = (line: string) => void said.push(line);
  let store: Store;
  let archive = '';
  beforeAll(async () => {
    await makeDataFolder(dataDir);
    store = await openLocalStore(dataDir, { claim: true });
    fill(dataDir);
    archive = await createBackup(store, join(place, 'backups'), { say, begin: () => undefined });
    after(dataDir);
  });
  afterAll(async () => {
    await store.close();
    rmSync(place, { recursive: true });
  });
  return {
    dataDir,
    said,
    archive: () => archive,
    rows: (...query: Parameters<Store['rows']>) => store.rows(...query),
    /** Restores the archive into the same store or into `target`. @returns the lines that it has printed */
    restored: async (
      options: Partial<Parameters<typeof restoreArchive>[1]>,
      target = store,
    ): Promise<string> => {
      const from = said.length;
      const overwrite = target === store ? 'local' : undefined;
      await restoreArchive(target, { archive, overwrite, author: ANY_AUTHOR, say, ...options });
      return said.slice(from).join('\n');
    },
    /** An empty store, which is closed after the test. */
    emptyStore: async (): Promise<Store> => {
      const empty = await openLocalStore(mkdtempSync(join(place, 'empty-')), { claim: true });
      onTestFinished(() => empty.close());
      return empty;
    },
  };
}
