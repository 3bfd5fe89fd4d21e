import type { SpoolState } from '#contract/readings';
import type { Row } from './rows.ts';

/** A key that may sign for a bridge. `plants` is a JSON array of plant names, or null for every plant. */
export type BridgeKey = { key: string; plants: string | null };

/** The bridge's keys that are not revoked; none for an unknown bridge. */
export async function activeKeys(db: D1Database, bridgeId: string): Promise<BridgeKey[]> {
  const { results } = await db
    .prepare(
      'SELECT key, plants FROM bridge_keys WHERE bridge_id = ?1 AND revoked_at IS NULL ORDER BY id DESC',
    )
    .bind(bridgeId)
    .all<BridgeKey>();
  return results;
}

/**
 * What became of a row: new, there already, there already with another value (which stays), or from a time whose raw
 * readings are no longer kept.
 */
export type Outcome = 'stored' | 'duplicate' | 'conflict' | 'overdue';

const addPlants = `
  INSERT INTO plants (name)
  SELECT DISTINCT value ->> 'plant' FROM json_each(?1) WHERE true
  ON CONFLICT DO NOTHING`;

/**
 * The same words of the board, judged the other way: what was ahead of every clock when it came first is past when it
 * comes again.
 */
const twin = (columns: string) => `
  SELECT ${columns} FROM plant_readings AS twin
  WHERE twin.plant_id = plants.id AND twin.seq = sent.value ->> 'twinSeq'
    AND twin.measured_at = sent.value ->> 'refusedTime' AND twin.refused_time IS NULL
  UNION ALL
  SELECT ${columns} FROM plant_readings AS twin
  WHERE twin.plant_id = plants.id AND twin.seq = sent.value ->> 'twinSeq' AND sent.value ->> 'refusedTime' IS NULL
    AND twin.refused_time = sent.value ->> 'measuredAt'`;

/** Triggers take each reading that is new into the rollups, the plant's state and its waterings. */
const addReadings = `
  INSERT INTO plant_readings (plant_id, measured_at, seq, soil_moisture, received_at, refused_time)
  SELECT plants.id, sent.value ->> 'measuredAt', sent.value ->> 'seq', sent.value ->> 'soilMoisture',
         sent.value ->> 'receivedAt', sent.value ->> 'refusedTime'
  FROM json_each(?1) AS sent JOIN plants ON plants.name = sent.value ->> 'plant'
  WHERE sent.value ->> 'measuredAt' >= coalesce((SELECT since FROM plant_retention), 0)
    AND NOT EXISTS (${twin('1')})
  ON CONFLICT DO NOTHING
  RETURNING (SELECT name FROM plants WHERE id = plant_id) AS plant, measured_at, seq, soil_moisture, refused_time`;

/**
 * What stands in the way of a row: the reading of the same time, or the one whose board said the same wrong time. At one
 * receipt time and under one number stands another reading, and not this one, when its board said another time: NULL.
 */
const findHeld = `
  SELECT sent.key AS at, iif(held.refused_time IS sent.value ->> 'refusedTime', held.soil_moisture, NULL) AS soil_moisture
  FROM json_each(?1) AS sent
  JOIN plants ON plants.name = sent.value ->> 'plant'
  JOIN plant_readings AS held ON held.plant_id = plants.id
    AND held.measured_at = sent.value ->> 'measuredAt' AND held.seq = sent.value ->> 'seq'
  UNION ALL
  SELECT sent.key, held.soil_moisture
  FROM json_each(?1) AS sent
  JOIN plants ON plants.name = sent.value ->> 'plant'
  JOIN plant_readings AS held ON held.plant_id = plants.id
    AND held.refused_time = sent.value ->> 'refusedTime' AND held.seq = sent.value ->> 'seq'
  UNION ALL
  SELECT sent.key, held.soil_moisture
  FROM json_each(?1) AS sent
  JOIN plants ON plants.name = sent.value ->> 'plant'
  JOIN plant_readings AS held ON held.plant_id = plants.id AND held.seq = sent.value ->> 'twinSeq'
    AND held.measured_at = sent.value ->> 'refusedTime' AND held.refused_time IS NULL
  UNION ALL
  SELECT sent.key, held.soil_moisture
  FROM json_each(?1) AS sent
  JOIN plants ON plants.name = sent.value ->> 'plant'
  JOIN plant_readings AS held ON held.plant_id = plants.id AND held.seq = sent.value ->> 'twinSeq'
    AND held.refused_time = sent.value ->> 'measuredAt'
  WHERE sent.value ->> 'refusedTime' IS NULL`;

type Stored = {
  plant: string;
  measured_at: number;
  seq: number;
  soil_moisture: number;
  refused_time: number | null;
};

/**
 * Stores the rows, all or none, and tells of each, in their order, what became of it. Safe to repeat.
 * @throws when the database does not answer; then nothing was stored
 */
export async function storeReadings(db: D1Database, rows: readonly Row[]): Promise<Outcome[]> {
  const added = await addRows(db, rows);
  const isNew = rows.map((row) => added.delete(keyOf(row)));
  const held = await heldValues(
    db,
    rows.filter((_, at) => !isNew[at]),
  );
  return rows.map((row, at) => {
    if (isNew[at]) return 'stored';
    const values = held.get(row);
    if (values === undefined) return 'overdue';
    return values.has(row.soilMoisture) ? 'duplicate' : 'conflict';
  });
}

function keyOf({
  plant,
  measuredAt,
  seq,
  soilMoisture,
  refusedTime,
}: Omit<Row, 'receivedAt' | 'twinSeq'>): string {
  return `${measuredAt} ${seq} ${soilMoisture} ${refusedTime} ${plant}`;
}

/** Adds the rows that are not there yet and returns their keys. */
async function addRows(db: D1Database, rows: readonly Row[]): Promise<Set<string>> {
  if (rows.length === 0) return new Set();
  // In the order of their times, as an alert is raised and lifted.
  const sent = JSON.stringify(rows.toSorted((a, b) => a.measuredAt - b.measuredAt));
  const [, added] = await db.batch<Stored>([
    db.prepare(addPlants).bind(sent),
    db.prepare(addReadings).bind(sent),
  ]);
  return new Set(
    added?.results.map((row) =>
      keyOf({
        ...row,
        measuredAt: row.measured_at,
        soilMoisture: row.soil_moisture,
        refusedTime: row.refused_time,
      }),
    ),
  );
}

/** For each row that something stands in the way of, the values that are stored in its place. */
async function heldValues(db: D1Database, rows: readonly Row[]): Promise<Map<Row, Set<number | null>>> {
  const values = new Map<Row, Set<number | null>>();
  if (rows.length === 0) return values;
  const found = await db
    .prepare(findHeld)
    .bind(JSON.stringify(rows))
    .all<{ at: number; soil_moisture: number | null }>();
  for (const { at, soil_moisture } of found.results) {
    const row = rows[at];
    if (row) values.set(row, (values.get(row) ?? new Set()).add(soil_moisture));
  }
  return values;
}

export type HeartbeatRow = {
  bridgeId: string;
  brokerConnected: boolean;
  /** Instants are milliseconds since 1970. */
  reportedAt: number;
  signedAt: number;
  validUntil: number;
  /** Null while the bridge does not know it. */
  spool: { state: SpoolState; depth: number | null; oldestAt: number | null; dead: number | null } | null;
  boards: { plant: string; online: boolean; at: number }[];
};

/** Of two words of a bridge the one that it signed later holds, in whatever order they arrive. */
const addHeartbeat = `
  INSERT INTO bridge_heartbeats (bridge_id, broker_connected, reported_at, valid_until,
    spool_depth, spool_oldest_at, spool_dead, signed_at, broker_heard_at, spool_known_at, spool_state)
  VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?3, ?3, ?9)
  ON CONFLICT (bridge_id) DO UPDATE SET broker_connected = excluded.broker_connected,
    reported_at = excluded.reported_at, valid_until = excluded.valid_until, spool_depth = excluded.spool_depth,
    spool_oldest_at = excluded.spool_oldest_at, spool_dead = excluded.spool_dead, signed_at = excluded.signed_at,
    broker_heard_at = iif(excluded.broker_connected, excluded.reported_at, coalesce(broker_heard_at, reported_at)),
    spool_known_at = iif(excluded.spool_state IS NULL, coalesce(spool_known_at, reported_at), excluded.reported_at),
    spool_state = excluded.spool_state
  WHERE excluded.signed_at >= coalesce(signed_at, 0) AND excluded.reported_at >= reported_at`;

/** Of two bridges that heard a board, the one that heard it later is believed. */
const markBoards = `
  UPDATE plant_states SET board_online = sent.value ->> 'online', board_at = sent.value ->> 'at'
  FROM json_each(?1) AS sent JOIN plants ON plants.name = sent.value ->> 'plant'
  WHERE plant_states.plant_id = plants.id AND (board_at IS NULL OR board_at <= sent.value ->> 'at')`;

/** Writes down the bridge's word, when it is its last, and what it says of the boards. */
export async function recordHeartbeat(db: D1Database, heartbeat: HeartbeatRow): Promise<void> {
  const { bridgeId, brokerConnected, reportedAt, signedAt, validUntil, spool, boards } = heartbeat;
  const word = db
    .prepare(addHeartbeat)
    .bind(
      bridgeId,
      brokerConnected ? 1 : 0,
      reportedAt,
      validUntil,
      spool?.depth ?? null,
      spool?.oldestAt ?? null,
      spool?.dead ?? null,
      signedAt,
      spool?.state ?? null,
    );
  const sent = JSON.stringify(boards);
  await db.batch(
    boards.length === 0
      ? [word]
      : [word, db.prepare(addPlants).bind(sent), db.prepare(markBoards).bind(sent)],
  );
}
