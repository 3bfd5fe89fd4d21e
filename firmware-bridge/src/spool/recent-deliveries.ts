import { hash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import * as z from 'zod';
import type { MqttMessage } from '../broker/decode.ts';

/**
 * So many messages are remembered. The broker cannot send an older one again, because it allows fewer
 * messages without an acknowledgement. After 65,535 messages the packet ids begin again: a message with a
 * forgotten id is then a new message, even if its content is the same.
 */
const DELIVERIES_KEPT = 10_000;

/** Bytes per stored message: its packet id, and enough of its digest to distinguish two messages. */
const ID_BYTES = 2;
const MESSAGE_BYTES = ID_BYTES + 16;

/** A message in the form in which it is stored, one character per byte. */
function wordOf({ topic, payload }: MqttMessage, packetId: number): string {
  const digest = hash('sha256', Buffer.concat([Buffer.from(`${topic}\0`), payload]), 'binary');
  return String.fromCharCode(packetId >> 8, packetId & 0xff) + digest.slice(0, MESSAGE_BYTES - ID_BYTES);
}

const groupsSchema = z.array(z.object({ messages: z.instanceof(Uint8Array) }));

export type RecentDeliveries = ReturnType<typeof createRecentDeliveries>;

/**
 * Recognizes messages that the broker sends again. At the end of a transaction call `save`, or `forget` if it
 * failed. One row stores a group of messages: a row per message would cost as much as a reading.
 */
export function createRecentDeliveries(db: DatabaseSync) {
  const findAll = db.prepare('SELECT messages FROM delivered ORDER BY last');
  const add = db.prepare(
    'INSERT INTO delivered (last, messages) VALUES ((SELECT coalesce(max(last), 0) FROM delivered) + ?, ?)',
  );
  const removeOld = db.prepare('DELETE FROM delivered WHERE last <= (SELECT max(last) FROM delivered) - ?');
  let words: string[] = [];
  /** By packet id: the last message with this id; undefined until it is needed. */
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
