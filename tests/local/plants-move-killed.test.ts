import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { ensureLocalD1, openLocalD1, type DatabaseName } from '../../scripts/local-d1.ts';
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

type Moved = { isMoved: boolean; readings: number; keys: number };

const movedIn = (db: DatabaseSync): Moved => ({
  isMoved: count(db, 'plants_move WHERE moved_at IS NOT NULL') === 1,
  readings: count(db, 'plant_readings'),
  keys: count(db, 'bridge_keys'),
});

/**
 * Kills the start once so much has moved. Nothing more moves while the test looks and kills: it holds the lock to write that
 * the move waits for, however slow the machine is.
 */
async function killOnce(stack: Stack, isReached: (moved: Moved) => boolean): Promise<Moved> {
  // Before that nobody else may have the database open.
  await Promise.race([stack.untilPrinted(/^start {2}workers/m), stack.ended]);
  const waitALittle = async () => {
    if (stack.process.exitCode !== null) throw new Error(`ended by itself:\n${stack.output()}`);
    await pause(5);
  };
  const db = openLocalD1(stack.dataDir, { database: 'PLANTS_DB' });
  try {
    const isMigrated = () => count(db, "sqlite_schema WHERE name = 'plants_move'") === 1;
    while (!isMigrated()) await waitALittle();
    for (;;) {
      db.exec('BEGIN IMMEDIATE');
      const moved = movedIn(db);
      if (moved.isMoved || isReached(moved)) {
        await kill(stack);
        return moved;
      }
      db.exec('ROLLBACK');
      await waitALittle();
    }
  } finally {
    db.close();
  }
}

const withoutDemo = { DEMO_DATA: 'off', SIMULATOR: 'off' };

test.skipIf(!isLinux)(
  'OPS-6 SEC-47 npm start, killed again and again while the plants move, goes on each time, and none is lost or there twice',
  { timeout: 400_000 },
  async () => {
    const dataDir = laboratoryBefore(mkdtempSync(join(place, 'try-')), 'killed', READINGS);
    const before = inDatabase(dataDir, 'DB', rowsIn);
    const env = { ...withoutDemo, DATA_DIR: dataDir };
    // Where the test waits for what comes there.
    ensureLocalD1(dataDir);
    const halves: number[] = [];
    const moments = [
      ({ readings }: Moved) => readings > 0,
      ({ readings }: Moved) => readings > (halves.at(-1) ?? 0),
      ({ readings }: Moved) => readings === READINGS,
      ({ isMoved }: Moved) => isMoved,
    ];
    for (const [at, moment] of moments.entries()) {
      const stack = await launchStack(env);
      keepLogsOnFailure(stack, `plants-move-killed-${at}`);
      const { isMoved, readings, keys } = await killOnce(stack, moment);
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
