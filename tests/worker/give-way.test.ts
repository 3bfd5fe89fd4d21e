import { env } from 'cloudflare:workers';
import { beforeAll, expect, test } from 'vitest';
import { database, statement } from '#db/client';
import { sql } from 'drizzle-orm';
import { givingWay } from '../../worker/src/tasks/give-way-data.ts';
import { runTask } from '../../worker/src/tasks/run-task.ts';
import { migrateDatabase } from './support.ts';

beforeAll(migrateDatabase);

test('OPS-4 ING-17 while a task asks one query after the other, requests have their turn', async () => {
  const asked = 50;
  let turns = 0;
  const others = setInterval(() => void turns++, 0);
  await runTask(env, 'rollups', async (bound) => {
    const db = database(bound.PLANTS_DB);
    for (let n = 0; n < asked; n++) {
      const ask = () => statement<{ n: number }>(db, sql`SELECT ${n} AS n`);
      // oxlint-disable-next-line no-await-in-loop -- one after the other is the case
      await (n % 2 === 0 ? ask() : db.batch([ask()]));
    }
    return { turns };
  });
  clearInterval(others);
  expect(turns).toBeGreaterThanOrEqual(asked);
});

test('OPS-4 what a task asks is answered as ever', async () => {
  for (const { PLANTS_DB: d1 } of [env, givingWay(env)]) {
    const one = d1.prepare('SELECT ?1 AS n').bind(7);
    const answers = [
      await one.first('n'),
      await one.raw(),
      (await one.all()).results,
      (await one.run()).success,
    ];
    expect(answers).toEqual([7, [[7]], [{ n: 7 }], true]);
    const [first] = await d1.batch<{ n: number }>([one, d1.prepare('SELECT 8 AS n')]);
    expect(first?.results).toEqual([{ n: 7 }]);
    await expect(d1.batch([d1.prepare('SELECT nothing')])).rejects.toThrow('nothing');
  }
});
