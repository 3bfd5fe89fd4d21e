import { readlinkSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { connectAsync } from 'mqtt';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import * as z from 'zod';
import { hasMosquitto, ownMosquitto } from '../firmware-bridge/support/brokers.ts';
import { selected } from '../support/both-databases.ts';
import { isFull } from '../support/counts.ts';
import { ownStack } from '../support/shared-stack.ts';
import { credential, login } from '../support/sign-in.ts';
import { answersToOthers, ownNamesRefused } from '../support/allowed-hosts.ts';
import { bridgesOf, commandLine, descendants } from '../support/stack-processes.ts';
import { keepLogsOnFailure, startStack, type Stack } from '../support/stack.ts';

const isLinux = process.platform === 'linux';
/** Long enough for a busy machine; the tests do not measure time. */
const IN_TIME = 60_000;
const withoutDemo = { DEMO_DATA: 'off', SIMULATOR: 'off' };

const health = async (stack: Stack) => {
  const answer = await fetch(`${stack.origin}/api/health`);
  return { status: answer.status, body: await answer.json() };
};

/** Waits until an admin sees the plant's only reading. */
async function untilStored(stack: Stack, plant: string, raw: number): Promise<void> {
  const { cookie } = await login(stack.origin, await credential(stack.origin, 'admin@lab.test'));
  await vi.waitFor(async () => {
    const answer = await fetch(`${stack.origin}/api/plants?plant=${plant}`, { headers: { cookie } });
    expect(await answer.json()).toEqual([expect.objectContaining({ plant, soil_moisture: raw })]);
  }, IN_TIME);
}

type Sent = { accept: string | undefined; body: string };

/** A receiver on loopback, and the messages that it has got. */
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

describe('npm start, while it runs', () => {
  const stack = ownStack({ ...withoutDemo, LOCAL_HOSTS: 'lab.test', WATCH_SECONDS: '1' });
  beforeEach(() => keepLogsOnFailure(stack));

  test('SEC-56 answers only to names of its own, on each of its ports', async () => {
    expect(await answersToOthers(stack)).toEqual([]);
    expect(await ownNamesRefused(stack, 'lab.test')).toEqual([]);
  });

  test('DEMO_DATA=off and SIMULATOR=off leave accounts only', async () => {
    expect(selected(stack.dataDir, 'SELECT id FROM courses')).toEqual([]);
    expect(stack.output()).not.toContain('[board]');
  });

  test('the embedded broker takes anonymous clients with any id', async () => {
    const client = await connectAsync(stack.brokerUrl, { clientId: '아무나 anyone/#+' });
    await client.publishAsync('lab/plants/stranger/soil_moisture', '512', { qos: 1 });
    await client.endAsync();
    await untilStored(stack, 'stranger', 512);
  });

  test('PLT-10 a plant that dries out on the running product is told once to each of its receivers, whatever others do', async () => {
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
    /** Stores a reading every ten minutes, from so many hours ago on. */
    const measure = async (hours: number, raws: number[]) => {
      const readings = raws.map((soil_moisture, step) => ({
        soil_moisture,
        datetime: new Date(Date.now() - hours * 3_600_000 + step * 600_000).toISOString(),
      }));
      await board.publishAsync('lab/plants/fern/soil_moisture', JSON.stringify(readings), { qos: 1 });
    };
    const soil = (length: number, raw: (step: number) => number) =>
      Array.from({ length }, (_, step) => raw(step));
    await measure(
      20,
      soil(48, (step) => 830 + (step % 3)),
    );
    const told = (times: number) =>
      vi.waitFor(
        () => expect(taking.map(({ sent }) => sent.length)).toEqual(kinds.map(() => times)),
        IN_TIME,
      );
    await told(1);
    // Values around the lower limit, which is 818.4.
    await measure(
      12,
      soil(42, (step) => (step % 2 === 0 ? 815 : 825)),
    );
    await measure(
      5,
      soil(30, (step) => 300 + (step % 2)),
    );
    await told(2);
    await board.endAsync();

    const [slack, , jandi] = taking;
    expect(slack?.sent.map(({ body }) => body)).toEqual([
      expect.stringMatching(
        /\[발생\] 화분 fern: 물이 부족합니다\. 현재 수분 \d+\.\d% · \d+% 아래면 알림 \(.*부터\)\\n {2}먼저: .*\\nhttp:.*manage_plants/,
      ),
      expect.stringMatching(/\[해소\] 화분 fern: 물이 부족합니다\. 현재 수분 70\.\d%/),
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

  test.skipIf(!isLinux)(
    'the bridge is one process in the checkout, and is started again when it dies',
    async () => {
      const [bridge = '', ...others] = bridgesOf(stack);
      expect(others).toEqual([]);
      expect(readlinkSync(`/proc/${bridge}/cwd`)).toBe(process.cwd());
      process.kill(Number(bridge), 'SIGKILL');
      await stack.untilPrinted(/bridge ended \(SIGKILL\), starting it again in 0\.25 s/);
      await vi.waitFor(
        () => expect(bridgesOf(stack).filter((pid) => pid !== bridge)).toHaveLength(1),
        IN_TIME,
      );
      await vi.waitFor(async () => expect((await fetch(stack.bridgeHealthUrl)).status).toBe(200), IN_TIME);
    },
  );

  test.skipIf(!isLinux)('broker, workers and runtime come back when they are killed', async () => {
    for (const pattern of ['local/broker.ts', 'local/workers.ts', 'workerd']) {
      const victim = descendants(stack).find((pid) => commandLine(pid).includes(pattern));
      process.kill(Number(victim), 'SIGKILL');
      const others = () => descendants(stack).filter((pid) => pid !== victim);
      await vi.waitFor(
        () => expect(others().some((pid) => commandLine(pid).includes(pattern))).toBe(true),
        IN_TIME,
      );
      await vi.waitFor(async () => expect((await health(stack)).status).toBe(200), IN_TIME);
      await vi.waitFor(
        () => expect(others().some((pid) => commandLine(pid).includes('workerd'))).toBe(true),
        IN_TIME,
      );
    }
  });

  test.skipIf(!hasMosquitto)('ING-1 MQTT_URL puts another broker, here Mosquitto, in its place', async () => {
    const mosquitto = await ownMosquitto();
    const stack = await startStack({ ...withoutDemo, MQTT_URL: mosquitto.url });
    onTestFinished(stack.stop);
    keepLogsOnFailure(stack);
    expect(stack.output()).not.toContain('[broker]');
    const board = await connectAsync(mosquitto.url);
    await board.publishAsync('lab/plants/ivy/soil_moisture', '300', { qos: 1 });
    await board.endAsync();
    await untilStored(stack, 'ivy', 300);
    await mosquitto.process.end('SIGKILL');
    await vi.waitFor(
      async () => expect((await health(stack)).body).toMatchObject({ parts: { broker: false } }),
      IN_TIME,
    );
    await mosquitto.restart();
    await vi.waitFor(async () => expect((await health(stack)).status).toBe(200), IN_TIME);
  });
});

describe.skipIf(!isFull)('npm run dev, while it runs', () => {
  const dev = ['local/start.ts', '--dev'];
  const command = [process.execPath, '--disable-warning=ExperimentalWarning', ...dev];

  test('SEC-56 answers only to names of its own, on each of its ports', async () => {
    const stack = await startStack({ ...withoutDemo, LOCAL_HOSTS: 'lab.test' }, command);
    onTestFinished(stack.stop);
    expect(await answersToOthers(stack)).toEqual([]);
    expect(await ownNamesRefused(stack, 'lab.test')).toEqual([]);
  });
});
