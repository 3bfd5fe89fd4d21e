import { HOUR_MS } from '#contract/time';
import { createHash, createHmac } from 'node:crypto';
import * as z from 'zod';
import type { OpenBridgeTask } from '#contract/bridges';
import { errorBodySchema } from '#contract/errors';
import {
  BRIDGE_CLOCK_HEADER,
  BRIDGE_ID_HEADER,
  BRIDGE_PLANTS_HEADER,
  BRIDGE_SIGNATURE_HEADER,
  BRIDGE_TIMESTAMP_HEADER,
  BRIDGE_VERSION_HEADER,
  SERVER_CLOCK_VALUE,
  heartbeatAnswerSchema,
  forbiddenRowsSchema,
  readingReceiptSchema,
  SERVER_TIME_HEADER,
  textToSign,
  type Heartbeat,
  type PlantList,
  type Reading,
  type ReadingIngestResult,
} from '#contract/readings';
import { newRequestId, REQUEST_ID_HEADER } from '#contract/log-line';
import { VERSION } from '#contract/release';
import type { Clock } from '../clock.ts';
import { errorText } from '../log.ts';

/** Why the result of a batch is unknown. The health report uses the same names. */
export type IngestFailure = `ingest_${
  | 'unreachable'
  | 'timed_out'
  | 'no_receipt'
  | 'wrong_clock'
  | 'unauthorized'
  | 'too_many_requests'
  | 'failing'
  | 'unavailable'
  | 'refused'}`;

/**
 * The ingest worker's answer to a batch. `accepted`: one result for each reading, in order. `refused`: the
 * worker will never accept this batch unchanged; `rows` are the bad readings (from 1), if it lists them.
 * `failed`: the result is unknown; try again, but not before `retryAfterMs`. `status` is null without a
 * response; `requestId` identifies the request in the worker's log.
 */
export type IngestAnswer =
  | { kind: 'accepted'; results: ReadingIngestResult[] }
  | { kind: 'refused'; reason: string; rows: number[] }
  | FailedAnswer;
export type FailedAnswer = {
  kind: 'failed';
  failure: IngestFailure;
  reason: string;
  status: number | null;
  retryAfterMs: number;
  requestId: string;
};

export type IngestClient = {
  /** @param stampedByServer whether every `received_at` is a time by the server's clock */
  sendReadings: (readings: readonly Reading[], stampedByServer: boolean) => Promise<IngestAnswer>;
  /** Sets the clock to the server's time. Null on success, and also if an older worker sends no time. */
  askTime: () => Promise<FailedAnswer | null>;
  /**
   * Sends a heartbeat; returns whether it arrived, or why not.
   * @param held the digest of the bridge's list of plants. If the server's list is different, the result contains
   *   the server's list.
   */
  sendHeartbeat: (
    heartbeat: Heartbeat,
    held?: string,
  ) => Promise<
    | { arrived: true; plants?: PlantList | undefined; tasks?: OpenBridgeTask[] | undefined }
    | { arrived: false; failure: IngestFailure; reason: string }
  >;
};

type Settings = {
  url: string;
  bridgeId: string;
  key: string;
  timeoutMs: number;
  clock: Clock;
};
type Response = { status: number; retryAfterMs: number; body: unknown };

/** Maximum bytes of a response. A larger response is not from the ingest worker. */
const ANSWER_MAX = 1024 * 1024;
const RETRY_AFTER_MAX_MS = HOUR_MS;

/** The delay of a Retry-After header in milliseconds; 0 without one. The header has seconds or a date. */
function retryAfterMs(header: string | null, now: number): number {
  if (header === null) return 0;
  const ms = /^[0-9]+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now;
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), RETRY_AFTER_MAX_MS) : 0;
}

/** The server's time in a response header; null if the header is missing or invalid. */
function serverTimeIn(header: string | null): number | null {
  return header !== null && /^[0-9]{13}$/.test(header) ? Number(header) : null;
}

async function textUpTo(stream: ReadableStream<Uint8Array> | null, limit: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream ?? []) {
    size += chunk.byteLength;
    if (size > limit) throw new Error(`answer longer than ${limit} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const serverTimeSchema = z.object({ server_time: z.int() });

function failureFor({ status, body }: Response): IngestFailure {
  if (status === 200) return 'ingest_no_receipt';
  if (status === 401 && serverTimeSchema.safeParse(body).success) return 'ingest_wrong_clock';
  if (status === 401) return 'ingest_unauthorized';
  if (status === 429) return 'ingest_too_many_requests';
  if (status === 500) return 'ingest_failing';
  return status > 500 ? 'ingest_unavailable' : 'ingest_refused';
}

function withoutAnswer(error: unknown, requestId: string): FailedAnswer {
  const isLate = error instanceof Error && error.name === 'TimeoutError';
  return {
    kind: 'failed',
    failure: isLate ? 'ingest_timed_out' : 'ingest_unreachable',
    reason: errorText(error),
    status: null,
    retryAfterMs: 0,
    requestId,
  };
}

const namedRows = (body: unknown) => forbiddenRowsSchema.safeParse(body).data?.rows ?? [];

function failed(response: Response, reason: string, requestId: string): FailedAnswer {
  const { status, retryAfterMs } = response;
  return { kind: 'failed', failure: failureFor(response), reason, status, retryAfterMs, requestId };
}

function reasonIn({ status, body }: Response, sentAt: number): string {
  const serverTime = serverTimeSchema.safeParse(body);
  if (serverTime.success) {
    const seconds = Math.round(sentAt / 1000) - serverTime.data.server_time;
    return `HTTP ${status}: this clock differs from the server's by ${seconds} s`;
  }
  const error = errorBodySchema.safeParse(body);
  return error.success
    ? `HTTP ${status}: ${error.data.error.message}`
    : `HTTP ${status} without an explanation`;
}

const at = (url: string, name: string) => new URL(name, url.endsWith('/') ? url : `${url}/`);

async function request(
  { clock, timeoutMs }: Settings,
  target: URL,
  requestId: string,
  sent: { method: string; headers?: Record<string, string>; body?: string },
): Promise<Response> {
  const sentAt = clock.uptime();
  const response = await fetch(target, {
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
    ...sent,
    headers: { [REQUEST_ID_HEADER]: requestId, ...sent.headers },
  });
  const serverTime = serverTimeIn(response.headers.get(SERVER_TIME_HEADER));
  if (serverTime !== null) clock.heard(serverTime, sentAt, clock.uptime());
  return {
    status: response.status,
    retryAfterMs: retryAfterMs(response.headers.get('retry-after'), clock.now()),
    body: parseJson(await textUpTo(response.body, ANSWER_MAX)),
  };
}

async function post(
  settings: Settings,
  name: 'readings' | 'heartbeat',
  content: unknown,
  requestId = newRequestId(),
  headers: Record<string, string> = {},
): Promise<Response> {
  const { url, bridgeId, key, clock } = settings;
  const target = at(url, name);
  const body = JSON.stringify(content);
  const timestamp = String(Math.floor(clock.now() / 1000));
  const bodyHash = createHash('sha256').update(body).digest('hex');
  const text = textToSign(timestamp, 'POST', target.pathname, bodyHash);
  return request(settings, target, requestId, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      [BRIDGE_ID_HEADER]: bridgeId,
      [BRIDGE_TIMESTAMP_HEADER]: timestamp,
      [BRIDGE_SIGNATURE_HEADER]: createHmac('sha256', key).update(text).digest('hex'),
      ...headers,
    },
    body,
  });
}

/** A client for the ingest worker at `url`. It signs requests with the bridge's key and limits their time. */
export function createIngestClient(settings: Settings): IngestClient {
  return {
    sendReadings: async (readings, stampedByServer) => {
      const sentAt = settings.clock.now();
      const requestId = newRequestId();
      const headers = stampedByServer ? { [BRIDGE_CLOCK_HEADER]: SERVER_CLOCK_VALUE } : {};
      let response: Response;
      try {
        response = await post(settings, 'readings', { readings }, requestId, headers);
      } catch (error) {
        return withoutAnswer(error, requestId);
      }
      const { status, body } = response;
      const receipt = readingReceiptSchema.safeParse(body);
      if (status === 200 && receipt.success && receipt.data.results.length === readings.length) {
        return { kind: 'accepted', results: receipt.data.results };
      }
      const reason = status === 200 ? 'HTTP 200 without a valid receipt' : reasonIn(response, sentAt);
      // Only an error by the worker itself counts: a proxy's 403 page must not make dead letters of readings.
      if ([400, 403, 413].includes(status) && errorBodySchema.safeParse(body).success) {
        return { kind: 'refused', reason, rows: namedRows(body) };
      }
      return failed(response, reason, requestId);
    },
    askTime: async () => {
      const requestId = newRequestId();
      try {
        const response = await request(settings, at(settings.url, 'health'), requestId, { method: 'GET' });
        const { status } = response;
        if (settings.clock.serverOffset() !== null || (status < 500 && status !== 429)) return null;
        return failed(response, reasonIn(response, settings.clock.now()), requestId);
      } catch (error) {
        return withoutAnswer(error, requestId);
      }
    },
    sendHeartbeat: async (heartbeat, held) => {
      const sentAt = settings.clock.now();
      const headers = {
        [BRIDGE_VERSION_HEADER]: VERSION,
        ...(held === undefined ? {} : { [BRIDGE_PLANTS_HEADER]: held }),
      };
      try {
        const response = await post(settings, 'heartbeat', heartbeat, newRequestId(), headers);
        if (response.status !== 200)
          return { arrived: false, failure: failureFor(response), reason: reasonIn(response, sentAt) };
        const { plants, tasks } = heartbeatAnswerSchema.safeParse(response.body).data ?? {};
        return { arrived: true, plants, tasks };
      } catch (error) {
        const { failure, reason } = withoutAnswer(error, '');
        return { arrived: false, failure, reason };
      }
    },
  };
}
