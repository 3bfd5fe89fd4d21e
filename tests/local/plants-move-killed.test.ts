import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { openLocalD1, type DatabaseName } from '../../scripts/local-d1.ts';
import { laboratoryBefore, MOVED, rowsIn } from '../deploy/laboratory-before.ts';
import { descendants } from '../support/stack-processes.ts';
import { keepLogsOnFailure, launchStack, startStack, type Stack } from '../support/stack.ts';

const isLinux = process.platform === 'linux';
const place = mkdtempSync(join(tmpdir(), 'cps-lab-move-'));
afterAll(() => rmSync(place, { recursive: true }));
const READINGS = 200_000;

function inDatabase<T>(dataDir: string, database: DatabaseName, use: (db: DatabaseSync) => T): T {
  const db = openLocalD1(dataDir, { database });
  try {
    return use(db);
  } finally {
    db.close();
  }
}

const count = (db: DatabaseSync, rows: string) =>
  Number(db.prepare(`SELECT count(*) AS n FROM ${rows}`).get()?.['n']);

/** All of it at once, the parts in groups of their own too. */
async function kill(stack: Stack): Promise<void> {
  const pids = [stack.process.pid, ...descendants(stack).map(Number)];
  for (const pid of pids) {
    try {
      process.kill(Number(pid), 'SIGKILL');
    } catch (error) {
      const isGone = error instanceof Error && 'code' in error && error.code === 'ESRCH';
      if (!isGone) throw error;
    }
  }
  await stack.ended;
}

/** A start says that bridges' heartbeats of before say nothing now, and lets its own bridge in. */
const kept = ({ bridge_heartbeats: _told, bridge_keys: keys = [], ...rows }: Record<string, unknown[]>) => ({
  ...rows,
  bridge_keys: keys.filter((row) => !String(row).includes("'local'")),
});

const withoutDemo = { DEMO_DATA: 'off', SIMULATOR: 'off' };

test.skipIf(!isLinux)(
  'OPS-6 SEC-47 npm start, killed again and again while the plants move, goes on each time, and none is lost or there twice',
  { timeout: 400_000 },
  async () => {
    const dataDir = laboratoryBefore(mkdtempSync(join(place, 'try-')), 'killed', READINGS);
    const before = inDatabase(dataDir, 'DB', rowsIn);
    const env = { ...withoutDemo, DATA_DIR: dataDir };
    const moments = [
      /move +plant_readings: 60000 rows and more/,
      /move +plant_readings: 60000 rows and more/,
      /move +plants: \d+ rows, as in DB/,
      /move +bridge_keys: \d+ rows, as in DB/,
    ];
    const halves: number[] = [];
    for (const [at, moment] of moments.entries()) {
      const stack = await launchStack(env);
      keepLogsOnFailure(stack, `plants-move-killed-${at}`);
      await stack.untilPrinted(moment);
      await kill(stack);
      const { isMoved, readings, keys } = inDatabase(dataDir, 'PLANTS_DB', (db) => ({
        isMoved: count(db, 'plants_move WHERE moved_at IS NOT NULL') === 1,
        readings: count(db, 'plant_readings'),
        keys: count(db, 'bridge_keys'),
      }));
      // The end comes quickly, and with it nothing more to kill.
      if (isMoved) break;
      // Not switched over: no key lets a bridge in, and the old database has all of it.
      expect(keys).toBe(0);
      expect(inDatabase(dataDir, 'DB', rowsIn)).toEqual(before);
      halves.push(readings);
    }
    expect(halves.some((readings) => readings > 0 && readings < READINGS)).toBe(true);
    expect(halves).toEqual(halves.toSorted((a, b) => a - b));

    const stack = await startStack(env);
    onTestFinished(stack.stop);
    keepLogsOnFailure(stack, 'plants-move-killed');
    expect((await fetch(`${stack.origin}/api/health`)).status).toBe(200);
    expect(kept(inDatabase(dataDir, 'PLANTS_DB', rowsIn))).toEqual(kept(before));
    const left = inDatabase(dataDir, 'DB', (db) =>
      db.prepare("SELECT name FROM sqlite_schema WHERE type IN ('table', 'trigger')").all(),
    ).map(({ name }) => String(name));
    expect(left.filter((name) => MOVED.includes(name) || name.startsWith('plants_move'))).toEqual([]);
    expect(inDatabase(dataDir, 'PLANTS_DB', (db) => db.prepare('PRAGMA foreign_key_check').all())).toEqual(
      [],
    );
  },
);
