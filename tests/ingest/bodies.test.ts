import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, test } from 'vitest';
import { errorBodySchema } from '#contract/errors';
import { bytesOf, freshDatabase, post, postReadings, reading, send, signature, stored } from './support.ts';

beforeEach(freshDatabase);

describe('bodies', () => {
  test.each([
    ['nothing', ''],
    ['broken JSON', '{"readings":[{]}'],
    ['a byte order mark', '﻿{"readings":[]}'],
    ['NaN', '{"readings":[NaN]}'],
    ['an array', '[]'],
    ['null', 'null'],
    ['no readings', '{"readings":[]}'],
    ['readings that are no list', '{"readings":{"0":1}}'],
    ['an unknown field', '{"readings":[1],"more":1}'],
    ['ten thousand brackets', `{"readings":${'['.repeat(10_000)}`],
    ['text that is no UTF-8', new Uint8Array([0x7b, 0xff, 0x7d])],
  ])('SEC-24 a body of %s is 400', async (_, content) => {
    const response = await post('/readings', content);
    expect(response.status).toBe(400);
    expect(errorBodySchema.parse(await response.json()).error.code).toBe('invalid_input');
    expect(await stored()).toEqual([]);
  });

  test('a batch of 501 readings is 400 and stores nothing', async () => {
    const readings = Array.from({ length: 501 }, (_, seq) => reading({ seq }));
    expect((await post('/readings', { readings })).status).toBe(400);
    expect(await stored()).toEqual([]);
  });

  test('SEC-24 deeply nested rows are rejected, not failed on', async () => {
    const nested = `${'['.repeat(10_000)}${']'.repeat(10_000)}`;
    const response = await post('/readings', `{"readings":[${nested}]}`);
    expect(await response.json()).toMatchObject({ results: [{ status: 'rejected' }] });
  });

  test('SEC-25 a body above 256 KB is 413, with and without a length, before the signature is judged', async () => {
    const limit = 256 * 1024;
    const atLimit = bytesOf(`{"readings":[1]}${' '.repeat(limit - 16)}`);
    expect((await post('/readings', atLimit)).status).toBe(200);
    const above = bytesOf(`{"readings":[1]}${' '.repeat(limit - 15)}`);
    expect((await post('/readings', above)).status).toBe(413);

    let sent = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 64 * 1024;
        controller.enqueue(new Uint8Array(64 * 1024));
      },
    });
    const headers = await signature('/readings', new Uint8Array());
    expect((await send('/readings', { method: 'POST', body: endless, headers })).status).toBe(413);
    expect(sent).toBeLessThan(1024 * 1024);
  });

  test('SEC-109 of who brings no signature nothing is read, and a body that is broken off is no failure of ours', async () => {
    const silent = new ReadableStream<Uint8Array>();
    expect((await send('/readings', { method: 'POST', body: silent })).status).toBe(401);
    const broken = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.error(new Error('Network connection lost.')),
    });
    const headers = await signature('/readings', new Uint8Array());
    expect((await send('/readings', { method: 'POST', body: broken, headers })).status).toBe(400);
  });

  test('a full batch of the longest rows fits', async () => {
    const readings = Array.from({ length: 500 }, (_, n) =>
      reading({ plant: '가'.repeat(64), seq: Number.MAX_SAFE_INTEGER - n }),
    );
    expect((await postReadings(readings)).every(({ status }) => status === 'stored')).toBe(true);
  });
});

test('a failing database is a 500 with an id, nothing of its cause, and a retry is safe', async () => {
  await env.PLANTS_DB.prepare('ALTER TABLE plant_readings RENAME TO gone').run();
  const response = await post('/readings', { readings: [reading()] });
  await env.PLANTS_DB.prepare('ALTER TABLE gone RENAME TO plant_readings').run();
  const text = await response.text();
  expect(response.status).toBe(500);
  expect(errorBodySchema.parse(JSON.parse(text)).error.requestId).toBe(response.headers.get('x-request-id'));
  expect(text).not.toMatch(/SQLITE|plant_readings/);
  expect(await postReadings([reading()])).toEqual([{ status: 'stored' }]);
});
