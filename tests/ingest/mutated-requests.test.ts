import { errorBodySchema } from '#contract/errors';
import { heartbeatAnswerSchema, readingReceiptSchema } from '#contract/readings';
import { env } from 'cloudflare:workers';
import { beforeEach, expect, test } from 'vitest';
import { fewOrMany, isFull } from '../support/counts.ts';
import {
  bodies,
  damaged,
  faultIn,
  generator,
  headers,
  methods,
  near,
  texts,
  worse,
  type Random,
} from '../support/mutations.ts';
import { database } from '#db/client';
import { writeRollups } from '../../worker/src/plants/rollups-data.ts';
import { expectIntegrity } from '../support/integrity.ts';
import { bytesOf, freshDatabase, instant, reading, send, signature, type Signing } from './support.ts';

const REQUESTS = fewOrMany(100, 3000);
const SEED = 20_261_122;

beforeEach(freshDatabase);

function heartbeat(): object {
  return {
    broker_connected: true,
    valid_for_ms: 60_000,
    spool: { depth: 1, oldest_at: instant(-1000), dead: 0 },
    boards: [{ plant: 'fern', online: true, at: instant(-2000) }],
  };
}

function bodyFor(path: string, random: Random): string | Uint8Array<ArrayBuffer> {
  const age = random.below(10_000_000) * 1000;
  const one = reading({ datetime: instant(-age), plant: random.oneOf(['fern', 'moss', '이끼']) });
  const right = path === '/heartbeat' ? heartbeat() : { readings: [one, reading(), one] };
  const text = random.oneOf([
    () => JSON.stringify(near(right, random)),
    () => JSON.stringify(near(right, random)),
    () => damaged(JSON.stringify(right), random),
    () => JSON.stringify(worse(right, random)),
    () => random.oneOf<string | Uint8Array<ArrayBuffer>>(bodies),
    () => JSON.stringify({ readings: Array.from({ length: 600 }, () => one) }),
    () => 'x'.repeat(random.oneOf([256 * 1024, 256 * 1024 + 1, 600_000])),
  ])();
  return text;
}

/** Headers with a correct signature, with a signature for another key, time, bridge or path, or with none. */
async function signedHeaders(path: string, body: Uint8Array<ArrayBuffer>, random: Random) {
  const signing = random.oneOf<Signing>([
    {},
    {},
    {},
    { key: 'of nobody' },
    { bridgeId: random.oneOf(['unknown', "'; DROP TABLE bridge_keys; --", 'x'.repeat(5000)]) },
    { secondsOff: random.oneOf([-400, 400, 1e12]) },
    { path: '/elsewhere' },
  ]);
  const right: Record<string, string> = await signature(signing.path ?? path, body, signing);
  if (random.happens(0.8)) return right;
  const name = random.oneOf(['x-bridge-id', 'x-bridge-timestamp', 'x-bridge-signature']);
  const value = random.oneOf([...texts, '1e9', '-1', '0x10', 'f'.repeat(64)]);
  // Leaves out values that a header cannot contain.
  const { [name]: _, ...others } = right;
  return /^[\x21-\x7e]*$/.test(value) ? { ...others, [name]: value } : others;
}

/** What is wrong with an answer; undefined if nothing is wrong. */
async function faultOf(answer: Response, method: string): Promise<string | undefined> {
  const text = await answer.text();
  const fault = faultIn(answer, text);
  if (fault !== undefined || method === 'HEAD') return fault;
  const body: unknown = JSON.parse(text);
  if (answer.status >= 400) {
    return errorBodySchema.safeParse(body).success ? undefined : `not the contract's error: ${text}`;
  }
  const isReceipt = readingReceiptSchema.safeParse(body).success;
  // The last schema also matches the answer of GET /health.
  return isReceipt || heartbeatAnswerSchema.safeParse(body).success
    ? undefined
    : `not the contract's receipt: ${text}`;
}

test(
  `SEC-64 ${REQUESTS} requests that are not quite right, signed and unsigned, never fail the server`,
  { timeout: 1_800_000 },
  async () => {
    const random = generator(SEED);
    const seen = new Set<number>();
    for (let number = 0; number < REQUESTS; number++) {
      const path = random.oneOf(['/readings', '/readings', '/heartbeat']);
      const method = random.happens(0.9) ? 'POST' : random.oneOf(methods);
      const content = bodyFor(path, random);
      const body = content instanceof Uint8Array ? content : bytesOf(content);
      const url = path + random.oneOf(['', '', '', '?x=1', '/', '/..;/x', '?%ff']);
      const init = {
        method,
        headers: {
          ...(await signedHeaders(path, body, random)),
          ...(random.happens(0.1) && random.oneOf<Record<string, string>>(headers)),
        },
        ...(method !== 'GET' && method !== 'HEAD' && { body }),
      };
      const begun = Date.now();
      const answer = await send(url, init);
      expect(await faultOf(answer, method), `request ${number}: ${method} ${url}`).toBeUndefined();
      expect(isFull ? Date.now() - begun : 0, `milliseconds of request ${number}`).toBeLessThan(2000);
      seen.add(answer.status);
    }
    for (const status of [200, 400, 401, 404, 405, 413]) expect(seen).toContain(status);
    await expectIntegrity(env.PLANTS_DB);
    await writeRollups(database(env.PLANTS_DB), Date.now() + 3_600_000);
    const counted = await env.PLANTS_DB.prepare(
      `SELECT (SELECT count(*) FROM plant_readings) AS readings,
         (SELECT sum(readings) FROM plant_states) AS states,
         (SELECT sum(count) FROM plant_rollups WHERE width = 300000) AS rollups`,
    ).first<Record<'readings' | 'states' | 'rollups', number>>();
    expect(counted?.readings).toBeGreaterThan(0);
    expect(counted).toEqual({
      readings: counted?.readings,
      states: counted?.readings,
      rollups: counted?.readings,
    });
  },
);
