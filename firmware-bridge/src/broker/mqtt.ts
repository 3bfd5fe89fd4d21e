import { plantTopic } from '#contract/plant-id';
import mqtt, { type IClientOptions, type IPublishPacket, type MqttClient } from 'mqtt';
import * as z from 'zod';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import type { Message } from './decode.ts';
import type { PublishRetained } from '../home-assistant/discovery.ts';
import { CONFIG_FILTER } from '../home-assistant/device.ts';
import { createIntake } from './intake.ts';
import { backoffMs } from '../pause.ts';

type BrokerEvents = {
  /**
   * Stores messages that arrived together. They are acknowledged only once this returns.
   * @throws Error when they could not be stored; the link then ends, because the broker redelivers only on a new one
   */
  take: (messages: readonly Message[]) => void;
  /**
   * The broker has no record of an earlier session.
   * @throws Error when that could not be stored; the link then ends
   */
  newSession: () => void;
  /** `take` or `newSession` threw, and the link has ended. */
  keepingFailed: (error: unknown) => void;
  changed: (connected: boolean) => void;
  /** The broker now sends what it retains for Home Assistant, and after it the bridge's own `online`. */
  configurationsFollow: (publish: PublishRetained, hearsItself: boolean) => void;
  problem: (event: string, reason: string) => void;
};

export type BrokerLink = {
  /** Accepts no further messages, announces `offline` and disconnects. */
  close: () => Promise<void>;
  /** Ends it at once, for when that takes too long: after a loss of the broker MQTT.js may wait for it without end. */
  drop: () => Promise<void>;
};

const FIRST_RETRY_MS = 1000;
const LONGEST_RETRY_MS = 15_000;
/** Only a link that has lasted this long resets the delay between attempts. */
const STEADY_AFTER_MS = 5000;
/** The maximum, because what boards publish while the bridge is away must not be dropped. */
const SESSION_NEVER_EXPIRES = 0xffff_ffff;
/** Maximum unacknowledged messages from an MQTT 5 broker, far fewer than the spool remembers. */
const RECEIVE_MAX = 1000;
/** Passed to MQTT.js for every message, so that it sends no acknowledgement of its own and continues with the next. */
const NOT_KEPT_YET = new Error('acknowledged when it is kept');

function messageFrom(packet: IPublishPacket, clock: Clock): Message {
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

/** Parsed here because MQTT.js, given a plain string, uses a deprecated parser that prints a warning into the log. */
export function addressFrom(url: string): IClientOptions {
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
    ...addressFrom(url),
    ...rest,
    protocolVersion,
    clean: false,
    ...(protocolVersion === 5
      ? { properties: { sessionExpiryInterval: SESSION_NEVER_EXPIRES, receiveMaximum: RECEIVE_MAX } }
      : {}),
    // Handlers attached after connecting would miss the first messages.
    manualConnect: true,
    // Otherwise MQTT.js gives up after one refused connection.
    reconnectOnConnackError: true,
    reconnectPeriod: FIRST_RETRY_MS,
    connectTimeout: 10_000,
    resubscribe: false,
    will: { topic: availabilityTopic, payload: Buffer.from('offline'), qos: 1, retain: true },
  };
}

/** Stays connected to the broker until the link is closed, and subscribes to the boards' readings. */
export function linkBroker(settings: Config['mqtt'], clock: Clock, events: BrokerEvents): BrokerLink {
  const { availabilityTopic } = settings;
  const client = mqtt.connect(optionsFrom(settings));
  let attempts = 0;
  let steady: NodeJS.Timeout | undefined;
  let open = true;

  function end(force: boolean): Promise<void> {
    open = false;
    intake.discard();
    client.options.reconnectPeriod = 0;
    return client.endAsync(force);
  }

  const intake = createIntake(events.take, (error) => void endAfterFailure(error), clock.uptime);

  // MQTT.js delivers the next message only when this one is done, which would mean one commit per message. See
  // docs/decisions/0014-acknowledged-in-groups.md.
  client.handleMessage = (packet, done) => {
    done(NOT_KEPT_YET);
    if (open) intake.add(messageFrom(packet, clock), client.stream);
  };

  async function endAfterFailure(cause: unknown): Promise<void> {
    try {
      await end(true);
    } catch (error) {
      events.problem('broker_error', String(error));
    }
    events.keepingFailed(cause);
  }

  async function subscribe(): Promise<void> {
    // `rh`: retained readings are sent with the first subscription only, the boards' retained states with every one.
    const granted = await client.subscribeAsync({
      [plantTopic('+', 'soil_moisture')]: { qos: 1, rh: 1 },
      [plantTopic('+', 'availability')]: { qos: 1, rh: 0 },
    });
    if (granted.length !== 2 || granted.some(({ qos }) => qos !== 1)) {
      throw new Error('the broker does not grant QoS 1');
    }
  }

  const publishRetained: PublishRetained = (messages) => {
    // Not queued for a later connection, which reads first what the broker retains.
    if (!open || !client.connected) return;
    for (const { topic, payload } of messages) client.publish(topic, payload, { retain: true });
  };

  /** Readings do not need it: a broker that refuses it only keeps the boards from Home Assistant. */
  async function readConfigurations(): Promise<void> {
    // Without echoes what comes is another's; MQTT 3.1.1 knows no `nl`.
    events.configurationsFollow(publishRetained, settings.protocolVersion !== 5);
    try {
      await client.subscribeAsync({
        [CONFIG_FILTER]: { qos: 1, rh: 0, nl: true },
        [availabilityTopic]: { qos: 1, rh: 2 },
      });
    } catch (error) {
      if (open) events.problem('home_assistant_refused', String(error));
    }
  }

  async function announce(state: 'online' | 'offline'): Promise<void> {
    try {
      await client.publishAsync(availabilityTopic, state, { qos: 1, retain: true });
    } catch (error) {
      if (open) events.problem('announcement_failed', String(error));
    }
  }

  async function subscribeAndAnnounce(): Promise<void> {
    try {
      // Needed in a resumed session too: the bridge may have died between connecting and subscribing.
      await subscribe();
      steady = setTimeout(() => {
        attempts = 0;
        client.options.reconnectPeriod = FIRST_RETRY_MS;
      }, STEADY_AFTER_MS);
      events.changed(client.connected);
    } catch (error) {
      events.problem('subscription_failed', String(error));
      dropConnection(client);
      return;
    }
    await readConfigurations();
    await announce('online');
  }

  client.on('connect', ({ sessionPresent }) => {
    try {
      if (!sessionPresent) events.newSession();
    } catch (error) {
      void endAfterFailure(error);
      return;
    }
    void subscribeAndAnnounce();
  });
  client.on('reconnect', () => {
    if (!open) return;
    attempts += 1;
    client.options.reconnectPeriod = backoffMs(attempts, FIRST_RETRY_MS, LONGEST_RETRY_MS);
  });
  client.on('close', () => {
    clearTimeout(steady);
    intake.flush();
    events.changed(false);
  });
  client.on('error', (error) => events.problem('broker_error', error.message || String(error)));
  client.connect();

  return {
    close: async () => {
      if (client.disconnected || !open) return;
      open = false;
      intake.discard();
      intake.acknowledge();
      if (client.connected) await announce('offline');
      await end(false);
    },
    drop: async () => {
      if (client.disconnected) return;
      if (client.disconnecting) dropConnection(client);
      else await end(true);
    },
  };
}

/** Drops the connection but not the client, which reconnects after its usual delay. */
function dropConnection(client: MqttClient): void {
  client.stream.destroy();
}
