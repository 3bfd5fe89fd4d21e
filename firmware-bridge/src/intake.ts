import type { Writable } from 'node:stream';
import type { Message } from './decode.ts';

/** A connection to the broker: what came over one is acknowledged over the same, or not at all. */
export type Connection = Pick<Writable, 'write' | 'writable'>;

export type Intake = {
  /** Takes a message; it is kept with those that arrive at the same time. */
  add: (message: Message, connection: Connection) => void;
  /** Keeps now what was added. */
  flush: () => void;
  /** Forgets what was added, unacknowledged: the broker sends it again. */
  discard: () => void;
};

/** Most messages, and most bytes of payload, that wait for one commit. */
const GROUP_MAX = 500;
const GROUP_BYTES_MAX = 1024 * 1024;

/** PUBACK of MQTT 3.1.1 and, meaning success, of MQTT 5: the packet id alone. */
function acknowledgements(packetIds: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * packetIds.length);
  for (const [index, packetId] of packetIds.entries()) {
    bytes.writeUInt16BE(0x4002, 4 * index);
    bytes.writeUInt16BE(packetId, 4 * index + 2);
  }
  return bytes;
}

/**
 * Gathers what arrives in one turn of the event loop, keeps it by one call of `keep`, and acknowledges it in one
 * piece when that has returned. A commit to disk then serves up to a hundred messages, and a single one waits for
 * nothing. Called back at once when a group is full, so no more than one group is ever in memory.
 * @param keep keeps all or throws; after a throw nothing of the group is acknowledged
 */
export function createIntake(
  keep: (messages: readonly Message[]) => void,
  failed: (error: unknown) => void,
): Intake {
  let group: Message[] = [];
  let bytes = 0;
  let origin: Connection | undefined;

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
    // Not at once: when the broker died during the commit, a write would fail and take with it what it sent before,
    // unread. In the next turn that is read first.
    setImmediate(() => {
      if (connection.writable) connection.write(acknowledgements(packetIds));
    });
  }

  function discard(): void {
    group = [];
    bytes = 0;
    origin = undefined;
  }

  return {
    add: (message, connection) => {
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
    discard,
  };
}
