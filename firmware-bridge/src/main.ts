import { VERSION } from '#contract/release';
import { visible } from '#contract/visible-text';
import { dirname } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { boardCommand } from './board-command.ts';
import {
  calledAs,
  EXIT_USAGE,
  helpText,
  noMore,
  readLine,
  wantsHelp,
  wrongUse,
  WrongUse,
} from './command-line.ts';
import { createBoards } from './boards.ts';
import { followUsers } from './broker-users.ts';
import { followCertificate } from './certificate.ts';
import { createClock } from './clock.ts';
import { EXIT_CONFIG, readConfig, readKeeperConfig, type Config } from './config.ts';
import { deadLetterCommand } from './dead-letter-command.ts';
import { startDeadLetterFiles, type DeadLetterFiles } from './dead-letter-files.ts';
import type { Message } from './decode.ts';
import { startDelivery, type Delivery } from './delivery.ts';
import { createDiscovery } from './discovery.ts';
import { diskOf } from './disk-room.ts';
import { healthCommand } from './health-command.ts';
import { createHealth, serveHealth } from './health.ts';
import { makeFolder } from './folders.ts';
import { startHeartbeat } from './heartbeat.ts';
import { createIngestClient } from './ingest-client.ts';
import { startKeeper } from './keeper.ts';
import { errorText, log } from './log.ts';
import { linkBroker, type BrokerLink } from './mqtt.ts';
import { backoffMs, createPause } from './pause.ts';
import { announcePresence, bridgeSocket, keeperSocket, untilGone, type Presence } from './presence.ts';
import { print } from './print.ts';
import { setupCommand } from './setup-command.ts';
import { SpoolError } from './spool-error.ts';
import { openSpool, type Spool } from './spool.ts';
import { explained } from './system-error.ts';

/** How long shutdown waits for each task in progress. */
const STOP_GRACE_MS = 2000;
/** How long the keeper may take to let go of the broker. */
const KEEPER_GRACE_MS = 10_000;

function exitWithLines(lines: readonly string[], exitCode = EXIT_CONFIG): never {
  process.stderr.write(lines.map((line) => `firmware-bridge: ${visible(line)}\n`).join(''));
  process.exit(exitCode);
}

function withinGrace(work: Promise<void> | undefined): Promise<unknown> {
  return Promise.race([work, new Promise((resolve) => setTimeout(resolve, STOP_GRACE_MS))]);
}

async function run(config: Config): Promise<void> {
  let spool: Spool | undefined;
  let link: BrokerLink | undefined;
  let delivery: Delivery | undefined;
  let deadLetterFiles: DeadLetterFiles | undefined;
  let presence: Presence | undefined;
  const stopping = new AbortController();
  const spoolRetry = createPause();
  const health = createHealth(
    () => spool?.status() ?? null,
    () => heartbeat.tell(),
    () => deadLetterFiles?.filed() ?? null,
    () => boards.passedOver(),
  );
  const clock = createClock();
  const ingest = createIngestClient({ ...config.ingest, group: config.mqtt.plantGroup, clock });

  const server = await serveHealth(health, clock.now, config.healthPort).catch((error: unknown) =>
    exitWithLines([`HEALTH_PORT ${config.healthPort} cannot be used: ${explained(error)}`]),
  );
  const address = server.address();
  log('info', 'started', {
    version: VERSION,
    health_port: typeof address === 'object' ? (address?.port ?? null) : null,
  });
  const { availabilityTopic, plantGroup } = config.mqtt;
  const discovery = createDiscovery(config.homeAssistant, availabilityTopic, plantGroup);
  if (config.usersFile !== undefined) followUsers(config.usersFile, discovery.usersAre);
  const boards = createBoards(clock, (plant) => {
    discovery.boardSpoke(plant);
    heartbeat.tell();
  });
  const certificate = followCertificate(config.mqtt, () => heartbeat.tell());
  const heartbeat = startHeartbeat(config.heartbeatMs, ingest, health, boards, discovery, {
    isTaken: () => void link?.leaveOthers(),
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
      lastFilter: () => openedSpool().lastFilter(),
      subscribed: (filter) => openedSpool().rememberFilter(filter),
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

  /** By now the keeper can hear of this bridge, and will not begin anew. */
  async function untilKeeperHasLetGo(): Promise<void> {
    try {
      presence ??= await announcePresence(bridgeSocket(config.spoolFile));
      const within = AbortSignal.any([AbortSignal.timeout(KEEPER_GRACE_MS), stopping.signal]);
      await untilGone(keeperSocket(config.spoolFile), within);
    } catch (error) {
      health.problem('presence_not_told', errorText(error));
    }
  }

  /** What the keeper took while the bridge was away, before the broker sends anything that came later. */
  async function takeInKept(): Promise<boolean> {
    try {
      await untilKeeperHasLetGo();
      for (;;) {
        const { outcomes, ...taken } = openedSpool().takeKept();
        for (const outcome of outcomes) health.received(outcome);
        health.took(taken);
        if (outcomes.length === 0) return true;
        delivery?.wake();
        await nextTurn();
      }
    } catch (error) {
      health.failed('intake', error);
      return false;
    }
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
      if (!(await takeInKept()) || stopping.signal.aborted || !spoolHasRoom()) continue;
      health.spoolOpened();
      link = connect();
      return;
    }
  }

  async function stop(reason: string): Promise<void> {
    if (stopping.signal.aborted) return;
    stopping.abort();
    log('info', 'stopping', { reason });
    spoolRetry.wake();
    await withinGrace(
      Promise.all([link?.close(), delivery?.stop(), deadLetterFiles?.stop()]).then(() => heartbeat.stop()),
    );
    spool?.close();
    log('info', 'stopped');
    process.exit(0);
  }

  process.on('SIGTERM', () => void stop('SIGTERM'));
  process.on('SIGINT', () => void stop('SIGINT'));
  // When started with an IPC channel, the bridge exits with its parent.
  if (process.connected) process.on('disconnect', () => void stop('parent gone'));

  await connectWhenSpoolIsWritable(0);
}

async function keep(): Promise<void> {
  const config = readKeeperConfig(process.env);
  if ('problems' in config) exitWithLines(config.problems);
  makeFolder(dirname(config.spoolFile));
  const keeper = startKeeper(config);
  for (const signal of ['SIGTERM', 'SIGINT']) {
    process.on(signal, () => void keeper.stop().then(() => process.exit(0)));
  }
}

const HELP = {
  command: calledAs('node firmware-bridge/src/main.ts', 'cps-bridge'),
  does: "takes the boards' readings from the MQTT broker, keeps them on disk and sends them to the lab portal.",
  ways: [
    ['health', 'what the bridge that runs here says of itself, as JSON'],
    ['dead-letters list|export|replay', 'what was not understood or refused; --help behind it tells more'],
    ['board …', 'users of the broker, installed as cps-board; --help behind it tells more'],
    ['setup', 'connects this machine with the portal, installed as cps-setup; --help behind it tells more'],
    ['keep', "takes the bridge's place at the broker while it is away: keeper.service"],
    ['', 'runs the bridge: bridge.service'],
  ],
  options: { version: { type: 'boolean', tells: 'which version this is' } },
  notes: 'Its settings are variables (/etc/cps-bridge.env): docs/configuration.md#bridge',
  example: calledAs('node firmware-bridge/src/main.ts health', 'sudo cps-bridge health'),
  page: 'firmware-bridge/README.md',
} as const;

/** These read the words behind them by themselves. */
const [command, ...args] = process.argv.slice(2);
if (command === 'dead-letters') {
  process.exitCode = await deadLetterCommand(args, process.env, print);
} else if (command === 'board') {
  const { exitCode, text } = boardCommand(args, process.env);
  await print(text);
  process.exitCode = exitCode;
} else if (command === 'setup') {
  process.exitCode = await setupCommand(args, process.env);
} else if (wantsHelp(process.argv.slice(2))) {
  await print(helpText(HELP));
} else {
  try {
    const { words, values } = readLine(HELP, process.argv.slice(2));
    noMore(words.slice(1));
    await runNamed(values.version === true ? '--version' : words[0]);
  } catch (error) {
    if (!(error instanceof WrongUse)) throw error;
    exitWithLines(wrongUse(HELP, error.message).split('\n'), EXIT_USAGE);
  }
}

async function runNamed(name: string | undefined): Promise<void> {
  if (name === 'health') {
    const { exitCode, text } = await healthCommand(process.env);
    await print(text);
    process.exitCode = exitCode;
  } else if (name === '--version') {
    await print(VERSION);
  } else if (name === 'keep') {
    await keep();
  } else if (name === undefined) {
    const config = readConfig(process.env);
    if ('problems' in config) exitWithLines(config.problems);
    await run(config);
  } else {
    throw new WrongUse(`there is no ${visible(name)}`);
  }
}
