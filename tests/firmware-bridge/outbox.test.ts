import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { openSpool } from '../../firmware-bridge/src/spool/spool.ts';
import { seededRandom } from '../../local/boards/seeded-random.ts';
import { fewOrMany } from '../support/counts.ts';
import { freshFolder } from './support/processes.ts';

const NOW = Date.UTC(2026, 2, 2);
/** Names of boards; some sort differently by characters than by bytes. */
const NAMES = Array.from({ length: 60 }, (_, n) => `${['fern', '\u{1f335}', '\ufe00'][n % 3]}${n}`);
const MOST = 70;

const rowsSchema = z.array(z.object({ id: z.int(), plant: z.string(), not_before: z.int() }));

function open() {
  const file = join(freshFolder(), 'spool.sqlite');
  const spool = openSpool(file);
  const db = new DatabaseSync(file, { readOnly: true });
  onTestFinished(() => {
    db.close();
    spool.close();
  });
  const find = db.prepare('SELECT id, plant, not_before FROM readings ORDER BY id');
  return { spool, rows: () => rowsSchema.parse(find.all()) };
}

const countBy = (rows: readonly { plant: string }[]) => {
  const counts = new Map<string, number>();
  for (const { plant } of rows) counts.set(plant, (counts.get(plant) ?? 0) + 1);
  return counts;
};

test('ING-9 boards come and go: each gets its share, none waits for more than one round, nothing is sent too soon', () => {
  const random = seededRandom(20_261_124);
  const below = (limit: number) => Math.floor(random() * limit);
  for (let run = 0; run < fewOrMany(2, 60); run++) {
    const { spool, rows } = open();
    const passedOver = new Map<string, number>();
    for (let step = 0; step < fewOrMany(25, 40); step++) {
      const limit = 1 + below(MOST);
      const some = Array.from({ length: below(50) }, () => ({
        topic: `lab/plants/${NAMES[below(NAMES.length)]}/soil_moisture`,
        payload: Buffer.from(random() < 0.2 ? '[1,2,3,4,5,6,7,8,9]' : '5'),
        retained: false,
        receivedAt: NOW,
      }));
      spool.commit(some);
      for (const { id } of rows()) if (random() < 0.1) spool.putOff(id, NOW + 1 + below(9));
      const now = NOW + below(8);
      const due = rows().filter((row) => row.not_before <= now);
      const besides = due.filter(() => random() < 0.1).map(({ id }) => id);
      expect(spool.oldest(MOST, now, besides).filter(({ id }) => besides.includes(id))).toEqual([]);
      expect(spool.oldest(due.length + 1, now, besides)).toHaveLength(due.length - besides.length);
      const picked = spool.oldest(limit, now);
      const inBatch = countBy(picked.map(({ reading }) => reading));
      const ofEach = countBy(due);

      expect(picked).toHaveLength(Math.min(limit, due.length));
      const dueIds = new Set(due.map(({ id }) => id));
      expect(picked.filter(({ id }) => !dueIds.has(id))).toEqual([]);
      expect(picked.map(({ id }) => id)).toEqual(
        [...new Set(picked.map(({ id }) => id))].toSorted((a, b) => a - b),
      );
      const share = Math.floor(limit / ofEach.size);
      for (const [plant, count] of ofEach)
        expect(inBatch.get(plant) ?? 0).toBeGreaterThanOrEqual(Math.min(count, share));
      expect(ofEach.size < limit || Math.max(...inBatch.values()) === 1).toBe(true);

      for (const plant of NAMES) {
        const isLeftOut = ofEach.has(plant) && !inBatch.has(plant);
        passedOver.set(plant, isLeftOut ? (passedOver.get(plant) ?? 0) + limit : 0);
        expect(passedOver.get(plant)).toBeLessThan(NAMES.length);
      }
      const left = random() < 0.7 ? picked : picked.slice(0, below(picked.length + 1));
      spool.settle(left, [], now);
    }
  }
});

test('ING-9 the next reading is due at once, or when the first that is put off returns, or never', () => {
  const { spool, rows } = open();
  expect(spool.nextDue()).toBeNull();
  for (const plant of ['fern', 'moss', 'ivy'])
    spool.commit([
      {
        topic: `lab/plants/${plant}/soil_moisture`,
        payload: Buffer.from('[1,2]'),
        retained: false,
        receivedAt: NOW,
      },
    ]);
  const ids = rows().map(({ id }) => id);
  expect(ids).toHaveLength(6);
  for (const [at, id] of ids.entries()) {
    expect(spool.nextDue()).toBe(0);
    spool.putOff(id, NOW + 100 - at);
  }
  expect(spool.nextDue()).toBe(NOW + 95);
  expect(spool.oldest(9, NOW + 94)).toEqual([]);
  spool.settle(spool.oldest(1, NOW + 95), [], NOW);
  expect(spool.nextDue()).toBe(NOW + 96);
});
