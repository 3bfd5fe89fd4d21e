import { readlinkSync } from 'node:fs';
import { connectAsync } from 'mqtt';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { hasMosquitto, ownMosquitto } from '../firmware-bridge/support/brokers.ts';
import { isFull } from '../support/counts.ts';
import { ownStack } from '../support/shared-stack.ts';
import { credential, login } from '../support/sign-in.ts';
import { answersToOthers, ownNamesRefused } from '../support/own-names.ts';
import { bridgesOf, commandLine, descendants } from '../support/stack-processes.ts';
import { keepLogsOnFailure, launchStack, startStack, type Stack } from '../support/stack.ts';

const isLinux = process.platform === 'linux';
/** Nothing is measured here; a busy machine takes its time. */
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

describe('npm start, while it runs', () => {
  const stack = ownStack({ ...withoutDemo, LOCAL_HOSTS: 'lab.test' });
  beforeEach(({ task }) => keepLogsOnFailure(stack, `running-${task.id}`));

  test('SEC-56 answers only to names of its own, on each of its ports', async () => {
    expect(await answersToOthers(stack)).toEqual([]);
    expect(await ownNamesRefused(stack, 'lab.test')).toEqual([]);
  });

  test('DEMO_DATA=off and SIMULATOR=off leave accounts only', async () => {
    expect(await (await fetch(`${stack.origin}/api/courses`)).json()).toEqual([]);
    expect(stack.output()).not.toContain('[board]');
  });

  test('the embedded broker takes anonymous clients with any id', async () => {
    const client = await connectAsync(stack.brokerUrl, { clientId: '아무나 anyone/#+' });
    await client.publishAsync('lab/plants/stranger/soil_moisture', '512', { qos: 1 });
    await client.endAsync();
    await untilStored(stack, 'stranger', 512);
  });

  test('a second run on the same data folder is refused', async () => {
    const other = await launchStack({ DATA_DIR: stack.dataDir });
    expect(await other.ended).toBe(1);
    expect(other.output().trim().split('\n')).toEqual([
      `the data folder ${stack.dataDir} cannot be used: it is in use by process ${stack.process.pid}`,
    ]);
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
    keepLogsOnFailure(stack, 'mosquitto');
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
