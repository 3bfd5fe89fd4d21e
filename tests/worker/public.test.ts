import { MEMBER, hasAccess, LEVELS } from '#contract/access-levels';
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { api, migrateDatabase, ORIGIN, sessionOf } from './support.ts';

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
      id: expect.any(Number),
      year: 2026,
      semester: 1,
      subject: '나',
      subject_en: 'B',
      target: 0,
      target_etc: '누구나',
      target_etc_en: '',
    });
  });
});

describe('GET /api/health', () => {
  const beat = (brokerConnected: number, validUntil: number) =>
    env.DB.prepare(
      'INSERT OR REPLACE INTO bridge_heartbeats (bridge_id, broker_connected, reported_at, valid_until) VALUES (?, ?, ?, ?)',
    )
      .bind('b1', brokerConnected, Date.now(), validUntil)
      .run();

  test('answers 503 until a bridge that hears its broker has reported', async () => {
    const silent = await api('/health');
    expect(silent.status).toBe(503);
    expect(await silent.json()).toEqual({
      ok: false,
      parts: { api: true, ingest: true, broker: false, bridge: false },
    });
    await beat(0, Date.now() + 60_000);
    expect(await (await api('/health')).json()).toMatchObject({ parts: { broker: false, bridge: true } });
    await beat(1, Date.now() + 60_000);
    const whole = await api('/health');
    expect(whole.status).toBe(200);
    expect(await whole.json()).toEqual({
      ok: true,
      parts: { api: true, ingest: true, broker: true, bridge: true },
    });
    await beat(1, Date.now() - 1);
    expect((await api('/health')).status).toBe(503);
  });
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

  test.each<Record<string, string>>([
    { origin: 'https://evil.test' },
    { origin: 'null' },
    { origin: 'https://lab.test.evil.test' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ])('SEC-16 a write from another site is refused: %j', async (headers) => {
    const cookie = await sessionOf('victim@lab.test');
    expect((await api('/logout', { method: 'POST', headers: { ...headers, cookie } })).status).toBe(403);
    expect((await api('/login/status', { method: 'POST', headers: { cookie } })).status).toBe(200);
  });

  test('SEC-16 a write from the own origin, or from a program, passes', async () => {
    for (const headers of [{ origin: ORIGIN, 'sec-fetch-site': 'same-origin' }, {}]) {
      expect((await api('/logout', { method: 'POST', headers })).status).toBe(200);
    }
  });

  test('SEC-17 no foreign origin is ever allowed to read', async () => {
    const { headers } = await api('/people', { headers: { origin: 'https://evil.test' } });
    expect(headers.get('access-control-allow-origin')).toBeNull();
  });
});
