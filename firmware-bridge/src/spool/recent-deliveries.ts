import { hash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import * as z from 'zod';
import type { MqttMessage } from '../broker/decode.ts';

/**
 * So many messages are remembered. The broker allows fewer messages without an acknowledgement, so it cannot
 * send an older one again. After 65,535 messages packet ids begin again: an id that was forgotten is then a
 * new message, even with the same content.
 */
const DELIVERIES_KEPT = 10_000;

/** Bytes stored per message: its packet id, and enough of its digest to distinguish two messages. */
const ID_BYTES = 2;
const MESSAGE_BYTES = ID_BYTES + 16;

/** A message as it is stored, with one character per byte. */
function wordOf({ topic, payload }: MqttMessage, packetId: number): string {
  const digest = hash('sha256', Buffer.concat([Buffer.from(`${topic}\0`), payload]), 'binary');
  return String.fromCharCode(packetId >> 8, packetId & 0xff) + digest.slice(0, MESSAGE_BYTES - ID_BYTES);
}

const groupsSchema = z.array(z.object({ messages: z.instanceof(Uint8Array) }));

export type RecentDeliveries = ReturnType<typeof createRecentDeliveries>;

/**
 * Recognizes messages that the broker sends again. Within a transaction, call `save` at the end, or `forget`
 * if it failed. One row has a group of messages: a row per message would cost as much as its reading.
 */
export function createRecentDeliveries(db: DatabaseSync) {
  const findAll = db.prepare('SELECT messages FROM delivered ORDER BY last');
  const add = db.prepare(
    'INSERT INTO delivered (last, messages) VALUES ((SELECT coalesce(max(last), 0) FROM delivered) + ?, ?)',
  );
  const removeOld = db.prepare('DELETE FROM delivered WHERE last <= (SELECT max(last) FROM delivered) - ?');
  let words: string[] = [];
  /** The last message with each packet id; undefined until first needed. */
  let known: Map<string, string> | undefined;

  const idOf = (word: string) => word.slice(0, ID_BYTES);

  function remembered(): Map<string, string> {
    const saved = groupsSchema.parse(findAll.all()).map(({ messages }) => Buffer.from(messages));
    const all = Buffer.concat(saved).toString('latin1') + words.join('');
    const found = new Map<string, string>();
    for (let at = 0; at < all.length; at += MESSAGE_BYTES) {
      const word = all.slice(at, at + MESSAGE_BYTES);
      found.set(idOf(word), word);
    }
    return found;
  }

  function save(): void {
    if (words.length > 0) {
      add.run(words.length, Buffer.from(words.join(''), 'latin1'));
      removeOld.run(DELIVERIES_KEPT);
    }
    forget();
  }

  function forget(): void {
    words = [];
    known = undefined;
  }

  return {
    isRepeat: (message: MqttMessage): boolean => {
      if (message.delivery === undefined) return false;
      const { packetId, repeated } = message.delivery;
      const word = wordOf(message, packetId);
      if (repeated) {
        known ??= remembered();
        if (known.get(idOf(word)) === word) return true;
      }
      words.push(word);
      known?.set(idOf(word), word);
      return false;
    },
    save,
    forget,
    forgetAll: () => db.exec('DELETE FROM delivered'),
  };
}
