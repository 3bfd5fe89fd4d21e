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
  /** Sends a heartbeat now, or one second after the last heartbeat. Call this when something has changed. */
  tell: () => void;
  /** Sends a last heartbeat that is valid for one second: otherwise the previous one would stay valid. */
  stop: () => Promise<void>;
};

/** One missed heartbeat is tolerated, two are not. */
const VALID_FOR_INTERVALS = 2.5;
/** Minimum pause: each heartbeat is written to D1, and a faulty board may go on and off endlessly. */
const LEAST_APART_MS = 1000;

const isoOrNull = (instant: number | null) => (instant === null ? null : new Date(instant).toISOString());

/** The waiting readings, and whether the spool accepts more; empty before it was first opened. */
function spoolOf(health: Health, status: SpoolStatus | null): Pick<Message, 'spool' | 'over_quota'> {
  const failure = health.spoolFailure();
  const filed = health.filedDeadLetters();
  if (failure === 'closed') return {};
  return {
    spool: {
      state: failure ?? 'ok',
      depth: status?.depth ?? null,
      oldest_at: isoOrNull(status?.oldestReceivedAt ?? null),
      // Includes letters in files, because an operator must still look at them. Null until these are counted:
      // otherwise the number would rise a moment later, as if new letters had come.
      dead: status === null || filed === null ? null : status.deadLetters + filed,
    },
    ...(status === null ? {} : { over_quota: mostOver(status.overQuota) }),
  };
}

/** The field `machine` of a heartbeat; no such field if nothing is known. */
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

/** A consumer of the list of plants: Home Assistant's discovery. */
type PlantListener = {
  /** The digest of the listener's list; undefined if it wants no list. */
  holds: () => string | undefined;
  listed: (list: PlantList | undefined) => void;
};

/** Facts about the machine; null while unknown. */
type Surroundings = {
  certificateEnd: () => number | null;
  /** In bytes. */
  disk: () => { free: number; size: number } | null;
};

/** The tasks from the portal. */
type Tasks = {
  kinds: readonly string[];
  given: (tasks: readonly OpenBridgeTask[]) => void;
  /** The result of the task that finished first; undefined if there is none. */
  result: () => Message['result'];
  /** Call this when the worker has received the first result, or will never accept it. */
  told: () => void;
};

/** Reports to the ingest worker every `intervalMs`: broker, boards, spool and quotas. Receives the plants. */
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
      // A result that the worker always refuses must not stop the heartbeats.
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
