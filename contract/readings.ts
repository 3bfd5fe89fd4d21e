import { HOUR_MS } from './time.ts';
import * as z from 'zod';
import { openTaskSchema, taskResultSchema } from './bridges.ts';
import { plantIdSchema } from './plant-id.ts';
import { instantSchema, rawMoistureSchema } from './plants.ts';

export const READINGS_PER_BATCH = 500;
/** Maximum bytes of a body of readings, whatever the plants are called. */
export const READINGS_BODY_MAX = 100_000;
/** Why a reading is a dead letter that has the place of another one. */
export const CONFLICT = 'another value is stored for this plant, datetime and seq';
/** Maximum difference in seconds between a request's timestamp and the server's clock. */
export const SIGNATURE_WINDOW_SECONDS = 300;

export const BRIDGE_ID_HEADER = 'x-bridge-id';
export const BRIDGE_TIMESTAMP_HEADER = 'x-bridge-timestamp';
export const BRIDGE_SIGNATURE_HEADER = 'x-bridge-signature';

/** On every response of the ingest worker: its time in milliseconds since 1970. */
export const SERVER_TIME_HEADER = 'x-server-time';
/**
 * Sent with the value `server` when every `received_at` of the batch is by the server's clock. It need not be signed: it
 * only decides against which of two clocks an implausible board time is checked.
 */
export const BRIDGE_CLOCK_HEADER = 'x-bridge-clock';
export const SERVER_CLOCK = 'server';
/**
 * Sent with a heartbeat by a bridge that wants the list of plants: the digest of the list that it holds, or `none`. It
 * need not be signed either: it only decides whether the list is sent.
 */
export const BRIDGE_PLANTS_HEADER = 'x-bridge-plants';
export const NO_PLANTS_YET = 'none';

/** Sent with a heartbeat: the bridge's version. */
export const BRIDGE_VERSION_HEADER = 'x-bridge-version';

/** `seq` stored for a reading without one. No board can send it, and all such readings share it. */
export const NO_SEQ = -(2 ** 53);

/**
 * Derives a `seq` from the nanoseconds below the stored millisecond, so that two readings within one millisecond stay
 * distinct when the board sent none. Undefined without such digits.
 * @param datetime as returned by `instantSchema`
 */
export function seqBelowMillisecond(datetime: string): number | undefined {
  const [, beyond = ''] = /\.\d{3}(\d{1,6})/.exec(datetime) ?? [];
  return Number(beyond.padEnd(6, '0')) || undefined;
}

/** A reading on its way from the bridge to the ingest worker. All absent `seq`s are considered equal. */
export const readingSchema = z.strictObject({
  plant: plantIdSchema,
  /** When the board took the measurement, or the bridge's receipt time. */
  datetime: instantSchema,
  soil_moisture: rawMoistureSchema,
  seq: z.int().optional(),
  /** When the bridge received it. */
  received_at: instantSchema,
  /**
   * The greatest datetime of its message, where that is no time before its receipt, give or take a minute: by it the board's clock is judged.
   * Absent of what the bridge dated itself.
   */
  newest: instantSchema.optional(),
});
export type Reading = z.infer<typeof readingSchema>;

/** Body of POST /readings. Rows are validated one by one, so that a bad row does not block the others. */
export const readingBatchSchema = z.strictObject({
  readings: z.array(z.unknown()).min(1).max(READINGS_PER_BATCH),
});

/** One result per row, in the order of the rows. */
const readingResultSchema = z.union([
  z.object({ status: z.literal(['stored', 'duplicate']) }),
  z.object({ status: z.literal('rejected'), reason: z.string() }),
]);
export type ReadingResult = z.infer<typeof readingResultSchema>;
export const readingReceiptSchema = z.object({ results: z.array(readingResultSchema) });

/** Accompanies the error of a 403: rows, from 1, of plants that the key may not send for. */
export const namedRowsSchema = z.object({ rows: z.array(z.int().min(1)).max(READINGS_PER_BATCH) });

/** Maximum number of boards in one heartbeat; a bridge reports any others in its next one. */
export const BOARDS_PER_HEARTBEAT = 500;

/** Whether a board is online, by its availability topic and its readings, and when the bridge heard it. */
const boardReportSchema = z.strictObject({
  plant: plantIdSchema,
  /** Null when the board's retained word was taken away: nothing is known any more. */
  online: z.boolean().nullable(),
  at: instantSchema,
  /** True for what the broker had retained: nobody knows when it was said, but that it was before `at`. */
  retained: z.boolean().optional(),
});
export type BoardReport = z.infer<typeof boardReportSchema>;

/** Maximum number of boards beyond their quota in one heartbeat; those with the most to wait come first. */
export const BOARDS_OVER_QUOTA_MAX = 100;

/** A board beyond its quota: how many of its readings wait for it, and how many were refused. */
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

/** Maximum number of boards with dead letters in one heartbeat; those with the most come first. */
export const DEAD_BOARDS_MAX = 5;

export const BOARDS_RECONNECTING_MAX = 100;

/**
 * What a bridge knows of the machine around it; what it does not know is omitted. What is unknown here is ignored, so that a
 * newer bridge may tell more.
 */
const machineSchema = z.object({
  /** When the certificate ends that the broker shows. */
  certificate_until: instantSchema.optional(),
  /** Bytes of the disk that holds the spool. */
  disk: z.object({ free: z.int().min(0), size: z.int().min(1) }).optional(),
  /** Boards with dead letters that are not moved into a file yet, in messages. Their names are not checked. */
  dead_boards: z
    .array(z.object({ plant: z.string().max(200), messages: z.int().min(1) }))
    .max(DEAD_BOARDS_MAX)
    .optional(),
  /** Boards of whose presence nothing is told because there are too many; absent while there are none. */
  boards_passed_over: z.int().min(1).optional(),
  /** Plants whose boards connect again and again, those that did so first; absent while there are none. */
  boards_reconnecting: z.array(plantIdSchema).max(BOARDS_RECONNECTING_MAX).optional(),
  /** The kinds of tasks that the bridge does here. */
  tasks: z.array(z.string().max(40)).max(20).optional(),
});
export type Machine = z.infer<typeof machineSchema>;
export type DeadBoard = NonNullable<Machine['dead_boards']>[number];

/** Body of POST /heartbeat: whether the bridge is connected to the broker, and what else it knows. */
export const heartbeatSchema = z.strictObject({
  broker_connected: z.boolean(),
  /** The bridge counts as down when this many milliseconds pass without another heartbeat. */
  valid_for_ms: z.int().min(1000).max(HOUR_MS),
  /** Boards that the key may not speak for are ignored. */
  boards: z.array(boardReportSchema).max(BOARDS_PER_HEARTBEAT).optional(),
  /** Omitted while the bridge does not know it. */
  spool: z
    .strictObject({
      /** A newer bridge may send failures unknown here. */
      state: z.string().pipe(z.enum(['ok', ...SPOOL_FAILURES]).catch('failed')),
      /**
       * Readings waiting on the bridge's disk, and when the oldest was received; null while the spool cannot be read.
       */
      depth: z.int().min(0).nullable(),
      oldest_at: instantSchema.nullable(),
      /** Number of dead letters. */
      dead: z.int().min(0).nullable(),
    })
    .optional(),
  /** Omitted while the bridge does not know it. As for `boards`. */
  over_quota: z.array(boardOverQuotaSchema).max(BOARDS_OVER_QUOTA_MAX).optional(),
  machine: machineSchema.optional(),
  /** What became of a task. One at a time: the next follows at once. */
  result: taskResultSchema.extend({ id: z.int() }).optional(),
});
export type Heartbeat = z.input<typeof heartbeatSchema>;

/** What a bridge tells others at its broker of a plant. */
const listedPlantSchema = z.object({
  /** Its topic. */
  plant: z.string(),
  /** What people call it. */
  name: z.string(),
  /** The raw values for 0 % and 100 %; null without a calibration. */
  dry: z.int().nullable(),
  wet: z.int().nullable(),
  stale_after_minutes: z.int().min(1),
});
export type ListedPlant = z.infer<typeof listedPlantSchema>;

/** Every plant that the bridge's key may speak for and that is neither removed nor hidden. */
const plantListSchema = z.object({
  digest: z.string().min(1).max(100),
  /** The plants that the key is limited to, listed or not; null for a key without limits. */
  only: z.array(z.string()).nullable(),
  listed: z.array(listedPlantSchema),
});
export type PlantList = z.infer<typeof plantListSchema>;

/** The answer to a heartbeat: the plants where the bridge asked for them and holds another list, and tasks where it does any. */
export const heartbeatAnswerSchema = z.object({
  ok: z.literal(true),
  plants: plantListSchema.optional(),
  tasks: z.array(openTaskSchema).optional(),
});
export type HeartbeatAnswer = z.infer<typeof heartbeatAnswerSchema>;

/**
 * The text a bridge signs with HMAC-SHA256 under its key (hex, lower case).
 * @param timestamp Unix seconds, as in the header
 * @param path without the query
 * @param bodySha256 SHA-256 of the body's bytes, in hex
 */
export function signedText(timestamp: string, method: string, path: string, bodySha256: string): string {
  return `${timestamp}\n${method}\n${path}\n${bodySha256}`;
}

/** What a board may send for one measurement: an object with optional datetime and seq, as most do, or a bare raw value. */
export const measurementSchema = z.union([
  z.strictObject({
    soil_moisture: rawMoistureSchema,
    datetime: instantSchema.optional(),
    seq: z.int().optional(),
  }),
  rawMoistureSchema.transform((soil_moisture) => ({ soil_moisture, datetime: undefined, seq: undefined })),
]);

/** The first issue of the union's branch that matches the form of what was sent. */
export function measurementIssue(sent: unknown, error: z.ZodError): z.core.$ZodIssue | undefined {
  const [union] = error.issues;
  const form = typeof sent === 'number' ? 1 : 0;
  return (union?.code === 'invalid_union' ? union.errors[form]?.[0] : undefined) ?? union;
}
