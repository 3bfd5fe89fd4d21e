import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { preflight } from '../../local/preflight.ts';
import { readSettings } from '../../local/settings.ts';
import { openLocalStore } from '../../scripts/backup/local-store.ts';
import { createBackup } from '../../scripts/backup/make-archive.ts';
import { restoreArchive } from '../../scripts/backup/restore.ts';
import { releaseDataDir } from '../../scripts/database/data-dir.ts';
import { change } from '../support/both-databases.ts';
import { makeDataFolder } from '../support/data-folder.ts';

const place = mkdtempSync(join(tmpdir(), 'cps-lab-unreleased-'));
afterAll(() => rmSync(place, { recursive: true }));
const silent = () => undefined;

test.each(['DB', 'PLANTS_DB'] as const)(
  'OPS-6 data of an unreleased version, as its migrations in %s tell, is refused in one sentence by a start and a restore',
  async (database) => {
    const dataDir = join(place, database);
    await makeDataFolder(dataDir);
    change(dataDir, "INSERT INTO d1_migrations (name) VALUES ('0007_try_something.sql')", database);

    await expect(preflight(readSettings({ DATA_DIR: dataDir }))).rejects.toThrow(
      `the data folder ${dataDir} was made by an unreleased version, or by a later version than this one: set DATA_DIR to another folder`,
    );
    releaseDataDir(dataDir);

    const store = await openLocalStore(dataDir);
    const archive = await createBackup(store, join(place, 'backups'), { say: silent, begin: silent });
    await store.close();
    const target = join(place, `${database}-restored`);
    const fresh = await openLocalStore(target, { claim: true });
    try {
      await expect(restoreArchive(fresh, { archive, overwrite: undefined, say: silent })).rejects.toThrow(
        'the archive was made by an unreleased version, or by a later version than this one: it cannot be restored',
      );
      expect(await fresh.isEmpty()).toBe(true);
      expect(fresh.isUnfinished()).toBe(false);
    } finally {
      await fresh.close();
    }
  },
);
