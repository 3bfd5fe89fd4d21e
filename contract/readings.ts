import { HOUR_MS } from './time.ts';
import * as z from 'zod';
import { instantSchema, plantNameSchema, rawMoistureSchema } from './plants.ts';

/** Most readings in one POST /readings. */
export const READINGS_PER_BATCH = 500;
/** Largest distance in seconds between a request's timestamp and the server's clock. */
export const SIGNATURE_WINDOW_SECONDS = 300;

export const BRIDGE_ID_HEADER = 'x-bridge-id';
export const BRIDGE_TIMESTAMP_HEADER = 'x-bridge-timestamp';
export const BRIDGE_SIGNATURE_HEADER = 'x-bridge-signature';

/** In every answer of the ingest worker: its time in milliseconds since 1970. */
export const SERVER_TIME_HEADER = 'x-server-time';
/**
 * Stands before a batch, with the value `server`, when all its `received_at` are by the server's clock. Not in the body,
 * where a worker that does not know it would refuse it, and not signed: it decides nothing but which of two clocks a
 * board that is ahead of both is judged by.
 */
export const BRIDGE_CLOCK_HEADER = 'x-bridge-clock';
export const BY_SERVERS_CLOCK = 'server';

/** Stored as `seq` of a reading whose board sent none: no board can send it, and it counts as one value. */
export const NO_SEQ = -(2 ** 53);

/**
 * The number of a reading whose board sent none but a time finer than the milliseconds that are stored: the nanoseconds
 * beyond, so that two readings of one millisecond stay two. Undefined where there are none.
 * @param datetime as `instantSchema` gives it
 */
export function seqBelowMillisecond(datetime: string): number | undefined {
  const [, beyond = ''] = /\.\d{3}(\d{1,6})/.exec(datetime) ?? [];
  return Number(beyond.padEnd(6, '0')) || undefined;
}

/** A reading on its way from the bridge to the ingest worker. An absent `seq` counts as one value. */
export const readingSchema = z.strictObject({
  plant: plantNameSchema,
  /** When the board says that it measured, or the bridge's receipt time. */
  datetime: instantSchema,
  soil_moisture: rawMoistureSchema,
  seq: z.int().optional(),
  /** When the bridge received it. */
  received_at: instantSchema,
});
export type Reading = z.infer<typeof readingSchema>;

/** POST /readings. Rows are checked one by one, so that one bad row does not hold up its neighbours. */
export const readingBatchSchema = z.strictObject({
  readings: z.array(z.unknown()).min(1).max(READINGS_PER_BATCH),
});

/** One result a row, in the order of the rows. */
export const readingResultSchema = z.union([
  z.object({ status: z.literal(['stored', 'duplicate']) }),
  z.object({ status: z.literal('rejected'), reason: z.string() }),
]);
export type ReadingResult = z.infer<typeof readingResultSchema>;
export const readingReceiptSchema = z.object({ results: z.array(readingResultSchema) });

/** Stands beside the error of a 403: the rows of plants that the key may not speak for, from 1. */
export const foreignRowsSchema = z.object({ rows: z.array(z.int().min(1)).max(READINGS_PER_BATCH) });

/** Most boards in one heartbeat; a bridge that hears more tells of the others in the next one. */
export const BOARDS_PER_HEARTBEAT = 500;

/** What a board's availability topic said, and when the bridge heard it. */
export const boardReportSchema = z.strictObject({
  plant: plantNameSchema,
  online: z.boolean(),
  at: instantSchema,
});
export type BoardReport = z.infer<typeof boardReportSchema>;

/** What may keep a bridge's spool from taking readings. */
export const SPOOL_FAILURES = ['full', 'readonly', 'corrupt', 'failed'] as const;
export type SpoolFailure = (typeof SPOOL_FAILURES)[number];
export type SpoolState = 'ok' | SpoolFailure;

/** POST /heartbeat: the bridge tells that it lives, whether it hears the broker, and what it knows besides. */
export const heartbeatSchema = z.strictObject({
  broker_connected: z.boolean(),
  /** The bridge counts as down when nothing more is heard of it for this many milliseconds. */
  valid_for_ms: z.int().min(1000).max(HOUR_MS),
  /** Boards that the key may not speak for are passed over. */
  boards: z.array(boardReportSchema).max(BOARDS_PER_HEARTBEAT).optional(),
  /** Left out while the bridge does not know it. */
  spool: z
    .strictObject({
      /** A bridge that says nothing of it is an old one whose spool works, one with a failure of another name a new one. */
      state: z
        .enum(['ok', ...SPOOL_FAILURES])
        .default('ok')
        .catch('failed'),
      /** Readings that wait on the bridge's disk, and when the oldest of them was received; null while it cannot be read. */
      depth: z.int().min(0).nullable(),
      oldest_at: instantSchema.nullable(),
      /** Dead letters. */
      dead: z.int().min(0).nullable(),
    })
    .optional(),
});
export type Heartbeat = z.input<typeof heartbeatSchema>;

/**
 * The text that a bridge signs with HMAC-SHA256 under its key (hex, lower case).
 * @param timestamp Unix seconds as sent in the header
 * @param path path without query
 * @param bodySha256 hex SHA-256 of the body's bytes as sent
 */
export function signedText(timestamp: string, method: string, path: string, bodySha256: string): string {
  return `${timestamp}\n${method}\n${path}\n${bodySha256}`;
}
