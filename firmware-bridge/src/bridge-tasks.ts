import { exec } from 'node:child_process';
import { promisify } from 'node:util';
import {
  bridgeTaskSchema,
  DEAD_LETTERS_PER_ANSWER,
  DEAD_LETTER_BYTES_MAX,
  bridgeTaskTimeoutMs,
  type BoardTask,
  type BridgeTask,
  type DeadLetter,
  type OpenBridgeTask,
  type BridgeTaskKind,
  type BridgeTaskResult,
} from '#contract/bridges';
import { VERSION } from '#contract/release';
import { runBoardTask } from './commands/board-command.ts';
import { requestBoardTask } from './commands/board-request.ts';
import { deadLettersOf, replaySelectedDeadLetters } from './commands/dead-letters-command.ts';
import { repairDeadLetter, replaySummary } from './commands/replay-dead-letters.ts';
import type { Config } from './config.ts';
import { errorText, log } from './log.ts';
import { isoTime, utf8TextOrNull } from './spool/dead-letter-files.ts';
import type { DeadLetterRow } from './spool/dead-letter-store.ts';
import type { Spool } from './spool/spool.ts';
import { SpoolError, type SpoolStatus } from './spool/state.ts';
import { explainError } from './system-error.ts';

/* Runs the tasks that an admin orders in the portal. It calls the same functions as the bridge's commands. */

type BridgeParts = {
  spool: () => Spool;
  wake: () => void;
  status: () => SpoolStatus | null;
  filedDeadLetters: () => number | null;
};

const TEXT_MAX = 8000;
/** Maximum bytes of all dead letters in one result. The ingest worker refuses a body that is too large. */
const LETTERS_BYTES = 100_000;
const TOPIC_MAX = 300;

function shown({
  id,
  receivedAt,
  topic,
  reason,
  messages,
  readings,
  payload,
  folded,
}: DeadLetterRow): DeadLetter {
  const isShown = folded === 0 && payload.byteLength <= DEAD_LETTER_BYTES_MAX;
  return {
    id,
    received_at: isoTime(receivedAt),
    topic: topic.slice(0, TOPIC_MAX),
    reason,
    messages,
    readings,
    payload: isShown ? utf8TextOrNull(payload) : null,
  };
}

function deadLetters(way: BridgeParts): BridgeTaskResult {
  const letters: DeadLetter[] = [];
  let bytes = 0;
  for (const letter of deadLettersOf(way.spool())) {
    const next = shown(letter);
    bytes += Buffer.byteLength(JSON.stringify(next));
    if (letters.length === DEAD_LETTERS_PER_ANSWER || bytes > LETTERS_BYTES) break;
    letters.push(next);
  }
  const all = (way.status()?.deadLetters ?? 0) + (way.filedDeadLetters() ?? 0);
  const listed = letters.reduce((sum, { messages }) => sum + messages, 0);
  return { ok: true, text: '', letters, more: Math.max(0, all - listed) };
}

async function replayed(way: BridgeParts, ids: readonly number[]): Promise<BridgeTaskResult> {
  const lines: string[] = [];
  const status = await replaySelectedDeadLetters(way.spool(), new Set(ids), (line) =>
    Promise.resolve(void lines.push(line)),
  );
  way.wake();
  return { ok: status === 0, text: lines.join('\n') };
}

function repaired(
  way: BridgeParts,
  { id, payload }: Extract<BridgeTask, { kind: 'repair' }>,
): BridgeTaskResult {
  const problem = repairDeadLetter(way.spool(), id, payload);
  way.wake();
  return { ok: problem === undefined, text: problem ?? replaySummary({ replayed: 1, left: 0 }) };
}

const run = promisify(exec);

async function backedUp(command: string): Promise<BridgeTaskResult> {
  const ended = await run(command, { timeout: bridgeTaskTimeoutMs('backup') }).then(
    (said) => ({ ok: true, ...said }),
    (error: Error & { stdout?: string; stderr?: string }) => ({
      ok: false,
      stdout: error.stdout ?? '',
      stderr: error.stderr || error.message,
    }),
  );
  return { ok: ended.ok, text: `${ended.stdout}${ended.stderr}`.trim() };
}

/**
 * Runs each task once, one task after another. The bridge receives and sends readings in the meantime.
 * @param done is called when there is a result
 */
export function createBridgeTaskRunner(
  { boards, backupCommand }: Config,
  way: BridgeParts,
  done: () => void,
) {
  const kinds: BridgeTaskKind[] = [
    'dead_letters',
    'replay',
    'repair',
    ...(boards === null ? [] : (['board_add', 'board_revoke'] as const)),
    ...(backupCommand === undefined ? [] : (['backup'] as const)),
  ];
  const begun = new Set<number>();
  const results: (BridgeTaskResult & { id: number })[] = [];
  let last = Promise.resolve();

  async function board(task: BoardTask): Promise<BridgeTaskResult> {
    if (boards === null) throw new Error('this bridge is not set up to add boards');
    return 'orderFile' in boards
      ? await requestBoardTask(boards.orderFile, task)
      : runBoardTask(task, boards.env);
  }

  async function resultOf(asked: OpenBridgeTask['task']): Promise<BridgeTaskResult> {
    const { data: task } = bridgeTaskSchema.safeParse(asked);
    if (task === undefined || !kinds.includes(task.kind))
      return { ok: false, text: `this bridge (${VERSION}) is not set up for this task: ${asked.kind}` };
    if (task.kind === 'dead_letters') return deadLetters(way);
    if (task.kind === 'replay') return await replayed(way, task.ids);
    if (task.kind === 'repair') return repaired(way, task);
    if (task.kind === 'backup') return await backedUp(backupCommand ?? '');
    return await board(task);
  }

  async function carryOut({ id, task }: OpenBridgeTask): Promise<void> {
    const result = await resultOf(task).catch((error: unknown): BridgeTaskResult => {
      log('error', 'task_failed', { id, kind: task.kind, reason: errorText(error) });
      return { ok: false, text: error instanceof SpoolError ? error.message : explainError(error) };
    });
    results.push({ ...result, text: result.text.slice(-TEXT_MAX), id });
    done();
  }

  return {
    kinds,
    given: (tasks: readonly OpenBridgeTask[]) => {
      for (const task of tasks.filter(({ id }) => !begun.has(id))) {
        begun.add(task.id);
        last = last.then(() => carryOut(task));
      }
    },
    result: () => results[0],
    told: () => void results.shift(),
  };
}
