import { spawn } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as fc from 'fast-check';
import mqtt from 'mqtt';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { boardCommand } from '../../firmware-bridge/src/commands/board-command.ts';
import { replayCommand } from '../../scripts/operator/replay.ts';
import { propertyRuns, shareOrAll } from '../support/counts.ts';
import { runCommand } from '../support/run-command.ts';
import { BRIDGE, startIngest } from './support/ingest.ts';
import { startBridge, startBridgeProcess, untilConnected } from './support/bridge.ts';
import { freshFolder, until } from './support/processes.ts';
import { bridgeSettings, connectAs, startSecureBroker } from './support/secure-broker.ts';
import { hasMosquitto, passwordIn } from './support/shipped-mosquitto.ts';

test('SEC-90 the shipped configuration bounds what waits for a bridge that is away, as the guide says', () => {
  const file = (name: string) => readFileSync(`firmware-bridge/${name}`, 'utf8');
  const limit = (name: string) =>
    Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(file('mosquitto/mosquitto.conf'))?.[1]);
  expect(limit('max_queued_messages')).toBe(1_000_000);
  expect(limit('max_queued_bytes')).toBe(512 * 1024 * 1024);
  expect(file('README.md')).toContain('at most 1,000,000 messages or 512 MB');
});

/** Names that may cause errors in a password file, in a pattern of rights, or in UTF-8. */
const ODD = [
  'a',
  '가',
  '🌿',
  'e\u0301',
  '-',
  '%',
  'u',
  'c',
  '.',
  '$',
  '"',
  "'",
  '\\',
  ';',
  ',',
  '=',
  '{',
  '~',
  ':',
  ' ',
  '\u00a0',
  '\u3000',
  '\u200b',
  '\u2028',
  '\ufeff',
  '\ufffe',
  '\ufdd0',
  '\u{10ffff}',
  '\ue000',
];

describe.skipIf(!hasMosquitto)(
  `Mosquitto as it is shipped${hasMosquitto ? '' : ' (skipped: no Mosquitto here)'}`,
  () => {
    test('ING-1 ING-8 a board made by one command reaches D1 over TLS, speaks for its plant alone, and can be revoked', async () => {
      const [ingest, broker] = await Promise.all([startIngest(), startSecureBroker()]);
      const made = boardCommand(['add', '고사리'], broker.env);
      expect(made).toMatchObject({ exitCode: 0, text: expect.stringContaining('was told to reload') });
      const password = passwordIn(made.text);
      expect(readFileSync(broker.env['MOSQUITTO_PASSWORD_FILE'] ?? '', 'utf8')).not.toContain(password);

      const bridge = await startBridgeProcess(bridgeSettings(broker, ingest.url));
      await untilConnected(bridge);
      const board = await connectAs(broker, '고사리', password);
      await board.publishAsync('lab/plants/고사리/soil_moisture', '512', { qos: 1 });
      await until('stored', async () => (await ingest.count()) === 1);
      expect(await ingest.readings()).toMatchObject([{ plant: '고사리', soil_moisture: 512 }]);

      // Another board's plant. With MQTT 5 this fails; some versions of Mosquitto also end the connection.
      await expect(board.publishAsync('lab/plants/moss/soil_moisture', '1', { qos: 1 })).rejects.toThrow(
        /authori[sz]ed/i,
      );
      await board.endAsync(true);
      const again = await connectAs(broker, '고사리', password);
      await again.publishAsync('lab/plants/고사리/soil_moisture', '513', { qos: 1 });
      await until('stored', async () => (await ingest.count()) === 2);
      expect((await ingest.readings()).map(({ plant }) => plant)).toEqual(['고사리', '고사리']);

      const closed = new Promise<void>((resolve) => void again.once('close', () => resolve()));
      expect(boardCommand(['revoke', '고사리'], broker.env)).toMatchObject({ exitCode: 0 });
      await closed;
      await expect(connectAs(broker, '고사리', password)).rejects.toThrow(/authori[sz]ed/i);
      expect((await bridge.health()).broker_connected).toBe(true);
      expect(broker.process.child.exitCode).toBeNull();
    });

    test.each(
      shareOrAll(2, [
        { clean: true, protocolVersion: 4 },
        { clean: false, protocolVersion: 5, properties: { sessionExpiryInterval: 3600 } },
        { clean: false, protocolVersion: 4 },
        { clean: true, protocolVersion: 5 },
      ] as const),
    )(
      'SEC-45 a board that connects under the client id of a bridge or of another board ends and inherits nothing (%o)',
      async (options) => {
        const [ingest, broker] = await Promise.all([startIngest(), startSecureBroker()]);
        const env = bridgeSettings(broker, ingest.url);
        const passwords = Object.fromEntries(
          ['fern', 'moss'].map((plant) => [plant, passwordIn(boardCommand(['add', plant], broker.env).text)]),
        );
        const fern = await connectAs(broker, 'fern', passwords['fern'] ?? '', { clientId: 'fern' });
        let fernLost = false;
        fern.once('close', () => {
          fernLost = true;
        });
        const first = await startBridge(env);
        await untilConnected(first);

        // The other connection does not end, and this one receives no message.
        const heard: string[] = [];
        for (const clientId of [`cps-bridge-${BRIDGE.id}`, 'fern']) {
          const intruder = await connectAs(broker, 'moss', passwords['moss'] ?? '', { ...options, clientId });
          intruder.on('message', (topic) => heard.push(topic));
          await intruder.subscribeAsync('lab/plants/+/soil_moisture', { qos: 1 }).catch(() => undefined);
          await fern.publishAsync(
            'lab/plants/fern/soil_moisture',
            '{"soil_moisture":1,"seq":0,"datetime":"2026-03-02T00:00:00Z"}',
            { qos: 1 },
          );
          await until('stored', async () => (await ingest.count()) === 1);
          await intruder.endAsync(true);
        }
        expect(first.output()).not.toContain('broker_lost');
        expect(fernLost).toBe(false);

        // It also gets no messages that wait in the bridge's session.
        await first.end();
        for (let seq = 1; seq <= 20; seq++) {
          const payload = JSON.stringify({ soil_moisture: seq, seq, datetime: '2026-03-02T00:00:00Z' });
          await fern.publishAsync('lab/plants/fern/soil_moisture', payload, { qos: 1 });
        }
        const thief = await connectAs(broker, 'moss', passwords['moss'] ?? '', {
          ...options,
          clientId: `cps-bridge-${BRIDGE.id}`,
        });
        thief.on('message', (topic) => heard.push(topic));
        await thief.subscribeAsync('lab/plants/+/soil_moisture', { qos: 1 }).catch(() => undefined);
        await thief.endAsync();
        await startBridge(env);
        await until('all 20 stored', async () => (await ingest.count()) === 21);
        expect(heard).toEqual([]);
      },
    );

    test('SEC-45 ING-6 several bridges are users of their own, each speaks for itself alone, and one that is revoked hears nothing more', async () => {
      const broker = await startSecureBroker();
      const bridges = ['east', 'west.2'];
      const passwords = bridges.map((id) => passwordIn(boardCommand(['bridge', id], broker.env).text));
      const board = await connectAs(
        broker,
        'fern',
        passwordIn(boardCommand(['add', 'fern'], broker.env).text),
      );
      const heard: string[] = [];
      const clients = await Promise.all(
        bridges.map((id, n) => connectAs(broker, `cps-bridge-${id}`, passwords[n] ?? '')),
      );
      for (const [n, client] of clients.entries()) {
        client.on('message', (topic, payload) => heard.push(`${n} ${topic} ${payload.toString()}`));
        await client.subscribeAsync(['lab/plants/+/soil_moisture', 'lab/plants/+/availability'], { qos: 1 });
        await client.publishAsync(`lab/bridges/${bridges[n]}/availability`, 'online', { qos: 1 });
      }
      await board.publishAsync('lab/plants/fern/soil_moisture', '512', { qos: 1 });
      await until('both hear', () => heard.length === 2);
      const [, west] = clients;
      const closed = new Promise<void>((resolve) => void west?.once('close', () => resolve()));
      expect(boardCommand(['revoke-bridge', 'west.2'], broker.env)).toMatchObject({ exitCode: 0 });
      await closed;
      await board.publishAsync('lab/plants/fern/soil_moisture', '513', { qos: 1 });
      await until('east hears', () => heard.length === 3);
      expect(heard.sort()).toEqual([
        '0 lab/plants/fern/soil_moisture 512',
        '0 lab/plants/fern/soil_moisture 513',
        '1 lab/plants/fern/soil_moisture 512',
      ]);
      expect(readFileSync(broker.env['MOSQUITTO_ACL_FILE'] ?? '', 'utf8')).not.toContain('west');
      // One connection for each, because some versions of Mosquitto end a connection after a refusal.
      for (const topic of ['lab/bridges/west.2/availability', 'lab/plants/fern/soil_moisture']) {
        const east = await connectAs(broker, 'cps-bridge-east', passwords[0] ?? '');
        await expect(east.publishAsync(topic, '1', { qos: 1 })).rejects.toThrow(/authori[sz]ed/i);
        await east.endAsync(true);
      }
    });

    test('ING-8 a recording is replayed over TLS as a board; what the board may not say is named', async () => {
      const broker = await startSecureBroker();
      const password = passwordIn(boardCommand(['add', 'fern'], broker.env).text);
      const file = join(freshFolder(), 'season.csv');
      writeFileSync(file, 'datetime,soil_moisture\n2020-07-21T13:24:00Z,545\n2020-07-21T13:34:00Z,546\n');
      const replay = (plant: string) =>
        runCommand(replayCommand, [file, '--plant', plant], {
          MQTT_URL: broker.url,
          MQTT_CA_FILE: broker.caFile,
          MQTT_USERNAME: 'fern',
          MQTT_PASSWORD: password,
        });
      expect(await replay('fern')).toEqual({ status: 0, output: '2 readings published and acknowledged' });
      const refused = await replay('moss');
      expect(refused.status).toBe(1);
      expect(refused.output).toMatch(/^moss 2020-07-21T13:24:00Z: .*not authori[sz]ed$/i);
    });

    test('ING-8 every name that the command takes gets in and speaks for its plant, however odd it is', async () => {
      const broker = await startSecureBroker();
      const odd = fc.string({
        unit: fc.constantFrom(...ODD),
        minLength: 1,
        maxLength: 12,
      });
      const names = new Set([
        ...fc.sample(odd, propertyRuns(150, 1500)),
        '%u',
        '%c',
        '$SYS',
        '가'.repeat(64),
        'user x',
        'cps-fern',
        '--',
        'a\\n',
      ]);
      const made: [plant: string, password: string][] = [];
      const { MOSQUITTO_PID_FILE: pidFile = '', ...env } = broker.env;
      for (const plant of names) {
        const { exitCode, text } = boardCommand(['add', '--', plant], {
          ...env,
          MOSQUITTO_PID_FILE: '/nowhere',
        });
        if (exitCode === 0) made.push([plant, passwordIn(text)]);
      }
      expect(made.length).toBeGreaterThan(40);
      process.kill(Number(readFileSync(pidFile, 'utf8')), 'SIGHUP');
      const answers = async ([plant, password]: [string, string]) => {
        const board = await connectAs(broker, plant, password);
        await board.publishAsync(`lab/plants/${plant}/soil_moisture`, '512', { qos: 1 });
        await board.endAsync(true);
      };
      // When the broker accepts the last password of the file, it knows all passwords.
      const [last] = made.slice(-1);
      await until('reloaded', () =>
        last === undefined
          ? true
          : answers(last).then(
              () => true,
              () => false,
            ),
      );
      for (const board of made) await answers(board);
    });

    test('ING-5 a message of more than 2 MiB ends its board’s connection, unacknowledged, and nothing else', async () => {
      const broker = await startSecureBroker();
      const { text } = boardCommand(['add', 'fern'], broker.env);
      const board = await connectAs(broker, 'fern', passwordIn(text));
      const topic = 'lab/plants/fern/soil_moisture';
      await board.publishAsync(topic, Buffer.alloc(1024 * 1024, 'x'), { qos: 1 });
      const closed = new Promise<void>((resolve) => void board.once('close', () => resolve()));
      const tooMuch = board.publishAsync(topic, Buffer.alloc(3 * 1024 * 1024, 'x'), { qos: 1 });
      await expect(Promise.race([tooMuch, closed.then(() => 'closed')])).resolves.toBe('closed');
      const again = await connectAs(broker, 'fern', passwordIn(text));
      await again.publishAsync(topic, '512', { qos: 1 });
    });

    test('ING-8 without a password, with a wrong one or without TLS nobody is let in', async () => {
      const broker = await startSecureBroker();
      boardCommand(['add', 'fern'], broker.env);
      await expect(connectAs(broker, 'fern', 'guess')).rejects.toThrow(/authori[sz]ed/i);
      await expect(mqtt.connectAsync(broker.url, { ca: broker.ca, reconnectPeriod: 0 })).rejects.toThrow(
        /authori[sz]ed/i,
      );
      await expect(
        mqtt.connectAsync(broker.url.replace('mqtts', 'mqtt'), { reconnectPeriod: 0, connectTimeout: 1000 }),
      ).rejects.toThrow(/connect|closed|reset|timed? ?out|hang/i);
    });
  },
);

describe('the board command', () => {
  test.each([
    [' fern', 'space'],
    ['fern ', 'space'],
    ['\u3000고사리', 'space'],
    ['tom\u200b', 'looks like another name: give it as "tom"'],
    ['basil\ufe0f', 'as "basil"'],
    ['고무나무'.normalize('NFD'), 'as "고무나무"'],
    ['a:b', 'colon'],
    ['a\ufffe', 'not a Unicode character'],
    ['cps-bridge-x', 'bridge'],
    ['cps-home-assistant', 'Home Assistant'],
    ['moss/fern', 'slash'],
    ['a'.repeat(65), '64'],
  ])('ING-8 PLT-24 no board is called %j, and the reason is said', (plant, reason) => {
    const file = join(freshFolder(), 'passwords');
    const env = { MOSQUITTO_PASSWORD_FILE: file, MOSQUITTO_PID_FILE: '/nowhere' };
    for (const program of [[], ['--for', 'esphome']]) {
      expect(boardCommand(['add', plant, ...program], env)).toEqual({
        exitCode: 64,
        text: expect.stringMatching(new RegExp(`^"[^\\n]*" [^\\n]*${reason}`)),
      });
    }
    expect(existsSync(file)).toBe(false);
  });

  test('ING-8 a name that begins with a dash stands behind two, and the command says so', () => {
    const file = join(freshFolder(), 'passwords');
    const env = { MOSQUITTO_PASSWORD_FILE: file, MOSQUITTO_PID_FILE: '/nowhere' };
    const refused = boardCommand(['add', '-dash'], env);
    expect(refused).toMatchObject({ exitCode: 64, text: expect.stringContaining('dash after --') });
    expect(existsSync(file)).toBe(false);
    expect(boardCommand(['add', '--', '-dash'], env).exitCode).toBe(0);
    expect(boardCommand(['list'], env).text).toBe('-dash');
  });

  test('ING-8 another password replaces the first, the list names the boards, and other lines stay', () => {
    const file = join(freshFolder(), 'passwords');
    const acl = join(freshFolder(), 'acl');
    writeFileSync(acl, 'pattern write lab/plants/%u/soil_moisture\n');
    const env = {
      MOSQUITTO_PASSWORD_FILE: file,
      MOSQUITTO_ACL_FILE: acl,
      MOSQUITTO_PID_FILE: '/nowhere',
    };
    const made = boardCommand(['add', 'fern'], env);
    expect(made.text).toMatch(/^user +fern$/m);
    expect(made.text).toMatch(/^client id +fern:/m);
    const bridge = boardCommand(['bridge', 'east'], env);
    expect(bridge.text).toMatch(/^# user cps-bridge-east\nMQTT_PASSWORD=\S+\n# /);
    boardCommand(['bridge', 'west'], env);
    boardCommand(['bridge', 'east'], env);
    expect(readFileSync(acl, 'utf8').match(/^user .*$/gm)).toEqual([
      'user cps-bridge-west',
      'user cps-bridge-east',
    ]);
    boardCommand(['revoke-bridge', 'west'], env);
    expect(readFileSync(acl, 'utf8')).toBe(
      `pattern write lab/plants/%u/soil_moisture

user cps-bridge-east
topic read lab/plants/+/soil_moisture
topic read lab/plants/+/availability
topic readwrite lab/bridges/east/availability
topic readwrite homeassistant/device/+/config
`,
    );
    const [before] = readFileSync(file, 'utf8').split('\n');
    const again = boardCommand(['add', 'fern'], env);
    expect(again.text).toContain('systemctl reload mosquitto');
    const lines = readFileSync(file, 'utf8').trim().split('\n');
    expect(lines.map((line) => line.split(':')[0])).toEqual(['cps-bridge-east', 'fern']);
    expect(lines).not.toContain(before);
    expect(boardCommand(['list'], env)).toEqual({ exitCode: 0, text: 'fern' });
    expect(readFileSync(join(dirname(file), 'cps-users'), 'utf8')).toBe('cps-bridge-east\nfern\n');
    expect(boardCommand(['revoke', 'moss'], env)).toEqual({ exitCode: 1, text: 'moss has no password' });
  });

  test('ING-8 the rights of a bridge without a password are taken away at once as well', () => {
    const kill = vi.spyOn(process, 'kill').mockReturnValue(true);
    onTestFinished(() => kill.mockRestore());
    const folder = freshFolder();
    const pidFile = join(folder, 'mosquitto.pid');
    copyFileSync('/bin/sleep', join(folder, 'mosquitto'));
    const broker = spawn(join(folder, 'mosquitto'), ['60']);
    onTestFinished(() => void broker.kill());
    writeFileSync(pidFile, `${broker.pid}\n`);
    const file = join(folder, 'passwords');
    const acl = join(folder, 'acl');
    writeFileSync(acl, 'pattern write lab/plants/%u/soil_moisture\n');
    const env = { MOSQUITTO_PASSWORD_FILE: file, MOSQUITTO_ACL_FILE: acl, MOSQUITTO_PID_FILE: pidFile };
    boardCommand(['bridge', 'west'], env);
    writeFileSync(file, '');
    kill.mockClear();
    expect(boardCommand(['revoke-bridge', 'west'], env)).toMatchObject({ exitCode: 1 });
    expect(readFileSync(acl, 'utf8')).not.toContain('west');
    expect(kill).toHaveBeenCalledExactlyOnceWith(broker.pid, 'SIGHUP');
  });

  test.each(['', '0', '-1', '-4711', '4711 1', 'mosquitto', '1', String(process.pid)])(
    'SEC-77 SEC-96 a pid file that says %j gets no process a signal, and the password is printed',
    (pid) => {
      const kill = vi.spyOn(process, 'kill').mockReturnValue(true);
      onTestFinished(() => kill.mockRestore());
      const folder = freshFolder();
      const pidFile = join(folder, 'mosquitto.pid');
      writeFileSync(pidFile, `${pid}\n`);
      const env = { MOSQUITTO_PASSWORD_FILE: join(folder, 'passwords'), MOSQUITTO_PID_FILE: pidFile };
      const made = boardCommand(['add', 'fern'], env);
      expect(kill).not.toHaveBeenCalled();
      expect(passwordIn(made.text)).not.toBe('');
      expect(made.text).toMatch(/has no process number|is not mosquitto/);
    },
  );

  test.each([
    [['add']],
    [['add', 'a/b/c']],
    [['add', 'a#']],
    [['add', 'cps-bridge-x']],
    [['bridge']],
    [['bridge', 'a b']],
    [['bridge', 'a/b']],
    [['revoke-bridge', '#']],
    [['add', 'a:b']],
    [['remove', 'x']],
    [[]],
  ])('ING-8 %j changes nothing and says why', (args) => {
    const file = join(freshFolder(), 'passwords');
    expect(boardCommand(args, { MOSQUITTO_PASSWORD_FILE: file })).toMatchObject({ exitCode: 64 });
    expect(existsSync(file)).toBe(false);
  });
});
