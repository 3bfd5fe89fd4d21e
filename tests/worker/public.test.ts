import { MEMBER, hasAccess, LEVELS } from '#contract/access-levels';
import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Health } from '#contract/health';
import { askedBy } from './client.ts';
import { api, migrateDatabase, sessionOf } from './support.ts';
import { courseFields } from '../support/course.ts';

beforeAll(migrateDatabase);

describe('GET /api/people', () => {
  const groups = async (path: string, cookie = '') => {
    const answer = await api(path, { headers: { cookie } });
    return await answer.json<Record<string, { name: string; email?: string }[]>>();
  };

  test('PUB-5 PUB-6 visitors see no undergraduate group and an empty graduate group', async () => {
    const people = await groups('/people');
    expect(Object.keys(people).sort()).toEqual(['graduate_alumnis', 'graduate_students', 'professors']);
    expect(people.graduate_students).toEqual([]);
  });

  test.each(LEVELS.filter((level) => hasAccess(level, MEMBER)))(
    'PUB-6 level %i sees the undergraduates',
    async (level) => {
      const people = await groups('/people', await sessionOf(`people-${level}@lab.test`, level));
      expect(people.undergraduate_students?.length).toBeGreaterThan(0);
      expect(people.undergraduate_alumnis?.length).toBeGreaterThan(0);
    },
  );

  test.each(LEVELS.filter((level) => !hasAccess(level, MEMBER)))('PUB-6 level %i does not', async (level) => {
    const people = await groups('/people', await sessionOf(`people-${level}@lab.test`, level));
    expect(people).not.toHaveProperty('undergraduate_students');
    expect(people).not.toHaveProperty('undergraduate_alumnis');
  });

  test('PUB-4 visitors are given emails with AT', async () => {
    for (const lang of ['ko', 'en']) {
      const text = JSON.stringify(await groups(`/people?lang=${lang}`));
      expect(text).toContain(' AT ');
      expect(text).not.toContain('@');
    }
  });

  test('an unknown language is refused by name', async () => {
    const answer = await api('/people?lang=fr');
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: { field: 'lang' } });
  });
});

describe('GET /api/courses', () => {
  test('PUB-7 lists every course, newest term first, to everyone', async () => {
    await env.DB.prepare(
      `INSERT INTO courses (year, semester, subject, subject_en, target, target_etc) VALUES
       (2025, 1, '가', 'A', 3, ''), (2026, 1, '나', 'B', 0, '누구나'), (2026, 3, '다', 'C', 7, '')`,
    ).run();
    const answer = await api('/courses');
    expect(answer.headers.get('cache-control')).toBe(
      'public, max-age=0, s-maxage=60, stale-while-revalidate=60, stale-if-error=86400',
    );
    const list = await answer.json<{ subject: string }[]>();
    expect(list.map(({ subject }) => subject)).toEqual(['다', '나', '가']);
    expect(list[1]).toEqual({
      ...courseFields,
      id: expect.any(Number),
      subject: '나',
      subject_en: 'B',
      target: 0,
      target_etc: '누구나',
      version: 1,
    });
  });
});

describe('GET /api/health', () => {
  const newKey = (bridge: string) =>
    env.PLANTS_DB.prepare('INSERT INTO bridge_keys (bridge_id, key, created_at) VALUES (?, ?, 0)')
      .bind(bridge, bridge.padEnd(32, '-'))
      .run();
  const beat = (bridge: string, brokerConnected: number, validForMs: number) =>
    env.PLANTS_DB.prepare(
      'INSERT OR REPLACE INTO bridge_heartbeats (bridge_id, broker_connected, reported_at, valid_until) VALUES (?, ?, ?, ?)',
    )
      .bind(bridge, brokerConnected, Date.now(), Date.now() + validForMs)
      .run();
  let clock = 0;
  /** Each time late enough that nothing is told from memory. */
  const health = async () => {
    clock += 1000;
    vi.setSystemTime(clock);
    const answer = await api('/health');
    return { status: answer.status, ...(await answer.json<Health>()) };
  };
  /** What fifty calls are answered within a second, and how many queries they make. */
  const askedOften = async () => {
    const asked: number[] = [];
    let queries = 0;
    for (let time = 0; time < 50; time++) {
      const { answer, ...made } = await askedBy('/health');
      await answer.text();
      asked.push(answer.status);
      queries += made.queries + made.batches.length;
    }
    return { asked, queries };
  };
  beforeEach(async () => {
    await env.PLANTS_DB.batch([
      env.PLANTS_DB.prepare('DELETE FROM bridge_heartbeats'),
      env.PLANTS_DB.prepare('DELETE FROM bridge_keys'),
    ]);
    clock = Math.max(clock, Date.now()) + 1000;
    vi.useFakeTimers({ toFake: ['Date'], now: clock });
    return () => vi.useRealTimers();
  });

  test('SEC-87 asks the database once a second, however often anybody asks', async () => {
    await health();
    await newKey('b1');
    await beat('b1', 1, 60_000);
    const { asked, queries } = await askedOften();
    expect({ asked, queries }).toEqual({ asked: Array.from({ length: 50 }, () => 503), queries: 0 });
    expect((await health()).status).toBe(200);
  });

  test('answers 503 until a bridge that hears its broker has reported', async () => {
    const down = {
      status: 503,
      ok: false,
      parts: { api: true, ingest: true, broker: false, bridge: false },
    };
    expect(await health()).toEqual(down);
    await newKey('b1');
    expect(await health()).toEqual(down);
    await beat('b1', 0, 60_000);
    expect(await health()).toMatchObject({ status: 503, parts: { broker: false, bridge: true } });
    await beat('b1', 1, 60_000);
    expect(await health()).toEqual({
      status: 200,
      ok: true,
      parts: { api: true, ingest: true, broker: true, bridge: true },
    });
    await beat('b1', 1, -1);
    expect(await health()).toEqual(down);
  });

  /** What each of two bridges may be, and what it says of the parts; null says nothing. */
  const bridges = {
    'has never spoken': null,
    'hears its broker': { bridge: true, broker: true },
    'has lost its broker': { bridge: true, broker: false },
    'fell silent': { bridge: false, broker: null },
    'was revoked': null,
  } as const;
  const isKind = (name: string): name is keyof typeof bridges => Object.hasOwn(bridges, name);
  const kinds = Object.keys(bridges).filter(isKind);
  test.each(kinds.flatMap((one) => kinds.map((other) => [one, other] as const)))(
    'OPS-4 stands when every bridge that is known does: one %s, one %s',
    async (...pair) => {
      for (const [index, kind] of pair.entries()) {
        const name = `bridge-${index}`;
        await newKey(name);
        if (kind !== 'has never spoken') {
          await beat(name, kind === 'has lost its broker' ? 0 : 1, kind === 'fell silent' ? -1 : 60_000);
        }
        if (kind === 'was revoked') {
          await env.PLANTS_DB.prepare('UPDATE bridge_keys SET revoked_at = 1 WHERE bridge_id = ?')
            .bind(name)
            .run();
        }
      }
      const said = pair.flatMap((kind) => bridges[kind] ?? []);
      const hearing = said.filter(({ broker }) => broker !== null);
      expect((await health()).parts).toMatchObject({
        bridge: said.length > 0 && said.every(({ bridge }) => bridge),
        broker: hearing.length > 0 && hearing.every(({ broker }) => broker),
      });
    },
  );
});

describe('what every answer keeps to', () => {
  test('API-1 unknown paths under /api are JSON 404', async () => {
    for (const path of ['/nope', '/login/x/y', '', '/Plants', '/plants/']) {
      const answer = await api(path);
      expect(answer.status).toBe(404);
      expect(await answer.json()).toMatchObject({ error: { code: 'not_found' } });
    }
  });

  test('SEC-39 carries the security headers, errors included', async () => {
    for (const path of ['/people', '/nope', '/plants', '/health']) {
      const { headers } = await api(path);
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
      expect(headers.get('strict-transport-security')).toBe('max-age=31536000; includeSubDomains');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBeTruthy();
      expect(headers.get('permissions-policy')).toBeTruthy();
    }
  });
});
