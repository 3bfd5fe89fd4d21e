import { createClock } from './clock.ts';
import type { KeeperConfig } from './config.ts';
import { isOfReadings } from './decode.ts';
import { errorText, log } from './log.ts';
import { linkBroker, type BrokerLink } from './mqtt.ts';
import { backoffMs, createPause } from './pause.ts';
import { announcePresence, bridgeSocket, isThere, keeperSocket, untilGone } from './presence.ts';
import { openSpool, type Spool } from './spool.ts';

/** A bridge that is only started again is back sooner. */
const BRIDGE_RESTARTS_MS = 5000;
/**
 * Nobody waits for what is kept, so acknowledgements can wait for each other, as far as the shipped broker, which leaves
 * 100 unanswered, goes on without them.
 */
const PATIENCE = { most: 50, ms: 300_000 };

export type Keeper = { stop: () => Promise<void> };

/**
 * Takes the bridge's place at the broker while the bridge is away: in its name, into its spool, unread. Otherwise the
 * broker would queue, which costs it a write of its whole queue with each message.
 */
export function startKeeper({ mqtt, spoolFile }: KeeperConfig): Keeper {
  const { availabilityTopic: _bridges, ...settings } = mqtt;
  const clock = createClock();
  const stopping = new AbortController();
  const pause = createPause();
  stopping.signal.addEventListener('abort', pause.wake);

  /** Keeps until the spool fails or `called` is aborted, and leaves neither link nor file open. */
  async function keep(called: AbortSignal): Promise<void> {
    const spool: Spool = openSpool(spoolFile);
    let link: BrokerLink | undefined;
    try {
      await new Promise<void>((resolve, reject) => {
        called.addEventListener('abort', () => resolve());
        if (called.aborted) return resolve();
        link = linkBroker(
          settings,
          clock,
          {
            take: (messages) => spool.keep(messages.filter(({ topic }) => isOfReadings(topic))),
            keepingFailed: reject,
            newSession: spool.forgetDeliveries,
            lastFilter: spool.lastFilter,
            subscribed: spool.rememberFilter,
            changed: (connected) => log('info', connected ? 'keeping' : 'not_keeping'),
            configurationsFollow: () => undefined,
            problem: (event, reason) => log('warn', event, { reason }),
          },
          PATIENCE,
        );
      });
    } finally {
      await link?.close();
      spool.close();
    }
  }

  async function keepWhileAway(): Promise<void> {
    const called = new AbortController();
    const until = AbortSignal.any([called.signal, stopping.signal]);
    const retry = createPause();
    until.addEventListener('abort', retry.wake);
    const presence = await announcePresence(keeperSocket(spoolFile), () => called.abort());
    try {
      // One that came before it could call is asked.
      for (let failures = 0; !until.aborted && !(await isThere(bridgeSocket(spoolFile))); failures++) {
        if (failures > 0) await retry.wait(backoffMs(failures, 500, 30_000));
        if (until.aborted) return;
        try {
          await keep(until);
        } catch (error) {
          log('error', 'keeping_failed', { reason: errorText(error) });
        }
      }
    } finally {
      presence.end();
    }
  }

  async function run(): Promise<void> {
    log('info', 'keeper_started');
    while (!stopping.signal.aborted) {
      await untilGone(bridgeSocket(spoolFile), stopping.signal);
      if (stopping.signal.aborted) return;
      await pause.wait(BRIDGE_RESTARTS_MS);
      if (stopping.signal.aborted || (await isThere(bridgeSocket(spoolFile)))) continue;
      log('info', 'bridge_away');
      await keepWhileAway();
    }
  }

  const done = run();
  return {
    stop: () => {
      stopping.abort();
      return done;
    },
  };
}
