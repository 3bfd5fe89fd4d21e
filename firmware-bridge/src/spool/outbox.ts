import type { DatabaseSync } from 'node:sqlite';
import * as z from 'zod';
import { spooledReadingFromRow, UNDELIVERED_READINGS, type SpooledReading } from './tables.ts';

const boardsSchema = z.array(z.object({ plant: z.string() }));
const dueSchema = z.object({ due: z.int().nullable() });
const countSchema = z.object({ count: z.int() });

export type Outbox = ReturnType<typeof createOutbox>;

/** The readings that may be sent: they are unpacked and within their boards' quotas. */
export function createOutbox(db: DatabaseSync) {
  // `SELECT DISTINCT plant` would read every reading. This query needs only one index step for each board.
  const boardsBehind = (plant: string) => `
    WITH RECURSIVE board (plant) AS (
      SELECT min(plant) FROM readings WHERE plant > ${plant}
      UNION ALL
      SELECT (SELECT min(plant) FROM readings WHERE plant > board.plant) FROM board WHERE plant IS NOT NULL
    )`;
  const soonest = '(SELECT min(not_before) FROM readings WHERE readings.plant = board.plant)';
  const findBoards = db.prepare(
    `${boardsBehind('?')} SELECT plant FROM board WHERE plant IS NOT NULL AND ${soonest} <= ? LIMIT ?`,
  );
  const findDue = db.prepare(
    `SELECT stamped.id, plant, message, newest, datetime, soil_moisture, received_at, by_server,
       CASE WHEN needs_seq THEN seq_base + stamped.id ELSE seq END AS seq
     FROM json_each(?) AS board CROSS JOIN (${UNDELIVERED_READINGS}) AS stamped CROSS JOIN spool
     WHERE stamped.id IN (
       SELECT id FROM readings WHERE plant = board.value AND not_before <= ?
         AND id NOT IN (SELECT value FROM json_each(?))
       ORDER BY not_before, id LIMIT ? OFFSET ?)`,
  );
  const countSome = db.prepare(
    'SELECT count(*) AS count FROM (SELECT 1 FROM readings WHERE plant = ? LIMIT ?)',
  );
  const findNth = db.prepare('SELECT 1 FROM readings LIMIT 1 OFFSET ?');
  // Few readings are ever postponed, so the first SELECT usually finds an answer without reading each board.
  const findNextDue = db.prepare(`
    ${boardsBehind("''")}
    SELECT coalesce((SELECT not_before FROM readings WHERE not_before <= 0 LIMIT 1), (SELECT min(${soonest}) FROM board)) AS due`);
  /** The board that was served last. If one batch cannot serve all boards, the next starts after this one. */
  let last = '';

  const boards = (behind: string, now: number, limit: number) =>
    boardsSchema.parse(findBoards.all(behind, now, limit)).map(({ plant }) => plant);

  return {
    /**
     * Returns at most `limit` due readings: as many of each board as of any other, each board's oldest first.
     * @param besides ids of readings to leave out
     */
    pick: (limit: number, now: number, besides: readonly number[] = []): SpooledReading[] => {
      const leftOut = JSON.stringify(besides);
      const dueOf = (plants: readonly string[], most: number, offset = 0) =>
        findDue.all(JSON.stringify(plants), now, leftOut, most, offset).map(spooledReadingFromRow);
      const behind = boards(last, now, limit);
      const others = behind.length < limit ? boards('', now, limit) : [];
      const inTurn = [...new Set([...behind, ...others])].slice(0, limit);
      last = inTurn.at(-1) ?? '';
      const share = Math.floor(limit / Math.max(inTurn.length, 1));
      const picked = dueOf(inTurn, share);
      const ofEach = Map.groupBy(picked, ({ reading }) => reading.plant);
      // A board's share that is not used goes to other boards.
      for (const plant of inTurn) {
        if (picked.length === limit) break;
        if (ofEach.get(plant)?.length === share) picked.push(...dueOf([plant], limit - picked.length, share));
      }
      return picked.toSorted((a, b) => a.id - b.id);
    },
    holds: (count: number) => findNth.get(count - 1) !== undefined,
    nextDue: () => dueSchema.parse(findNextDue.get()).due,
    countOf: (plant: string, most: number) => countSchema.parse(countSome.get(plant, most)).count,
  };
}
