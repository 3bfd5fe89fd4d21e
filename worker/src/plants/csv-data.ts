import { calibrationOf, DEFAULT_CALIBRATION, type Calibration } from '#contract/moisture/percent';
import { NO_SEQ } from '#contract/readings';
import { csvCell, escapeFormula, quoteCsv } from '#contract/spreadsheet';
import { statement, type Database } from '#db/client';
import { plantReadings, plants, plantStates } from '#db/plants';
import { asc, eq, sql, type SQL } from 'drizzle-orm';
import { rangeParameterValues, isoTimeSql, type InstantRange } from './data.ts';

/** Readings per piece of the file; one query returns one piece. */
const PIECE = 10_000;
const HEADER =
  '\ufeffdatetime,plant,soil_moisture,percent,percent_uncalibrated,seoul_time,refused_datetime,seq,topic\r\n';

/** The same formula as the contract's moisturePercent. */
const percentBy = ({ dry, wet }: Calibration) =>
  sql`min(100, max(0, ((${dry} - ${plantReadings.soil_moisture}) * 100) / (${dry} - ${wet})))`;

type Plant = Calibration & { id: number; name: string; topic: string };

type Place = Pick<typeof plantReadings.$inferSelect, 'measured_at' | 'seq'>;

/** A piece of the file, and where it ends: SQLite takes bare columns from the row with max(number). */
function linesAfter({ measured_at, seq }: Place, plant: Plant, to: number): SQL {
  const reading = plantReadings;
  return sql`
    SELECT group_concat(line, '') AS lines, max(number), measured_at, seq
    FROM (SELECT row_number() OVER (ORDER BY ${reading.measured_at}, ${reading.seq}) AS number,
                 ${reading.measured_at}, ${reading.seq},
                 format('%s,%s,%d,%.1f,%.1f,%s,%s,%s,%s%s', ${isoTimeSql(reading.measured_at)}, ${cellOf(plant.name)},
                   ${reading.soil_moisture}, ${percentBy(plant)}, ${percentBy(DEFAULT_CALIBRATION)},
                   strftime('%Y-%m-%d %H:%M:%S', ${reading.measured_at} / 1000 + 32400, 'unixepoch'),
                   coalesce(${isoTimeSql(reading.refused_time)}, ''),
                   iif(${reading.seq} = ${NO_SEQ}, '', ${reading.seq}), ${cellOf(plant.topic)}, char(13, 10)) AS line
          FROM ${reading}
          WHERE ${reading.plant_id} = ${plant.id} AND ${reading.measured_at} < ${to}
            AND (${reading.measured_at}, ${reading.seq}) > (${measured_at}, ${seq})
          ORDER BY ${reading.measured_at}, ${reading.seq} LIMIT ${PIECE})`;
}

/**
 * The raw readings of these plants, or of all plants not hidden, as a CSV file that Excel opens correctly:
 * plant by plant, oldest first. Generated while the client reads, so only one piece is in memory.
 * @param admitAgain called before each piece, as a download may take hours; if it throws, the file ends there
 * @throws Error if the database does not answer, before anything is sent
 */
export async function streamReadingsCsv(
  db: Database,
  names: readonly string[] | undefined,
  range: Partial<InstantRange>,
  admitAgain: () => Promise<void>,
): Promise<ReadableStream<Uint8Array>> {
  const pieces = csvPieces(db, names, range);
  const encoder = new TextEncoder();
  // Read the first piece before the response starts: only then can a failing database still set the status.
  let first: IteratorResult<string, undefined> | undefined = await pieces.next();
  const pull: UnderlyingDefaultSource<Uint8Array>['pull'] = async (controller) => {
    await admitAgain();
    const { value, done } = first ?? (await pieces.next());
    first = undefined;
    if (done) controller.close();
    else controller.enqueue(encoder.encode(value));
  };
  // No read-ahead: nothing may run before the headers, which say how long the session lasts, are set.
  return new ReadableStream({ pull }, { highWaterMark: 0 });
}

async function* csvPieces(
  db: Database,
  names: readonly string[] | undefined,
  range: Partial<InstantRange>,
): AsyncGenerator<string, undefined> {
  const { from, to } = rangeParameterValues(range);
  const isAsked = sql`${plants.name} IN (SELECT value FROM json_each(${JSON.stringify(names)}))`;
  const chosen = await db
    .select()
    .from(plants)
    .innerJoin(plantStates, eq(plantStates.plant_id, plants.id))
    .where(names ? isAsked : eq(plantStates.is_hidden, false))
    .orderBy(asc(plants.name));
  yield HEADER;
  for (const { plants: named, plant_states: state } of chosen) {
    const plant = { ...named, ...(calibrationOf(state) ?? DEFAULT_CALIBRATION) };
    // Begin after all readings of the preceding millisecond.
    let after: Place = { measured_at: from - 1, seq: Number.MAX_SAFE_INTEGER };
    for (;;) {
      const lines = linesAfter(after, plant, to);
      const [piece] = await statement<Place & { lines: string | null }>(db, lines);
      if (piece === undefined || piece.lines === null) break;
      yield piece.lines;
      after = piece;
    }
  }
  return undefined;
}

/** A name may begin or end with spaces, and spreadsheets may drop them in a cell without quotes. */
function cellOf(name: string): string {
  const harmless = escapeFormula(name);
  return harmless.trim() === harmless ? csvCell(harmless) : quoteCsv(harmless);
}
