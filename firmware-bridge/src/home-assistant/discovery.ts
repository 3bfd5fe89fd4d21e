import { createHash } from 'node:crypto';
import { NO_PLANTS_DIGEST, type ListedPlant, type PlantList } from '#contract/readings';
import { existsSync, readFileSync, unwatchFile, watchFile } from 'node:fs';
import { BOARDS_MAX } from '../broker/boards.ts';
import type { BrokerListener, PublishRetained } from '../broker/mqtt.ts';
import { plantOfReadingTopic, type MqttMessage } from '../broker/decode.ts';
import { DISCOVERY_TOPIC_FILTER, discoveryPayload, discoveryTopic, plantOfDiscoveryTopic } from './device.ts';
import { log, errorText } from '../log.ts';

/** If the bridge does not receive its own `online` for this long, it may lack the right to read its topic. */
const UNREAD_AFTER_MS = 60_000;

type Held = { digest: string; only: ReadonlySet<string> | null; plants: ReadonlyMap<string, ListedPlant> };

const digestOf = (payload: string | Uint8Array) => createHash('sha256').update(payload).digest('base64');
const NOTHING = digestOf('');

/**
 * Publishes boards to Home Assistant. A board is published if it has sent a message to this broker, if it has
 * a password, and if the ingest worker lists its plant. On each connection, discovery first reads the
 * retained messages, and then publishes only what differs from them.
 */
export class Discovery implements BrokerListener {
  readonly #isOn: boolean;
  readonly #ownAvailability: string;
  readonly name = 'home_assistant';
  readonly filters: BrokerListener['filters'];
  #publish: PublishRetained | undefined;
  #isEchoed = true;
  #isRead = false;
  #unread: NodeJS.Timeout | undefined;
  #held: Held | undefined;
  #users: ReadonlySet<string> | null = null;
  /** Plants whose boards have sent a message to this broker. */
  readonly #boards = new Set<string>();
  /** Plants whose boards use their availability topic. */
  readonly #speaking = new Set<string>();
  /** By plant: the digest of the payload that the broker now retains. */
  readonly #retained = new Map<string, string>();
  /** By plant: the digest of the payload that this connection has last wanted the broker to retain. */
  readonly #wanted = new Map<string, string>();

  /**
   * @param isOn if false, only removes earlier configurations
   * @param ownAvailability the topic on which the bridge says that it is online
   */
  constructor(isOn: boolean, ownAvailability: string) {
    this.#isOn = isOn;
    this.#ownAvailability = ownAvailability;
    // `nl`: the broker sends no echo, so each message is from another client. MQTT 3.1.1 does not have `nl`.
    this.filters = {
      [DISCOVERY_TOPIC_FILTER]: { qos: 1, rh: 0, nl: true },
      [ownAvailability]: { qos: 1, rh: 2 },
    };
  }

  /** The payload that the broker should retain: empty for none, undefined if another bridge decides. */
  #payloadFor(plant: string): string | undefined {
    if (!this.#isOn || (this.#users !== null && !this.#users.has(plant))) return '';
    const listed = this.#held?.plants.get(plant);
    if (listed !== undefined) return discoveryPayload(listed, this.#speaking.has(plant));
    const isOurs = this.#held?.only?.has(plant) ?? true;
    return isOurs ? '' : undefined;
  }

  /** Publishes each plant's payload, unless the broker has it or this connection has already wanted it. */
  #announce(plants: Iterable<string>): void {
    if (this.#publish === undefined || !this.#isRead || (this.#isOn && this.#held === undefined)) return;
    const messages: { topic: string; payload: string }[] = [];
    for (const plant of plants) {
      const payload = this.#payloadFor(plant);
      if (payload === undefined) continue;
      const digest = digestOf(payload);
      // Do not repeat a message that another client deletes: the two would publish and delete it for ever.
      if (this.#wanted.get(plant) === digest) continue;
      this.#wanted.set(plant, digest);
      if ((this.#retained.get(plant) ?? NOTHING) === digest) continue;
      this.#retained.set(plant, digest);
      messages.push({ topic: discoveryTopic(plant), payload });
    }
    if (messages.length === 0) return;
    this.#publish(messages);
    const removed = messages.filter(({ payload }) => payload === '').length;
    log('info', 'home_assistant_told', { announced: messages.length - removed, removed });
  }

  #announceAll(): void {
    this.#announce(new Set([...this.#retained.keys(), ...this.#boards]));
  }

  #boardHeard(plant: string): void {
    if (this.#boards.has(plant) || this.#boards.size >= BOARDS_MAX) return;
    this.#boards.add(plant);
    this.#announce([plant]);
  }

  /** Handles a message about a configuration or the bridge's own availability; returns whether it was one. */
  heard(message: MqttMessage): boolean {
    if (message.topic === this.#ownAvailability) {
      if (this.#isRead || message.retained || Buffer.from(message.payload).toString() !== 'online')
        return true;
      this.#isRead = true;
      clearTimeout(this.#unread);
      this.#announceAll();
      return true;
    }
    const plant = plantOfDiscoveryTopic(message.topic);
    if (plant === undefined) {
      const of = plantOfReadingTopic(message.topic);
      if (of !== undefined) this.#boardHeard(of);
      return false;
    }
    // The echo of an own message arrives late. It would replace the digest of a newer message.
    const isNews = message.retained || !this.#isEchoed;
    if (plant !== null && isNews && this.#retained.size < BOARDS_MAX) {
      this.#retained.set(plant, digestOf(message.payload));
    }
    return true;
  }

  /** @param speaks false if the retained message about the board's availability was deleted */
  boardSpoke(plant: string, speaks: boolean): void {
    if (this.#speaking.has(plant) === speaks) return;
    if (speaks) this.#speaking.add(plant);
    else this.#speaking.delete(plant);
    this.#boards.add(plant);
    this.#announce([plant]);
  }

  connected(publishRetained: PublishRetained, hearsItself: boolean): void {
    this.#publish = publishRetained;
    this.#isEchoed = hearsItself;
    this.#isRead = false;
    this.#retained.clear();
    this.#wanted.clear();
    clearTimeout(this.#unread);
    if (!this.#isOn) return;
    this.#unread = setTimeout(() => {
      log('warn', 'home_assistant_not_told', { reason: 'the retained messages could not be read' });
    }, UNREAD_AFTER_MS).unref();
  }

  disconnected(): void {
    this.#publish = undefined;
    clearTimeout(this.#unread);
  }

  /** Call this with the users who have a password at the broker; null while the users are unknown. */
  usersAre(now: ReadonlySet<string> | null): void {
    this.#users = now;
    this.#announceAll();
  }

  /** The digest to send with the next heartbeat; undefined if no list of plants is wanted. */
  holds(): string | undefined {
    return this.#isOn ? (this.#held?.digest ?? NO_PLANTS_DIGEST) : undefined;
  }

  listed(list: PlantList | undefined): void {
    if (list === undefined) return;
    this.#held = {
      digest: list.digest,
      only: list.only && new Set(list.only),
      plants: new Map(list.listed.map((plant) => [plant.plant, plant])),
    };
    this.#announceAll();
  }
}

const LOOK_EVERY_MS = 1000;

/**
 * Follows the list of users that `board` writes beside the broker's password file.
 * @param changed gets the users at once and after each change; null while there is no such file
 */
export function watchBrokerUsers(
  file: string,
  changed: (users: ReadonlySet<string> | null) => void,
): { stop: () => void } {
  function read(): void {
    try {
      const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : null;
      changed(lines && new Set(lines.filter((line) => line !== '')));
    } catch (error) {
      log('warn', 'users_not_readable', { reason: errorText(error) });
      changed(null);
    }
  }
  // Polls: each change replaces the whole file, and a watch of the file would end with the old file.
  watchFile(file, { persistent: false, interval: LOOK_EVERY_MS }, read);
  read();
  return { stop: () => unwatchFile(file, read) };
}
