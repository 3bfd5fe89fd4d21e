import type { Health } from '#contract/health';
import { database } from '#db/client';
import { Hono } from 'hono';
import type { AppEnv } from '../lib/app-env.ts';
import type { Env } from '../lib/config.ts';
import { traceOf, type Log } from '../lib/log.ts';
import { livingBridges } from './data.ts';

export const health = new Hono<AppEnv>().get('/', async (c) => {
  const [database, ingest] = await Promise.all([askDatabase(c.env, c.var.log), askIngest(c.env, c.var.log)]);
  const parts: Health['parts'] = { ...database, ingest };
  const ok = Object.values(parts).every(Boolean);
  return c.json<Health>({ ok, parts }, ok ? 200 : 503);
});

async function askDatabase(env: Env, log: Log): Promise<Omit<Health['parts'], 'ingest'>> {
  try {
    const bridges = await livingBridges(database(env.DB), Date.now());
    return {
      api: true,
      bridge: bridges.length > 0,
      broker: bridges.some((bridge) => bridge.brokerConnected),
    };
  } catch (error) {
    log('error', 'database_does_not_answer', { error: traceOf(error) });
    return { api: false, bridge: false, broker: false };
  }
}

async function askIngest(env: Env, log: Log): Promise<boolean> {
  try {
    return (await env.INGEST.fetch('http://ingest/health')).ok;
  } catch (error) {
    log('error', 'ingest_does_not_answer', { error: traceOf(error) });
    return false;
  }
}
