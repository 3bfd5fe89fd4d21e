import type { DatabaseSync } from 'node:sqlite';
import * as z from 'zod';
import type { Message } from './decode.ts';
import type { Stamp } from './waiting.ts';

/** Taken in by one step; a message beyond these bytes is the last of its step. */
const STEP = { messages: 500, bytes: 1024 * 1024 };

const keptSchema = z.object({
  id: z.int(),
  topic: z.string(),
  payload: z.instanceof(Uint8Array),
  retained: z.int(),
  packet_id: z.int().nullable(),
  repeated: z.int(),
  received_at: z.int(),
  epoch: z.string().nullable(),
  boot: z.string().nullable(),
  uptime: z.int().nullable(),
});

type KeptMessages = {
  add: (message: Message, stamp: Stamp) => void;
  /** Removes the oldest and returns them, as they came. */
  takeSome: () => Message[];
};

/** What the keeper took from the broker while the bridge was away: messages that nobody has looked at. */
export function keptMessages(db: DatabaseSync): KeptMessages {
  const insert = db.prepare(
    `INSERT INTO kept (topic, payload, retained, packet_id, repeated, received_at, epoch, uptime)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const findOldest = db.prepare(
    `SELECT id, topic, payload, retained, packet_id, repeated, received_at, kept.epoch, boot, uptime
     FROM kept LEFT JOIN epochs ON epochs.epoch = kept.epoch ORDER BY id`,
  );
  const removeUpTo = db.prepare('DELETE FROM kept WHERE id <= ?');

  function messageFrom(row: z.infer<typeof keptSchema>): Message {
    const { topic, payload, packet_id: packetId, epoch, boot, uptime } = row;
    const message = { topic, payload, retained: row.retained === 1, receivedAt: row.received_at };
    const delivery = packetId === null ? {} : { delivery: { packetId, repeated: row.repeated === 1 } };
    if (epoch === 'server') return { ...message, ...delivery, stampedBy: 'server' };
    if (epoch === null || boot === null || uptime === null) return { ...message, ...delivery };
    return { ...message, ...delivery, stampedBy: { epoch, boot, uptime } };
  }

  return {
    add: ({ topic, payload, retained, delivery }, stamp) => {
      const repeated = delivery?.repeated === true ? 1 : 0;
      insert.run(topic, payload, retained ? 1 : 0, delivery?.packetId ?? null, repeated, ...stamp);
    },
    takeSome: () => {
      const messages: Message[] = [];
      let bytes = 0;
      let last = 0;
      for (const row of findOldest.iterate()) {
        const kept = keptSchema.parse(row);
        messages.push(messageFrom(kept));
        bytes += kept.payload.byteLength;
        last = kept.id;
        if (messages.length >= STEP.messages || bytes >= STEP.bytes) break;
      }
      if (messages.length > 0) removeUpTo.run(last);
      return messages;
    },
  };
}
