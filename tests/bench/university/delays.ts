import type { DatabaseSync } from 'node:sqlite';

const LOOK_MS = 200;
/** What has not come by then is looked for more seldom. */
const LOOKED_FOR_MS = 60_000;
const LOOK_BACK_MS = 5000;

/** Notes how long each reading of the plants takes from its measurement until it is in D1, in milliseconds. */
export function watchDelays(d1: DatabaseSync, plants: readonly string[], beganAt: number) {
  const findPlants = d1.prepare(
    'SELECT DISTINCT id FROM plants WHERE topic IN (SELECT value FROM json_each(?))',
  );
  const find = d1.prepare(
    `SELECT plant_id, measured_at, seq FROM json_each(?) CROSS JOIN plant_readings ON plant_id = value
     WHERE measured_at >= ?`,
  );
  const topics = JSON.stringify(plants);
  /** Numbers of the plants, which stay when their group moves; until all have sent something there are fewer. */
  let ids: unknown[] = [];
  const delays = new Map<string, number>();
  const look = (since: number) => {
    if (ids.length < plants.length) ids = findPlants.all(topics).map(({ id }) => id);
    const now = Date.now();
    for (const { plant_id, measured_at, seq } of find.all(JSON.stringify(ids), since)) {
      const reading = `${String(plant_id)} ${String(seq)}`;
      if (!delays.has(reading)) delays.set(reading, now - Number(measured_at));
    }
  };
  const timers = [
    setInterval(() => look(Math.max(beganAt, Date.now() - LOOKED_FOR_MS)), LOOK_MS),
    setInterval(() => look(beganAt), LOOK_BACK_MS),
  ];
  return {
    stop: (): number[] => {
      for (const timer of timers) clearInterval(timer);
      look(beganAt);
      return [...delays.values()];
    },
  };
}
