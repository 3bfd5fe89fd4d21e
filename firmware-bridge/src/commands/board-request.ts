import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import * as z from 'zod';
import {
  bridgeTaskSchema,
  bridgeTaskResultSchema,
  type BoardTask,
  type BridgeTaskResult,
} from '#contract/bridges';
import { requireRegularFile } from '../file-lock.ts';
import { removeFile, replaceFile } from '../files.ts';

/*
 * The installed bridge may not change the broker's passwords. It writes an order into a file in its folder.
 * systemd then starts `cps-board order` as root, which writes the result into a second file beside it. Root
 * uses only the board's name and the password's hash from the order.
 */

const orderSchema = z.object({ order: z.string(), task: bridgeTaskSchema });
const answerSchema = z.object({ order: z.string(), result: bridgeTaskResultSchema });
const answerTo = (file: string) => `${file}.answer`;

const ANSWERED_WITHIN_MS = 60_000;
const LOOK_MS = 200;

function jsonIn(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Orders a task about a board, which root carries out; returns the result. */
export async function requestBoardTask(
  file: string,
  task: BoardTask,
  withinMs = ANSWERED_WITHIN_MS,
): Promise<BridgeTaskResult> {
  const order = randomUUID();
  replaceFile(file, JSON.stringify({ order, task }));
  const until = Date.now() + withinMs;
  while (Date.now() < until) {
    const answer = answerSchema.safeParse(existsSync(answerTo(file)) ? jsonIn(answerTo(file)) : undefined);
    if (answer.data?.order === order) {
      removeFile(answerTo(file));
      return answer.data.result;
    }
    await wait(LOOK_MS);
  }
  removeFile(file);
  return {
    ok: false,
    text: 'cps-board-order.service did not answer. First step: systemctl status cps-board-order.path cps-board-order.service',
  };
}

/** `cps-board order`: carries out the order in the bridge's file, if there is one. */
export function runBoardRequest(
  file: string | undefined,
  perform: (task: BoardTask) => BridgeTaskResult,
): { exitCode: number; text: string } {
  if (file === undefined) return { exitCode: 78, text: 'BOARD_ORDER_FILE is required' };
  if (requireRegularFile(file) === undefined) return { exitCode: 0, text: 'there is no request' };
  const order = orderSchema.safeParse(jsonIn(file));
  // Remove the file first: while it exists, systemd starts this command again.
  removeFile(file);
  if (!order.success || (order.data.task.kind !== 'board_add' && order.data.task.kind !== 'board_revoke'))
    return { exitCode: 65, text: `${file} does not contain a request about a board` };
  const result = perform(order.data.task);
  // All users may read the answer, because each run of the bridge has a new user. It contains no secret.
  replaceFile(answerTo(file), JSON.stringify({ order: order.data.order, result }), 0o644);
  return { exitCode: result.ok ? 0 : 1, text: result.text };
}
