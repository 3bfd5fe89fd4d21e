import { HOUR_MS } from './time.ts';
import * as z from 'zod';
import { openBridgeTaskSchema, bridgeTaskResultSchema } from './bridges.ts';
import { plantIdSchema } from './plant-id.ts';
import { instantSchema, rawMoistureSchema } from './plants.ts';

export const READINGS_PER_BATCH = 500;
/** Maximum bytes of a body of readings, however long the plants' names are. */
export const READINGS_BODY_MAX = 100_000;
/** The reason for a dead letter whose plant, datetime and seq are already stored with another value. */
export const CONFLICT_REASON = 'another value is stored for this plant, datetime and seq';
/** Maximum difference in seconds between a request's timestamp and the server's clock. */
export const SIGNATURE_WINDOW_SECONDS = 300;

export const BRIDGE_ID_HEADER = 'x-bridge-id';
export const BRIDGE_TIMESTAMP_HEADER = 'x-bridge-timestamp';
export const BRIDGE_SIGNATURE_HEADER = 'x-bridge-signature';

/** On every response of the ingest worker: the worker's time in milliseconds since 1970. */
export const SERVER_TIME_HEADER = 'x-server-time';
/**
 * Sent with the value `server` when every `received_at` of the batch uses the server's clock. The header need
 * not be signed: it only decides which of two clocks is used to check an implausible board time.
 */
export const BRIDGE_CLOCK_HEADER = 'x-bridge-clock';
export const SERVER_CLOCK_VALUE = 'server';
/**
 * Sent with a heartbeat by a bridge that wants the list of plants: the digest of the bridge's list, or
 * `none`. The header need not be signed either: it only decides whether the list is sent.
 */
export const BRIDGE_PLANTS_HEADER = 'x-bridge-plants';
export const NO_PLANTS_DIGEST = 'none';

/** Sent with a heartbeat: the bridge's version. */
export const BRIDGE_VERSION_HEADER = 'x-bridge-version';

/** The `seq` of a reading that has none. No board can send this value, and all such readings share it. */
export const NO_SEQ = -(2 ** 53);

/**
 * Derives a `seq` from the digits below the stored millisecond, so that two readings of one millisecond stay
 * distinct when the board sent no `seq`. Undefined without such digits.
 * @param datetime as returned by `instantSchema`
 */
export function seqBelowMillisecond(datetime: string): number | undefined {
  const [, beyond = ''] = /\.\d{3}(\d{1,6})/.exec(datetime) ?? [];
  return Number(beyond.padEnd(6, '0')) || undefined;
}

/** A reading as a bridge sends it to the ingest worker. Two readings without `seq` can be duplicates. */
export const readingSchema = z.strictObject({
  plant: plantIdSchema,
  /** When the board measured, or the bridge's time of receipt. */
  datetime: instantSchema,
  soil_moisture: rawMoistureSchema,
  seq: z.int().optional(),
  /** When the bridge received the reading. */
  received_at: instantSchema,
  /**
   * The latest datetime in the reading's message, only if it is impossible: over a minute after the receipt,
   * or too old. It shows how wrong the board's clock is. Absent if the bridge set the datetime itself.
   */
  newest: instantSchema.optional(),
});
export type Reading = z.infer<typeof readingSchema>;

/** Body of POST /readings. Rows are validated one by one, so that a bad row does not block the others. */
export const readingBatchSchema = z.strictObject({
  readings: z.array(z.unknown()).min(1).max(READINGS_PER_BATCH),
});

/** What the server did with one reading. A batch has one result per reading, in the same order. */
const readingResultSchema = z.union([
  z.object({ status: z.literal(['stored', 'duplicate']) }),
  z.object({ status: z.literal('rejected'), reason: z.string() }),
]);
export type ReadingIngestResult = z.infer<typeof readingResultSchema>;
export const readingReceiptSchema = z.object({ results: z.array(readingResultSchema) });

/** Part of the error of a 403: the numbers, from 1, of rows whose plants the key may not send for. */
export const forbiddenRowsSchema = z.object({ rows: z.array(z.int().min(1)).max(READINGS_PER_BATCH) });

/** Maximum number of boards in one heartbeat; a bridge reports further boards in the next heartbeat. */
export const BOARDS_PER_HEARTBEAT = 500;

/** Whether a board is online, by its availability topic and readings, and when the bridge learned that. */
const boardReportSchema = z.strictObject({
  plant: plantIdSchema,
  /** Null when the board's retained message was deleted, so that nothing is known any more. */
  online: z.boolean().nullable(),
  at: instantSchema,
  /** True for a message that the broker had retained: it was sent at an unknown time before `at`. */
  retained: z.boolean().optional(),
});
export type BoardReport = z.infer<typeof boardReportSchema>;

/** Maximum number of boards over quota in one heartbeat; boards with the most waiting readings come first. */
export const BOARDS_OVER_QUOTA_MAX = 100;

/** A board over its quota: how many of its readings are waiting, and how many were refused. */
const boardOverQuotaSchema = z.strictObject({
  plant: plantIdSchema,
  waiting: z.int().min(0),
  refused: z.int().min(0),
});
export type BoardOverQuota = z.infer<typeof boardOverQuotaSchema>;

/** Reasons why a bridge's spool does not accept readings. */
export const SPOOL_FAILURES = ['full', 'readonly', 'corrupt', 'failed'] as const;
export type SpoolFailure = (typeof SPOOL_FAILURES)[number];
export type SpoolState = 'ok' | SpoolFailure;

/** Maximum number of boards with dead letters in one heartbeat; boards with the most come first. */
export const DEAD_LETTER_BOARDS_MAX = 5;

export const BOARDS_RECONNECTING_MAX = 100;

/**
 * What a bridge knows about its machine; unknown values are omitted. Fields unknown to this version are
 * ignored, so that a newer bridge may send more.
 */
const machineSchema = z.object({
  /** When the certificate that the broker presents ends. */
  certificate_until: instantSchema.optional(),
  /** Free and total bytes of the disk with the spool. */
  disk: z.object({ free: z.int().min(0), size: z.int().min(1) }).optional(),
  /** Boards with dead letters in the spool, counted in messages. Their names are not validated. */
  dead_boards: z
    .array(z.object({ plant: z.string().max(200), messages: z.int().min(1) }))
    .max(DEAD_LETTER_BOARDS_MAX)
    .optional(),
  /** How many boards' presence is not reported because there are too many; absent if there are none. */
  boards_passed_over: z.int().min(1).optional(),
  /** Plants whose boards keep reconnecting, the earliest first; absent if there are none. */
  boards_reconnecting: z.array(plantIdSchema).max(BOARDS_RECONNECTING_MAX).optional(),
  /** The kinds of tasks that this bridge can do. */
  tasks: z.array(z.string().max(40)).max(20).optional(),
});
export type MachineStatus = z.infer<typeof machineSchema>;
export type BoardWithDeadLetters = NonNullable<MachineStatus['dead_boards']>[number];

/** Body of POST /heartbeat: whether the bridge is connected to the broker, and what else the bridge knows. */
export const heartbeatSchema = z.strictObject({
  broker_connected: z.boolean(),
  /** The bridge counts as down when this many milliseconds pass without another heartbeat. */
  valid_for_ms: z.int().min(1000).max(HOUR_MS),
  /** Boards that the key may not send for are ignored. */
  boards: z.array(boardReportSchema).max(BOARDS_PER_HEARTBEAT).optional(),
  /** Omitted while the bridge does not know its spool. */
  spool: z
    .strictObject({
      /** A newer bridge may send states that are unknown here. */
      state: z.string().pipe(z.enum(['ok', ...SPOOL_FAILURES]).catch('failed')),
      /** Number of waiting readings, and when the oldest was received; null while the spool cannot be read. */
      depth: z.int().min(0).nullable(),
      oldest_at: instantSchema.nullable(),
      /** Number of dead letters. */
      dead: z.int().min(0).nullable(),
    })
    .optional(),
  /** Omitted while unknown. As in `boards`, boards that the key may not send for are ignored. */
  over_quota: z.array(boardOverQuotaSchema).max(BOARDS_OVER_QUOTA_MAX).optional(),
  machine: machineSchema.optional(),
  /** The outcome of one task. A bridge sends the next outcome immediately, in another heartbeat. */
  result: bridgeTaskResultSchema.extend({ id: z.int() }).optional(),
});
export type Heartbeat = z.input<typeof heartbeatSchema>;

/** What a bridge publishes about a plant to other clients of its broker. */
const listedPlantSchema = z.object({
  /** The plant's topic. */
  plant: z.string(),
  /** The name that people use. */
  name: z.string(),
  /** The raw values for 0 % and 100 %; null without a calibration. */
  dry: z.int().nullable(),
  wet: z.int().nullable(),
  stale_after_minutes: z.int().min(1),
});
export type ListedPlant = z.infer<typeof listedPlantSchema>;

/** All plants that the bridge's key may send for and that are neither removed nor hidden. */
const plantListSchema = z.object({
  digest: z.string().min(1).max(100),
  /** The plants to which the key is limited, listed or not; null for an unlimited key. */
  only: z.array(z.string()).nullable(),
  listed: z.array(listedPlantSchema),
});
export type PlantList = z.infer<typeof plantListSchema>;

/** The answer to a heartbeat: tasks, and the list of plants if the bridge asked and has an outdated list. */
export const heartbeatAnswerSchema = z.object({
  ok: z.literal(true),
  plants: plantListSchema.optional(),
  tasks: z.array(openBridgeTaskSchema).optional(),
});
export type HeartbeatAnswer = z.infer<typeof heartbeatAnswerSchema>;

/**
 * The text a bridge signs with HMAC-SHA256 under its key (hex, lower case).
 * @param timestamp Unix seconds, as in the header
 * @param path without the query
 * @param bodySha256 SHA-256 of the body's bytes, in hex
 */
export function textToSign(timestamp: string, method: string, path: string, bodySha256: string): string {
  return `${timestamp}\n${method}\n${path}\n${bodySha256}`;
}

/** A board's measurement: an object with optional datetime and seq, or a bare raw value. */
export const measurementSchema = z.union([
  z.strictObject({
    soil_moisture: rawMoistureSchema,
    datetime: instantSchema.optional(),
    seq: z.int().optional(),
  }),
  rawMoistureSchema.transform((soil_moisture) => ({ soil_moisture, datetime: undefined, seq: undefined })),
]);

/** The first issue of the union's branch that has the same shape as the measurement. */
export function measurementIssue(sent: unknown, error: z.ZodError): z.core.$ZodIssue | undefined {
  const [union] = error.issues;
  const form = typeof sent === 'number' ? 1 : 0;
  return (union?.code === 'invalid_union' ? union.errors[form]?.[0] : undefined) ?? union;
}

/** Readings per day (UTC) and key: a hundred boards that send every ten seconds, and some days of backlog. */
export const READINGS_PER_KEY_AND_DAY = 1_000_000;
