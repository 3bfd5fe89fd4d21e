import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { MqttMessage } from '../../firmware-bridge/src/broker/decode.ts';
import { openSpool, type Spool } from '../../firmware-bridge/src/spool/spool.ts';
import type { WriteOutcome } from '../../firmware-bridge/src/spool/spool-writer.ts';
import { deadLettersIn } from './support/bridge.ts';
import { freshFolder } from './support/processes.ts';

const NOW = Date.UTC(2026, 2, 2);
const LATER = NOW + 1_000_000;

/** A stamp by the machine's own clock, with its uptime. */
const own = (boot: string, epoch: string, uptime: number) => ({ stampedBy: { boot, epoch, uptime } });

function message(payload: string, packetId?: number, repeated = false): MqttMessage {
  return {
    topic: 'lab/plants/fern/soil_moisture',
    payload: Buffer.from(payload),
    retained: false,
    receivedAt: NOW,
    ...(packetId === undefined ? {} : { delivery: { packetId, repeated } }),
  };
}

function commit(spool: Spool, ...args: Parameters<typeof message>): WriteOutcome | undefined {
  return spool.commit([message(...args)]).outcomes[0];
}

function open(file: string): { spool: Spool; close: () => void } {
  const spool = openSpool(file);
  let isOpen = true;
  const close = () => {
    if (isOpen) spool.close();
    isOpen = false;
  };
  onTestFinished(close);
  return { spool, close };
}

const freshFile = () => join(freshFolder(), 'deep', 'spool.sqlite');
const values = (spool: Spool) => spool.oldest(500, LATER).map(({ reading }) => reading.soil_moisture);

describe('the spool', () => {
  test('ING-5 keeps readings over a restart, oldest first', () => {
    const file = freshFile();
    const before = open(file);
    for (const value of ['3', '1', '2']) commit(before.spool, value);
    before.close();

    const { spool } = open(file);
    expect(values(spool)).toEqual([3, 1, 2]);
    expect(spool.oldest(2, LATER)).toHaveLength(2);
    expect(spool.status()).toMatchObject({ depth: 3, oldestReceivedAt: NOW, deadLetters: 0 });
  });

  test('ING-3 two bare readings of one millisecond differ in seq, also after the first has left', () => {
    const { spool } = open(freshFile());
    commit(spool, '512');
    const [first] = spool.oldest(1, LATER);
    if (first === undefined) throw new Error('nothing spooled');
    spool.settle([first], [], NOW);
    commit(spool, '512');
    const [second] = spool.oldest(1, LATER);
    expect(second?.reading.datetime).toBe(first.reading.datetime);
    expect(second?.reading.seq).not.toBe(first.reading.seq);
    expect(Number.isSafeInteger(first.reading.seq)).toBe(true);
  });

  test('a reading is given the same seq each time it is sent, and two spools give different ones', () => {
    const { spool: one } = open(freshFile());
    const { spool: other } = open(freshFile());
    commit(one, '512');
    commit(other, '512');
    expect(one.oldest(1, LATER)).toEqual(one.oldest(1, LATER));
    expect(one.oldest(1, LATER)[0]?.reading.seq).not.toBe(other.oldest(1, LATER)[0]?.reading.seq);
  });

  test('a seq or datetime of the board stays; an absent seq beside a datetime stays absent', () => {
    const { spool } = open(freshFile());
    commit(spool, '{"soil_moisture":1,"seq":5}');
    commit(spool, '{"soil_moisture":2,"datetime":"2026-03-01T00:00:00Z"}');
    expect(spool.oldest(2, LATER).map(({ reading }) => reading)).toEqual([
      {
        plant: 'fern',
        soil_moisture: 1,
        seq: 5,
        datetime: '2026-03-02T00:00:00.000Z',
        received_at: '2026-03-02T00:00:00.000Z',
      },
      {
        plant: 'fern',
        soil_moisture: 2,
        datetime: '2026-03-01T00:00:00.000Z',
        received_at: '2026-03-02T00:00:00.000Z',
      },
    ]);
  });

  test('ING-3 dead letters hold topic, bytes and reason, an empty payload too', () => {
    const file = freshFile();
    const { spool } = open(file);
    commit(spool, '');
    commit(spool, '[1,"x"]');
    expect(deadLettersIn(file).map(({ payload }) => Buffer.from(payload).toString())).toEqual(['', '["x"]']);
    expect(spool.status()).toMatchObject({ depth: 1, deadLetters: 2 });
  });

  test('ING-3 rejected readings become dead letters in the same step in which the stored ones leave', () => {
    const file = freshFile();
    const { spool } = open(file);
    commit(spool, '[1,2,3]');
    const [first, second, third] = spool.oldest(3, LATER);
    if (!first || !second || !third) throw new Error('nothing spooled');
    spool.settle([first, third], [{ ...second, reason: 'no' }], NOW);
    expect(spool.status()).toMatchObject({ depth: 0, oldestReceivedAt: null, deadLetters: 1 });
    expect(deadLettersIn(file)).toMatchObject([{ topic: 'lab/plants/fern/soil_moisture', reason: 'no' }]);
    expect(JSON.parse(Buffer.from(deadLettersIn(file)[0]?.payload ?? []).toString())).toEqual([
      second.reading,
    ]);
  });

  test('a reading that is put off returns when its time has come', () => {
    const { spool } = open(freshFile());
    commit(spool, '[1,2]');
    const [first] = spool.oldest(1, NOW);
    spool.putOff(first?.id ?? 0, NOW + 60_000);
    expect(spool.oldest(5, NOW + 59_999)).toHaveLength(1);
    expect(spool.oldest(5, NOW + 60_000)).toHaveLength(2);
    expect(spool.nextDue()).toBe(0);
  });
});

describe('what the broker sends again', () => {
  test('ING-3 the same message under the same packet id is kept once, also after a restart', () => {
    const file = freshFile();
    const before = open(file);
    expect(commit(before.spool, '512', 9)).toBe('kept');
    expect(commit(before.spool, '512', 9, true)).toBe('repeat');
    before.close();
    const { spool } = open(file);
    expect(commit(spool, '512', 9, true)).toBe('repeat');
    expect(values(spool)).toEqual([512]);
  });

  test('ING-3 a repetition of a message that never arrived is kept', () => {
    const { spool } = open(freshFile());
    commit(spool, '512', 9);
    expect(commit(spool, '512', 10, true)).toBe('kept');
    expect(commit(spool, '513', 9, true)).toBe('kept');
    expect(commit(spool, '512', 9, false)).toBe('kept');
    expect(values(spool)).toEqual([512, 512, 513, 512]);
  });

  test('ING-3 a packet id that has come round again is another message, also when it looks the same', () => {
    const { spool } = open(freshFile());
    const since = (count: number) => Array.from({ length: count }, (_, n) => message('1', 100 + n));
    commit(spool, '512', 9);
    spool.commit(since(2000));
    expect(commit(spool, '512', 9, true)).toBe('repeat');
    spool.commit(since(10_000));
    expect(commit(spool, '512', 9, true)).toBe('kept');
    expect(commit(spool, '1', 10_099, true)).toBe('repeat');
  });

  test('ING-3 in a new session the same packet id is another message', () => {
    const { spool } = open(freshFile());
    commit(spool, '512', 9);
    spool.forgetDeliveries();
    expect(commit(spool, '512', 9, true)).toBe('kept');
  });
});

describe('what the broker retains', () => {
  const RETAINED = { retained: true };
  const take = (spool: Spool, payload: string, changes: Partial<MqttMessage> = RETAINED) =>
    spool.commit([{ ...message(payload), ...changes }]).outcomes[0];

  test('ING-18 one retained message is one dead letter, however often it is read, also after a restart', () => {
    const file = freshFile();
    const before = open(file);
    expect(take(before.spool, '600')).toBe('kept');
    expect(take(before.spool, '600')).toBe('repeat');
    before.close();
    const { spool } = open(file);
    expect(take(spool, '600')).toBe('repeat');
    expect(take(spool, '600', { topic: 'lab/plants/moss/soil_moisture', retained: true })).toBe('kept');
    expect(spool.status()).toMatchObject({ deadLetters: 2, depth: 0 });
    // The retained message has changed twice, and the last message is not a retained one.
    expect(take(spool, '601')).toBe('kept');
    expect(take(spool, '600')).toBe('kept');
    expect(take(spool, '600', {})).toBe('kept');
    expect(spool.status()).toMatchObject({ deadLetters: 4, depth: 1 });
    // The dead letter does not come back after it was removed.
    const letter = spool.nextDeadLetter(0);
    if (letter) spool.removeExported([letter]);
    expect(take(spool, '600')).toBe('repeat');
  });

  test('ING-18 a retained reading with a datetime is kept once, as received when it was measured', () => {
    const { spool } = open(freshFile());
    const datetime = new Date(NOW - 3_600_000).toISOString();
    const dated = JSON.stringify({ soil_moisture: 5, datetime });
    expect(take(spool, dated, { retained: true, stampedBy: 'server' })).toBe('kept');
    expect(take(spool, dated)).toBe('repeat');
    const [first] = spool.oldest(5, LATER);
    expect(first).toMatchObject({ stampedByServer: false, reading: { datetime, received_at: datetime } });
    // The waiting time is counted from the receipt.
    expect(spool.status().oldestReceivedAt).toBe(NOW);
  });

  test('ING-18 it is kept after a commit that failed', () => {
    const file = freshFile();
    const { spool } = open(file);
    const other = new DatabaseSync(file);
    other.exec('BEGIN IMMEDIATE');
    expect(() => take(spool, '600')).toThrow(/locked/);
    other.exec('ROLLBACK');
    other.close();
    expect(take(spool, '600')).toBe('kept');
  });
});

describe('one message is judged by one clock', () => {
  test('ING-18 the greatest datetime goes with each reading of it, in whatever part it is unpacked', () => {
    const { spool } = open(freshFile());
    const elements = Array.from({ length: 1200 }, (_, n) => ({
      soil_moisture: n % 1024,
      datetime: new Date(NOW + (n - 1190) * 60_000).toISOString(),
    }));
    spool.commit([message(JSON.stringify([...elements, 7]))]);
    while (spool.unpack().unpacked > 0);
    const readings = spool.oldest(2000, LATER).map(({ reading }) => reading);
    expect(readings).toHaveLength(1201);
    expect(new Set(readings.slice(0, -1).map(({ newest }) => newest))).toEqual(
      new Set([elements.at(-1)?.datetime]),
    );
    expect(readings.at(-1)).not.toHaveProperty('newest');
  });

  test('OPS-6 ING-18 a file of 0.1.0 goes on, with what waits in it', () => {
    const file = freshFile();
    const before = open(file);
    commit(before.spool, '512');
    before.close();
    const db = new DatabaseSync(file);
    db.exec('ALTER TABLE readings DROP COLUMN newest; DROP TABLE retained');
    db.close();
    const { spool } = open(file);
    const ahead = new Date(NOW + 120_000).toISOString();
    commit(spool, JSON.stringify([1, { soil_moisture: 2, datetime: ahead }]));
    expect(spool.oldest(5, LATER).map(({ reading }) => reading.newest)).toEqual([
      undefined,
      undefined,
      ahead,
    ]);
  });
});

describe('a file that does not obey', () => {
  test('ING-3 a commit that fails throws and leaves nothing behind', () => {
    const file = freshFile();
    const { spool } = open(file);
    const other = new DatabaseSync(file);
    other.exec('BEGIN IMMEDIATE');
    expect(() => commit(spool, '[1,2,"x"]', 4)).toThrow(/locked/);
    other.exec('ROLLBACK');
    other.exec(
      "CREATE TRIGGER full BEFORE INSERT ON dead_letters BEGIN SELECT raise(ABORT, 'no space'); END",
    );
    expect(() => commit(spool, '[1,2,"x"]', 4)).toThrow('no space');
    other.exec('DROP TRIGGER full');
    other.close();
    expect(spool.status()).toMatchObject({ depth: 0, deadLetters: 0 });
    expect(commit(spool, '[1,2,"x"]', 4, true)).toBe('kept');
    expect(spool.status()).toMatchObject({ depth: 2, deadLetters: 1 });
  });

  test('a file that is no database, or a folder, cannot be opened', () => {
    const folder = freshFolder();
    writeFileSync(
      join(folder, 'text'),
      'this is no database at all, it is only a long enough text'.repeat(100),
    );
    mkdirSync(join(folder, 'folder'));
    expect(() => openSpool(join(folder, 'text'))).toThrow(/it is not a database/);
    expect(() => openSpool(join(folder, 'folder'))).toThrow(/it is a folder, not a file/);
  });
});

describe('receipts stamped before the server’s time was known', () => {
  const dated = JSON.stringify({ soil_moisture: 5, datetime: new Date(NOW).toISOString() });

  function add(spool: Spool, payload: string, changes: Partial<MqttMessage>): void {
    spool.commit([{ ...message(payload), ...changes }]);
  }

  const told = (spool: Spool) =>
    spool.oldest(500, LATER).map(({ reading, stampedByServer }) => ({
      value: reading.soil_moisture,
      measured: Date.parse(reading.datetime) - NOW,
      received: Date.parse(reading.received_at) - NOW,
      stampedByServer,
    }));

  test('FAULT-11 are put right once it is, with the times of readings that have none of their own', () => {
    const file = freshFile();
    const first = open(file);
    add(first.spool, '[1,{"soil_moisture":2,"seq":2}]', own('a', 'a1', 10));
    add(first.spool, dated, own('a', 'a1', 20));
    add(first.spool, '3', own('b', 'b1', 30));
    add(first.spool, '4', { stampedBy: 'server' });
    first.close();

    const { spool } = open(file);
    const before = told(spool);
    expect(before.map(({ stampedByServer }) => stampedByServer)).toEqual([false, false, false, false, true]);
    expect(before.every(({ measured, received }) => measured === 0 && received === 0)).toBe(true);
    spool.learnTime('a', NOW + 1000);
    const after = [
      { value: 1, measured: 1010, received: 1010, stampedByServer: true },
      { value: 2, measured: 1010, received: 1010, stampedByServer: true },
      { value: 5, measured: 0, received: 1020, stampedByServer: true },
      { value: 3, measured: 0, received: 0, stampedByServer: false },
      { value: 4, measured: 0, received: 0, stampedByServer: true },
    ];
    expect(told(spool)).toEqual(after);
    expect(spool.status().oldestReceivedAt).toBe(NOW + 1010);
  });

  test('FAULT-11 are not put right a second time, in whatever process: sent again, they are the same', () => {
    const file = freshFile();
    const first = open(file);
    add(first.spool, '1', own('a', 'a1', 10));
    first.spool.learnTime('a', NOW + 1000);
    add(first.spool, '2', own('a', 'a2', 20));
    first.close();
    const { spool } = open(file);
    spool.learnTime('a', NOW + 5000);
    spool.learnTime('a', NOW + 9000);
    expect(told(spool).map(({ received }) => received)).toEqual([1010, 5020]);
  });

  test('OPS-6 a file that an unreleased version made is refused in one sentence, and stays as it is', () => {
    const file = freshFile();
    mkdirSync(join(file, '..'));
    const db = new DatabaseSync(file);
    db.exec('CREATE TABLE readings (id INTEGER PRIMARY KEY); INSERT INTO readings VALUES (7)');
    db.close();
    expect(() => open(file)).toThrow(/an unreleased version made the file: move it away/);
    const after = new DatabaseSync(file);
    expect(after.prepare('SELECT id FROM readings').all()).toEqual([{ id: 7 }]);
    after.close();
  });
});
