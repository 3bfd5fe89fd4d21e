import { exec } from 'node:child_process';
import { promisify } from 'node:util';
import {
  bridgeTaskSchema,
  DEAD_LETTERS_PER_ANSWER,
  DEAD_LETTER_BYTES_MAX,
  taskTimeoutMs,
  type BoardTask,
  type BridgeTask,
  type DeadLetter,
  type OpenTask,
  type TaskKind,
  type TaskResult,
} from '#contract/bridges';
import { VERSION } from '#contract/release';
import { boardTask } from './commands/board-command.ts';
import { requestBoardTask } from './commands/board-request.ts';
import { lettersOf, replayWanted } from './commands/dead-letters-command.ts';
import { repair, replaySummary } from './commands/replay-letters.ts';
import type { Config } from './config.ts';
import { errorText, log } from './log.ts';
import { isoTime, textOf } from './spool/dead-letter-files.ts';
import type { DeadLetterRow } from './spool/dead-letter-store.ts';
import type { Spool } from './spool/spool.ts';
import { SpoolError, type SpoolStatus } from './spool/state.ts';
import { explainError } from './system-error.ts';

/* The admins' tasks from the portal for this bridge, done by the functions of its commands. */

type BridgeParts = {
  spool: () => Spool;
  wake: () => void;
  status: () => SpoolStatus | null;
  filedDeadLetters: () => number | null;
};

const TEXT_MAX = 8000;
/** Maximum bytes of all letters in a result, within the ingest worker's limit. */
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
    payload: isShown ? textOf(payload) : null,
  };
}

function deadLetters(way: BridgeParts): TaskResult {
  const letters: DeadLetter[] = [];
  let bytes = 0;
  for (const letter of lettersOf(way.spool())) {
    const next = shown(letter);
    bytes += Buffer.byteLength(JSON.stringify(next));
    if (letters.length === DEAD_LETTERS_PER_ANSWER || bytes > LETTERS_BYTES) break;
    letters.push(next);
  }
  const all = (way.status()?.deadLetters ?? 0) + (way.filedDeadLetters() ?? 0);
  const listed = letters.reduce((sum, { messages }) => sum + messages, 0);
  return { ok: true, text: '', letters, more: Math.max(0, all - listed) };
}

async function replayed(way: BridgeParts, ids: readonly number[]): Promise<TaskResult> {
  const lines: string[] = [];
  const status = await replayWanted(way.spool(), new Set(ids), (line) =>
    Promise.resolve(void lines.push(line)),
  );
  way.wake();
  return { ok: status === 0, text: lines.join('\n') };
}

function repaired(way: BridgeParts, { id, payload }: Extract<BridgeTask, { kind: 'repair' }>): TaskResult {
  const problem = repair(way.spool(), id, payload);
  way.wake();
  return { ok: problem === undefined, text: problem ?? replaySummary({ replayed: 1, left: 0 }) };
}

const run = promisify(exec);

async function backedUp(command: string): Promise<TaskResult> {
  const ended = await run(command, { timeout: taskTimeoutMs('backup') }).then(
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
 * Does each task once, one after another, while readings continue.
 * @param done is called when there is a result
 */
export function createTasks({ boards, backupCommand }: Config, way: BridgeParts, done: () => void) {
  const kinds: TaskKind[] = [
    'dead_letters',
    'replay',
    'repair',
    ...(boards === null ? [] : (['board_add', 'board_revoke'] as const)),
    ...(backupCommand === undefined ? [] : (['backup'] as const)),
  ];
  const begun = new Set<number>();
  const results: (TaskResult & { id: number })[] = [];
  let last = Promise.resolve();

  async function board(task: BoardTask): Promise<TaskResult> {
    if (boards === null) throw new Error('this bridge is not set up to add boards');
    return 'orderFile' in boards
      ? await requestBoardTask(boards.orderFile, task)
      : boardTask(task, boards.env);
  }

  async function resultOf(asked: OpenTask['task']): Promise<TaskResult> {
    const { data: task } = bridgeTaskSchema.safeParse(asked);
    if (task === undefined || !kinds.includes(task.kind))
      return { ok: false, text: `this bridge (${VERSION}) is not set up for this task: ${asked.kind}` };
    if (task.kind === 'dead_letters') return deadLetters(way);
    if (task.kind === 'replay') return await replayed(way, task.ids);
    if (task.kind === 'repair') return repaired(way, task);
    if (task.kind === 'backup') return await backedUp(backupCommand ?? '');
    return await board(task);
  }

  async function carryOut({ id, task }: OpenTask): Promise<void> {
    const result = await resultOf(task).catch((error: unknown): TaskResult => {
      log('error', 'task_failed', { id, kind: task.kind, reason: errorText(error) });
      return { ok: false, text: error instanceof SpoolError ? error.message : explainError(error) };
    });
    results.push({ ...result, text: result.text.slice(-TEXT_MAX), id });
    done();
  }

  return {
    kinds,
    given: (tasks: readonly OpenTask[]) => {
      for (const task of tasks.filter(({ id }) => !begun.has(id))) {
        begun.add(task.id);
        last = last.then(() => carryOut(task));
      }
    },
    result: () => results[0],
    told: () => void results.shift(),
  };
}
