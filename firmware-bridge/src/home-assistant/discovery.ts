import { createHash } from 'node:crypto';
import { NO_PLANTS_YET, type ListedPlant, type PlantList } from '#contract/readings';
import { BOARDS_MAX } from '../broker/boards.ts';
import { plantOf, type Message } from '../broker/decode.ts';
import { configOf, configTopicOf, plantOfConfig } from './device.ts';
import { log } from '../log.ts';

/** Publishes retained messages on the connection that is open. */
export type PublishRetained = (messages: readonly { topic: string; payload: string }[]) => void;

/**
 * Tells Home Assistant of the boards: each that was heard here, has a password, and whose plant the ingest worker lists.
 * What the broker retains is read with each connection, and only what differs is published.
 */
export type Discovery = {
  /** Handles the message if it is a configuration or the bridge's own availability; returns whether it was. */
  heard: (message: Message) => boolean;
  /** A board used its availability topic. */
  boardSpoke: (plant: string) => void;
  /**
   * The broker now sends the configurations that it retains, and after them the bridge's own `online`.
   * @param hearsItself whether the bridge also hears the configurations that it publishes
   */
  connected: (publish: PublishRetained, hearsItself: boolean) => void;
  disconnected: () => void;
  /** The users who have a password at the broker; null while that is unknown. */
  usersAre: (users: ReadonlySet<string> | null) => void;
  /** What the next heartbeat says of the list of plants that is held; undefined if none is wanted. */
  holds: () => string | undefined;
  listed: (list: PlantList | undefined) => void;
};

/** After this long without its own `online` the bridge lacks the right to read it, or has much else to read first. */
const UNREAD_AFTER_MS = 60_000;

type Held = { digest: string; only: ReadonlySet<string> | null; plants: ReadonlyMap<string, ListedPlant> };

const digestOf = (payload: string | Uint8Array) => createHash('sha256').update(payload).digest('base64');
const NOTHING = digestOf('');

/**
 * @param isOn when false, nothing is published but the removal of what was published before
 * @param ownAvailability the topic on which the bridge announces itself
 */
export function createDiscovery(isOn: boolean, ownAvailability: string): Discovery {
  let publish: PublishRetained | undefined;
  let isEchoed = true;
  let isRead = false;
  let unread: NodeJS.Timeout | undefined;
  let held: Held | undefined;
  let users: ReadonlySet<string> | null = null;
  /** Boards that were heard on this broker, and those of them that use their availability topic. */
  const boards = new Set<string>();
  const speaking = new Set<string>();
  /** Digests of the payloads that the broker retains, and of those wanted since it was asked, by plant. */
  const retained = new Map<string, string>();
  const wanted = new Map<string, string>();

  /** The payload that the broker should retain; empty for none, undefined if that is another bridge's business. */
  function payloadFor(plant: string): string | undefined {
    if (!isOn || (users !== null && !users.has(plant))) return '';
    const listed = held?.plants.get(plant);
    if (listed !== undefined) return configOf(listed, speaking.has(plant));
    const isOurs = held?.only?.has(plant) ?? true;
    return isOurs ? '' : undefined;
  }

  /** Publishes what is wanted now and was not before, unless the broker has it. */
  function announce(plants: Iterable<string>): void {
    if (publish === undefined || !isRead || (isOn && held === undefined)) return;
    const messages: { topic: string; payload: string }[] = [];
    for (const plant of plants) {
      const payload = payloadFor(plant);
      if (payload === undefined) continue;
      const digest = digestOf(payload);
      // What another took away since is not put back before the next connection: two would do it for ever.
      if (wanted.get(plant) === digest) continue;
      wanted.set(plant, digest);
      if ((retained.get(plant) ?? NOTHING) === digest) continue;
      retained.set(plant, digest);
      messages.push({ topic: configTopicOf(plant), payload });
    }
    if (messages.length === 0) return;
    publish(messages);
    const removed = messages.filter(({ payload }) => payload === '').length;
    log('info', 'home_assistant_told', { announced: messages.length - removed, removed });
  }

  const announceAll = () => announce(new Set([...retained.keys(), ...boards]));

  function boardHeard(plant: string): void {
    if (boards.has(plant) || boards.size >= BOARDS_MAX) return;
    boards.add(plant);
    announce([plant]);
  }

  return {
    heard: (message) => {
      if (message.topic === ownAvailability) {
        if (isRead || message.retained || Buffer.from(message.payload).toString() !== 'online') return true;
        isRead = true;
        clearTimeout(unread);
        announceAll();
        return true;
      }
      const plant = plantOfConfig(message.topic);
      if (plant === undefined) {
        const of = plantOf(message.topic);
        if (of !== undefined) boardHeard(of);
        return false;
      }
      // An echo comes late: it would stand for what the bridge has published since.
      const isNews = message.retained || !isEchoed;
      if (plant !== null && isNews && retained.size < BOARDS_MAX) {
        retained.set(plant, digestOf(message.payload));
      }
      return true;
    },
    boardSpoke: (plant) => {
      if (speaking.has(plant)) return;
      speaking.add(plant);
      boards.add(plant);
      announce([plant]);
    },
    connected: (publishRetained, hearsItself) => {
      publish = publishRetained;
      isEchoed = hearsItself;
      isRead = false;
      retained.clear();
      wanted.clear();
      clearTimeout(unread);
      if (!isOn) return;
      unread = setTimeout(() => {
        log('warn', 'home_assistant_not_told', { reason: 'what the broker retains could not be read' });
      }, UNREAD_AFTER_MS).unref();
    },
    disconnected: () => {
      publish = undefined;
      clearTimeout(unread);
    },
    usersAre: (now) => {
      users = now;
      announceAll();
    },
    holds: () => (isOn ? (held?.digest ?? NO_PLANTS_YET) : undefined),
    listed: (list) => {
      if (list === undefined) return;
      held = {
        digest: list.digest,
        only: list.only && new Set(list.only),
        plants: new Map(list.listed.map((plant) => [plant.plant, plant])),
      };
      announceAll();
    },
  };
}
