import { backoffMs } from '#contract/backoff';
import type { OpenBridgeTask } from '#contract/bridges';
import { BOARDS_OVER_QUOTA_MAX, type Heartbeat as Message, type PlantList } from '#contract/readings';
import type { Boards } from '../broker/boards.ts';
import type { Health } from '../health.ts';
import type { IngestClient } from './ingest-client.ts';
import { log } from '../log.ts';
import { createPause } from '../pause.ts';
import type { SpoolStatus } from '../spool/state.ts';
import type { OverQuota } from '../spool/quota.ts';

type Heartbeat = {
  /** Sends a heartbeat now, or one second after the last one. Call this when something has changed. */
  tell: () => void;
  /** Sends a last heartbeat, valid for one second. Otherwise the heartbeat before it would stay valid. */
  stop: () => Promise<void>;
};

/** The worker tolerates one missing heartbeat, but not two. */
const VALID_FOR_INTERVALS = 2.5;
/** Minimum pause: each heartbeat is written to D1, and a faulty board may go on and off all the time. */
const LEAST_APART_MS = 1000;

const isoOrNull = (instant: number | null) => (instant === null ? null : new Date(instant).toISOString());

/** The waiting readings, and whether the spool accepts more; empty until the spool was opened once. */
function spoolOf(health: Health, status: SpoolStatus | null): Pick<Message, 'spool' | 'over_quota'> {
  const failure = health.spoolFailure();
  const filed = health.filedDeadLetters();
  if (failure === 'closed') return {};
  return {
    spool: {
      state: failure ?? 'ok',
      depth: status?.depth ?? null,
      oldest_at: isoOrNull(status?.oldestReceivedAt ?? null),
      // Counts letters in files too, because an operator must still look at them. Null until the files are
      // counted: otherwise the number would rise a moment later, as if new letters had come.
      dead: status === null || filed === null ? null : status.deadLetters + filed,
    },
    ...(status === null ? {} : { over_quota: mostOver(status.overQuota) }),
  };
}

/** The field `machine` of a heartbeat; absent if no fact about the machine is known. */
function machineOf(
  { certificateEnd, disk }: Pick<Surroundings, 'certificateEnd' | 'disk'>,
  status: SpoolStatus | null,
  boards: Boards,
  tasks: readonly string[] | undefined,
): Pick<Message, 'machine'> {
  const end = certificateEnd();
  const room = disk();
  const passedOver = boards.passedOver();
  const reconnecting = boards.reconnecting();
  const machine = {
    ...(end === null ? {} : { certificate_until: new Date(end).toISOString() }),
    ...(room === null ? {} : { disk: room }),
    ...(status === null || status.deadBoards.length === 0 ? {} : { dead_boards: status.deadBoards }),
    ...(passedOver === 0 ? {} : { boards_passed_over: passedOver }),
    ...(reconnecting.length === 0 ? {} : { boards_reconnecting: reconnecting }),
    ...(tasks === undefined ? {} : { tasks: [...tasks] }),
  };
  return Object.keys(machine).length === 0 ? {} : { machine };
}

const mostOver = (boards: readonly OverQuota[]) =>
  boards.toSorted((a, b) => b.waiting + b.refused - a.waiting - a.refused).slice(0, BOARDS_OVER_QUOTA_MAX);

/** The receiver of the list of plants: Home Assistant's discovery. */
type PlantListener = {
  /** The digest of the list that the receiver has; undefined if it wants no list. */
  holds: () => string | undefined;
  listed: (list: PlantList | undefined) => void;
};

/** Facts about the machine; null if a fact is unknown. */
type Surroundings = {
  certificateEnd: () => number | null;
  /** Both in bytes. */
  disk: () => { free: number; size: number } | null;
};

/** The tasks that an admin orders in the portal. */
type Tasks = {
  kinds: readonly string[];
  given: (tasks: readonly OpenBridgeTask[]) => void;
  /** The result of the task that finished first; undefined if no task has finished. */
  result: () => Message['result'];
  /** Call this when the worker has received that result, or will never accept it. */
  told: () => void;
};

/** Reports broker, boards, spool and quotas to the ingest worker every `intervalMs`; receives the plants. */
export function startHeartbeat(
  intervalMs: number,
  ingest: IngestClient,
  health: Health,
  boards: Boards,
  plants: PlantListener,
  surroundings: Surroundings = { certificateEnd: () => null, disk: () => null },
  tasks?: Tasks,
): Heartbeat {
  const pause = createPause();
  const apart = createPause();
  const stopping = new AbortController();
  const retry = { firstMs: 500, mostMs: intervalMs };
  let failures = 0;

  async function beat(): Promise<void> {
    const reports = boards.report();
    const status = health.spool();
    const result = tasks?.result();
    const heartbeat = {
      broker_connected: health.brokerConnected(),
      valid_for_ms: VALID_FOR_INTERVALS * intervalMs,
      ...(reports.length === 0 ? {} : { boards: reports }),
      ...spoolOf(health, status),
      ...machineOf(surroundings, status, boards, tasks?.kinds),
      ...(result === undefined ? {} : { result }),
    };
    const answer = await ingest.sendHeartbeat(heartbeat, plants.holds());
    if (answer.arrived) {
      boards.told(reports);
      plants.listed(answer.plants);
      if (result !== undefined) tasks?.told();
      if (!stopping.signal.aborted) tasks?.given(answer.tasks ?? []);
      if (tasks?.result() !== undefined) pause.wake();
      failures = 0;
      health.heard();
    } else {
      // Drops a result that the worker always refuses: otherwise no heartbeat would arrive any more.
      if (result !== undefined && answer.failure === 'ingest_refused') tasks?.told();
      failures += 1;
      health.unheard(answer.reason);
    }
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      await beat();
      const waitMs = failures === 0 ? intervalMs : backoffMs(failures - 1, retry, Math.random());
      const leastMs = Math.min(waitMs, LEAST_APART_MS);
      await apart.wait(leastMs);
      await pause.wait(waitMs - leastMs);
    }
  }

  const done = run();
  return {
    tell: pause.wake,
    stop: async () => {
      stopping.abort();
      apart.wake();
      pause.wake();
      await done;
      const last = { broker_connected: false, valid_for_ms: 1000, ...spoolOf(health, health.spool()) };
      const answer = await ingest.sendHeartbeat(last);
      if (!answer.arrived) log('warn', 'heartbeat_failed', { reason: answer.reason });
    },
  };
}
