import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { connectedBoard } from '../../local/boards/connect.ts';
import { openLocalD1 } from '../../scripts/local-d1.ts';
import { replayCommand } from '../../scripts/replay.ts';
import { start, until } from '../firmware-bridge/support/processes.ts';
import { makeDataFolder } from '../support/data-folder.ts';
import { runCommand } from '../support/run-command.ts';
import { keepLogsOnFailure, startStack } from '../support/stack.ts';

const settings = { SIMULATOR: 'off', DEMO_DATA: 'off', HOME_ASSISTANT: 'on' };

function inPlants(dataDir: string, sql: string) {
  const db = openLocalD1(dataDir, { database: 'PLANTS_DB' });
  try {
    return db.prepare(sql).all();
  } finally {
    db.close();
  }
}

function recording(topics: readonly string[]): string {
  const file = join(mkdtempSync(join(tmpdir(), 'cps-lab-')), 'g.csv');
  const at = new Date(Date.now() - 60_000).toISOString();
  writeFileSync(file, ['datetime,soil_moisture,topic', ...topics.map((id) => `${at},500,${id}`)].join('\n'));
  return file;
}

test('ING-16 the local run hears boards of every group, in a data folder of before as well, and tells Home Assistant of them', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'cps-lab-'));
  await makeDataFolder(dataDir);
  const [ours, another] = ['a'.repeat(64), 'b'.repeat(64)];
  writeFileSync(join(dataDir, 'bridge-key'), ours);
  inPlants(
    dataDir,
    `INSERT INTO bridge_keys (bridge_id, key, created_at) VALUES ('local', '${ours}', 1), ('local', '${another}', 2), ('pi', '${another}', 3)`,
  );
  const stack = await startStack({ ...settings, DATA_DIR: dataDir });
  onTestFinished(() => stack.stop());
  keepLogsOnFailure(stack, 'local-groups');
  expect(inPlants(dataDir, 'SELECT bridge_id, key, plant_group FROM bridge_keys ORDER BY id')).toEqual([
    { bridge_id: 'local', key: ours, plant_group: '+' },
    { bridge_id: 'local', key: another, plant_group: '+' },
    { bridge_id: 'pi', key: another, plant_group: '' },
  ]);

  const listener = await connectedBoard({ MQTT_URL: stack.brokerUrl });
  onTestFinished(() => listener.endAsync(true));
  const told = new Set<string>();
  listener.on('message', (_topic, payload) => told.add(payload.toString()));
  await listener.subscribeAsync('homeassistant/#', { qos: 1 });
  const env = { MQTT_URL: stack.brokerUrl, BOARD_INTERVAL_MS: '10' };
  const recorded = recording(['fern', 'moss-lab/fern', '"moss-lab/fern "']);
  expect(await runCommand(replayCommand, [recorded], env)).toMatchObject({ status: 0 });
  for (const args of ['--measurements 2 --group reed-lab', '--measurements 2 --count 1 --group moss-lab']) {
    const boards = start(process.execPath, ['local/boards/run.ts', ...args.split(' ')], env);
    // oxlint-disable-next-line no-await-in-loop -- one command after another
    expect(await boards.ended).toBe(0);
  }
  const stored = () =>
    inPlants(
      dataDir,
      'SELECT topic, count(*) AS n FROM plant_readings JOIN plants ON id = plant_id GROUP BY 1 ORDER BY 1',
    ).map(({ topic, n }) => `${String(topic)} ${String(n)}`);
  const all = [
    'fern 1',
    'moss-lab/fern 1',
    'moss-lab/fern  1',
    'moss-lab/mock-1 2',
    'reed-lab/basil 2',
    'reed-lab/monstera 2',
  ];
  await until('everything is stored', () => stored().join() === all.join());
  for (const topic of ['lab/plants/fern/', 'lab/moss-lab/plants/fern/', 'lab/reed-lab/plants/basil/'])
    await until(`Home Assistant knows ${topic}`, () => [...told].some((payload) => payload.includes(topic)));
});

test.each([
  [
    recording(['moss-lab/fern', '-/x']),
    [],
    'line 3: topic has no usable group: it must be 1 to 32 of a-z 0-9 -',
  ],
  [recording(['plants/x']), [], 'line 2: topic has no usable group: it must not be plants or bridges'],
  [recording(['moss-lab/']), [], 'line 2: topic has no usable name of a plant'],
  [recording(['a+b']), [], 'line 2: topic has no usable name of a plant'],
  [recording(['fern']), ['--plant', 'A/x'], '--plant A/x has no usable group: it must be 1 to 32'],
])('ING-16 npm run replay -- %s %s names what is wrong with a plant', async (file, args, line) => {
  const { status, output } = await runCommand(replayCommand, [file, ...args], {
    MQTT_URL: 'mqtt://127.0.0.1:1',
  });
  expect(status).not.toBe(0);
  expect(output).toContain(line);
});
