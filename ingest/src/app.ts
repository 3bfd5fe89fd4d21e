import { Hono, type Context, type MiddlewareHandler } from 'hono';
import { routePath } from 'hono/route';
import * as z from 'zod';
import { errorCodes, type ErrorStatus } from '#contract/errors';
import { LOG_LEVELS, logLine, type LogFields, type LogLevel } from '#contract/log-line';
import {
  BRIDGE_CLOCK_HEADER,
  BY_SERVERS_CLOCK,
  type foreignRowsSchema,
  heartbeatSchema,
  readingBatchSchema,
  readingSchema,
  SERVER_TIME_HEADER,
  SIGNATURE_WINDOW_SECONDS,
  type Reading,
  type ReadingResult,
} from '#contract/readings';
import { REQUEST_ID_HEADER, requestIdFrom } from '#contract/request-id';
import { apiSecurityHeaders } from '#contract/security-headers';
import { readConfig, type Env } from './config.ts';
import { activeKeys, recordHeartbeat, storeReadings, type BridgeKey, type Outcome } from './data.ts';
import { rowsBy, type Row } from './rows.ts';
import { claimFrom, signingKey } from './signature.ts';

type Signed = {
  Bindings: Env;
  Variables: {
    requestId: string;
    body: Uint8Array<ArrayBuffer>;
    bridgeId: string;
    key: BridgeKey;
    /** In milliseconds since 1970, by the bridge's clock. */
    signedAt: number;
  };
};

/** Largest body in bytes; a full batch of the longest rows stays below it. */
const BODY_LIMIT = 256 * 1024;

/** Seconds over which READINGS_RATE in wrangler.toml counts. */
const RATE_PERIOD_SECONDS = 60;

const app = new Hono<Signed>();

/**
 * Each request has the id that its bridge gave it, or one of its own: in the answer and in each line that it logs.
 * What goes as it should is logged at the level debug, which is below what is written unless LOG_LEVEL says otherwise.
 */
app.use(async (c, next) => {
  c.set('requestId', requestIdFrom(c.req.header(REQUEST_ID_HEADER)));
  const startedAt = Date.now();
  await next();
  c.res.headers.set(REQUEST_ID_HEADER, c.var.requestId);
  c.res.headers.set(SERVER_TIME_HEADER, String(Date.now()));
  const { status } = c.res;
  const { method } = c.req;
  const fields = { method, route: routePath(c), status, ms: Date.now() - startedAt };
  log(c, status < 400 ? 'debug' : 'info', 'request', fields);
});

app.use(async (c, next) => {
  await next();
  for (const [name, value] of Object.entries(apiSecurityHeaders)) c.res.headers.set(name, value);
  c.res.headers.set('cache-control', 'no-store');
});

/** One line for one event, under the request's id. */
function log(c: Context<Signed>, level: LogLevel, event: string, fields: LogFields): void {
  const lowest = LOG_LEVELS.find((name) => name === c.env.LOG_LEVEL) ?? 'info';
  if (LOG_LEVELS.indexOf(level) < LOG_LEVELS.indexOf(lowest)) return;
  const line = logLine(level, event, { request_id: c.var.requestId, ...fields });
  if (level === 'error') console.error(line);
  else console.log(line);
}

app.use((c, next) => {
  readConfig(c.env);
  return next();
});

/** An error in the contract's shape; `beside` are facts for the bridge that stand next to `error`. */
function refuse(
  c: Context,
  status: ErrorStatus,
  message: string,
  details: { row?: number; requestId?: string } = {},
  beside: Record<string, unknown> = {},
): Response {
  return c.json({ error: { code: errorCodes[status], message, ...details }, ...beside }, status);
}

async function bodyUpTo(request: Request, limit: number): Promise<Uint8Array<ArrayBuffer> | null> {
  if (Number(request.headers.get('content-length') ?? 0) > limit) return null;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > limit) return null;
    chunks.push(chunk);
  }
  const body = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    body.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return body;
}

const readBody: MiddlewareHandler<Signed> = async (c, next) => {
  const body = await bodyUpTo(c.req.raw, BODY_LIMIT);
  if (body === null) return refuse(c, 413, '요청이 너무 큽니다');
  c.set('body', body);
  return next();
};

const requireSignature: MiddlewareHandler<Signed> = async (c, next) => {
  const claim = claimFrom(c.req.raw.headers);
  if (claim === null) return refuse(c, 401, '서명이 없거나 올바르지 않습니다');
  const now = Math.floor(Date.now() / 1000);
  if (Math.abs(now - Number(claim.timestamp)) > SIGNATURE_WINDOW_SECONDS) {
    return refuse(c, 401, '요청의 시각이 서버의 시각과 다릅니다', {}, { server_time: now });
  }
  const key = await signingKey(await activeKeys(c.env.DB, claim.bridgeId), claim, {
    method: c.req.method,
    path: new URL(c.req.url).pathname,
    body: c.var.body,
  });
  if (key === undefined) return refuse(c, 401, '서명이 올바르지 않거나 키가 폐기되었습니다');
  c.set('bridgeId', claim.bridgeId);
  c.set('key', key);
  c.set('signedAt', Number(claim.timestamp) * 1000);
  return next();
};

/** Per bridge, and only after its signature: nobody else can use up what a bridge may send. */
const limitReadings: MiddlewareHandler<Signed> = async (c, next) => {
  const { success } = await c.env.READINGS_RATE.limit({ key: c.var.bridgeId });
  if (success) return next();
  c.header('Retry-After', String(RATE_PERIOD_SECONDS));
  return refuse(c, 429, '요청이 너무 많습니다');
};

/** The body as JSON, or undefined when it is none. */
function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body));
  } catch {
    return undefined;
  }
}

/** The row for what was sent, or the reason why it cannot be one. */
function checkRow(sent: unknown, rowFor: (reading: Reading) => Row): Row | { reason: string } {
  const parsed = readingSchema.safeParse(sent);
  if (parsed.success) return rowFor(parsed.data);
  const [issue] = parsed.error.issues;
  return { reason: `${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`.slice(0, 200) };
}

const plantNamesSchema = z.array(z.string());

function mayKeySpeakFor(key: BridgeKey): (plant: string) => boolean {
  if (key.plants === null) return () => true;
  const names = new Set(plantNamesSchema.parse(JSON.parse(key.plants)));
  return (plant) => names.has(plant);
}

const results: Record<Outcome, ReadingResult> = {
  stored: { status: 'stored' },
  duplicate: { status: 'duplicate' },
  conflict: { status: 'rejected', reason: 'another value is stored for this plant, datetime and seq' },
  overdue: { status: 'rejected', reason: 'older than the readings that are kept' },
};

app.get('/health', (c) => c.json({ ok: true }));

app.post('/readings', readBody, requireSignature, limitReadings, async (c) => {
  const batch = readingBatchSchema.safeParse(parseJson(c.var.body));
  if (!batch.success) return refuse(c, 400, '측정값 목록의 형식이 올바르지 않습니다');

  const rowFor = rowsBy(Date.now(), c.req.header(BRIDGE_CLOCK_HEADER) === BY_SERVERS_CLOCK);
  const checked = batch.data.readings.map((sent) => checkRow(sent, rowFor));
  const maySpeakFor = mayKeySpeakFor(c.var.key);
  const foreign = checked.flatMap((row, index) =>
    'plant' in row && !maySpeakFor(row.plant) ? [index + 1] : [],
  );
  const [firstForeign] = foreign;
  if (firstForeign !== undefined) {
    const beside: z.infer<typeof foreignRowsSchema> = { rows: foreign };
    return refuse(c, 403, '이 키로 보낼 수 없는 화분입니다', { row: firstForeign }, beside);
  }

  const rows = checked.filter((row) => 'plant' in row);
  const outcomes = await storeReadings(c.env.DB, rows);
  const outcomeOf = new Map(rows.map((row, index) => [row, outcomes[index]]));
  return c.json({
    results: checked.map((row): ReadingResult => {
      if (!('plant' in row)) return { status: 'rejected', reason: row.reason };
      const outcome = outcomeOf.get(row);
      if (outcome === undefined) throw new Error('a row has no outcome');
      return results[outcome];
    }),
  });
});

app.post('/heartbeat', readBody, requireSignature, async (c) => {
  const parsed = heartbeatSchema.safeParse(parseJson(c.var.body));
  if (!parsed.success) return refuse(c, 400, '상태 보고의 형식이 올바르지 않습니다');
  const { broker_connected, valid_for_ms, spool, boards = [] } = parsed.data;
  const reportedAt = Date.now();
  const maySpeakFor = mayKeySpeakFor(c.var.key);
  await recordHeartbeat(c.env.DB, {
    bridgeId: c.var.bridgeId,
    brokerConnected: broker_connected,
    reportedAt,
    // A clock that runs ahead would have its bridge unheard once it is put right.
    signedAt: Math.min(c.var.signedAt, reportedAt - (reportedAt % 1000)),
    validUntil: reportedAt + valid_for_ms,
    spool: spool
      ? { ...spool, oldestAt: spool.oldest_at === null ? null : Date.parse(spool.oldest_at) }
      : null,
    // A bridge hears every board of its broker, whatever its key is for.
    boards: boards
      .filter(({ plant }) => maySpeakFor(plant))
      .map(({ plant, online, at }) => ({ plant, online, at: Math.min(Date.parse(at), reportedAt) })),
  });
  return c.json({ ok: true });
});

for (const path of ['/health', '/readings', '/heartbeat']) {
  app.all(path, (c) => refuse(c, 405, '지원하지 않는 메서드입니다'));
}

app.notFound((c) => refuse(c, 404, '없는 주소입니다'));

app.onError((error, c) => {
  const { requestId } = c.var;
  log(c, 'error', 'request_failed', { message: error.message });
  return refuse(c, 500, '서버 오류', { requestId });
});

export default app;
