import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, test } from 'vitest';
import { freshDatabase, post } from './support.ts';

beforeEach(freshDatabase);

type StoredHeartbeat = {
  bridge_id: string;
  broker_connected: number;
  reported_at: number;
  valid_until: number;
};

async function heartbeats(): Promise<StoredHeartbeat[]> {
  return (await env.DB.prepare('SELECT * FROM bridge_heartbeats').all<StoredHeartbeat>()).results;
}

describe('heartbeat', () => {
  test("a bridge's last word replaces the one before, by the server clock", async () => {
    expect((await post('/heartbeat', { broker_connected: true, valid_for_ms: 75_000 })).status).toBe(200);
    expect((await post('/heartbeat', { broker_connected: false, valid_for_ms: 5000 })).status).toBe(200);
    const results = await heartbeats();
    expect(results).toHaveLength(1);
    const [row] = results;
    expect(row).toMatchObject({ bridge_id: 'greenhouse', broker_connected: 0 });
    expect(Math.abs((row?.reported_at ?? 0) - Date.now())).toBeLessThan(30_000);
    expect((row?.valid_until ?? 0) - (row?.reported_at ?? 0)).toBe(5000);
  });

  test.each([
    ['{', 400],
    ['{"broker_connected":1,"valid_for_ms":5000}', 400],
    ['{"broker_connected":true,"valid_for_ms":5}', 400],
  ])('SEC-24 the heartbeat %s is %d', async (content, status) => {
    expect((await post('/heartbeat', content)).status).toBe(status);
    expect(await heartbeats()).toEqual([]);
  });

  test('ING-2 a forged heartbeat is 401', async () => {
    const heartbeat = { broker_connected: true, valid_for_ms: 75_000 };
    expect((await post('/heartbeat', heartbeat, { key: 'x'.repeat(40) })).status).toBe(401);
    expect(await heartbeats()).toEqual([]);
  });
});
