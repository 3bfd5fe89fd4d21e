import { createHash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { Message } from './decode.ts';

/**
 * After this many later arrivals the broker must have received the acknowledgement, because it allows fewer to be
 * outstanding. When packet ids wrap around after 65,535 messages, a repeated id is then a new message, whatever its
 * content.
 */
const DELIVERIES_KEPT = 10_000;

function digestOf(message: Message): Uint8Array {
  return createHash('sha256').update(`${message.topic}\0`).update(message.payload).digest();
}

/** What the broker may send again. */
type RecentDeliveries = {
  /** Whether the message was delivered before; remembers it if not. */
  isRepeat: (message: Message) => boolean;
  forgetAcknowledged: () => void;
  forgetAll: () => void;
};

export function recentDeliveries(db: DatabaseSync): RecentDeliveries {
  const find = db.prepare('SELECT 1 FROM recent_deliveries WHERE packet_id = ? AND digest = ?');
  const add = db.prepare('INSERT OR REPLACE INTO recent_deliveries (packet_id, digest) VALUES (?, ?)');
  const forget = db.prepare(
    'DELETE FROM recent_deliveries WHERE arrival <= (SELECT max(arrival) FROM recent_deliveries) - ?',
  );
  return {
    isRepeat: (message) => {
      if (message.delivery === undefined) return false;
      const { packetId, repeated } = message.delivery;
      const digest = digestOf(message);
      if (repeated && find.get(packetId, digest) !== undefined) return true;
      add.run(packetId, digest);
      return false;
    },
    forgetAcknowledged: () => void forget.run(DELIVERIES_KEPT),
    forgetAll: () => db.exec('DELETE FROM recent_deliveries'),
  };
}
