import { calibrationOf, UNCALIBRATED, type Calibration } from '#contract/moisture';
import { inGroup, OWN_GROUP } from '#contract/plant-group';
import { NO_SEQ } from '#contract/readings';
import { csvCell, guardedCell, inQuotes } from '#contract/spreadsheet';
import { fixedStatement, statement } from '#db/client';
import { isOfAsked } from '#db/groups';
import { plantMonths, plantReadings, plants, plantStates } from '#db/plants';
import { KEPT_SINCE } from '#db/rollups';
import { and, asc, eq, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { boundsOf, iso } from './data.ts';
import { GROUP_READINGS, type MonthReading } from './month-file.ts';
import { areSame, openMonth, type Month, type ReadingStore } from './months-data.ts';
import type { Range } from './pyramid.ts';

/** Readings per piece of the file; each piece is one query. */
const PIECE = GROUP_READINGS;
const HEADER = '\ufeffdatetime,plant,soil_moisture,percent,seoul_time,refused_datetime,seq,topic\r\n';

/** The contract's plantPercent. */
const percentBy = ({ dry, wet }: Calibration) =>
  sql`min(100, max(0, ((${dry} - soil_moisture) * 100) / (${dry} - ${wet})))`;

type Plant = Calibration & { id: number; name: string; topic: string };

type Place = Pick<typeof plantReadings.$inferSelect, 'measured_at' | 'seq'>;

/** Readings of the file of a month, with those of the database between its first place and its last. */
type Stretch = { until: Place; filed: readonly MonthReading[] };

const place = ({ measured_at, seq }: Record<keyof Place, SQLWrapper | number>) =>
  sql`(${measured_at}, ${seq})`;
const COLUMNS = ['measured_at', 'seq', 'soil_moisture', 'refused_time'] as const;

/**
 * A piece of the file: at most PIECE readings of a stretch. SQLite takes the bare columns from the row with max(number), where the next
 * piece continues.
 */
function linesAfter(after: Place, plant: Plant, { until, filed }: Stretch): SQL {
  const reading = plantReadings;
  const rows = JSON.stringify(filed.map((one) => COLUMNS.map((name) => one[name])));
  const value = (at: number) => sql`value ->> ${sql.raw(String(at))}`;
  return sql`
    SELECT group_concat(line, '') AS lines, max(number), measured_at, seq
    FROM (SELECT row_number() OVER (ORDER BY measured_at, seq) AS number, measured_at, seq,
                 format('%s,%s,%d,%.1f,%s,%s,%s,%s%s', ${iso(sql`measured_at`)}, ${cellOf(plant.name)},
                   soil_moisture, ${percentBy(plant)},
                   strftime('%Y-%m-%d %H:%M:%S', measured_at / 1000 + 32400, 'unixepoch'),
                   coalesce(${iso(sql`refused_time`)}, ''),
                   iif(seq = ${NO_SEQ}, '', seq), ${cellOf(plant.topic)}, char(13, 10)) AS line
          FROM (
            SELECT * FROM (
              SELECT ${reading.measured_at}, ${reading.seq}, ${reading.soil_moisture}, ${reading.refused_time}
              FROM ${reading}
              WHERE ${reading.plant_id} = ${plant.id} AND ${place(reading)} > ${place(after)}
                AND ${place(reading)} <= ${place(until)}
              ORDER BY ${reading.measured_at}, ${reading.seq} LIMIT ${PIECE})
            UNION ALL
            SELECT ${value(0)}, ${value(1)}, ${value(2)}, ${value(3)} FROM json_each(${rows})
            WHERE (${value(0)}, ${value(1)}) > ${place(after)} AND NOT EXISTS (
              SELECT 1 FROM ${reading} WHERE ${reading.plant_id} = ${plant.id}
                AND ${reading.measured_at} = ${value(0)} AND ${reading.seq} = ${value(1)}))
          ORDER BY measured_at, seq LIMIT ${PIECE})`;
}

/**
 * The raw readings of these plants, or of all of the group that are not hidden, as a CSV file that Excel opens correctly: plant by plant, oldest first.
 * It is generated while it is read, so that only one piece is in memory.
 * @param admitAgain asked before each piece, because a reader may take hours; the file breaks off where it throws
 * @throws Error while the database does not answer, before anything is sent
 */
export async function streamCsv(
  stores: readonly ReadingStore[],
  { group, plant: plants }: { group?: string; plant?: readonly string[] },
  range: Partial<Range>,
  admitAgain: () => Promise<void>,
): Promise<ReadableStream<Uint8Array>> {
  const names = plants?.map((plant) => inGroup(group ?? OWN_GROUP, plant));
  const pieces = csvPieces(stores, { group, names }, range);
  const encoder = new TextEncoder();
  // A database that does not answer is told of by a status: once the answer has begun it could only break off.
  let first: IteratorResult<string, undefined> | undefined = await pieces.next();
  const pull: UnderlyingDefaultSource<Uint8Array>['pull'] = async (controller) => {
    await admitAgain();
    const { value, done } = first ?? (await pieces.next());
    first = undefined;
    if (done) controller.close();
    else controller.enqueue(encoder.encode(value));
  };
  // Nothing is asked ahead of the reader: the answer's headers still say how long the session lasts.
  return new ReadableStream({ pull }, { highWaterMark: 0 });
}

async function* csvPieces(
  stores: readonly ReadingStore[],
  { group, names }: { group: string | undefined; names: readonly string[] | undefined },
  range: Partial<Range>,
): AsyncGenerator<string, undefined> {
  const bounds = boundsOf(range);
  const isAsked = sql`${plants.name} IN (SELECT value FROM json_each(${JSON.stringify(names)}))`;
  const whole = names ? isAsked : and(eq(plantStates.is_hidden, false), isOfAsked(plants.name, group));
  // Each home is asked before the first line goes out.
  const homes = await Promise.all(
    stores.map(async (store) => {
      const [[kept], chosen] = await Promise.all([
        statement<{ since: number }>(store.db, sql`SELECT ${KEPT_SINCE} AS since`),
        store.db
          .select()
          .from(plants)
          .innerJoin(plantStates, eq(plantStates.plant_id, plants.id))
          .where(whole)
          .orderBy(asc(plants.name)),
      ]);
      return { store, chosen, from: Math.max(bounds.from, kept?.since ?? 0) };
    }),
  );
  yield HEADER;
  for (const { store, chosen, from } of homes)
    for (const { plants: named, plant_states: state } of chosen) {
      const plant = { ...named, ...(calibrationOf(state) ?? UNCALIBRATED) };
      yield* linesOf(store, plant, { ...bounds, from });
    }
  return undefined;
}

/** After every reading of the preceding millisecond. */
const before = (instant: number): Place => ({ measured_at: instant - 1, seq: Number.MAX_SAFE_INTEGER });

async function* linesOf(
  { db, files }: ReadingStore,
  plant: Plant,
  { from, to }: Range,
): AsyncGenerator<string, undefined> {
  let after = before(from);
  let isWhole = false;
  while (!isWhole) {
    const rest = { plant: plant.id, from: after.measured_at, to };
    const months = await selectMonths(db, rest);
    isWhole = true;
    for await (const stretch of stretchesOf(files, months, { from: Math.max(from, rest.from), to })) {
      while (isWhole) {
        const piece = statement<Place & { lines: string | null }>(db, linesAfter(after, plant, stretch));
        const [monthsNow, [found]] = await db.batch([selectMonths(db, rest), piece]);
        // Otherwise readings may have left the database since: what is left is begun anew.
        isWhole = areSame(months, monthsNow);
        if (!isWhole || found === undefined || found.lines === null) break;
        yield found.lines;
        after = found;
      }
      if (!isWhole) break;
    }
  }
  return undefined;
}

const { plant_id, start, until } = plantMonths;
const selectMonths = fixedStatement<Month>(sql`
  SELECT * FROM ${plantMonths}
  WHERE ${plant_id} = ${sql.placeholder('plant')} AND ${until} > ${sql.placeholder('from')} AND ${start} < ${sql.placeholder('to')}
  ORDER BY ${start}`);

/** The range, cut where a group of readings in R2 ends. */
async function* stretchesOf(
  files: R2Bucket,
  months: readonly Month[],
  { from, to }: Range,
): AsyncGenerator<Stretch, undefined> {
  for (const month of months) {
    const file = await openMonth(files, month);
    for await (const filed of file.read(from, to)) {
      const last = filed.at(-1);
      if (last) yield { until: last, filed };
    }
  }
  yield { until: before(to), filed: [] };
  return undefined;
}

/** Blanks at its ends are the name's own, and whoever reads the file may drop those of a cell without quotes. */
function cellOf(name: string): string {
  const harmless = guardedCell(name);
  return harmless.trim() === harmless ? csvCell(harmless) : inQuotes(harmless);
}
