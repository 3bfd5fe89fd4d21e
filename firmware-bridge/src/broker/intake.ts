import type { Writable } from 'node:stream';
import type { MqttMessage } from './decode.ts';

/** A connection to the broker. A message is acknowledged only on the connection on which it arrived. */
type Connection = Pick<Writable, 'write' | 'writable'>;

export type Intake = ReturnType<typeof createIntake>;

/** Maximum number of messages in one commit, and maximum bytes of their payloads together. */
const GROUP_MAX = 500;
const GROUP_BYTES_MAX = 1024 * 1024;

/**
 * If the broker has died, the bridge can still read the broker's last messages, until the bridge writes to
 * the connection. So acknowledgements are written directly after a read, at most this much later.
 */
const SHORT_TURN_MS = 5;

/**
 * At most so many acknowledgements are postponed, for at most this long. Mosquitto sends no more than twenty
 * unacknowledged messages: with `most` at twenty, the broker and the bridge would wait for each other.
 */
const PATIENCE = { most: 8, ms: 60_000 };

/** Builds PUBACK packets with only the packet id: MQTT 3.1.1 and 5 allow this. In MQTT 5 it means success. */
function acknowledgements(packetIds: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * packetIds.length);
  for (const [index, packetId] of packetIds.entries()) {
    bytes.writeUInt16BE(0x4002, 4 * index);
    bytes.writeUInt16BE(packetId, 4 * index + 2);
  }
  return bytes;
}

/**
 * Groups the messages that arrive in one turn of the event loop, stores them with one call of `keep`, and
 * then acknowledges them in one write. One commit to disk then stores up to a hundred messages, and a single
 * message does not wait. A full group is committed at once, so at most one group is in memory.
 * Mosquitto rewrites its whole file for each write of acknowledgements, so acknowledgements of single
 * messages are postponed and written together. The first one on a connection is not postponed: the broker's
 * disk may still say that its message was never sent, and the broker would send it again as a new message.
 * @param keep stores all or throws; if it throws, nothing in the group is acknowledged
 * @param uptime in milliseconds
 */
export function createIntake(
  keep: (messages: readonly MqttMessage[]) => void,
  failed: (error: unknown) => void,
  uptime: () => number,
) {
  let group: MqttMessage[] = [];
  let bytes = 0;
  let origin: Connection | undefined;
  /** Packet ids of messages from this connection that are stored but not acknowledged yet. */
  let unacknowledged: { connection: Connection; packetIds: number[] } | undefined;
  let impatient: NodeJS.Timeout | undefined;

  function flush(): void {
    const messages = group;
    const connection = origin;
    discard();
    if (messages.length === 0) return;
    try {
      keep(messages);
    } catch (error) {
      failed(error);
      return;
    }
    const packetIds = messages.flatMap(({ delivery }) => (delivery === undefined ? [] : [delivery.packetId]));
    if (connection === undefined || packetIds.length === 0) return;
    const isFirst = unacknowledged?.connection !== connection;
    if (isFirst || unacknowledged === undefined) unacknowledged = { connection, packetIds: [] };
    unacknowledged.packetIds.push(...packetIds);
    if (isFirst || messages.length > 1 || unacknowledged.packetIds.length >= PATIENCE.most) {
      acknowledgeSoon();
    } else impatient ??= setTimeout(acknowledgeSoon, PATIENCE.ms);
  }

  /** Lets the connection be read first: if the broker has died, a failed write discards its last messages. */
  function acknowledgeSoon(): void {
    const began = uptime();
    setImmediate(() => {
      if (uptime() - began > SHORT_TURN_MS) acknowledgeSoon();
      else acknowledge();
    });
  }

  function acknowledge(): void {
    clearTimeout(impatient);
    impatient = undefined;
    if (unacknowledged === undefined || unacknowledged.packetIds.length === 0) return;
    const { connection, packetIds } = unacknowledged;
    if (connection.writable) connection.write(acknowledgements(packetIds));
    unacknowledged.packetIds = [];
  }

  function discard(): void {
    group = [];
    bytes = 0;
    origin = undefined;
  }

  return {
    add: (message: MqttMessage, connection: Connection): void => {
      if (origin !== connection) flush();
      if (group.length === 0) {
        origin = connection;
        setImmediate(flush);
      }
      group.push(message);
      bytes += message.payload.byteLength;
      if (group.length >= GROUP_MAX || bytes >= GROUP_BYTES_MAX) flush();
    },
    flush,
    /** Writes the postponed acknowledgements now. */
    acknowledge,
    /** Drops the current group without acknowledging it. The broker will send its messages again. */
    discard,
  };
}
