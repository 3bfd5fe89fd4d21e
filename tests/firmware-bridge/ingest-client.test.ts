import { createHash, createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import { textToSign, type Reading } from '#contract/readings';
import { createClock } from '../../firmware-bridge/src/clock.ts';
import { createIngestClient, type IngestAnswer } from '../../firmware-bridge/src/deliver/ingest-client.ts';
import { knownClock } from './support/clocks.ts';
import { error, json, startIngestServer, type Answerer } from './support/ingest-server.ts';

const KEY = 'a key for tests that nobody else uses';
const reading: Reading = {
  plant: '고사리',
  datetime: '2026-03-02T00:00:00.000Z',
  soil_moisture: 512,
  received_at: '2026-03-02T00:00:00.000Z',
};

/** The timeout: long enough for a busy machine. Two tests wait until it is over. */
const IN_TIME_MS = 2000;

const clientOf = (url: string, clock = knownClock()) =>
  createIngestClient({ url, bridgeId: 'b', key: KEY, timeoutMs: IN_TIME_MS, clock });

async function answerTo(answerer: Answerer, readings = [reading]): Promise<IngestAnswer> {
  const server = await startIngestServer(answerer);
  const client = clientOf(server.url);
  return client.sendReadings(readings, true);
}

const stored = { status: 'stored' };

describe('requests', () => {
  test.each(['', '/', '/behind/a/proxy', '/behind/a/proxy/'])(
    'ING-2 to an address that ends in %j they carry a signature that the contract describes',
    async (suffix) => {
      const server = await startIngestServer(json(200, { results: [stored] }));
      const client = clientOf(server.url + suffix);
      expect(await client.sendReadings([reading], true)).toEqual({ kind: 'accepted', results: [stored] });

      const [request] = server.requests;
      if (request === undefined) throw new Error('no request');
      const path = `${suffix.replace(/\/$/, '')}/readings`;
      const timestamp = String(request.headers['x-bridge-timestamp']);
      const bodyHash = createHash('sha256').update(request.body).digest('hex');
      const text = textToSign(timestamp, 'POST', path, bodyHash);
      expect(request.path).toBe(path);
      expect(request.headers['x-bridge-id']).toBe('b');
      expect(Math.abs(Number(timestamp) - Date.now() / 1000)).toBeLessThan(30);
      expect(request.headers['x-bridge-signature']).toBe(
        createHmac('sha256', KEY).update(text).digest('hex'),
      );
      expect(JSON.parse(request.body.toString())).toEqual({ readings: [reading] });
    },
  );
});

describe('answers', () => {
  test('a result for each reading is a receipt', async () => {
    const results = [stored, { status: 'duplicate' }, { status: 'rejected', reason: 'no' }];
    expect(await answerTo(json(200, { results }), [reading, reading, reading])).toEqual({
      kind: 'accepted',
      results,
    });
  });

  test.each<[string, Answerer]>([
    ['HTML with 200', (response) => response.writeHead(200).end('<html>welcome</html>')],
    ['an empty 200', (response) => response.writeHead(200).end()],
    ['a receipt for too few', json(200, { results: [] })],
    ['a receipt for too many', json(200, { results: [stored, stored] })],
    ['an unknown result', json(200, { results: [{ status: 'perhaps' }] })],
    ['a rejection without a reason', json(200, { results: [{ status: 'rejected' }] })],
    ['a receipt with 201', json(201, { results: [stored] })],
    ['a redirect', (response) => response.writeHead(302, { location: '/login' }).end()],
    [
      'a truncated receipt',
      (response) => {
        response.writeHead(200, { 'content-length': '100' }).write('{"results":[{"status":"stored"}]}');
        response.socket?.destroy();
      },
    ],
    ['a trickling receipt', (response) => void response.writeHead(200).write('{"results":[')],
    ['no answer at all', () => undefined],
    ['a closed connection', (response) => response.socket?.destroy()],
    ['two megabytes', (response) => response.writeHead(200).end(' '.repeat(2 * 1024 * 1024))],
    ['500', json(500, error('server_error'))],
    ['404', json(404, error('not_found'))],
    ['408', json(408, error('timeout'))],
    ['401', json(401, error('not_logged_in'))],
    ['a 403 page of a proxy', (response) => response.writeHead(403).end('<html>no</html>')],
    ['a 400 of another program', json(400, { message: 'no' })],
  ])('ING-3 %s is no receipt', async (_, answerer) => {
    expect(await answerTo(answerer)).toMatchObject({ kind: 'failed', reason: expect.stringMatching(/./) });
  });

  test('ING-3 an address where nobody listens is a failure', async () => {
    const client = clientOf('http://127.0.0.1:1');
    expect(await client.sendReadings([reading], true)).toMatchObject({ kind: 'failed', status: null });
  });

  test.each([400, 403, 413])("the worker's own %d is a refusal", async (status) => {
    expect(await answerTo(json(status, error('x')))).toEqual({
      kind: 'refused',
      reason: `HTTP ${status}: 거절`,
      rows: [],
    });
  });

  test('a refusal says which rows are to blame', async () => {
    const answer = await answerTo(json(403, { ...error('forbidden'), rows: [1, 3] }));
    expect(answer).toMatchObject({ kind: 'refused', rows: [1, 3] });
  });

  test.each([
    ['120', 120_000],
    ['0', 0],
    ['soon', 0],
    ['999999999', 3_600_000],
    [new Date(Date.now() - 60_000).toUTCString(), 0],
  ])('Retry-After %s is obeyed, within an hour', async (header, retryAfterMs) => {
    const answer = await answerTo(json(503, error('unavailable'), { 'retry-after': header }));
    expect(answer).toMatchObject({ kind: 'failed', status: 503, retryAfterMs });
  });

  test('a wrong clock is named with its distance', async () => {
    const server_time = Math.floor(Date.now() / 1000) + 900;
    const answer = await answerTo(json(401, { ...error('not_logged_in'), server_time }));
    expect(answer).toMatchObject({ kind: 'failed', reason: expect.stringMatching(/by -(899|900) s/) });
  });

  test('a heartbeat has arrived only with a 200', async () => {
    const server = await startIngestServer(json(200, { ok: true }));
    const client = clientOf(server.url);
    const heartbeat = { broker_connected: true, valid_for_ms: 5000 };
    expect(await client.sendHeartbeat(heartbeat)).toEqual({ arrived: true });
    expect(server.requests[0]?.path).toBe('/heartbeat');
    server.answerWith(json(401, error('not_logged_in')));
    expect(await client.sendHeartbeat(heartbeat)).toEqual({
      arrived: false,
      failure: 'ingest_unauthorized',
      reason: 'HTTP 401: 거절',
    });
  });
});

describe('the server’s time', () => {
  const unknown = () =>
    createClock(
      () => 1000,
      () => 0,
      'boot',
    );
  const told = '1772409600000';

  test.each([
    ['tells it', json(401, error('unauthorized'), { 'x-server-time': told }), Number(told), null],
    ['tells none, as an older worker', json(405, error('method_not_allowed')), null, null],
    ['tells nonsense', json(200, {}, { 'x-server-time': 'soon' }), null, null],
    ['is a proxy’s 503', json(503, {}), null, 'ingest_unavailable'],
    ['is a 429', json(429, {}), null, 'ingest_too_many_requests'],
  ] as const)('FAULT-11 an answer that %s', async (_, answerer, now, failure) => {
    const clock = unknown();
    const server = createServer((request, response) => {
      answerer(response, { path: request.url ?? '', headers: request.headers, body: Buffer.alloc(0) });
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    onTestFinished(() => void server.close());
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const url = `http://127.0.0.1:${port}`;
    const client = clientOf(url, clock);
    expect((await client.askTime())?.failure ?? null).toBe(failure);
    expect(clock.serverOffset() === null ? null : clock.now()).toBe(now);
  });
});
