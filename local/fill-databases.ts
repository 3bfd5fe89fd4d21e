import type { D1Database } from '@cloudflare/workers-types';
import { beginDemo, endDemo, isDemoUnfinished } from '../scripts/database/unfinished-restore.ts';
import { accountRows, demoRows, hasAccounts } from './demo-data.ts';
import { withStep, FolderFault, isConnectionLost } from './failures.ts';
import type { Settings } from './settings.ts';

type Databases = { db: D1Database; plants: D1Database };
type Wanted = Pick<Settings, 'DATA_DIR' | 'DEMO_DATA'>;

/** Stores the key of the local bridge. */
export async function insertBridgeKey(plants: D1Database, key: string): Promise<void> {
  const admitted = plants.batch([
    plants
      .prepare(`INSERT OR IGNORE INTO bridge_keys (bridge_id, key, created_at) VALUES ('local', ?, ?)`)
      .bind(key, Date.now()),
    // Heartbeats from before this start are outdated; running bridges send new ones.
    plants.prepare('DELETE FROM bridge_heartbeats'),
  ]);
  await admitted.catch((cause: unknown) => {
    if (isConnectionLost(cause)) throw new Error("storing the local bridge's key", { cause });
    throw new FolderFault('PLANTS_DB cannot be written: its disk may be full', { cause });
  });
}

/** Loads accounts and demo data on the first start, and finishes loading that an earlier start began. */
export async function loadFirstData({ db, plants }: Databases, wanted: Wanted): Promise<void> {
  const { DATA_DIR, DEMO_DATA } = wanted;
  const say = (line: string) => console.log(`demo   ${line}`);
  const isNew = (await db.prepare('SELECT count(*) AS n FROM users').first<number>('n')) === 0;
  if (!isNew && !isDemoUnfinished(DATA_DIR)) return;
  if (!isNew && !(await hasAccounts(db))) {
    endDemo(DATA_DIR);
    say('not loaded: an earlier start was interrupted, and people were added later; use another DATA_DIR');
    return;
  }
  if (!DEMO_DATA) {
    if (!isNew) return say('an earlier start stopped while loading demo data; DEMO_DATA=on loads the rest');
    endDemo(DATA_DIR);
    await withStep('loading accounts', async () => db.batch(await accountRows(db)));
    return;
  }
  if (isNew) beginDemo(DATA_DIR);
  say(
    isNew
      ? 'loading courses, students, timetables and six weeks of readings'
      : 'an earlier start was interrupted while loading: loading the rest',
  );
  await withStep('loading demo data', async () => {
    // In one transaction, so that existing accounts prove that all of it was loaded.
    if (isNew) await db.batch([...(await accountRows(db)), ...demoRows(db, new Date())]);
    // Imported only if needed: it loads Drizzle, which takes a second and 200 MB.
    const { loadDemoReadings } = await import('./demo-readings.ts');
    await loadDemoReadings(plants, Date.now());
  });
  endDemo(DATA_DIR);
}
