import type { D1Database } from '@cloudflare/workers-types';
import {
  markDemoLoadBegun,
  markDemoLoadEnded,
  isDemoLoadUnfinished,
} from '../scripts/database/unfinished-restore.ts';
import { demoAccountRows, demoRows, hasAccounts } from './demo-data.ts';
import { withStepName, DataFolderError, isConnectionLost } from './start-failures.ts';
import type { Settings } from './settings.ts';

type Databases = { db: D1Database; plants: D1Database };
type Wanted = Pick<Settings, 'DATA_DIR' | 'DEMO_DATA'>;

/** Stores the key of the local bridge. */
export async function storeLocalBridgeKey(plants: D1Database, key: string): Promise<void> {
  const admitted = plants.batch([
    plants
      .prepare(`INSERT OR IGNORE INTO bridge_keys (bridge_id, key, created_at) VALUES ('local', ?, ?)`)
      .bind(key, Date.now()),
    // Heartbeats from before this start are old. Bridges that run send new heartbeats.
    plants.prepare('DELETE FROM bridge_heartbeats'),
  ]);
  await admitted.catch((cause: unknown) => {
    if (isConnectionLost(cause)) throw new Error("storing the local bridge's key", { cause });
    throw new DataFolderError('PLANTS_DB cannot be written: its disk may be full', { cause });
  });
}

/** Loads accounts and demo data at the first start. If an earlier start was interrupted, loads the rest. */
export async function loadFirstData({ db, plants }: Databases, wanted: Wanted): Promise<void> {
  const { DATA_DIR, DEMO_DATA } = wanted;
  const say = (line: string) => console.log(`demo   ${line}`);
  const isNew = (await db.prepare('SELECT count(*) AS n FROM users').first<number>('n')) === 0;
  if (!isNew && !isDemoLoadUnfinished(DATA_DIR)) return;
  if (!isNew && !(await hasAccounts(db))) {
    markDemoLoadEnded(DATA_DIR);
    say('not loaded: an earlier start was interrupted, and people were added later; use another DATA_DIR');
    return;
  }
  if (!DEMO_DATA) {
    if (!isNew) return say('an earlier start stopped while loading demo data; DEMO_DATA=on loads the rest');
    markDemoLoadEnded(DATA_DIR);
    await withStepName('loading accounts', async () => db.batch(await demoAccountRows(db)));
    return;
  }
  if (isNew) markDemoLoadBegun(DATA_DIR);
  say(
    isNew
      ? 'loading courses, students, timetables and six weeks of readings'
      : 'an earlier start was interrupted while loading: loading the rest',
  );
  await withStepName('loading demo data', async () => {
    // Uses one transaction: if there are accounts, all of this data was loaded.
    if (isNew) await db.batch([...(await demoAccountRows(db)), ...demoRows(db, new Date())]);
    // Imports this only if it is needed: it loads Drizzle, which takes a second and 200 MB of memory.
    const { loadDemoReadings } = await import('./demo-readings.ts');
    await loadDemoReadings(plants, Date.now());
  });
  markDemoLoadEnded(DATA_DIR);
}
