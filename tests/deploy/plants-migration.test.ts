import { readdirSync, readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';

/** The migration that rolls up what is stored already. */
const ROLLS_UP = '0005';
const DAY = 86_400_000;
const NOW = Date.UTC(2026, 2, 2);

function migrate(db: DatabaseSync, isWanted: (name: string) => boolean): void {
  const names = readdirSync('migrations').filter((name) => name.endsWith('.sql') && isWanted(name));
  for (const name of names.sort()) {
    for (const statement of readFileSync(`migrations/${name}`, 'utf8').split('--> statement-breakpoint')) {
      db.exec(statement);
    }
  }
}

test('PLT-7 a database from before the rollups has its readings rolled up, each once, and its plants a state', () => {
  const db = new DatabaseSync(':memory:');
  migrate(db, (name) => name < ROLLS_UP);
  db.exec(`
    INSERT INTO plants (id, name) VALUES (1, 'fern'), (2, 'moss'), (3, 'never heard');
    WITH RECURSIVE steps (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM steps WHERE n < 999)
    INSERT INTO plant_readings (plant_id, measured_at, seq, soil_moisture, received_at)
    SELECT 1, ${NOW} - n * ${DAY / 24}, 0, 900 - n % 500, ${NOW} FROM steps;
    -- One reading of a board without a clock, which the broker delivered twice.
    INSERT INTO plant_readings VALUES (2, ${NOW}, 4, 500, ${NOW}, 7000), (2, ${NOW} + 60000, 4, 500, ${NOW} + 60000, 7000);`);
  migrate(db, (name) => name >= ROLLS_UP);

  const widths = db.prepare('SELECT width, sum(count) AS n FROM plant_rollups GROUP BY width').all();
  expect(widths).toHaveLength(7);
  for (const { n } of widths) expect(n).toBe(1001);
  const states = db
    .prepare(
      `SELECT name, readings, last_measured_at, last_soil_moisture, last_received_at, alert_since
       FROM plant_states JOIN plants ON plants.id = plant_id ORDER BY name`,
    )
    .all()
    .map((row) => Object.values(row));
  expect(states).toEqual([
    ['fern', 1000, NOW, 900, NOW, NOW],
    ['moss', 1, NOW, 500, NOW, null],
    ['never heard', 0, null, null, null, null],
  ]);
  expect(() =>
    db.exec(`INSERT INTO plant_readings VALUES (2, ${NOW} + 90000, 4, 500, ${NOW} + 90000, 7000)`),
  ).toThrow('UNIQUE');
  db.close();
});
