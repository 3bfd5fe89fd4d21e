import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { MqttMessage } from '../../firmware-bridge/src/broker/decode.ts';
import { createIntake } from '../../firmware-bridge/src/broker/intake.ts';

const message = (packetId: number | null, payload = '512'): MqttMessage => ({
  topic: 'lab/plants/fern/soil_moisture',
  payload: Buffer.from(payload),
  retained: false,
  receivedAt: 0,
  ...(packetId === null ? {} : { delivery: { packetId, repeated: false } }),
});

function connection() {
  const written: number[][] = [];
  return {
    written,
    writable: true,
    write: (bytes: Uint8Array) => {
      written.push([...bytes]);
      return true;
    },
  };
}

/** Two turns of the event loop: messages are stored in the first, and acknowledged in the second. */
async function twoTurns(): Promise<void> {
  await turn();
  await turn();
}

/** An intake, and a list of the groups that it stores. */
function intakeThat(fails = false, uptime = () => 0) {
  const groups: number[] = [];
  const failures: unknown[] = [];
  const intake = createIntake(
    (messages) => {
      groups.push(messages.length);
      if (fails) throw new Error('no space');
    },
    (error) => failures.push(error),
    uptime,
  );
  return { intake, groups, failures };
}

describe('the intake', () => {
  test('ING-3 writes the acknowledgements of lone messages together: at most eight, or before one of several', async () => {
    const { intake, groups } = intakeThat();
    const broker = connection();
    const comes = async (...packetIds: number[]) => {
      for (const packetId of packetIds) intake.add(message(packetId), broker);
      await twoTurns();
    };
    await comes(1);
    expect(broker.written).toHaveLength(1);
    for (let packetId = 2; packetId <= 8; packetId++) await comes(packetId);
    expect(groups).toHaveLength(8);
    expect(broker.written).toHaveLength(1);
    await comes(9);
    expect(broker.written).toHaveLength(2);
    expect(broker.written[1]).toHaveLength(8 * 4);
    await comes(10);
    expect(broker.written).toHaveLength(2);
    await comes(11, 12);
    expect(broker.written[2]).toEqual([0x40, 2, 0, 10, 0x40, 2, 0, 11, 0x40, 2, 0, 12]);
    await comes(13);
    intake.acknowledge();
    expect(broker.written[3]).toEqual([0x40, 2, 0, 13]);
  });

  test('ING-3 a lone message waits a minute for its acknowledgement, and loses it with its connection', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { intake } = intakeThat();
    const broker = connection();
    for (const packetId of [1, 2]) {
      intake.add(message(packetId), broker);
      await twoTurns();
    }
    vi.advanceTimersByTime(59_999);
    expect(broker.written).toHaveLength(1);
    vi.advanceTimersByTime(1);
    await turn();
    expect(broker.written).toEqual([
      [0x40, 2, 0, 1],
      [0x40, 2, 0, 2],
    ]);
    intake.add(message(3), broker);
    await twoTurns();
    broker.writable = false;
    vi.advanceTimersByTime(60_000);
    await turn();
    expect(broker.written).toHaveLength(2);
  });

  test('ING-3 keeps what arrives in one turn by one commit, and acknowledges it in one piece afterwards', async () => {
    const { intake, groups } = intakeThat();
    const broker = connection();
    for (const packetId of [1, 2, 0x1234]) intake.add(message(packetId), broker);
    expect(groups).toEqual([]);
    expect(broker.written).toEqual([]);
    await turn();
    expect(groups).toEqual([3]);
    // The connection is read before the acknowledgement is written: the broker may have died.
    expect(broker.written).toEqual([]);
    await turn();
    expect(broker.written).toEqual([[0x40, 2, 0, 1, 0x40, 2, 0, 2, 0x40, 2, 0x12, 0x34]]);
  });

  test('ING-3 FAULT-4 acknowledges in a turn in which nothing else took long, before which all was read that the broker had sent', async () => {
    let uptime = 0;
    const { intake } = intakeThat(false, () => uptime);
    const broker = connection();
    intake.add(message(1), broker);
    await turn();
    for (let busy = 0; busy < 3; busy++) {
      uptime += 20;
      await turn();
      expect(broker.written).toEqual([]);
    }
    await turn();
    expect(broker.written).toEqual([[0x40, 2, 0, 1]]);
  });

  test('ING-3 acknowledges nothing of a group that could not be kept', async () => {
    const { intake, failures } = intakeThat(true);
    const broker = connection();
    intake.add(message(1), broker);
    await twoTurns();
    expect(broker.written).toEqual([]);
    expect(failures).toMatchObject([{ message: 'no space' }]);
  });

  test('ING-3 what came over a connection that is gone is kept and not acknowledged', async () => {
    const { intake, groups } = intakeThat();
    const old = connection();
    const fresh = connection();
    intake.add(message(1), old);
    old.writable = false;
    intake.add(message(1), fresh);
    await twoTurns();
    expect(groups).toEqual([1, 1]);
    expect(old.written).toEqual([]);
    expect(fresh.written).toEqual([[0x40, 2, 0, 1]]);
  });

  test('ING-5 never holds more than 500 messages or a mebibyte', () => {
    const { intake, groups } = intakeThat();
    const broker = connection();
    for (let packetId = 1; packetId <= 501; packetId++) intake.add(message(packetId), broker);
    expect(groups).toEqual([500]);
    intake.add(message(502, 'x'.repeat(1024 * 1024)), broker);
    expect(groups).toEqual([500, 2]);
  });

  test('a message of QoS 0 is kept and has nothing to acknowledge; what is discarded is not kept', async () => {
    const { intake, groups } = intakeThat();
    const broker = connection();
    intake.add(message(null), broker);
    await twoTurns();
    intake.add(message(7), broker);
    intake.discard();
    await twoTurns();
    expect(groups).toEqual([1]);
    expect(broker.written).toEqual([]);
  });
});
