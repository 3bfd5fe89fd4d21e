import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { plantTopic } from '#contract/plant-group';
import { boardCommand } from '../../firmware-bridge/src/board-command.ts';
import { configTopicOf } from '../../firmware-bridge/src/home-assistant.ts';
import { bridgeEnv, startBridge, untilConnected } from './support/bridge.ts';
import { startIngest } from './support/ingest.ts';
import { freshFolder, until } from './support/processes.ts';
import { bridgeSettings, connectAs, startSecureBroker, type SecureBroker } from './support/secure-broker.ts';
import { hasSecureMosquitto, passwordIn } from './support/shipped-mosquitto.ts';

const MOSS = { id: 'moss-pi', key: 'the key of the bridge of the moss lab' };
const ADD_KEY = `INSERT INTO bridge_keys (bridge_id, key, plant_group, created_at)
  VALUES ('${MOSS.id}', '${MOSS.key}', 'moss-lab', 0)`;

/** The bridge of the moss lab, with a user of its own, beside the laboratory's own. */
function mossSettings(broker: SecureBroker, own: Record<string, string>): Record<string, string> {
  const made = boardCommand(['bridge', MOSS.id, '--group', 'moss-lab'], broker.env);
  return {
    ...own,
    MQTT_USERNAME: `cps-bridge-${MOSS.id}`,
    MQTT_PASSWORD: passwordIn(made.text),
    BRIDGE_ID: MOSS.id,
    BRIDGE_KEY: MOSS.key,
    PLANT_GROUP: 'moss-lab',
    HEARTBEAT_SECONDS: '1',
    SPOOL_FILE: join(freshFolder(), 'spool.sqlite'),
  };
}

const boardOf = (broker: SecureBroker, plant: string) =>
  connectAs(broker, plant, passwordIn(boardCommand(['add', plant], broker.env).text));

describe.skipIf(!hasSecureMosquitto)(
  `Mosquitto as it is shipped${hasSecureMosquitto ? '' : ' (skipped: no Mosquitto or openssl here)'}`,
  () => {
    test.each([undefined, 'a-name-that-nobody-guesses'])(
      'ING-16 ING-8 ferns of two laboratories at one broker become two plants, each through the bridge of its own (shared: %s)',
      async (shared) => {
        const [ingest, broker] = await Promise.all([startIngest(), startSecureBroker()]);
        await ingest.run(ADD_KEY);
        const env = bridgeSettings(broker, ingest.url);
        const [own, moss] = [
          await startBridge({ ...env, HEARTBEAT_SECONDS: '1' }),
          await startBridge({
            ...mossSettings(broker, env),
            ...(shared !== undefined && { MQTT_SHARED_GROUP: shared }),
          }),
        ];
        await Promise.all([own, moss].map(untilConnected));
        const [fern, other] = [await boardOf(broker, 'fern'), await boardOf(broker, 'moss-lab/fern')];
        const online = { qos: 1, retain: true } as const;
        await fern.publishAsync('lab/plants/fern/availability', 'online', online);
        await other.publishAsync('lab/moss-lab/plants/fern/availability', 'offline', online);
        await fern.publishAsync('lab/plants/fern/soil_moisture', '100', { qos: 1 });
        await other.publishAsync('lab/moss-lab/plants/fern/soil_moisture', '900', { qos: 1 });
        await until('both stored', async () => (await ingest.count()) === 2);
        expect(await ingest.readings()).toMatchObject([
          { plant: 'fern', soil_moisture: 100 },
          { plant: 'moss-lab/fern', soil_moisture: 900 },
        ]);
        await until('both told', () => {
          const db = ingest.openFile();
          try {
            const rows = db
              .prepare('SELECT topic, board_online FROM plants JOIN plant_states ON plant_id = id ORDER BY 1')
              .all();
            return (
              JSON.stringify(rows) ===
              '[{"topic":"fern","board_online":1},{"topic":"moss-lab/fern","board_online":0}]'
            );
          } finally {
            db.close();
          }
        });
        for (const bridge of [own, moss]) expect(await bridge.health()).toMatchObject({ dead_letters: 0 });
      },
    );

    test('ING-16 ING-8 a board of a group writes its own topics alone, and nobody else writes them', async () => {
      const broker = await startSecureBroker();
      const boards = {
        fern: await boardOf(broker, 'fern'),
        'moss-lab/fern': await boardOf(broker, 'moss-lab/fern'),
        'moss-lab/ivy': await boardOf(broker, 'moss-lab/ivy'),
        'reed-lab/fern': await boardOf(broker, 'reed-lab/fern'),
      };
      const topicOf = {
        fern: 'lab/plants/fern',
        'moss-lab/fern': 'lab/moss-lab/plants/fern',
        'moss-lab/ivy': 'lab/moss-lab/plants/ivy',
        'reed-lab/fern': 'lab/reed-lab/plants/fern',
      };
      for (const [user, board] of Object.entries(boards)) {
        for (const [plant, topic] of Object.entries(topicOf)) {
          for (const subject of ['soil_moisture', 'availability']) {
            // Some versions of Mosquitto end the connection as well.
            const client = board.connected ? board : await boardOf(broker, user);
            const told = await client.publishAsync(`${topic}/${subject}`, '1', { qos: 1 }).then(
              () => 'taken',
              (error: unknown) => String(error),
            );
            expect(told, `${user} as ${plant}`).toMatch(user === plant ? /^taken$/ : /authori[sz]ed/i);
          }
        }
      }
    });

    test('ING-16 ING-8 what is taken from a board of a group is taken from it alone, and the rights with it', async () => {
      const broker = await startSecureBroker();
      for (const plant of ['moss-lab/fern', 'moss-lab/ivy', 'fern'])
        expect(boardCommand(['add', plant], broker.env)).toMatchObject({ exitCode: 0 });
      const acl = () => readFileSync(broker.env['MOSQUITTO_ACL_FILE'] ?? '', 'utf8');
      expect(acl()).toContain('user moss-lab/fern\ntopic write lab/moss-lab/plants/fern/soil_moisture\n');
      expect(boardCommand(['list'], broker.env).text.split('\n').sort()).toEqual([
        'fern',
        'moss-lab/fern',
        'moss-lab/ivy',
      ]);
      expect(boardCommand(['revoke', 'moss-lab/fern'], broker.env)).toMatchObject({ exitCode: 0 });
      expect(acl()).not.toContain('moss-lab/fern');
      expect(acl()).toContain('user moss-lab/ivy\ntopic write lab/moss-lab/plants/ivy/soil_moisture\n');
      expect(boardCommand(['list'], broker.env).text.split('\n').sort()).toEqual(['fern', 'moss-lab/ivy']);
    });

    test('ING-16 ING-10 each bridge tells Home Assistant of its own boards, and leaves those of the other one alone', async () => {
      const [ingest, broker] = await Promise.all([startIngest(), startSecureBroker()]);
      await ingest.run(ADD_KEY);
      const usersFile = {
        MOSQUITTO_USERS_FILE: broker.env['MOSQUITTO_USERS_FILE'] ?? '',
        HEARTBEAT_SECONDS: '1',
      };
      const own = bridgeSettings(broker, ingest.url);
      const settings = [own, mossSettings(broker, own)];
      const [fern, other] = [await boardOf(broker, 'fern'), await boardOf(broker, 'moss-lab/fern')];
      const admin = boardCommand(['home-assistant', '--group', 'moss-lab'], broker.env);
      const watcher = await connectAs(broker, 'cps-home-assistant', passwordIn(admin.text));
      const configs = new Map<string, string>();
      const readings: string[] = [];
      watcher.on('message', (topic, payload) => {
        if (topic.startsWith('homeassistant/')) configs.set(topic, payload.toString());
        else readings.push(topic);
      });
      await watcher.subscribeAsync('homeassistant/#', { qos: 1 });
      await watcher.subscribeAsync('lab/#', { qos: 1 });
      const tellBoth = async () => {
        await fern.publishAsync('lab/plants/fern/soil_moisture', '100', { qos: 1 });
        await other.publishAsync('lab/moss-lab/plants/fern/soil_moisture', '900', { qos: 1 });
      };
      const bridges = await Promise.all(settings.map((env) => startBridge({ ...env, ...usersFile })));
      await Promise.all(bridges.map(untilConnected));
      await tellBoth();
      const both = [configTopicOf('fern'), configTopicOf('moss-lab/fern')];
      await until('both announced', () => both.every((topic) => (configs.get(topic) ?? '') !== ''));
      expect(JSON.parse(configs.get(configTopicOf('moss-lab/fern')) ?? '')).toMatchObject({
        dev: { name: 'fern' },
        stat_t: 'lab/moss-lab/plants/fern/soil_moisture',
      });
      // Neither takes back what the other one has told, also not after it has read all anew.
      const before = new Map(configs);
      for (const bridge of bridges) await bridge.end();
      const again = await Promise.all(settings.map((env) => startBridge({ ...env, ...usersFile })));
      await Promise.all(again.map(untilConnected));
      await tellBoth();
      await until('stored', async () => (await ingest.count()) === 4);
      expect(configs).toEqual(before);
      expect(new Set(readings)).toEqual(new Set(['lab/moss-lab/plants/fern/soil_moisture']));
    });
  },
);

describe.skipIf(!hasSecureMosquitto)('a bridge of every group', () => {
  test.each([undefined, 'a-name-that-nobody-guesses'])(
    'ING-16 hears the boards of all, and lets go of the others when it becomes that of one (shared: %s)',
    async (shared) => {
      const [ingest, broker] = await Promise.all([startIngest(), startSecureBroker()]);
      await ingest.run(ADD_KEY.replace("'moss-lab'", "'+'"));
      const settings = mossSettings(broker, bridgeSettings(broker, ingest.url));
      const made = boardCommand(['bridge', MOSS.id, '--group', '+'], broker.env);
      const env = {
        ...settings,
        MQTT_PASSWORD: passwordIn(made.text),
        PLANT_GROUP: '+',
        ...(shared !== undefined && { MQTT_SHARED_GROUP: shared }),
      };
      const bridge = await startBridge(env);
      await untilConnected(bridge);
      const plants = ['fern', 'moss-lab/fern', 'reed-lab/fern'];
      const boards = await Promise.all(plants.map((plant) => boardOf(broker, plant)));
      // Through two filters it comes twice, and its own time tells that it is one.
      const tell = async (soil_moisture: number) => {
        const payload = JSON.stringify({ soil_moisture, datetime: new Date().toISOString() });
        for (const [number, plant] of plants.entries())
          await boards[number]?.publishAsync(plantTopic(plant, 'soil_moisture'), payload, { qos: 1 });
      };
      await tell(300);
      await until('all stored', async () => (await ingest.count()) === 3);
      expect((await ingest.readings()).map(({ plant }) => plant)).toEqual(plants);
      await until('it says that it is well', async () => (await bridge.health()).ok);
      await bridge.end();
      // Its session at the broker is the same, and so are its rights.
      await ingest.run(`DELETE FROM bridge_keys WHERE bridge_id = '${MOSS.id}'`);
      await ingest.run(ADD_KEY);
      await untilConnected(await startBridge({ ...env, PLANT_GROUP: 'moss-lab' }));
      await tell(310);
      await until('stored', async () => (await ingest.count()) === 4);
      await tell(320);
      await until('stored', async () => (await ingest.count()) === 5);
      expect((await ingest.readings()).map(({ plant }) => plant).sort()).toEqual([
        'fern',
        'moss-lab/fern',
        'moss-lab/fern',
        'moss-lab/fern',
        'reed-lab/fern',
      ]);
    },
  );
});

test('ING-16 OPS-13 a bridge whose key is of another group says so in its health', async () => {
  const ingest = await startIngest();
  await ingest.run(ADD_KEY);
  const broker = { bridgeEnv: { MQTT_URL: 'mqtt://127.0.0.1:9' }, version: 5 } as const;
  const env = { ...bridgeEnv(broker, ingest.url, freshFolder()), BRIDGE_ID: MOSS.id, BRIDGE_KEY: MOSS.key };
  const bridge = await startBridge(env);
  const reason = 'HTTP 403: 키의 그룹은 "moss-lab"인데 브리지의 PLANT_GROUP은 ""입니다';
  await until('told', async () => (await bridge.health()).last_error?.reason === reason);
  expect((await bridge.health()).failures).toContain('heartbeat_failed');
});

describe.skipIf(!hasSecureMosquitto)('a bridge that was started without its PLANT_GROUP', () => {
  test('ING-16 FAULT-4 loses nothing that the broker acknowledged, and tells Home Assistant of nothing', async () => {
    const [ingest, broker] = await Promise.all([startIngest(), startSecureBroker()]);
    await ingest.run(ADD_KEY);
    const own = bridgeSettings(broker, ingest.url);
    const usersFile = {
      MOSQUITTO_USERS_FILE: broker.env['MOSQUITTO_USERS_FILE'] ?? '',
      HEARTBEAT_SECONDS: '1',
    };
    const right: Record<string, string> = { ...mossSettings(broker, own), ...usersFile };
    const wrong = { ...right, PLANT_GROUP: '' };
    const [fern, moss] = [await boardOf(broker, 'fern'), await boardOf(broker, 'moss-lab/fern')];
    const configs = new Map<string, string>();
    const admin = boardCommand(['home-assistant'], broker.env);
    const watcher = await connectAs(broker, 'cps-home-assistant', passwordIn(admin.text));
    watcher.on('message', (topic, payload) => configs.set(topic, payload.toString()));
    await watcher.subscribeAsync('homeassistant/#', { qos: 1 });
    const tell = async (raw: string) => {
      await fern.publishAsync('lab/plants/fern/soil_moisture', raw, { qos: 1 });
      await moss.publishAsync('lab/moss-lab/plants/fern/soil_moisture', raw, { qos: 1 });
    };
    const bridges = [await startBridge({ ...own, ...usersFile }), await startBridge(right)];
    await Promise.all(bridges.map(untilConnected));
    await tell('300');
    const both = [configTopicOf('fern'), configTopicOf('moss-lab/fern')];
    await until('both announced', () => both.every((topic) => (configs.get(topic) ?? '') !== ''));
    const before = new Map(configs);
    await bridges[1]?.end();
    await tell('310');
    const mistaken = await startBridge(wrong);
    await untilConnected(mistaken);
    await until('it is refused', async () => (await mistaken.health()).failures.includes('heartbeat_failed'));
    await tell('320');
    await mistaken.end();
    await tell('330');
    await untilConnected(await startBridge(right));
    await until('all stored', async () => (await ingest.count()) === 8);
    expect(configs).toEqual(before);
  });

  test('ING-16 ING-8 who gives its user another password leaves it the group that it hears', async () => {
    const broker = await startSecureBroker();
    const acl = () => readFileSync(broker.env['MOSQUITTO_ACL_FILE'] ?? '', 'utf8');
    for (const group of ['moss-lab', '+']) {
      const first = boardCommand(['bridge', MOSS.id, '--group', group], broker.env);
      expect(first.text).toContain(`\nPLANT_GROUP=${group}\n`);
      const rights = acl();
      expect(boardCommand(['bridge', MOSS.id], broker.env).text).toContain(`\nPLANT_GROUP=${group}\n`);
      expect(acl()).toBe(rights);
    }
    expect(boardCommand(['revoke-bridge', MOSS.id], broker.env).exitCode).toBe(0);
    expect(boardCommand(['bridge', MOSS.id], broker.env).text).not.toContain('PLANT_GROUP');
  });
});

test('ING-16 says what is wrong with a group', () => {
  expect(boardCommand(['add', 'Moss/fern'], {})).toMatchObject({ exitCode: 64 });
  expect(boardCommand(['bridge', 'pi', '--group', 'plants'], {}).text).toContain(
    'plants is no group: it must not be plants or bridges',
  );
  expect(boardCommand(['bridge', 'pi', '--group', ''], {})).toMatchObject({ exitCode: 64 });
  expect(boardCommand(['add', 'fern', '--group', 'moss-lab'], {}).text).toContain(
    '--group goes with bridge and home-assistant',
  );
});
