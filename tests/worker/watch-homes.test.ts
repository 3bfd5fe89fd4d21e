import { env } from 'cloudflare:workers';
import { beforeEach, expect, test } from 'vitest';
import { freshHomes, several } from './plants-homes.ts';
import { DAY, freshWatch, look, run, sent } from './watching.ts';

freshWatch();
beforeEach(freshHomes);

test('OPS-10 ING-17 of several databases of plants the one that grows full is told of by its name, once', async () => {
  await env.A_SECOND_HOME.prepare(
    "INSERT INTO refused_readings (reading, reason, refused_at) VALUES (hex(zeroblob(300000)), '', 0)",
  ).run();
  // It has grown by a gigabyte within three days, if it began below nothing.
  const began = new Date(Date.now() - 3 * DAY).toISOString().slice(0, 10);
  await run(
    'INSERT INTO database_days (day, size, plants_size, readings) VALUES (?, 0, -1000000000, 0)',
    began,
  );
  await look(several);
  await look(several);
  // Slack would take an underline for a mark.
  expect(await sent()).toEqual([
    expect.stringMatching(/\[발생\] 화분 데이터베이스 PLANTS.DB.2: 요금제의 한도에 가까워졌습니다/),
  ]);
  expect(await env.DB.prepare('SELECT key FROM alerts').raw()).toEqual([['database:PLANTS_DB_2']]);
});
