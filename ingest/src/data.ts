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

/** What became of a row: new, there already, or there already with another value (which stays). */
export type Outcome = 'stored' | 'duplicate' | 'conflict';

type StoredKey = { plant: string; measured_at: number; seq: number };

const addPlants = `
  INSERT INTO plants (name)
  SELECT DISTINCT sent.value ->> 'plant' FROM json_each(?1) AS sent WHERE true
  ON CONFLICT DO NOTHING`;

const addReadings = `
  INSERT INTO plant_readings (plant_id, measured_at, seq, soil_moisture, received_at, refused_time)
  SELECT plants.id, sent.value ->> 'measuredAt', sent.value ->> 'seq', sent.value ->> 'soilMoisture',
         sent.value ->> 'receivedAt', sent.value ->> 'refusedTime'
  FROM json_each(?1) AS sent JOIN plants ON plants.name = sent.value ->> 'plant'
  WHERE true
  ON CONFLICT DO NOTHING
  RETURNING (SELECT name FROM plants WHERE id = plant_id) AS plant, measured_at, seq`;

const findReadings = `
  SELECT plants.name AS plant, held.measured_at, held.seq, held.soil_moisture
  FROM json_each(?1) AS sent
  JOIN plants ON plants.name = sent.value ->> 'plant'
  JOIN plant_readings AS held ON held.plant_id = plants.id
    AND held.measured_at = sent.value ->> 'measuredAt' AND held.seq = sent.value ->> 'seq'`;

function keyOf(plant: string, measuredAt: number, seq: number): string {
  return `${measuredAt} ${seq} ${plant}`;
}

/**
 * Stores the rows, all or none, and returns a function that tells of each what became of it. Safe to repeat.
 * @throws when the database does not answer; then nothing was stored
 */
export async function storeReadings(db: D1Database, rows: readonly Row[]): Promise<(row: Row) => Outcome> {
  const firsts = new Map<string, Row>();
  for (const row of rows) {
    const key = keyOf(row.plant, row.measuredAt, row.seq);
    if (!firsts.has(key)) firsts.set(key, row);
  }
  const added = await insertReadings(db, [...firsts.values()]);
  const refused = [...firsts].filter(([key]) => !added.has(key)).map(([, row]) => row);
  const held = await storedValues(db, refused);
  return (row) => {
    const key = keyOf(row.plant, row.measuredAt, row.seq);
    const first = firsts.get(key);
    if (row === first && added.has(key)) return 'stored';
    const value = added.has(key) ? first?.soilMoisture : held.get(key);
    return value === row.soilMoisture ? 'duplicate' : 'conflict';
  };
}

/** Inserts rows that differ in their keys and returns the keys of those that were not there yet. */
async function insertReadings(db: D1Database, rows: readonly Row[]): Promise<Set<string>> {
  if (rows.length === 0) return new Set();
  const sent = JSON.stringify(rows);
  const [, inserted] = await db.batch<StoredKey>([
    db.prepare(addPlants).bind(sent),
    db.prepare(addReadings).bind(sent),
  ]);
  return new Set(inserted?.results.map((row) => keyOf(row.plant, row.measured_at, row.seq)));
}

/** The values that the table holds under the rows' keys. */
async function storedValues(db: D1Database, rows: readonly Row[]): Promise<Map<string, number>> {
  if (rows.length === 0) return new Map();
  const found = await db
    .prepare(findReadings)
    .bind(JSON.stringify(rows))
    .all<StoredKey & { soil_moisture: number }>();
  return new Map(found.results.map((row) => [keyOf(row.plant, row.measured_at, row.seq), row.soil_moisture]));
}

/** Writes down the bridge's last word. Instants are milliseconds since 1970. */
export async function recordHeartbeat(
  db: D1Database,
  heartbeat: { bridgeId: string; brokerConnected: boolean; reportedAt: number; validUntil: number },
): Promise<void> {
  const { bridgeId, brokerConnected, reportedAt, validUntil } = heartbeat;
  await db
    .prepare(
      `INSERT INTO bridge_heartbeats (bridge_id, broker_connected, reported_at, valid_until)
       VALUES (?1, ?2, ?3, ?4)
       ON CONFLICT (bridge_id) DO UPDATE SET broker_connected = excluded.broker_connected,
         reported_at = excluded.reported_at, valid_until = excluded.valid_until`,
    )
    .bind(bridgeId, brokerConnected ? 1 : 0, reportedAt, validUntil)
    .run();
}
