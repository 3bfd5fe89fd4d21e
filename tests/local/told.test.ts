import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { connectAsync } from 'mqtt';
import { expect, onTestFinished, test, vi } from 'vitest';
import * as z from 'zod';
import { ownStack } from '../support/shared-stack.ts';
import { credential, login } from '../support/sign-in.ts';
import { keepLogsOnFailure } from '../support/stack.ts';

/** Nothing is measured here; a busy machine takes its time. */
const IN_TIME = 60_000;

type Sent = { accept: string | undefined; body: string };

/** A receiver on loopback, and what it was sent so far. */
async function receiver(answer: (response: ServerResponse) => void): Promise<{ url: string; sent: Sent[] }> {
  const sent: Sent[] = [];
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    sent.push({ accept: request.headers.accept, body: await text(request) });
    answer(response);
  };
  const server = createServer((request, response) => void take(request, response));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = z.custom<AddressInfo>((value) => value !== null).parse(server.address());
  return { url: `http://127.0.0.1:${port}/hook`, sent };
}

const takes = (response: ServerResponse) => response.end('ok');
const listSchema = z.array(z.looseObject({ name: z.string(), told_at: z.string().nullable() }));

const stack = ownStack({ DEMO_DATA: 'off', SIMULATOR: 'off', WATCH_SECONDS: '1' });

test('PLT-10 a plant that dries out on the running product is told once to each of its receivers, whatever others do', async () => {
  keepLogsOnFailure(stack, 'told');
  const { cookie } = await login(stack.origin, await credential(stack.origin, 'admin@lab.test'));
  const call = async (path: string, init: RequestInit = {}) =>
    await fetch(`${stack.origin}/api/receivers${path}`, {
      ...init,
      headers: { cookie, 'content-type': 'application/json' },
    });
  const add = async (kind: string, address: string, name = kind) => {
    const body = JSON.stringify({ kind, address, name, line: false });
    expect((await call('', { method: 'POST', body })).status).toBe(201);
  };
  const kinds = ['slack', 'discord', 'jandi', 'telegram', 'json'] as const;
  const taking = await Promise.all(kinds.map(() => receiver(takes)));
  const inner = await receiver(takes);
  const failing = await receiver((response) => response.writeHead(500).end());
  const hanging = await receiver(() => undefined);
  const redirecting = await receiver((response) => response.writeHead(307, { location: inner.url }).end());
  for (const [place, { url }] of taking.entries()) await add(kinds[place] ?? '', url);
  await add('mail', 'gaon@lab.test');
  await add('json', failing.url, 'failing');
  await add('json', hanging.url, 'hanging');
  await add('json', redirecting.url, 'redirecting');

  const board = await connectAsync(stack.brokerUrl);
  let at = Date.now() - 200_000;
  /** A second apart: what comes within the bridge's error of the server's time may change places. */
  const measure = (raw: number) => {
    const reading = { soil_moisture: raw, datetime: new Date((at += 1000)).toISOString() };
    return board.publishAsync('lab/plants/fern/soil_moisture', JSON.stringify(reading), { qos: 1 });
  };
  await measure(500);
  await measure(900);
  const told = (times: number) =>
    vi.waitFor(() => expect(taking.map(({ sent }) => sent.length)).toEqual(kinds.map(() => times)), IN_TIME);
  await told(1);
  // Around the lower limit, which is at 818.4.
  for (let time = 0; time < 100; time++) await measure(time % 2 === 0 ? 815 : 825);
  await measure(300);
  await told(2);
  await board.endAsync();

  const [slack, , jandi] = taking;
  expect(slack?.sent.map(({ body }) => body)).toEqual([
    expect.stringMatching(
      /\[발생\] 화분 fern: 물이 부족합니다\. 현재 수분 \d+\.\d% \(.*부터\)\\nhttp:.*manage_plants/,
    ),
    expect.stringMatching(/\[해소\] 화분 fern: 물이 부족합니다\. 현재 수분 70\.7%/),
  ]);
  expect(jandi?.sent[0]?.accept).toBe('application/vnd.tosslab.jandi-v2+json');
  expect(inner.sent).toEqual([]);
  const state = async (name: string) =>
    listSchema.parse(await (await call('')).json()).find((each) => each.name === name);
  expect(await state('mail')).toMatchObject({ told_at: expect.any(String), failure: null });
  expect(await state('failing')).toMatchObject({ told_at: null, waiting: 1, failure: 'answered 500' });
  expect(await state('redirecting')).toMatchObject({ waiting: 1, failure: 'answered 307' });
  await vi.waitFor(
    async () => expect(await state('hanging')).toMatchObject({ failure: 'too late' }),
    IN_TIME,
  );
});
