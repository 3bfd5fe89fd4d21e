import { EVERY_GROUP, groupFilters } from '#contract/plant-group';
import mqtt, { type IClientOptions, type IPublishPacket, type MqttClient } from 'mqtt';
import * as z from 'zod';
import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import type { Message } from './decode.ts';
import type { PublishRetained } from './discovery.ts';
import { CONFIG_FILTER } from './home-assistant.ts';
import { createIntake, type Patience } from './intake.ts';
import { backoffMs } from './pause.ts';

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
  /** The filter that the session last subscribed to readings with; null if unknown. */
  lastFilter: () => string | null;
  /** The session subscribed to readings with this filter. */
  subscribed: (filter: string) => void;
  /** `take` or `newSession` threw, and the link has ended. */
  keepingFailed: (error: unknown) => void;
  changed: (connected: boolean) => void;
  /** The broker now sends what it retains for Home Assistant, and after it the bridge's own `online`. */
  configurationsFollow: (publish: PublishRetained, hearsItself: boolean) => void;
  problem: (event: string, reason: string) => void;
};

/** Without a topic for its availability the link announces nothing, and reads nothing for Home Assistant. */
export type BrokerSettings = Omit<Config['mqtt'], 'availabilityTopic'> & { availabilityTopic?: string };

export type BrokerLink = {
  /**
   * Lets go of the boards of groups that the bridge was for before. Until it is known that its group is the right one they stay: the
   * broker would drop what they publish, and nobody would have it. Where every group becomes one, that one's messages come twice until then.
   */
  leaveOthers: () => Promise<void>;
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

function optionsFrom(settings: BrokerSettings): IClientOptions {
  const {
    url,
    protocolVersion,
    sharedGroup: _shared,
    plantGroup: _plants,
    availabilityTopic,
    ...rest
  } = settings;
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
    ...(availabilityTopic === undefined
      ? {}
      : { will: { topic: availabilityTopic, payload: Buffer.from('offline'), qos: 1, retain: true } }),
  };
}

/** The filter of readings without the name of those who share it, and that of availability that goes with it. */
const unshared = (filter: string) => filter.replace(/^\$share\/[^/]+\//, '');
const availabilityBeside = (filter: string) => unshared(filter).replace(/soil_moisture$/, 'availability');

/** Stays connected to the broker until the link is closed, and subscribes to the boards' readings. */
export function linkBroker(
  settings: BrokerSettings,
  clock: Clock,
  events: BrokerEvents,
  patience?: Patience,
): BrokerLink {
  const client = mqtt.connect(optionsFrom(settings));
  let attempts = 0;
  let steady: NodeJS.Timeout | undefined;
  let open = true;
  /** Filters of groups that the bridge was for before. */
  let others: string[] = [];

  function end(force: boolean): Promise<void> {
    open = false;
    intake.discard();
    client.options.reconnectPeriod = 0;
    return client.endAsync(force);
  }

  const intake = createIntake(events.take, (error) => void endAfterFailure(error), clock.uptime, patience);

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
    const { sharedGroup, plantGroup } = settings;
    const prefix = sharedGroup === undefined ? '' : `$share/${sharedGroup}/`;
    const readings = groupFilters(plantGroup, 'soil_moisture').map((filter) => prefix + filter);
    const availability = groupFilters(plantGroup, 'availability');
    // `rh`: retained readings are sent with the first subscription only, the boards' retained states with every one.
    const granted = await client.subscribeAsync({
      ...Object.fromEntries(readings.map((filter) => [filter, { qos: 1, rh: 1 }])),
      ...Object.fromEntries(availability.map((filter) => [filter, { qos: 1, rh: 0 }])),
    });
    if (granted.length !== readings.length * 2 || granted.some(({ qos }) => qos !== 1)) {
      throw new Error('the broker does not grant QoS 1');
    }
    // The session survives a change of the group, and of what is shared: through both filters it would receive all twice.
    const before = (events.lastFilter()?.split('\n') ?? []).filter((filter) => !readings.includes(filter));
    const isHeardStill = (filter: string) => readings.some((own) => unshared(own) === unshared(filter));
    const again = before.filter((filter) => plantGroup === EVERY_GROUP || isHeardStill(filter));
    others = before.filter((filter) => !again.includes(filter));
    events.subscribed([...readings, ...others].join('\n'));
    if (again.length > 0) await client.unsubscribeAsync(again);
  }

  const publishRetained: PublishRetained = (messages) => {
    // Not queued for a later connection, which reads first what the broker retains.
    if (!open || !client.connected) return;
    for (const { topic, payload } of messages) client.publish(topic, payload, { retain: true });
  };

  /** Readings do not need it: a broker that refuses it only keeps the boards from Home Assistant. */
  async function readConfigurations(availabilityTopic: string): Promise<void> {
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

  async function announce(availabilityTopic: string, state: 'online' | 'offline'): Promise<void> {
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
    const { availabilityTopic } = settings;
    if (availabilityTopic === undefined) return;
    await readConfigurations(availabilityTopic);
    await announce(availabilityTopic, 'online');
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

  async function leaveOthers(): Promise<void> {
    if (others.length === 0 || !client.connected) return;
    const left = others;
    others = [];
    const kept = events.lastFilter()?.split('\n') ?? [];
    try {
      await client.unsubscribeAsync([...left, ...left.map(availabilityBeside)]);
      events.subscribed(kept.filter((filter) => !left.includes(filter)).join('\n'));
    } catch (error) {
      others = left;
      if (open) events.problem('other_groups_not_left', String(error));
    }
  }

  return {
    leaveOthers,
    close: async () => {
      if (client.disconnected || !open) return;
      open = false;
      intake.discard();
      intake.acknowledge();
      const { availabilityTopic } = settings;
      if (client.connected && availabilityTopic !== undefined) await announce(availabilityTopic, 'offline');
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
