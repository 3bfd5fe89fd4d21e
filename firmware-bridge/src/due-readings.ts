import type { DatabaseSync } from 'node:sqlite';
import * as z from 'zod';
import { readingFrom, stamped, type SpooledReading } from './spool-tables.ts';

export type DueReadings = {
  /** At most `limit` readings that are due, as many of each board as of any other, each board's oldest first. */
  pick: (limit: number, now: number) => SpooledReading[];
  /** Whether there are at least so many readings, due or put off. */
  holds: (count: number) => boolean;
  /** When the next reading is due; null when there is none. */
  nextDue: () => number | null;
  /** How many readings of the board there are, counted up to `most`. */
  countOf: (plant: string, most: number) => number;
};

const boardsSchema = z.array(z.object({ plant: z.string(), due: z.int() }));
const countSchema = z.object({ count: z.int() });

/** What is unpacked and within its board's quota. */
export function dueReadings(db: DatabaseSync): DueReadings {
  // One step in the index for each board, however many readings it has.
  const findBoards = db.prepare(`
    WITH RECURSIVE board (plant) AS (
      SELECT min(plant) FROM readings
      UNION ALL
      SELECT (SELECT min(plant) FROM readings WHERE plant > board.plant) FROM board WHERE plant IS NOT NULL
    )
    SELECT plant, (SELECT min(not_before) FROM readings WHERE readings.plant = board.plant) AS due
    FROM board WHERE plant IS NOT NULL`);
  const findDue = db.prepare(
    `SELECT stamped.id, plant, message, datetime, soil_moisture, received_at, by_server,
       CASE WHEN needs_seq THEN seq_base + stamped.id ELSE seq END AS seq
     FROM (${stamped}) AS stamped CROSS JOIN spool WHERE plant = ? AND not_before <= ?
     ORDER BY not_before, stamped.id LIMIT ? OFFSET ?`,
  );
  const countSome = db.prepare(
    'SELECT count(*) AS count FROM (SELECT 1 FROM readings WHERE plant = ? LIMIT ?)',
  );
  const findNth = db.prepare('SELECT 1 FROM readings LIMIT 1 OFFSET ?');
  /** The last board that was served: when there are too many for one batch, the next are those behind it. */
  let last = '';

  const boards = () => boardsSchema.parse(findBoards.all());

  return {
    pick: (limit, now) => {
      const due = boards().filter((board) => board.due <= now);
      const next = due.findIndex(({ plant }) => plant === last) + 1;
      const inTurn = [...due.slice(next), ...due.slice(0, next)].slice(0, limit);
      last = inTurn.at(-1)?.plant ?? '';
      const share = Math.floor(limit / Math.max(inTurn.length, 1));
      const picked = inTurn.map(({ plant }) => ({ plant, rows: findDue.all(plant, now, share, 0) }));
      let room = limit - picked.reduce((sum, { rows }) => sum + rows.length, 0);
      // What some boards leave of their share, others may have.
      for (const { plant, rows } of picked) {
        if (room === 0) break;
        if (rows.length < share) continue;
        const more = findDue.all(plant, now, room, share);
        rows.push(...more);
        room -= more.length;
      }
      return picked.flatMap(({ rows }) => rows.map(readingFrom)).toSorted((a, b) => a.id - b.id);
    },
    holds: (count) => findNth.get(count - 1) !== undefined,
    nextDue: () => {
      const due = boards().map((board) => board.due);
      return due.length === 0 ? null : Math.min(...due);
    },
    countOf: (plant, most) => countSchema.parse(countSome.get(plant, most)).count,
  };
}
