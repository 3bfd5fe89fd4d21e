import { VERSION } from '#contract/release';
import { dirname } from 'node:path';
import { createBoards } from './broker/boards.ts';
import { followUsers } from './home-assistant/broker-users.ts';
import { followCertificate } from './broker/certificate.ts';
import { createClock, type Clock } from './clock.ts';
import type { Config } from './config.ts';
import { startDeadLetterFiles, type DeadLetterFiles } from './spool/dead-letter-files.ts';
import type { Message } from './broker/decode.ts';
import { startDelivery, type Delivery } from './deliver/delivery.ts';
import { createDiscovery } from './home-assistant/discovery.ts';
import { diskOf } from './spool/disk-room.ts';
import { createHealth, serveHealth } from './health.ts';
import { startHeartbeat } from './deliver/heartbeat.ts';
import { createIngestClient } from './deliver/ingest-client.ts';
import { log } from './log.ts';
import { linkBroker, type BrokerLink } from './broker/mqtt.ts';
import { backoffMs, createPause } from './pause.ts';
import { SpoolError } from './spool/spool-error.ts';
import { openSpool, type Spool } from './spool/spool.ts';
import { explained } from './system-error.ts';

/** How long shutdown waits for each task in progress. */
const STOP_GRACE_MS = 2000;

function withinGrace(work: Promise<void> | undefined): Promise<unknown> {
  return Promise.race([work, new Promise((resolve) => setTimeout(resolve, STOP_GRACE_MS))]);
}

export type RunningBridge = {
  /** Where its health answers, on 127.0.0.1. */
  healthPort: number;
  /** Says goodbye and leaves nothing open; resolves when it has, also when it is called again. */
  stop: (reason: string) => Promise<void>;
};

/** The port of HEALTH_PORT cannot be listened on: the message is for who runs the bridge. */
export class PortTaken extends Error {}

/**
 * Runs the bridge until it is stopped. Resolves as soon as its health answers. The health report says whether the
 * bridge reaches its spool, its broker and its ingest worker.
 * @throws PortTaken
 */
export async function runBridge(config: Config, clock: Clock = createClock()): Promise<RunningBridge> {
  let spool: Spool | undefined;
  let link: BrokerLink | undefined;
  let delivery: Delivery | undefined;
  let deadLetterFiles: DeadLetterFiles | undefined;
  const stopping = new AbortController();
  const spoolRetry = createPause();
  const health = createHealth(
    () => spool?.status() ?? null,
    () => heartbeat.tell(),
    () => deadLetterFiles?.filed() ?? null,
    () => boards.passedOver(),
  );
  const ingest = createIngestClient({ ...config.ingest, clock });

  const server = await serveHealth(health, clock.now, config.healthPort).catch((error: unknown) => {
    throw new PortTaken(`HEALTH_PORT ${config.healthPort} cannot be used: ${explained(error)}`);
  });
  const address = server.address();
  const healthPort = typeof address === 'object' && address !== null ? address.port : config.healthPort;
  log('info', 'started', { version: VERSION, health_port: healthPort });
  const discovery = createDiscovery(config.homeAssistant, config.mqtt.availabilityTopic);
  const users = config.usersFile === undefined ? null : followUsers(config.usersFile, discovery.usersAre);
  const boards = createBoards(clock, (plant) => {
    discovery.boardSpoke(plant);
    heartbeat.tell();
  });
  const certificate = followCertificate(config.mqtt, () => heartbeat.tell());
  const heartbeat = startHeartbeat(config.heartbeatMs, ingest, health, boards, discovery, {
    certificateEnd: certificate.end,
    disk: () => diskOf(dirname(config.spoolFile)),
  });

  function openedSpool(): Spool {
    if (spool === undefined) throw new SpoolError(health.spoolFailure() ?? 'closed', 'the spool is not open');
    return spool;
  }

  function take(messages: readonly Message[]): void {
    const reports = messages.filter((message) => !boards.heard(message) && !discovery.heard(message));
    const { outcomes, ...taken } = openedSpool().commit(reports);
    for (const outcome of outcomes) health.received(outcome);
    health.took(taken);
    if (reports.length > 0) delivery?.wake();
  }

  function connect(): BrokerLink {
    return linkBroker(config.mqtt, clock, {
      take,
      keepingFailed: (error) => {
        health.failed('intake', error);
        void connectWhenSpoolIsWritable(1);
      },
      newSession: () => openedSpool().forgetDeliveries(),
      changed: (connected) => {
        const before = health.brokerConnected();
        health.brokerChanged(connected);
        if (!connected) discovery.disconnected();
        else void certificate.look();
        if (before !== connected) heartbeat.tell();
      },
      configurationsFollow: discovery.connected,
      problem: health.problem,
    });
  }

  function reopenSpool(): boolean {
    try {
      spool?.close();
      spool = undefined;
      spool = openSpool(config.spoolFile, config.spoolLimits, clock);
    } catch (error) {
      health.failed('intake', error);
      return false;
    }
    return true;
  }

  function spoolHasRoom(): boolean {
    try {
      if (openedSpool().hasRoom()) return true;
      throw new SpoolError('full', 'no room on its disk');
    } catch (error) {
      health.failed('intake', error);
      return false;
    }
  }

  /** @param failures number of consecutive spool failures so far */
  async function connectWhenSpoolIsWritable(failures: number): Promise<void> {
    for (let failed = failures; !stopping.signal.aborted; failed += 1) {
      if (failed > 0) await spoolRetry.wait(backoffMs(failed, 500, failed > 20 ? 30_000 : 5000));
      if (stopping.signal.aborted) return;
      // Keep a full spool open: closing it would discard SQLite's auxiliary files, which could not be recreated.
      if ((spool === undefined || health.spoolFailure() !== 'full') && !reopenSpool()) continue;
      delivery ??= startDelivery(openedSpool, ingest, health, clock);
      deadLetterFiles ??= startDeadLetterFiles(
        openedSpool,
        dirname(config.spoolFile),
        config.deadLetters,
        clock,
      );
      delivery.wake();
      if (!spoolHasRoom()) continue;
      health.spoolOpened();
      link = connect();
      return;
    }
  }

  async function end(reason: string): Promise<void> {
    stopping.abort();
    log('info', 'stopping', { reason });
    spoolRetry.wake();
    await withinGrace(
      Promise.all([link?.close(), delivery?.stop(), deadLetterFiles?.stop()]).then(() => heartbeat.stop()),
    );
    await link?.drop();
    users?.stop();
    certificate.stop();
    server.close();
    server.closeAllConnections();
    spool?.close();
    spool = undefined;
    log('info', 'stopped');
  }

  let ended: Promise<void> | undefined;
  void connectWhenSpoolIsWritable(0);
  return { healthPort, stop: (reason) => (ended ??= end(reason)) };
}
