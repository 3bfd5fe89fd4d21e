import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readConfig, readKeeperConfig } from '../../firmware-bridge/src/config.ts';
import type { Message } from '../../firmware-bridge/src/decode.ts';
import { announcePresence, isThere, untilGone } from '../../firmware-bridge/src/presence.ts';
import { openSpool, type Spool } from '../../firmware-bridge/src/spool.ts';
import { freshFolder } from './support/processes.ts';

const NOW = Date.UTC(2026, 2, 2);
const freshFile = () => join(freshFolder(), 'spool.sqlite');

function message(payload: string, more: Partial<Message> = {}): Message {
  return {
    topic: 'lab/plants/fern/soil_moisture',
    payload: Buffer.from(payload),
    retained: false,
    receivedAt: NOW,
    ...more,
  };
}

function open(file: string): Spool {
  const spool = openSpool(file);
  onTestFinished(spool.close);
  return spool;
}

const readingsOf = (spool: Spool) => spool.oldest(500, NOW + 1_000_000).map(({ reading }) => reading);

describe('what the keeper keeps', () => {
  test('OPS-11 is nobody’s until the bridge takes it in, in its order and as if it had just come', () => {
    const file = freshFile();
    const [keeper, bridge] = [open(file), open(file)];
    keeper.keep([message('3'), message('{"soil_moisture":1,"seq":7}')]);
    keeper.keep([message('nonsense')]);
    expect(bridge.status()).toMatchObject({ depth: 0, deadLetters: 0 });
    expect(bridge.takeKept().outcomes).toEqual(['kept', 'kept', 'kept']);
    expect(readingsOf(bridge)).toMatchObject([{ soil_moisture: 3 }, { soil_moisture: 1, seq: 7 }]);
    expect(bridge.status()).toMatchObject({ depth: 2, deadLetters: 1 });
    expect(bridge.takeKept().outcomes).toEqual([]);
  });

  test('OPS-11 is recognised when the broker sends it again, to keeper or bridge', () => {
    const file = freshFile();
    const spool = open(file);
    const first = { delivery: { packetId: 1, repeated: false } };
    const again = { delivery: { packetId: 1, repeated: true } };
    spool.keep([message('512', first)]);
    spool.keep([message('512', again)]);
    expect(spool.takeKept().outcomes).toEqual(['kept', 'repeat']);
    expect(spool.commit([message('512', again)]).outcomes).toEqual(['repeat']);
    expect(spool.commit([message('512', first)]).outcomes).toEqual(['kept']);
  });

  test('OPS-11 gets the server’s time as soon as a bridge knows it, though its own clock was wrong', () => {
    const file = freshFile();
    const spool = open(file);
    spool.keep([message('512', { stampedBy: { boot: 'boot', epoch: 'epoch', uptime: 5000 } })]);
    // Opening it tidies up what belongs to nothing.
    const bridge = open(file);
    bridge.takeKept();
    bridge.learnTime('boot', NOW + 60_000);
    expect(readingsOf(bridge)).toMatchObject([{ datetime: new Date(NOW + 65_000).toISOString() }]);
  });

  test('OPS-11 is taken in by steps, whatever it is', () => {
    const spool = open(freshFile());
    spool.keep(Array.from({ length: 501 }, (_, n) => message(String(n))));
    spool.keep([message('x'.repeat(1024 * 1024)), message('1')]);
    const steps = [1, 2, 3, 4].map(() => spool.takeKept().outcomes.length);
    expect(steps).toEqual([500, 2, 1, 0]);
  });
});

describe('the spool of an older bridge', () => {
  test('OPS-11 gets small pages when it is opened, and keeps what is in it', () => {
    const file = freshFile();
    const old = new DatabaseSync(file);
    old.exec('PRAGMA page_size = 4096; PRAGMA journal_mode = WAL; CREATE TABLE dead_letters_of_old (id)');
    old.exec('INSERT INTO dead_letters_of_old VALUES (7)');
    old.close();
    const spool = openSpool(file);
    spool.commit([message('512')]);
    spool.close();
    const db = new DatabaseSync(file);
    onTestFinished(() => db.close());
    expect(db.prepare('PRAGMA page_size').get()).toEqual({ page_size: 512 });
    expect(db.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' });
    expect(db.prepare('SELECT id FROM dead_letters_of_old').get()).toEqual({ id: 7 });
  });

  test('OPS-11 keeps its pages while a command has it open', () => {
    const file = freshFile();
    const other = new DatabaseSync(file);
    onTestFinished(() => other.close());
    other.exec('PRAGMA page_size = 4096; PRAGMA journal_mode = WAL; CREATE TABLE t (id)');
    const spool = open(file);
    spool.commit([message('512')]);
    expect(readingsOf(spool)).toMatchObject([{ soil_moisture: 512 }]);
    expect(other.prepare('PRAGMA page_size').get()).toEqual({ page_size: 4096 });
  });
});

describe('the presence of a process', () => {
  test('OPS-11 is seen until it ends, and what a killed one left behind is taken for nobody', async () => {
    const path = join(freshFolder(), 'spool.sqlite-bridge');
    expect(await isThere(path)).toBe(false);
    let asked = 0;
    const presence = await announcePresence(path, () => {
      asked += 1;
    });
    expect(await isThere(path)).toBe(true);
    expect(asked).toBe(1);
    const gone = untilGone(path, new AbortController().signal, presence.end);
    await gone;
    expect(await isThere(path)).toBe(false);
    const next = await announcePresence(path);
    expect(await isThere(path)).toBe(true);
    next.end();
  });
});

describe("the keeper's configuration", () => {
  const env = { MQTT_URL: 'mqtts://broker.test', BRIDGE_ID: 'greenhouse', SPOOL_FILE: 'spool.sqlite' };

  test('OPS-11 is the part of the bridge’s that it takes to reach broker and spool', () => {
    const ingest = { BRIDGE_KEY: 'short', INGEST_URL: 'nowhere', HEALTH_PORT: 'x' };
    const keeper = readKeeperConfig({ ...env, ...ingest });
    const bridge = readConfig({ ...env, BRIDGE_KEY: 'x'.repeat(32), INGEST_URL: 'https://ingest.test' });
    if ('problems' in bridge) throw new Error(bridge.problems.join());
    expect(keeper).toEqual({ mqtt: bridge.mqtt, spoolFile: bridge.spoolFile });
    expect(readKeeperConfig({ ...env, MQTT_USERNAME: 'bridge' })).toEqual({
      problems: [expect.stringContaining('MQTT_USERNAME must be the client id')],
    });
  });
});
