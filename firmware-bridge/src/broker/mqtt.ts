import { plantTopic } from '#contract/plant-id';
import mqtt, { type IClientOptions, type IPublishPacket, type ISubscriptionMap, type MqttClient } from 'mqtt';
import { backoffMs } from '#contract/backoff';
import * as z from 'zod';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import type { MqttMessage } from './decode.ts';
import { createIntake, type Intake } from './intake.ts';

export type PublishRetained = (messages: readonly { topic: string; payload: string }[]) => void;

/** A second receiver of the connection's messages: the code for Home Assistant. Readings do not need it. */
export type BrokerListener = {
  name: string;
  filters: ISubscriptionMap;
  /**
   * Called on each connection. The broker now sends the filters' retained messages, then the bridge's
   * `online`.
   * @param hearsItself whether the bridge also receives what it publishes
   */
  connected: (publish: PublishRetained, hearsItself: boolean) => void;
  disconnected: () => void;
  /** Handles a message that is for the listener. Returns whether the message was for the listener. */
  heard: (message: MqttMessage) => boolean;
};

type BrokerEvents = {
  /**
   * Stores messages that arrived together. They are acknowledged only when `take` has returned.
   * @throws Error if they could not be stored. The connection then ends, because the broker sends messages
   *   again only on a new connection
   */
  take: (messages: readonly MqttMessage[]) => void;
  /**
   * Called if the broker does not remember an earlier session of the bridge.
   * @throws Error if the spool could not store the change; the connection then ends
   */
  newSession: () => void;
  /** Called after `take` or `newSession` threw an error and the connection has ended. */
  keepingFailed: (error: unknown) => void;
  changed: (connected: boolean) => void;
  listener: BrokerListener;
  problem: (event: string, reason: string) => void;
};

const RETRY = { firstMs: 1000, mostMs: 15_000 };
/** Only a connection that has lasted this long resets the delay between attempts. */
const STEADY_AFTER_MS = 5000;
/** The maximum of MQTT: the broker must not drop messages that boards publish while the bridge is away. */
const SESSION_NEVER_EXPIRES = 0xffff_ffff;
/** Maximum unacknowledged messages from an MQTT 5 broker. The spool remembers many more messages. */
const RECEIVE_MAX = 1000;
/** MQTT.js gets this error for every message. So it sends no acknowledgement, and reads the next message. */
const NOT_KEPT_YET = new Error('acknowledged later, once it is stored');

function messageFrom(packet: IPublishPacket, clock: Clock): MqttMessage {
  const { topic, payload, retain, messageId, dup, qos } = packet;
  return {
    topic,
    payload: typeof payload === 'string' ? Buffer.from(payload) : payload,
    retained: retain,
    ...clock.stamp(),
    ...(qos === 0 || messageId === undefined ? {} : { delivery: { packetId: messageId, repeated: dup } }),
  };
}

const protocolSchema = z.enum(['mqtt', 'mqtts', 'ws', 'wss']);

/** Parses the URL here: MQTT.js would use a deprecated parser that prints a warning. */
export function parseBrokerUrl(url: string): IClientOptions {
  const { protocol, username, password, hostname, port, pathname, search } = new URL(url);
  return {
    protocol: protocolSchema.parse(protocol.slice(0, -1)),
    // Sockets need an IPv6 address without brackets, WebSockets with them.
    hostname: protocol.startsWith('ws') ? hostname : hostname.replace(/^\[(.*)\]$/, '$1'),
    ...(port === '' ? {} : { port: Number(port) }),
    path: pathname + search,
    ...(username === '' ? {} : { username: decodeURIComponent(username) }),
    ...(password === '' ? {} : { password: decodeURIComponent(password) }),
  };
}

function optionsFrom(settings: Config['mqtt']): IClientOptions {
  const { url, protocolVersion, availabilityTopic, ...rest } = settings;
  return {
    ...parseBrokerUrl(url),
    ...rest,
    protocolVersion,
    clean: false,
    ...(protocolVersion === 5
      ? { properties: { sessionExpiryInterval: SESSION_NEVER_EXPIRES, receiveMaximum: RECEIVE_MAX } }
      : {}),
    // A handler that is attached after connecting would miss the first messages.
    manualConnect: true,
    // Without this, MQTT.js gives up when the broker refuses a connection once.
    reconnectOnConnackError: true,
    reconnectPeriod: RETRY.firstMs,
    connectTimeout: 10_000,
    resubscribe: false,
    will: { topic: availabilityTopic, payload: Buffer.from('offline'), qos: 1, retain: true },
  };
}

/** Stays connected to the broker until `close` is called, and subscribes to the boards' readings. */
export class BrokerConnection {
  readonly #settings: Config['mqtt'];
  readonly #events: BrokerEvents;
  readonly #client: MqttClient;
  readonly #intake: Intake;
  #attempts = 0;
  #steady: NodeJS.Timeout | undefined;
  #open = true;

  constructor(settings: Config['mqtt'], clock: Clock, events: BrokerEvents) {
    this.#settings = settings;
    this.#events = events;
    this.#client = mqtt.connect(optionsFrom(settings));
    this.#intake = createIntake(events.take, (error) => void this.#endAfterFailure(error), clock.uptime);
    // MQTT.js delivers the next message only when this one is done, which would mean one commit per message. See
    // docs/decisions/0014-acknowledged-in-groups.md.
    this.#client.handleMessage = (packet, done) => {
      done(NOT_KEPT_YET);
      if (this.#open) this.#intake.add(messageFrom(packet, clock), this.#client.stream);
    };
    this.#client.on('connect', ({ sessionPresent }) => {
      try {
        if (!sessionPresent) this.#events.newSession();
      } catch (error) {
        void this.#endAfterFailure(error);
        return;
      }
      void this.#subscribeAndAnnounce();
    });
    this.#client.on('reconnect', () => {
      if (!this.#open) return;
      this.#attempts += 1;
      this.#client.options.reconnectPeriod = backoffMs(this.#attempts, RETRY, Math.random());
    });
    this.#client.on('close', () => {
      clearTimeout(this.#steady);
      this.#intake.flush();
      this.#events.changed(false);
    });
    this.#client.on('error', (error) => this.#events.problem('broker_error', error.message || String(error)));
    this.#client.connect();
  }

  async close(): Promise<void> {
    if (this.#client.disconnected || !this.#open) return;
    this.#open = false;
    this.#intake.discard();
    this.#intake.acknowledge();
    if (this.#client.connected) await this.#announce('offline');
    await this.#end(false);
  }

  /** Ends the connection at once. Call this if `close` takes too long: MQTT.js may wait for ever. */
  async drop(): Promise<void> {
    if (this.#client.disconnected) return;
    if (this.#client.disconnecting) dropConnection(this.#client);
    else await this.#end(true);
  }

  #end(force: boolean): Promise<void> {
    this.#open = false;
    this.#intake.discard();
    this.#client.options.reconnectPeriod = 0;
    return this.#client.endAsync(force);
  }

  async #endAfterFailure(cause: unknown): Promise<void> {
    try {
      await this.#end(true);
    } catch (error) {
      this.#events.problem('broker_error', String(error));
    }
    this.#events.keepingFailed(cause);
  }

  async #subscribe(): Promise<void> {
    // `rh` 1: the broker sends retained readings only on the first subscription. 0: on every subscription.
    const granted = await this.#client.subscribeAsync({
      [plantTopic('+', 'soil_moisture')]: { qos: 1, rh: 1 },
      [plantTopic('+', 'availability')]: { qos: 1, rh: 0 },
    });
    if (granted.length !== 2 || granted.some(({ qos }) => qos !== 1)) {
      throw new Error('the broker does not grant QoS 1');
    }
  }

  #publishRetained(messages: Parameters<PublishRetained>[0]): void {
    // MQTT.js would queue these messages for the next connection, where retained messages must be read first.
    if (!this.#open || !this.#client.connected) return;
    for (const { topic, payload } of messages) this.#client.publish(topic, payload, { retain: true });
  }

  /** If the broker refuses this subscription, readings still arrive. Only the listener gets no messages. */
  async #subscribeFor(listener: BrokerListener): Promise<void> {
    listener.connected((messages) => this.#publishRetained(messages), this.#settings.protocolVersion !== 5);
    try {
      await this.#client.subscribeAsync(listener.filters);
    } catch (error) {
      if (this.#open) this.#events.problem(`${listener.name}_refused`, String(error));
    }
  }

  async #announce(state: 'online' | 'offline'): Promise<void> {
    try {
      await this.#client.publishAsync(this.#settings.availabilityTopic, state, { qos: 1, retain: true });
    } catch (error) {
      if (this.#open) this.#events.problem('announcement_failed', String(error));
    }
  }

  async #subscribeAndAnnounce(): Promise<void> {
    try {
      // Subscribes again in a resumed session: the bridge may have died before it could subscribe.
      await this.#subscribe();
      this.#steady = setTimeout(() => {
        this.#attempts = 0;
        this.#client.options.reconnectPeriod = RETRY.firstMs;
      }, STEADY_AFTER_MS);
      this.#events.changed(this.#client.connected);
    } catch (error) {
      this.#events.problem('subscription_failed', String(error));
      dropConnection(this.#client);
      return;
    }
    await this.#subscribeFor(this.#events.listener);
    await this.#announce('online');
  }
}

/** Drops the connection but not the client, which reconnects after its usual delay. */
function dropConnection(client: MqttClient): void {
  client.stream.destroy();
}
