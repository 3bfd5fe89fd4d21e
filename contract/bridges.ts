import * as z from 'zod';
import { plantIdSchema } from './plant-id.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from './time.ts';

/* What an admin requests of bridges: keys, and tasks that only the bridge's machine can do. */

/** The name under which the ingest worker knows a bridge. */
export const bridgeIdSchema = z
  .string()
  .regex(/^[0-9A-Za-z._-]{1,64}$/, 'must be 1 to 64 of 0-9 A-Z a-z . _ -');

/** Body of POST /api/bridges/keys. `plants`: the topics that the bridge may send for; null for all topics. */
export const newBridgeKeySchema = z.object({
  bridge: z
    .string()
    .refine(
      (name) => bridgeIdSchema.safeParse(name).success,
      '브리지 이름은 영문, 숫자와 . _ - 로 64자까지입니다',
    ),
  plants: z
    .array(
      z
        .string()
        .refine(
          (plant) => plantIdSchema.safeParse(plant).success,
          '화분의 토픽 이름을 쉼표로 나누어 입력하세요',
        ),
    )
    .min(1)
    .max(500)
    .nullable(),
});

export const BOARD_KINDS = ['micropython', 'esphome', 'arduino'] as const;
export type BoardKind = (typeof BOARD_KINDS)[number];

/**
 * An entry of Mosquitto's password file (PBKDF2 with SHA-512), so that no password is sent or stored. A
 * password of 192 random bits needs no more rounds than mosquitto_passwd's default.
 */
export const PASSWORD_HASH_ROUNDS = 101;
export const mosquittoPasswordEntry = (salt: string, hash: string) =>
  `$7$${PASSWORD_HASH_ROUNDS}$${salt}$${hash}`;
const passwordEntrySchema = z.string().regex(/^\$7\$101\$[0-9A-Za-z+/]{16}\$[0-9A-Za-z+/]{86}==$/);

/** Placeholder in a board's files. The browser, which alone knows the password, replaces it. */
export const PASSWORD_PLACEHOLDER = '@@PASSWORD@@';

/** Maximum bytes of a dead letter that the browser can show and repair. */
export const DEAD_LETTER_BYTES_MAX = 4000;
const letterId = z.int().min(1);

/** The tasks that a bridge can get. The bridge may be older, so it validates the arguments again. */
export const bridgeTaskSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('board_add'),
    plant: plantIdSchema,
    program: z.enum(BOARD_KINDS),
    entry: passwordEntrySchema,
  }),
  z.object({ kind: z.literal('board_revoke'), plant: plantIdSchema }),
  z.object({ kind: z.literal('dead_letters') }),
  z.object({ kind: z.literal('replay'), ids: z.array(letterId).min(1).max(500) }),
  z.object({ kind: z.literal('repair'), id: letterId, payload: z.string().max(DEAD_LETTER_BYTES_MAX) }),
  z.object({ kind: z.literal('backup') }),
]);
export type BridgeTask = z.infer<typeof bridgeTaskSchema>;
export type BridgeTaskKind = BridgeTask['kind'];
export type BoardTask = Extract<BridgeTask, { kind: 'board_add' | 'board_revoke' }>;

/** An open task in the answer to a heartbeat. A newer server may send kinds that are unknown here. */
export const openBridgeTaskSchema = z.object({ id: z.int(), task: z.looseObject({ kind: z.string() }) });
export type OpenBridgeTask = z.infer<typeof openBridgeTaskSchema>;

const deadLetterSchema = z.object({
  id: z.int(),
  received_at: z.iso.datetime(),
  topic: z.string(),
  reason: z.string(),
  messages: z.int(),
  readings: z.int(),
  /** Null if the message is not text, is longer than DEAD_LETTER_BYTES_MAX, or was counted but not stored. */
  payload: z.string().nullable(),
});
export type DeadLetter = z.infer<typeof deadLetterSchema>;

export const DEAD_LETTERS_PER_ANSWER = 50;

/** A path within an unpacked download: letters, digits, `.`, `_`, `-`; no part begins with a dot. */
const BOARD_PATH = /^[\w-][\w.-]*(\/[\w-][\w.-]*)*$/;

/** The outcome of a task. `text` is the output of the command, in English. */
export const bridgeTaskResultSchema = z.object({
  ok: z.boolean(),
  text: z.string().max(8000),
  /** Result of `board_add`: the board's files, with PASSWORD_PLACEHOLDER instead of the password. */
  files: z
    .array(z.object({ path: z.string().regex(BOARD_PATH), text: z.string() }))
    .max(20)
    .optional(),
  /** Result of `dead_letters`. `more`: how many more messages there are, in the spool or in its files. */
  letters: z.array(deadLetterSchema).max(DEAD_LETTERS_PER_ANSWER).optional(),
  more: z.int().min(0).optional(),
});
export type BridgeTaskResult = z.infer<typeof bridgeTaskResultSchema>;

/** How long a task waits for its bridge. No bridge gets the task later: the sender has stopped waiting. */
export const BRIDGE_TASK_TIMEOUT_MS = 2 * MINUTE_MS;
/** How long a task may take once a bridge has started it. */
export const bridgeTaskTimeoutMs = (kind: BridgeTaskKind) =>
  kind === 'backup' ? HOUR_MS : BRIDGE_TASK_TIMEOUT_MS;
/** Results contain messages from boards, so they are deleted after this time. */
export const BRIDGE_TASK_RETENTION_MS = DAY_MS;

/** Response of GET /api/bridges. Instants are ISO 8601. */
export type BridgeList = {
  /** When the server read the list, by the server's clock. */
  at: string;
  bridges: ListedBridge[];
};

export type ListedBridge = {
  bridge: string;
  alive: boolean;
  /** The kinds of tasks that the bridge can do; null for an older bridge, or if it has never reported. */
  does: string[] | null;
  keys: { id: number; plants: string[] | null; created_at: string; revoked_at: string | null }[];
  /** Newest first. */
  tasks: RequestedBridgeTask[];
};

/** A task without its result. `ok` is null until there is a result. */
export type RequestedBridgeTask = {
  id: number;
  kind: BridgeTaskKind;
  plant: string | null;
  created_at: string;
  taken_at: string | null;
  done_at: string | null;
  ok: boolean | null;
};

/** Response of GET /api/bridges/tasks/{id}. */
export type BridgeTaskWithResult = RequestedBridgeTask & { result: BridgeTaskResult | null };

/** A task's state at an instant (milliseconds since 1970). `lost`: not taken or not finished in time. */
export function bridgeTaskState(
  { kind, created_at, taken_at, ok }: RequestedBridgeTask,
  now: number,
): 'waiting' | 'taken' | 'lost' | 'done' | 'failed' {
  if (ok !== null) return ok ? 'done' : 'failed';
  if (taken_at === null) return now - Date.parse(created_at) > BRIDGE_TASK_TIMEOUT_MS ? 'lost' : 'waiting';
  return now - Date.parse(taken_at) > bridgeTaskTimeoutMs(kind) ? 'lost' : 'taken';
}
