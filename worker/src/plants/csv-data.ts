import { guardedCell } from '#contract/spreadsheet';
import type { Database } from '#db/client';
import { bounds, ISO } from './data.ts';
import type { Range } from './pyramid.ts';

/** Readings in one piece of the file, which is one query. */
const PIECE = 10_000;
const HEADER = '\ufeffdatetime,plant,soil_moisture,percent,seoul_time,refused_datetime\r\n';

/** The bare columns stand in the row of the highest number: there the next piece goes on. */
const LINES = `
  SELECT group_concat(line, '') AS lines, max(number), measured_at, seq
  FROM (SELECT row_number() OVER (ORDER BY measured_at, seq) AS number, measured_at, seq,
               format('%s,%s,%d,%.1f,%s,%s%s', ${ISO('measured_at')}, ?2, soil_moisture,
                 (1023 - soil_moisture) / 10.23,
                 strftime('%Y-%m-%d %H:%M:%S', measured_at / 1000 + 32400, 'unixepoch'),
                 coalesce(${ISO('refused_time')}, ''), char(13, 10)) AS line
        FROM plant_readings
        WHERE plant_id = ?1 AND (measured_at, seq) > (?3, ?4) AND measured_at < ?5
        ORDER BY measured_at, seq LIMIT ${PIECE})`;

const CHOSEN = `
  SELECT id AS plant_id, name FROM plants
  WHERE ?1 IS NULL OR name IN (SELECT value FROM json_each(?1)) ORDER BY name`;

type Lines = { lines: string | null; measured_at: number; seq: number };

/**
 * The range's raw readings of these plants, or of all, as a CSV file that Excel opens right, plant after plant, each
 * oldest first. It is made while it is read: no more than one piece of it is in memory.
 */
export function streamCsv(
  db: Database,
  plants: readonly string[] | undefined,
  range: Partial<Range>,
): ReadableStream<Uint8Array> {
  const pieces = csvPieces(db, plants, range);
  const encoder = new TextEncoder();
  return new ReadableStream({
    pull: async (controller) => {
      const { value, done } = await pieces.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
  });
}

async function* csvPieces(
  { $client }: Database,
  names: readonly string[] | undefined,
  range: Partial<Range>,
): AsyncGenerator<string, undefined> {
  yield HEADER;
  const [, from, to] = bounds(range);
  const { results: plants } = await $client
    .prepare(CHOSEN)
    .bind(names === undefined ? null : JSON.stringify(names))
    .all<{ plant_id: number; name: string }>();
  for (const { plant_id, name } of plants) {
    // The first piece begins after everything of the millisecond before.
    let after = { measured_at: from - 1, seq: Number.MAX_SAFE_INTEGER };
    for (;;) {
      const piece = await $client
        .prepare(LINES)
        .bind(plant_id, cellOf(name), after.measured_at, after.seq, to)
        .first<Lines>();
      if (piece === null || piece.lines === null) break;
      yield piece.lines;
      after = piece;
    }
  }
  return undefined;
}

/** Quoted where CSV needs it. */
function cellOf(name: string): string {
  const harmless = guardedCell(name);
  return /[",]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
