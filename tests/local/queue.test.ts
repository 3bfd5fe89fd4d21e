import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { connectedBoard } from '../../local/boards/connect.ts';
import { openSpool } from '../../firmware-bridge/src/spool.ts';
import { deadLetters } from '../../scripts/dead-letters.ts';
import { openLocalD1 } from '../../scripts/local-d1.ts';
import { change } from '../support/both-databases.ts';
import { makeDataFolder } from '../support/data-folder.ts';
import { runCommand } from '../support/run-command.ts';
import { startStack } from '../support/stack.ts';
import { until } from '../firmware-bridge/support/processes.ts';

test('ING-14 npm start with a queue: what a board sends is stored, and what is refused behind it dead-letters lists', async () => {
  const stack = await startStack({ READINGS_QUEUE: 'on', SIMULATOR: 'off', DEMO_DATA: 'off' });
  onTestFinished(() => stack.stop());
  expect(stack.output()).toContain('what is in it when this ends is lost');
  const board = await connectedBoard({ MQTT_URL: stack.brokerUrl });
  onTestFinished(() => board.endAsync(true));
  const datetime = new Date(Date.now() - 60_000).toISOString();
  const say = (soil_moisture: number) =>
    board.publishAsync('lab/plants/fern/soil_moisture', JSON.stringify({ soil_moisture, datetime, seq: 1 }), {
      qos: 1,
    });
  const db = openLocalD1(stack.dataDir, { database: 'PLANTS_DB', readOnly: true });
  onTestFinished(() => db.close());
  const count = (table: string) => Number(db.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.['n']);

  await say(512);
  await until('stored', () => count('plant_readings') === 1);
  // Another value for the same moment, which the bridge has let go of when the database refuses it.
  await say(400);
  await until('refused', () => count('refused_readings') === 1);
  const { output } = await runCommand(deadLetters, ['list'], { DATA_DIR: stack.dataDir });
  expect(output).toMatch(/^database\t\S+\tfern\tanother value is stored .*\t400$/m);
});

test('ING-14 a database from before the queue has no such dead letters, and the command says nothing of it', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'cps-lab-dead-letters-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  await makeDataFolder(dataDir);
  openSpool(join(dataDir, 'spool.sqlite')).close();
  change(dataDir, 'DROP TABLE refused_readings', 'PLANTS_DB');
  expect(await runCommand(deadLetters, ['list'], { DATA_DIR: dataDir })).toEqual({ status: 0, output: '' });
});
