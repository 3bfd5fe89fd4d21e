import { describe, expect, test } from 'vitest';
import type { MqttClient } from 'mqtt';
import { boardCommand } from '../../firmware-bridge/src/commands/board-command.ts';
import { discoveryTopic } from '../../firmware-bridge/src/home-assistant/device.ts';
import { setUserAclTopics } from '../../firmware-bridge/src/commands/mosquitto-users.ts';
import { bridgeUser } from '../../firmware-bridge/src/config.ts';
import { fewOrMany, isFull } from '../support/counts.ts';
import { bridgeEnv, startBridge, untilConnected } from './support/bridge.ts';
import { brokers, connectBoard } from './support/brokers.ts';
import { deviceFrom } from './support/home-assistant.ts';
import { BRIDGE, startIngest, type Ingest } from './support/ingest.ts';
import { freshFolder, until } from './support/processes.ts';
import { bridgeSettings, connectAs, startSecureBroker, type SecureBroker } from './support/secure-broker.ts';
import { hasMosquitto, passwordIn } from './support/shipped-mosquitto.ts';

const fernTopic = discoveryTopic('fern');
const mossTopic = discoveryTopic('이끼');

/** Collects the messages that Home Assistant receives, in order. */
async function listenTo(client: MqttClient) {
  const configs: [topic: string, payload: string][] = [];
  const states: string[] = [];
  client.on('message', (topic, payload) => {
    if (topic.startsWith('homeassistant/')) configs.push([topic, payload.toString()]);
    else states.push(`${topic} ${payload.toString()}`);
  });
  await client.subscribeAsync(['homeassistant/#', 'lab/plants/+/soil_moisture'], { qos: 1 });
  return { configs, states };
}

async function startBoard(broker: SecureBroker, plant: string): Promise<MqttClient> {
  const board = await connectAs(broker, plant, passwordIn(boardCommand(['add', plant], broker.env).text), {
    will: {
      topic: `lab/plants/${plant}/availability`,
      payload: Buffer.from('offline'),
      qos: 1,
      retain: true,
    },
  });
  await board.publishAsync(`lab/plants/${plant}/availability`, 'online', { qos: 1, retain: true });
  await board.publishAsync(`lab/plants/${plant}/soil_moisture`, '512', { qos: 1 });
  return board;
}

const change = (ingest: Ingest, set: string, plant: string) =>
  ingest.run(
    `UPDATE plant_states SET ${set} WHERE plant_id = (SELECT id FROM plants WHERE topic = '${plant}')`,
  );

describe.skipIf(!hasMosquitto)(
  `Home Assistant at Mosquitto as it is shipped${hasMosquitto ? '' : ' (skipped: no Mosquitto here)'}`,
  () => {
    test('ING-10 PLT-13 finds each board by itself, hears its new name, and loses it when it is revoked, hidden or turned off', async () => {
      const [ingest, broker] = await Promise.all([startIngest(), startSecureBroker()]);
      const password = passwordIn(boardCommand(['home-assistant'], broker.env).text);
      const env = {
        ...bridgeSettings(broker, ingest.url),
        HEARTBEAT_SECONDS: '1',
        MOSQUITTO_USERS_FILE: broker.env['MOSQUITTO_USERS_FILE'] ?? '',
      };
      const { configs, states } = await listenTo(await connectAs(broker, 'cps-home-assistant', password));
      const bridge = await startBridge(env);
      await untilConnected(bridge);
      await startBoard(broker, 'fern');
      await until('announced', () => configs.length === 1);
      const [topic = '', payload = ''] = configs[0] ?? [];
      const device = deviceFrom(topic, payload);
      expect(topic).toBe(fernTopic);
      expect(device).toMatchObject({ id: 'cps-lab-fern', name: 'fern' });
      expect(device.sensors).toMatchObject([
        {
          state_topic: 'lab/plants/fern/soil_moisture',
          availability: [
            { topic: 'lab/plants/fern/availability' },
            { topic: 'lab/plants/fern/soil_moisture' },
          ],
        },
      ]);
      expect(states).toEqual(['lab/plants/fern/soil_moisture 512']);

      await ingest.run("UPDATE plants SET name = '창가 고사리' WHERE topic = 'fern'");
      await until('renamed', () => configs.length === 2);
      expect(deviceFrom(...(configs[1] ?? ['', '']))).toMatchObject({
        id: 'cps-lab-fern',
        name: '창가 고사리',
      });

      // A restarted bridge publishes nothing again: the next message is about the next board.
      await bridge.end();
      const restarted = await startBridge(env);
      await untilConnected(restarted);
      await startBoard(broker, '이끼');
      await until('the other announced', () => configs.length === 3);
      expect(configs[2]?.[0]).toBe(mossTopic);

      boardCommand(['revoke', 'fern'], broker.env);
      await until('revoked', () => configs.length === 4);
      expect(configs[3]).toEqual([fernTopic, '']);
      await change(ingest, 'is_hidden = 1', '이끼');
      await until('hidden', () => configs.length === 5);
      expect(configs[4]).toEqual([mossTopic, '']);
      await change(ingest, 'is_hidden = 0', '이끼');
      await until('shown', () => configs.length === 6);

      await restarted.end();
      const off = await startBridge({ ...env, HOME_ASSISTANT: 'off' });
      await until('turned off', () => configs.length === 7);
      expect(configs[6]).toEqual([mossTopic, '']);
      expect((await off.health()).last_error).toBeNull();
    });

    test('ING-10 a bridge with the rights of an earlier version tells nothing and delivers as before', async () => {
      const [ingest, broker] = await Promise.all([startIngest(), startSecureBroker()]);
      const env = { ...bridgeSettings(broker, ingest.url), HEARTBEAT_SECONDS: '1' };
      setUserAclTopics(broker.env['MOSQUITTO_ACL_FILE'] ?? '', bridgeUser(BRIDGE.id), [
        'topic read lab/plants/+/soil_moisture',
        'topic read lab/plants/+/availability',
        `topic write lab/bridges/${BRIDGE.id}/availability`,
      ]);
      const bridge = await startBridge(env);
      await untilConnected(bridge);
      const board = await startBoard(broker, 'fern');
      await until('stored', async () => (await ingest.count()) === 1);
      const first = await until('heard of', () => ingest.heartbeat());
      await until(
        'listed',
        async () => ((await ingest.heartbeat())?.valid_until ?? 0) > first.valid_until + 2000,
      );
      await board.publishAsync('lab/plants/fern/soil_moisture', '513', { qos: 1 });
      await until('stored', async () => (await ingest.count()) === 2);
      expect(bridge.output()).not.toMatch(/broker_lost|broker_error|home_assistant_told/);
      expect((await bridge.health()).ok).toBe(true);
    });

    test('SEC-45 ING-10 Home Assistant reads boards and speaks for none; no board reads or makes a device', async () => {
      const broker = await startSecureBroker();
      const password = passwordIn(boardCommand(['home-assistant'], broker.env).text);
      expect(boardCommand(['list'], broker.env).text).toBe('no board has a password');
      expect(boardCommand(['add', 'cps-home-assistant'], broker.env).exitCode).toBe(64);
      const fern = await startBoard(broker, 'fern');
      const heard: string[] = [];
      fern.on('message', (topic) => heard.push(topic));
      await fern.subscribeAsync('homeassistant/#', { qos: 1 }).catch(() => undefined);
      const homeAssistant = await connectAs(broker, 'cps-home-assistant', password);
      await homeAssistant.publishAsync('homeassistant/status', 'online', { qos: 1 });
      await homeAssistant.publishAsync(fernTopic, '', { qos: 1, retain: true });
      await expect(
        homeAssistant.publishAsync('lab/plants/fern/soil_moisture', '1', { qos: 1 }),
      ).rejects.toThrow(/authori[sz]ed/i);
      await expect(fern.publishAsync(fernTopic, '{}', { qos: 1 })).rejects.toThrow(/authori[sz]ed/i);
      expect(heard).toEqual([]);
      expect(boardCommand(['revoke-home-assistant'], broker.env)).toMatchObject({ exitCode: 0 });
      await expect(connectAs(broker, 'cps-home-assistant', password)).rejects.toThrow(/authori[sz]ed/i);
    });
  },
);

const BOARDS = fewOrMany(100, 500);

/** A short run uses Mosquitto, or the embedded broker if Mosquitto is not installed. */
const kinds = (hasMosquitto ? ['embedded', 'mosquitto'] : ['embedded']).slice(isFull ? 0 : -1);

test.each(kinds)(
  `ING-10 ${BOARDS} boards are each announced once, also when the bridge is started again (%s)`,
  async (kind) => {
    const broker = await brokers[kind === 'embedded' ? 'embedded' : 'mosquitto']();
    const ingest = await startIngest();
    const env = bridgeEnv(broker, ingest.url, freshFolder());
    const plants = Array.from({ length: BOARDS }, (_, n) => `화분 ${n}`);
    const { configs } = await listenTo(await connectBoard(broker));
    const bridge = await startBridge(env);
    await untilConnected(bridge);
    const board = await connectBoard(broker);
    await Promise.all(
      plants.map((plant) => board.publishAsync(`lab/plants/${plant}/soil_moisture`, '512', { qos: 1 })),
    );
    await until('all announced', () => configs.length >= BOARDS);
    await bridge.end();
    await startBridge(env);
    await board.publishAsync('lab/plants/last/soil_moisture', '512', { qos: 1 });
    await until('the last announced', () => configs.some(([topic]) => topic === discoveryTopic('last')));
    const topics = configs.map(([topic]) => topic);
    expect(topics).toHaveLength(BOARDS + 1);
    expect(new Set(topics)).toEqual(new Set([...plants, 'last'].map(discoveryTopic)));
  },
);
