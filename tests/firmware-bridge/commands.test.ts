import { toCsv } from '../../web/src/lib/csv.ts';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { deadLetterCommand } from '../../firmware-bridge/src/commands/dead-letters-command.ts';
import { openSpool } from '../../firmware-bridge/src/spool/spool.ts';
import { replayCommand } from '../../scripts/operator/replay.ts';
import { runCommand } from '../support/run-command.ts';
import { shippedBridge } from '../support/shipped-bridge.ts';
import { bridgeEnv, startBridge, untilConnected } from './support/bridge.ts';
import { brokers, connectBoard } from './support/brokers.ts';
import { startIngest } from './support/ingest.ts';
import { freshFolder, start, until } from './support/processes.ts';

const TOPIC = 'lab/plants/fern/soil_moisture';

async function startSystem(changes: Record<string, string> = {}) {
  const [ingest, broker] = await Promise.all([startIngest(), brokers.embedded()]);
  const env = { ...bridgeEnv(broker, ingest.url, freshFolder()), ...changes };
  const bridge = await startBridge(env);
  await untilConnected(bridge);
  return { ingest, broker, env, bridge };
}

type Ran = { exitCode: unknown; lines: string[] };

async function deadLetters(args: string[], env: Record<string, string>): Promise<Ran> {
  const printed: string[] = [];
  const print = async (line: string) => void printed.push(line);
  const exitCode = await deadLetterCommand(args, env, print, print);
  return { exitCode, lines: printed.join('\n').split('\n') };
}

/** The same in a separate process, beside a running bridge. */
async function typedDeadLetters(args: string[], env: Record<string, string>): Promise<Ran> {
  const [command, ...bundle] = shippedBridge();
  const typed = start(command, [...bundle, 'dead-letters', ...args], env);
  const exitCode = await typed.ended;
  return { exitCode, lines: typed.output().trim().split('\n') };
}

const exportedSchema = z.object({
  topic: z.string(),
  reason: z.string(),
  payload: z.string().optional(),
  payload_base64: z.string().optional(),
});

describe('dead letters', () => {
  test('ING-3 are listed and exported with reason and original payload while the bridge runs', async () => {
    const { broker, env, bridge } = await startSystem();
    const board = await connectBoard(broker);
    await board.publishAsync(TOPIC, '"512"', { qos: 1 });
    await board.publishAsync(TOPIC, Buffer.from([0xff, 0xfe]), { qos: 1 });
    await until('dead', async () => (await bridge.health()).dead_letters === 2);

    const listed = await typedDeadLetters(['list'], env);
    expect(listed.exitCode).toBe(0);
    expect(listed.lines).toEqual([
      expect.stringContaining('"\\"512\\""'),
      expect.stringContaining('2 bytes'),
    ]);
    const exported = (await deadLetters(['export'], env)).lines.map((line) =>
      exportedSchema.parse(JSON.parse(line)),
    );
    expect(exported).toMatchObject([
      { topic: TOPIC, payload: '"512"' },
      { topic: TOPIC, reason: 'payload is not UTF-8', payload_base64: '//4=' },
    ]);
  });

  test('ING-3 what was rejected for a reason that is gone is stored when it is replayed; what is no reading stays', async () => {
    const { ingest, broker, env, bridge } = await startSystem();
    const board = await connectBoard(broker);
    const datetime = '2026-03-02T00:00:00.000Z';
    await board.publishAsync(TOPIC, JSON.stringify({ soil_moisture: 1, datetime, seq: 1 }), { qos: 1 });
    await board.publishAsync(TOPIC, JSON.stringify({ soil_moisture: 2, datetime, seq: 1 }), { qos: 1 });
    await board.publishAsync(TOPIC, 'nonsense', { qos: 1 });
    await until('dead', async () => (await bridge.health()).dead_letters === 2);
    await ingest.run('DELETE FROM plant_readings');

    const replayed = await deadLetters(['replay', '--all'], env);
    expect(replayed).toEqual({
      exitCode: 0,
      lines: [
        'messages to send: 1; not understood: 1',
        'a message that is refused again is listed with a new id',
      ],
    });
    expect(await deadLetters(['replay', '4711'], env)).toEqual({
      exitCode: 1,
      lines: ['messages to send: 0; not understood: 0', 'no dead letter has the id 4711'],
    });
    expect((await deadLetters(['replay', '0x2'], env)).exitCode).toBe(64);
    await until('stored', async () => (await ingest.count()) === 1);
    expect(await ingest.readings()).toMatchObject([
      { soil_moisture: 2, measured_at: Date.parse(datetime), seq: 1 },
    ]);
    expect((await bridge.health()).dead_letters).toBe(1);
  });

  test('ING-8 a replay lets nobody speak for another plant', async () => {
    const { broker, env, bridge } = await startSystem();
    const board = await connectBoard(broker);
    const datetime = '2026-03-02T00:00:00.000Z';
    const forged = { plant: 'moss', datetime, soil_moisture: 1, received_at: datetime };
    await board.publishAsync(TOPIC, JSON.stringify(forged), { qos: 1 });
    await until('dead', async () => (await bridge.health()).dead_letters === 1);
    const replayed = await deadLetters(['replay', '--all'], env);
    expect(replayed.lines).toEqual(['messages to send: 0; not understood: 1']);
  });

  test('SEC-46 what was refused for its board’s quota is stored when it is replayed, whatever the quota, and the bad of it stays', async () => {
    const { ingest, broker, env, bridge } = await startSystem({ BOARD_QUOTA_READINGS: '1' });
    const board = await connectBoard(broker);
    const readings = Array.from({ length: 6000 }, (_, seq) => ({ soil_moisture: 1, seq }));
    await board.publishAsync(TOPIC, JSON.stringify([...readings, 'wet']), { qos: 1 });
    await until('refused', async () => (await bridge.health()).dead_letter_readings === 6001);
    expect((await deadLetters(['list'], env)).lines).toEqual([
      expect.stringContaining('beyond the quota of its board\t6001 readings'),
    ]);
    expect((await deadLetters(['replay', '--all'], env)).lines[0]).toBe(
      'messages to send: 1; not understood: 1',
    );
    await until('stored', async () => (await ingest.count()) === 6000);
    expect((await bridge.health()).dead_letter_readings).toBe(1);
  });

  test.each([
    ['a word', '"bad"'],
    ['deep nesting', `${'['.repeat(20_000)}${']'.repeat(20_000)}`],
  ])('SEC-75 a forged letter with %s neither grows by replays nor stops the delivery', async (_, beside) => {
    const file = join(freshFolder(), 'spool.sqlite');
    const datetime = '2026-03-02T00:00:00.000Z';
    const forged = [1, 2].map((seq) =>
      JSON.stringify({ plant: 'fern', datetime, soil_moisture: 1, seq, received_at: datetime }),
    );
    const spool = openSpool(file);
    onTestFinished(() => spool.close());
    const payload = Buffer.from(`[${forged.join(',')},${beside}]`);
    spool.commit([{ topic: TOPIC, payload, retained: false, receivedAt: Date.now() }]);
    for (let time = 1; time <= 3; time += 1) {
      await deadLetters(['replay', '--all'], { SPOOL_FILE: file });
      const sent = spool.oldest(500, Date.now());
      expect(sent).toHaveLength(2);
      const rejected = sent.map((row) => Object.assign(row, { reason: 'another value is stored' }));
      spool.settle([], rejected, Date.now());
      expect(spool.status()).toMatchObject({
        depth: 0,
        deadLetters: 1,
        deadReadings: 3,
        deadBoards: [{ plant: 'fern', messages: 1 }],
      });
    }
  });

  test('ING-3 a replay of many leaves the running bridge at work', async () => {
    const { ingest, broker, env, bridge } = await startSystem();
    const board = await connectBoard(broker);
    const rejected = Array.from({ length: 3000 }, (_, seq) => ({
      id: seq + 1,
      message: null,
      stampedByServer: true,
      reading: {
        plant: 'fern',
        datetime: '2026-03-02T00:00:00.000Z',
        soil_moisture: 1,
        seq,
        received_at: '2026-03-02T00:00:00.000Z',
      },
      reason: 'no',
    }));
    const spool = openSpool(env['SPOOL_FILE'] ?? '');
    spool.settle([], rejected, Date.now());
    spool.close();
    const replaying = typedDeadLetters(['replay', '--all'], env);
    for (let seq = 0; seq < 100; seq++)
      await board.publishAsync(TOPIC, `{"soil_moisture":2,"seq":${seq}}`, { qos: 1 });
    expect((await replaying).lines[0]).toBe('messages to send: 3000; not understood: 0');
    await until('stored', async () => (await ingest.count()) === 3100);
    expect(bridge.output()).not.toMatch(/spool_(?!opened)|broken|broker_lost/);
  });
});

describe('replay of a recording', () => {
  const recording = [
    'datetime,plant,soil_moisture',
    '2020-07-21T13:34:00Z,made-up,546',
    '2020-07-21T13:24:00Z,made-up,545',
    '',
  ];

  test('ING-1 a recorded CSV reaches D1 with its own times, at any speed', async () => {
    const { ingest, broker } = await startSystem();
    const file = join(freshFolder(), 'season.csv');
    writeFileSync(file, recording.join('\r\n'));
    const args = ['scripts/operator/replay.ts', file, '--speed', '36000', '--plant', '발코니'];
    const played = start(process.execPath, args, { MQTT_URL: broker.url });
    expect(await played.ended).toBe(0);
    expect(played.output()).toBe('2 readings published and acknowledged\n');
    await until('stored', async () => (await ingest.count()) === 2);
    expect(await ingest.readings()).toMatchObject([
      { plant: '발코니', soil_moisture: 545, measured_at: Date.UTC(2020, 6, 21, 13, 24), refused_time: null },
      { plant: '발코니', soil_moisture: 546, measured_at: Date.UTC(2020, 6, 21, 13, 34), refused_time: null },
    ]);
  });

  test('ING-1 PLT-4 the plants’ own CSV is replayed under the names that it holds, and what cannot be told apart is counted', async () => {
    const { ingest, broker } = await startSystem();
    const file = join(freshFolder(), 'plants.csv');
    const times = ['00.000', '00.000', '01.000', '02.000'].map((second) => `2026-03-02T00:00:${second}Z`);
    const rows = toCsv([
      ['datetime', 'plant', 'soil_moisture', 'percent'],
      ...['a,b', 'a,b', '007', '["x"]'].map((plant, at) => [times[at] ?? '', plant, 500 + at, 50]),
    ]);
    writeFileSync(file, rows);
    const replay = () => runCommand(replayCommand, [file], { MQTT_URL: broker.url });
    expect(await replay()).toEqual({
      status: 0,
      output: `4 readings published and acknowledged
1 readings repeat the plant, time and seq of another: the server stores each only once`,
    });
    await until('stored', async () => (await ingest.count()) === 3);
    const plants = (await ingest.readings()).map(({ plant }) => plant);
    expect(plants.toSorted()).toEqual(['007', '["x"]', 'a,b']);

    writeFileSync(
      file,
      'datetime,plant,soil_moisture,seq,topic\n2026-03-03T00:00:00Z,창가 이끼,1,1,moss\n2026-03-03T00:00:00Z,창가 이끼,2,2,moss\n',
    );
    expect((await replay()).output).toBe('2 readings published and acknowledged');
    await until('stored', async () => (await ingest.count()) === 5);
    // PLT-13: the name of a plant may differ from the topic to which its board publishes.
    expect((await ingest.readings()).filter(({ plant }) => plant === 'moss')).toHaveLength(2);
  });

  test.each(['0x10', '1.5', '9007199254740993'])('a recording with %j as a seq is refused', async (seq) => {
    const file = join(freshFolder(), 'season.csv');
    writeFileSync(file, `datetime,plant,raw,seq\n2020-07-21T13:34:00Z,made-up,546,"${seq}"\n`);
    const played = await runCommand(replayCommand, [file], { MQTT_URL: 'mqtt://127.0.0.1:1' });
    expect(played).toEqual({ status: 1, output: 'line 2: seq must be a whole number' });
  });

  test('a recording with a bad line is named by it, and nothing is published', async () => {
    const file = join(freshFolder(), 'season.csv');
    writeFileSync(file, [...recording.slice(0, 2), '2020-07-21 13:44,made-up,1024'].join('\n'));
    const played = await runCommand(replayCommand, [file], { MQTT_URL: 'mqtt://127.0.0.1:1' });
    expect(played).toEqual({
      status: 1,
      output: 'line 3: datetime must have a zone (ISO 8601); soil_moisture must be a whole number, 0 to 1023',
    });
  });
});
