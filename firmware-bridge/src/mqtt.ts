import mqtt, { type IClientOptions, type IPublishPacket, type MqttClient } from 'mqtt';
import * as z from 'zod';
import { AVAILABILITY_FILTER } from './boards.ts';
import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import { TOPIC_FILTER, type Message } from './decode.ts';
import { createIntake } from './intake.ts';
import { backoffMs } from './pause.ts';

export type BrokerEvents = {
  /**
   * Takes messages that arrived together. They are acknowledged when this returns, and only then.
   * @throws when they could not be kept; then the link ends, because the broker repeats them only on a new one
   */
  take: (messages: readonly Message[]) => void;
  /**
   * The broker knows nothing of an earlier session.
   * @throws when that could not be noted; then the link ends
   */
  newSession: () => void;
  /** The filter under which the session was last subscribed to the readings; null when nobody knows. */
  lastFilter: () => string | null;
  /** The session is subscribed to the readings by this filter. */
  subscribed: (filter: string) => void;
  /** `take` or `newSession` threw, and the link has ended. */
  keepingFailed: (error: unknown) => void;
  changed: (connected: boolean) => void;
  problem: (event: string, reason: string) => void;
};

export type BrokerLink = {
  /** Takes no further message, says goodbye and disconnects. */
  close: () => Promise<void>;
};

const FIRST_RETRY_MS = 1000;
const LONGEST_RETRY_MS = 15_000;
/** Only a link that has held for so long begins again with the shortest pause. */
const STEADY_AFTER_MS = 5000;
/** For as long as the broker will: what boards publish while the bridge is away must not be dropped. */
const SESSION_NEVER_EXPIRES = 0xffff_ffff;
/** Most messages that a broker of MQTT 5 may leave unacknowledged, far fewer than the spool remembers. */
const RECEIVE_MAX = 1000;
/** Told to MQTT.js about every message: it then sends no acknowledgement and goes on to the next. */
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

/** Handed the address as one string, MQTT.js takes it apart with what Node warns of in the middle of the log. */
export function addressFrom(url: string): IClientOptions {
  const { protocol, username, password, hostname, port, pathname, search } = new URL(url);
  return {
    protocol: protocolSchema.parse(protocol.slice(0, -1)),
    // A socket wants an IPv6 address bare, a WebSocket as it stands in an address.
    hostname: protocol.startsWith('ws') ? hostname : hostname.replace(/^\[(.*)\]$/, '$1'),
    ...(port === '' ? {} : { port: Number(port) }),
    path: pathname + search,
    ...(username === '' ? {} : { username: decodeURIComponent(username) }),
    ...(password === '' ? {} : { password: decodeURIComponent(password) }),
  };
}

function optionsFrom(settings: Config['mqtt']): IClientOptions {
  const { url, protocolVersion, sharedGroup: _group, availabilityTopic, ...rest } = settings;
  return {
    ...addressFrom(url),
    ...rest,
    protocolVersion,
    clean: false,
    ...(protocolVersion === 5
      ? { properties: { sessionExpiryInterval: SESSION_NEVER_EXPIRES, receiveMaximum: RECEIVE_MAX } }
      : {}),
    // A handler that is attached after connecting misses what the broker sends first.
    manualConnect: true,
    // Without it one refused connection is the last.
    reconnectOnConnackError: true,
    reconnectPeriod: FIRST_RETRY_MS,
    connectTimeout: 10_000,
    resubscribe: false,
    will: { topic: availabilityTopic, payload: Buffer.from('offline'), qos: 1, retain: true },
  };
}

/** Connects to the broker for as long as the link is not closed, and subscribes to the boards' readings. */
export function linkBroker(settings: Config['mqtt'], clock: Clock, events: BrokerEvents): BrokerLink {
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

  const intake = createIntake(events.take, (error) => void endAfterFailure(error));

  // MQTT.js hands over one message at a time, the next when this one is answered for: a commit for each would be
  // the limit. See docs/decisions/0014-acknowledged-in-groups.md.
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
    const { sharedGroup } = settings;
    const filter = sharedGroup === undefined ? TOPIC_FILTER : `$share/${sharedGroup}/${TOPIC_FILTER}`;
    // `rh`: retained readings come with the first subscription only, the boards' retained states with each.
    const granted = await client.subscribeAsync({
      [filter]: { qos: 1, rh: 1 },
      [AVAILABILITY_FILTER]: { qos: 1, rh: 0 },
    });
    if (granted.length !== 2 || granted.some(({ qos }) => qos !== 1)) {
      throw new Error('the broker does not grant QoS 1');
    }
    // The session outlives a change of the group, and would be handed every reading under the old filter too.
    const before = events.lastFilter();
    if (before !== null && before !== filter) await client.unsubscribeAsync(before);
    events.subscribed(filter);
  }

  async function announce(state: 'online' | 'offline'): Promise<void> {
    try {
      await client.publishAsync(settings.availabilityTopic, state, { qos: 1, retain: true });
    } catch (error) {
      if (open) events.problem('announcement_failed', String(error));
    }
  }

  async function subscribeAndAnnounce(): Promise<void> {
    try {
      // Also in an old session: the bridge may have died between its first connection and its subscription.
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
      if (client.connected) await announce('offline');
      await end(false);
    },
  };
}

/** Ends the connection, not the client: it comes back after its usual pause. */
function dropConnection(client: MqttClient): void {
  client.stream.destroy();
}
