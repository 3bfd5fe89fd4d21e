import { database, type Database } from '#db/client';
import { ApiError, onError } from '#http/api-error';
import { databaseFailedRecently } from '#http/broken-database';
import { readLimitedBody } from '#http/body';
import { requestLogger, type RequestEnv } from '#http/request-logger';
import { broadcastChanges } from '#http/live-screens';
import { clientKey, limitRate } from '#http/rate-limit';
import { securityHeaders } from '#http/security-headers';
import { Hono, type Context, type MiddlewareHandler } from 'hono';
import * as z from 'zod';
import {
  BRIDGE_CLOCK_HEADER,
  BRIDGE_PLANTS_HEADER,
  BRIDGE_VERSION_HEADER,
  SERVER_CLOCK_VALUE,
  heartbeatSchema,
  type HeartbeatAnswer,
  type forbiddenRowsSchema,
  type PlantList,
  readingBatchSchema,
  readingSchema,
  SERVER_TIME_HEADER,
  SIGNATURE_WINDOW_SECONDS,
  type Reading,
  type ReadingIngestResult,
} from '#contract/readings';
import { releaseSchema } from '#contract/release';
import { DAY_MS } from '#contract/time';
import { readConfig, type Env } from './config.ts';
import { listActiveBridgeKeys, listPlants, type BridgeKey } from './data.ts';
import { recordBoardPresence, recordHeartbeat, recordTaskResult, takeOpenTasks } from './heartbeats-data.ts';
import { parseSignatureHeaders, dropFromCache, cachedKeys, addToCache, findSigningKey } from './signature.ts';
import { createRowBuilder } from './reading-time.ts';
import {
  invalidNameReason,
  refusalReasons,
  storeReadings,
  type ReadingOutcome,
  type ReadingRow,
} from './readings-data.ts';

type Signed = RequestEnv & {
  Bindings: Env;
  Variables: {
    body: Uint8Array<ArrayBuffer>;
    bridgeId: string;
    key: BridgeKey;
    /** In milliseconds since 1970, by the bridge's clock. */
    signedAt: number;
  };
};

/** Maximum body in bytes; a full batch of the longest rows is smaller. */
const BODY_LIMIT = 256 * 1024;

export const app = new Hono<Signed>();

app.onError(onError);
app.notFound((c) => onError(new ApiError(404), c));
app.use(requestLogger('GET', 'POST'));
app.use(securityHeaders);
app.use(async (c, next) => {
  await next();
  c.res.headers.set(SERVER_TIME_HEADER, String(Date.now()));
});
app.use((c, next) => {
  readConfig(c.env);
  return next();
});

/**
 * Requires a valid signature. Refuses an unsigned request before its body is read. If no cached key has
 * signed a request, rate-limits its address before the database is read: anybody can make up a bridge.
 */
const requireSignature: MiddlewareHandler<Signed> = async (c, next) => {
  const claim = parseSignatureHeaders(c.req.raw.headers);
  if (claim === null) throw new ApiError(401, { message: '서명이 없거나 올바르지 않습니다' });
  const now = Math.floor(Date.now() / 1000);
  if (Math.abs(now - Number(claim.timestamp)) > SIGNATURE_WINDOW_SECONDS) {
    throw new ApiError(401, { message: '요청의 시각이 서버의 시각과 다릅니다' }, { server_time: now });
  }
  const body = await readLimitedBody(c.req.raw, BODY_LIMIT);
  c.set('body', body);
  const request = { method: c.req.method, path: new URL(c.req.url).pathname, body };
  const familiar = await findSigningKey(cachedKeys(claim.bridgeId), claim, request);
  if (familiar === undefined) await limitRate(c, c.env.STRANGERS_RATE, clientKey(c));
  const active = await listActiveBridgeKeys(database(c.env.PLANTS_DB), claim.bridgeId);
  const key = familiar
    ? active.find((each) => each.key === familiar.key)
    : await findSigningKey(active, claim, request);
  if (familiar !== undefined && key === undefined) dropFromCache(claim.bridgeId, familiar);
  if (key === undefined) throw new ApiError(401, { message: '서명이 올바르지 않거나 키가 폐기되었습니다' });
  addToCache(claim.bridgeId, key);
  c.set('bridgeId', claim.bridgeId);
  c.set('key', key);
  c.set('signedAt', Number(claim.timestamp) * 1000);
  await next();
};

/** Counts each bridge after its signature was checked: otherwise anybody could use up a bridge's limit. */
const limitReadings: MiddlewareHandler<Signed> = async (c, next) => {
  await limitRate(c, c.env.READINGS_RATE, c.var.bridgeId);
  await next();
};

/** A bridge sends about two heartbeats per minute, so the limit for unknown senders is enough. */
const limitHeartbeats: MiddlewareHandler<Signed> = async (c, next) => {
  await limitRate(c, c.env.STRANGERS_RATE, `heartbeats of ${c.var.bridgeId}`);
  await next();
};

/** The answer to a key over its daily limit: the bridge keeps its readings and tries again the next day. */
function tooMuchToday(c: Context<Signed>): ApiError {
  const leftMs = DAY_MS - (Date.now() % DAY_MS);
  c.header('Retry-After', String(Math.ceil(leftMs / 1000)));
  return new ApiError(429, { message: '이 키로 하루에 보낼 수 있는 측정값을 모두 보냈습니다' });
}

function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body));
  } catch {
    return undefined;
  }
}

function checkReading(sent: unknown): Reading | { reason: string } {
  const parsed = readingSchema.safeParse(sent);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  return { reason: `${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`.slice(0, 200) };
}

const plantNamesSchema = z.array(z.string());

/** The plants that the key is limited to; null for every plant. */
function plantsOf(key: BridgeKey): string[] | null {
  return key.plants === null ? null : plantNamesSchema.parse(JSON.parse(key.plants));
}

function mayKeySpeakFor(key: BridgeKey): (plant: string) => boolean {
  const only = plantsOf(key);
  const listed = only && new Set(only);
  return (plant) => listed === null || listed.has(plant);
}

/** The list of plants for a bridge with this key; undefined if the bridge has the same list already. */
async function newsOfPlants(db: Database, key: BridgeKey, held: string): Promise<PlantList | undefined> {
  const maySpeakFor = mayKeySpeakFor(key);
  const only = plantsOf(key);
  const listed = (await listPlants(db)).filter(({ plant }) => maySpeakFor(plant));
  const bytes = new TextEncoder().encode(JSON.stringify({ only, listed }));
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)).toHex();
  return digest === held ? undefined : { digest, only, listed };
}

function resultOf(outcome: ReadingOutcome, { plant }: ReadingRow): ReadingIngestResult {
  if (outcome === 'stored' || outcome === 'duplicate') return { status: outcome };
  // A reading received before its plant was removed was removed with the plant, so it is no dead letter.
  if (outcome === 'removed') return { status: 'duplicate' };
  return {
    status: 'rejected',
    reason: outcome === 'misspelt' ? invalidNameReason(plant) : refusalReasons[outcome],
  };
}

app.get('/health', (c) => {
  const ok = !databaseFailedRecently(() => true);
  return c.json({ ok }, ok ? 200 : 503);
});

app.post('/readings', requireSignature, limitReadings, async (c) => {
  const batch = readingBatchSchema.safeParse(parseJson(c.var.body));
  if (!batch.success) throw new ApiError(400, { message: '측정값 목록의 형식이 올바르지 않습니다' });

  const sent = batch.data.readings.map(checkReading);
  const readings = sent.filter((each) => 'plant' in each);
  const rowFor = createRowBuilder(
    Date.now(),
    c.req.header(BRIDGE_CLOCK_HEADER) === SERVER_CLOCK_VALUE,
    readings,
  );
  const checked = sent.map((each) => ('plant' in each ? rowFor(each) : each));
  const maySpeakFor = mayKeySpeakFor(c.var.key);
  const foreign = checked.flatMap((row, index) =>
    'plant' in row && !maySpeakFor(row.plant) ? [index + 1] : [],
  );
  const [firstForeign] = foreign;
  if (firstForeign !== undefined) {
    const beside: z.infer<typeof forbiddenRowsSchema> = { rows: foreign };
    throw new ApiError(403, { message: '이 키로 보낼 수 없는 화분입니다', row: firstForeign }, beside);
  }

  const rows = checked.filter((row) => 'plant' in row);
  const outcomes = await storeReadings(database(c.env.PLANTS_DB), rows, c.var.key.id);
  if (outcomes === 'over quota') throw tooMuchToday(c);
  const outcomeOf = new Map<object, ReadingOutcome | undefined>(
    rows.map((row, index) => [row, outcomes[index]]),
  );
  broadcastChanges(
    c,
    rows.flatMap((row) => (outcomeOf.get(row) === 'stored' ? [row.plant] : [])),
  );
  return c.json({
    results: checked.map((row): ReadingIngestResult => {
      if (!('plant' in row)) return { status: 'rejected', reason: row.reason };
      const outcome = outcomeOf.get(row);
      if (outcome === undefined) throw new Error('a row has no outcome');
      return resultOf(outcome, row);
    }),
  });
});

app.post('/heartbeat', requireSignature, limitHeartbeats, async (c) => {
  const parsed = heartbeatSchema.safeParse(parseJson(c.var.body));
  if (!parsed.success) throw new ApiError(400, { message: '상태 보고의 형식이 올바르지 않습니다' });
  const {
    broker_connected,
    valid_for_ms,
    spool,
    boards = [],
    over_quota,
    machine = {},
    result,
  } = parsed.data;
  const db = database(c.env.PLANTS_DB);
  const reportedAt = Date.now();
  const maySpeakFor = mayKeySpeakFor(c.var.key);
  await recordHeartbeat(db, {
    bridgeId: c.var.bridgeId,
    brokerConnected: broker_connected,
    reportedAt,
    // If the bridge's clock is ahead, its timestamp would be newer than every heartbeat after the clock is
    // corrected.
    signedAt: Math.min(c.var.signedAt, reportedAt - (reportedAt % 1000)),
    validUntil: reportedAt + valid_for_ms,
    version: releaseSchema.safeParse(c.req.header(BRIDGE_VERSION_HEADER)).data ?? null,
    machine,
    spool: spool
      ? { ...spool, oldestAt: spool.oldest_at === null ? null : Date.parse(spool.oldest_at) }
      : null,
    overQuota: over_quota?.filter(({ plant }) => maySpeakFor(plant)) ?? null,
  });
  // A bridge receives messages of every board of its broker, but its key may be for some of them only.
  const words = boards
    .filter(({ plant }) => maySpeakFor(plant))
    .map(({ plant, online, at, retained }) => ({
      plant,
      online,
      at: Math.min(Date.parse(at), reportedAt),
      retained,
    }));
  if (words.length > 0) await recordBoardPresence(db, words, c.var.key.id);
  broadcastChanges(
    c,
    words.map(({ plant }) => plant),
  );
  const signer = { bridgeId: c.var.bridgeId, plants: c.var.key.plants };
  if (result !== undefined) await recordTaskResult(db, signer, result);
  const tasks = machine.tasks === undefined ? undefined : await takeOpenTasks(db, signer);
  const held = c.req.header(BRIDGE_PLANTS_HEADER);
  const news = held === undefined ? undefined : await newsOfPlants(db, c.var.key, held);
  const answer: HeartbeatAnswer = { ok: true, ...(news && { plants: news }), ...(tasks && { tasks }) };
  return c.json(answer);
});

for (const path of ['/health', '/readings', '/heartbeat']) {
  app.all(path, () => {
    throw new ApiError(405);
  });
}

export { Live } from './live-screens.ts';
export default { fetch: app.fetch } satisfies ExportedHandler<Env>;
