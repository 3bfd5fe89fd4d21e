import { backoffMs } from '#contract/backoff';
import { VERSION } from '#contract/release';
import { dirname } from 'node:path';
import { createBoards, type Boards } from './broker/boards.ts';
import { watchCertificateExpiry } from './broker/certificate.ts';
import { createClock, type Clock } from './clock.ts';
import type { Config } from './config.ts';
import { startDeadLetterFiles, type DeadLetterFiles } from './spool/dead-letter-files.ts';
import type { MqttMessage } from './broker/decode.ts';
import { Delivery } from './deliver/delivery.ts';
import { Discovery, watchBrokerUsers } from './home-assistant/discovery.ts';
import { diskSpace } from './spool/disk.ts';
import { Health } from './health.ts';
import { serveHealth } from './health-server.ts';
import { startHeartbeat } from './deliver/heartbeat.ts';
import { createIngestClient, type IngestClient } from './deliver/ingest-client.ts';
import { log } from './log.ts';
import { BrokerConnection, type BrokerListener } from './broker/mqtt.ts';
import { createPause } from './pause.ts';
import { SpoolError, type SpoolStatus } from './spool/state.ts';
import { openSpool, type Spool } from './spool/spool.ts';
import { explainError } from './system-error.ts';
import { createBridgeTaskRunner } from './bridge-tasks.ts';

/** After so many failures of the spool the pauses become longer: nobody may repair it soon. */
const PATIENT_AFTER = 20;
const SPOOL_RETRY = { firstMs: 500, mostMs: 5000 };
const PATIENT_RETRY = { firstMs: 500, mostMs: 30_000 };

/** How long shutdown waits for each task that is still running. */
const STOP_GRACE_MS = 1000;

function withinGrace(work: Promise<void> | undefined): Promise<unknown> {
  return Promise.race([work, new Promise((resolve) => setTimeout(resolve, STOP_GRACE_MS))]);
}

type RunningBridge = {
  /** The port on 127.0.0.1 at which the health report is served. */
  healthPort: number;
  /** Stops the parts in order. Resolves when all have stopped, even if it is called again. */
  stop: (reason: string) => Promise<void>;
};

/** The port in HEALTH_PORT is in use. The error's message is for the operator. */
export class PortTakenError extends Error {}

/** What the pipeline needs from the other parts of the bridge. */
type Around = {
  config: Config;
  clock: Clock;
  ingest: IngestClient;
  health: Health;
  boards: Boards;
  listener: BrokerListener;
  /** Called when the connection to the broker has changed; `isNews` if its state differs from the last. */
  changed: (connected: boolean, isNews: boolean) => void;
};

/** The way of a reading: from the broker into the spool, and from the spool to the ingest worker. */
class Pipeline {
  readonly #around: Around;
  readonly #stopping = new AbortController();
  readonly #retry = createPause();
  #spool: Spool | undefined;
  #link: BrokerConnection | undefined;
  #delivery: Delivery | undefined;
  #deadLetterFiles: DeadLetterFiles | undefined;

  constructor(around: Around) {
    this.#around = around;
  }

  /** @throws SpoolError while the spool is not open */
  spool(): Spool {
    return this.#openedSpool();
  }

  /** Sends the readings that a task has put into the spool. */
  wake(): void {
    this.#delivery?.wake();
  }

  status(): SpoolStatus | null {
    return this.#spool?.status() ?? null;
  }

  filedDeadLetters(): number | null {
    return this.#deadLetterFiles?.filed() ?? null;
  }

  /**
   * Connects to the broker as soon as the spool accepts readings, and waits for this without a limit.
   * @param failures number of consecutive spool failures so far
   */
  async connectWhenSpoolIsWritable(failures = 0): Promise<void> {
    const { config, clock, ingest, health } = this.#around;
    const spool = () => this.#openedSpool();
    for (let failed = failures; !this.#stopping.signal.aborted; failed += 1) {
      const retry = failed > PATIENT_AFTER ? PATIENT_RETRY : SPOOL_RETRY;
      if (failed > 0) await this.#retry.wait(backoffMs(failed, retry, Math.random()));
      if (this.#stopping.signal.aborted) return;
      // On a full disk, do not close the spool: SQLite could not create its other files again.
      if ((this.#spool === undefined || health.spoolFailure() !== 'full') && !this.#reopenSpool()) continue;
      this.#delivery ??= new Delivery(spool, ingest, health, clock);
      this.#deadLetterFiles ??= startDeadLetterFiles(spool, dirname(config.spoolFile), clock);
      this.#delivery.wake();
      if (!this.#spoolHasRoom()) continue;
      health.spoolOpened();
      this.#link = this.#connect();
      return;
    }
  }

  /** Accepts no more messages. Resolves when the present work is done. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#retry.wake();
    await Promise.all([this.#link?.close(), this.#delivery?.stop(), this.#deadLetterFiles?.stop()]);
  }

  async drop(): Promise<void> {
    await this.#link?.drop();
  }

  closeSpool(): void {
    this.#spool?.close();
    this.#spool = undefined;
  }

  #openedSpool(): Spool {
    if (this.#spool !== undefined) return this.#spool;
    throw new SpoolError(this.#around.health.spoolFailure() ?? 'closed', 'the spool is not open');
  }

  #take(messages: readonly MqttMessage[]): void {
    const { boards, health, listener } = this.#around;
    const reports = messages.filter((message) => !boards.heard(message) && !listener.heard(message));
    const { outcomes, ...taken } = this.#openedSpool().commit(reports);
    for (const outcome of outcomes) health.received(outcome);
    health.took(taken);
    if (reports.length > 0) this.#delivery?.wake();
  }

  #connect(): BrokerConnection {
    const { config, clock, health, listener, changed } = this.#around;
    return new BrokerConnection(config.mqtt, clock, {
      take: (messages) => this.#take(messages),
      keepingFailed: (error) => {
        health.failed('intake', error);
        void this.connectWhenSpoolIsWritable(1);
      },
      newSession: () => this.#openedSpool().forgetDeliveries(),
      changed: (connected) => {
        const before = health.brokerConnected();
        health.brokerChanged(connected);
        if (!connected) listener.disconnected();
        changed(connected, before !== connected);
      },
      listener,
      problem: (event, reason) => health.problem(event, reason),
    });
  }

  #reopenSpool(): boolean {
    const { config, clock, health } = this.#around;
    try {
      this.closeSpool();
      this.#spool = openSpool(config.spoolFile, config.spoolLimits, clock);
    } catch (error) {
      health.failed('intake', error);
      return false;
    }
    return true;
  }

  #spoolHasRoom(): boolean {
    try {
      if (this.#openedSpool().hasRoom()) return true;
      throw new SpoolError('full', 'its disk is full');
    } catch (error) {
      this.#around.health.failed('intake', error);
      return false;
    }
  }
}

/**
 * Starts the bridge, which runs until it is stopped. Resolves when the health report is served, even if the
 * spool, the broker or the ingest worker fails: the report then shows the failure.
 * @throws PortTakenError
 */
export async function runBridge(config: Config, clock: Clock = createClock()): Promise<RunningBridge> {
  const health = new Health(
    () => way.status(),
    () => heartbeat.tell(),
    () => way.filedDeadLetters(),
    () => boards.passedOver(),
    () => boards.reconnecting(),
  );
  const ingest = createIngestClient({ ...config.ingest, clock });
  const server = await serveHealth(health, clock.now, config.healthPort).catch((error: unknown) => {
    throw new PortTakenError(`HEALTH_PORT ${config.healthPort} cannot be used: ${explainError(error)}`);
  });
  const address = server.address();
  const healthPort = typeof address === 'object' && address !== null ? address.port : config.healthPort;
  log('info', 'started', { version: VERSION, health_port: healthPort });
  const discovery = new Discovery(config.homeAssistant, config.mqtt.availabilityTopic);
  const users =
    config.usersFile === undefined
      ? null
      : watchBrokerUsers(config.usersFile, (users) => discovery.usersAre(users));
  const boards = createBoards(clock, (plant, speaks) => {
    discovery.boardSpoke(plant, speaks);
    heartbeat.tell();
  });
  const certificate = watchCertificateExpiry(config.mqtt, () => heartbeat.tell());
  const changed = (connected: boolean, isNews: boolean) => {
    if (connected) void certificate.look();
    if (isNews) heartbeat.tell();
  };
  const way = new Pipeline({ config, clock, ingest, health, boards, listener: discovery, changed });
  const tasks = createBridgeTaskRunner(config, way, () => heartbeat.tell());
  const surroundings = {
    certificateEnd: certificate.end,
    disk: () => diskSpace(dirname(config.spoolFile)),
  };
  const heartbeat = startHeartbeat(
    config.heartbeatMs,
    ingest,
    health,
    boards,
    discovery,
    surroundings,
    tasks,
  );

  async function end(reason: string): Promise<void> {
    log('info', 'stopping', { reason });
    await withinGrace(way.stop());
    // Comes even if the last batch does not end: a stopping bridge must send no heartbeat and get no task.
    await withinGrace(heartbeat.stop());
    await way.drop();
    users?.stop();
    certificate.stop();
    server.close();
    server.closeAllConnections();
    way.closeSpool();
    log('info', 'stopped');
  }

  let ended: Promise<void> | undefined;
  void way.connectWhenSpoolIsWritable();
  return { healthPort, stop: (reason) => (ended ??= end(reason)) };
}
