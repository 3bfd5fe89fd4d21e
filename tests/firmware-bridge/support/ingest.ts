import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { vi } from 'vitest';
import { localD1File } from '../../../scripts/database/local-d1.ts';
import { launchIngest, type Ingest } from '../../support/ingest-worker.ts';
import { atProcessEnd } from './process-end.ts';

export { BRIDGE, type Ingest, type StoredReading } from '../../support/ingest-worker.ts';

type Shared = { ingest: Ingest; emptied: () => Promise<void>; stop: () => Promise<void> };

const QUIET = { LOG_LEVEL: 'error' };
/** Copies all pages in one step, so that no other connection sees half of the copy. */
const WHOLE = { rate: 1_000_000 };

async function launchShared(): Promise<Shared> {
  const folder = mkdtempSync(join(tmpdir(), 'bridge-test-'));
  const ingest = await launchIngest(folder, QUIET);
  // D1 adds its own tables at the first query.
  await ingest.run('SELECT 1');
  const live = ingest.openFile();
  const copy = join(folder, 'as-new.sqlite');
  await backup(live, copy, WHOLE);
  live.close();
  const asNew = new DatabaseSync(copy, { readOnly: true });
  return {
    ingest,
    // The backup fails while the worker writes.
    emptied: () =>
      vi
        .waitFor(() => backup(asNew, localD1File(folder, 'PLANTS_DB'), WHOLE), { timeout: 30_000 })
        .then(() => undefined),
    stop: async () => {
      asNew.close();
      await ingest.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

let shared: Promise<Shared> | undefined;
atProcessEnd(async () => await (await shared)?.stop());

/** The ingest worker that the tests of this process share, with an empty database. */
export async function startIngest(): Promise<Ingest> {
  shared ??= launchShared();
  const { ingest, emptied } = await shared;
  await emptied();
  return ingest;
}
