import type { Writable } from 'node:stream';
import type { MqttMessage } from './decode.ts';

/** A connection to the broker. Messages are acknowledged on the connection they arrived on, or never. */
type Connection = Pick<Writable, 'write' | 'writable'>;

export type Intake = ReturnType<typeof createIntake>;

/** Maximum messages, and maximum payload bytes, per commit. */
const GROUP_MAX = 500;
const GROUP_BYTES_MAX = 1024 * 1024;

/**
 * If the broker has died, messages that it sent before can be read until the bridge writes to the connection.
 * So acknowledgements are written only directly after the connection was read, at most this much later.
 */
const SHORT_TURN_MS = 5;

/**
 * How many acknowledgements are postponed, and how long. Fewer than the twenty messages that Mosquitto leaves
 * unacknowledged: otherwise the broker would wait for an acknowledgement, and the bridge for the broker.
 */
const PATIENCE = { most: 8, ms: 60_000 };

/** PUBACK packets with only the packet id: valid in MQTT 3.1.1, and in MQTT 5, where they mean success. */
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
  /** Messages of this connection that are stored but not acknowledged yet. */
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

  /** Reads the connection first: if the broker has died, a failed write would discard its last messages. */
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
    /** Writes the postponed acknowledgements. */
    acknowledge,
    /** Drops the current group unacknowledged; the broker will send it again. */
    discard,
  };
}
