import { beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { errorBodySchema } from '#contract/errors';
import {
  addKey,
  BRIDGE_ID,
  bytesOf,
  freshDatabase,
  OTHER_KEY,
  post,
  postReadings,
  reading,
  revoke,
  send,
  signature,
  stored,
} from './support.ts';

const body = () => ({ readings: [reading()] });

/** The result of a refused request: status, body, whether the message is Korean, and what was stored. */
async function refusal(response: Response) {
  const body: unknown = await response.json();
  const { code, message } = errorBodySchema.parse(body).error;
  return { status: response.status, code, korean: /[가-힣]/.test(message), stored: await stored(), body };
}

const refused = (status: number, code: string) => ({ status, code, korean: true, stored: [] });
const unauthorized = refused(401, 'not_logged_in');

beforeEach(freshDatabase);

describe('signatures', () => {
  test('ING-2 a signed batch is taken', async () => {
    expect(await postReadings([reading()])).toEqual([{ status: 'stored' }]);
  });

  test.each(['x-bridge-id', 'x-bridge-timestamp', 'x-bridge-signature'])(
    'ING-2 a request without %s is 401 and stores nothing',
    async (header) => {
      const bytes = bytesOf(body());
      const headers = await signature('/readings', bytes);
      delete headers[header];
      expect(await refusal(await send('/readings', { method: 'POST', body: bytes, headers }))).toMatchObject(
        unauthorized,
      );
    },
  );

  test.each([
    ['x-bridge-timestamp', 'soon'],
    ['x-bridge-timestamp', '-5'],
    ['x-bridge-timestamp', '1e9'],
    ['x-bridge-signature', 'zz'],
    ['x-bridge-signature', ''],
    ['x-bridge-id', 'x'.repeat(65)],
    ['x-bridge-id', 'a b'],
  ])('ING-2 a request with %s %j is 401', async (header, value) => {
    const bytes = bytesOf(body());
    const headers = { ...(await signature('/readings', bytes)), [header]: value };
    expect(await refusal(await send('/readings', { method: 'POST', body: bytes, headers }))).toMatchObject(
      unauthorized,
    );
  });

  test('ING-2 a signature in capital letters is 401', async () => {
    const bytes = bytesOf(body());
    const headers = await signature('/readings', bytes);
    headers['x-bridge-signature'] = headers['x-bridge-signature']?.toUpperCase() ?? '';
    expect(await refusal(await send('/readings', { method: 'POST', body: bytes, headers }))).toMatchObject(
      unauthorized,
    );
  });

  test.each([0, 100, -1])('FAULT-14 ING-2 one flipped bit in byte %d of the body is 401', async (at) => {
    const bytes = bytesOf(body());
    const headers = await signature('/readings', bytes);
    const index = at < 0 ? bytes.length + at : at;
    bytes[index] = (bytes[index] ?? 0) ^ 1;
    expect(await refusal(await send('/readings', { method: 'POST', body: bytes, headers }))).toMatchObject(
      unauthorized,
    );
  });

  test('ING-2 a signature for another path is 401', async () => {
    expect(await refusal(await post('/readings', body(), { path: '/heartbeat' }))).toMatchObject(
      unauthorized,
    );
  });

  test('ING-2 a query is not part of what is signed', async () => {
    expect((await post('/readings?a=b', body(), { path: '/readings' })).status).toBe(200);
  });

  test('FAULT-14 ING-2 a wrong key and an unknown bridge are 401', async () => {
    expect(await refusal(await post('/readings', body(), { key: OTHER_KEY }))).toMatchObject(unauthorized);
    expect(await refusal(await post('/readings', body(), { bridgeId: 'nobody' }))).toMatchObject(
      unauthorized,
    );
  });

  // 330 and not 301: while the request is sent, the difference of a clock that is ahead becomes smaller.
  test.each([330, -301, 86_400])(
    'FAULT-14 ING-2 a clock that is off by %d s is 401 and the answer carries the server time',
    async (secondsOff) => {
      const answer = await refusal(await post('/readings', body(), { secondsOff }));
      expect(answer).toMatchObject(unauthorized);
      const { server_time } = z.object({ server_time: z.int() }).parse(answer.body);
      expect(Math.abs(server_time - Date.now() / 1000)).toBeLessThan(30);
    },
  );

  test.each([290, -290])('ING-2 a clock that is off by %d s is believed', async (secondsOff) => {
    expect(await postReadings([reading()], { secondsOff })).toEqual([{ status: 'stored' }]);
  });

  test('FAULT-14 ING-2 a revoked key stops at the next request while its successor works', async () => {
    await addKey(OTHER_KEY);
    expect(await postReadings([reading({ seq: 1 })])).toEqual([{ status: 'stored' }]);
    expect(await postReadings([reading({ seq: 2 })], { key: OTHER_KEY })).toEqual([{ status: 'stored' }]);

    await revoke(OTHER_KEY);

    expect((await post('/readings', body(), { key: OTHER_KEY })).status).toBe(401);
    expect(await postReadings([reading({ seq: 3 })])).toEqual([{ status: 'stored' }]);
    expect(await stored()).toHaveLength(3);
  });
});

describe('plants', () => {
  test('FAULT-14 ING-2 a plant that the key may not speak for is 403, names its rows and stores nothing', async () => {
    await addKey(OTHER_KEY, ['fern', 'moss']);
    const readings = [
      reading({ seq: 1 }),
      reading({ plant: 'ivy', seq: 2 }),
      reading({ plant: 'moss', seq: 3 }),
      reading({ plant: 'Fern', seq: 4 }),
    ];
    const answer = await refusal(await post('/readings', { readings }, { key: OTHER_KEY }));
    expect(answer).toMatchObject(refused(403, 'forbidden'));
    expect(answer.body).toMatchObject({ error: { row: 2 }, rows: [2, 4] });

    const own = readings.filter(({ plant }) => plant === 'fern' || plant === 'moss');
    expect(await postReadings(own, { key: OTHER_KEY })).toEqual([{ status: 'stored' }, { status: 'stored' }]);
  });

  test('a key for no plant may say nothing', async () => {
    await addKey(OTHER_KEY, []);
    expect(await refusal(await post('/readings', body(), { key: OTHER_KEY }))).toMatchObject(
      refused(403, 'forbidden'),
    );
  });
});

describe('addresses', () => {
  test('the health address answers without a signature', async () => {
    expect(await (await send('/health')).json()).toEqual({ ok: true });
  });

  test.each(['/', '/reading', '/readings/', '/READINGS', '/readings/1', '/api/plants'])(
    'an unknown address %s is 404 in JSON, signed or not',
    async (path) => {
      expect(await refusal(await send(path))).toMatchObject(refused(404, 'not_found'));
      expect(await refusal(await post(path, body()))).toMatchObject(refused(404, 'not_found'));
    },
  );

  test.each(['GET', 'PUT', 'DELETE'])('%s of /readings is 405', async (method) => {
    expect(await refusal(await send('/readings', { method }))).toMatchObject(
      refused(405, 'method_not_allowed'),
    );
  });

  test('a bad body does not hide a missing signature', async () => {
    expect(await refusal(await send('/readings', { method: 'POST', body: '{' }))).toMatchObject(unauthorized);
  });

  test('a refusal does not tell whether the bridge exists', async () => {
    const [known, unknown] = await Promise.all(
      [BRIDGE_ID, 'nobody'].map((bridgeId) => post('/readings', body(), { bridgeId, key: OTHER_KEY })),
    );
    expect(await known?.text()).toBe(await unknown?.text());
  });
});
