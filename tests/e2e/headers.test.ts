import { createHash, createHmac } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { errorBodySchema } from '#contract/errors';
import { textToSign } from '#contract/readings';
import { inlineScripts } from '../../scripts/deploy/check-built-site.ts';
import { openLocalD1 } from '../../scripts/database/local-d1.ts';
import { directives, expectSafe } from '../support/safe-headers.ts';
import { credential, login } from '../support/sign-in.ts';
import { sharedStack } from '../support/shared-stack.ts';
import { keepLogsOnFailure } from '../support/stack.ts';

const stack = sharedStack('demo');
let admin = '';
let guest = '';
beforeAll(async () => {
  admin = await cookieOf('admin@lab.test');
  guest = await cookieOf('guest@lab.test');
});

const cookieOf = async (email: string) =>
  (await login(stack.origin, await credential(stack.origin, email))).cookie;
const get = (path: string, init: RequestInit = {}) =>
  fetch(`${stack.origin}${path}`, { redirect: 'manual', ...init });

describe('the site', () => {
  const pages: [path: string, status: number][] = [
    ['/', 200],
    ['/ko', 200],
    ['/en', 200],
    ['/login', 200],
    ['/manage_users', 200],
    ['/error/401', 200],
    ['/docs/sensor-protocol', 200],
    ['/nowhere', 404],
    ['/nowhere/else.html', 404],
    ['/markdown/missing.md', 404],
    ['/assets/missing.js', 404],
  ];

  test.each(pages)('SEC-39 SEC-104 the page %s (%i) says what may run in it', async (path, status) => {
    const answer = await get(path);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-type')).toMatch(/^text\/html/);
    expectSafe(answer);
    expect(answer.headers.get('cross-origin-opener-policy')).toBe('same-origin-allow-popups');
    expect(answer.headers.get('permissions-policy')).toContain('identity-credentials-get=(self)');
    const policy = directives(answer.headers);
    expect(policy['default-src']).toBe("'self'");
    const scripts = (policy['script-src'] ?? '').split(' ');
    expect(scripts).toContain('https://accounts.google.com/gsi/client');
    for (const loose of ["'unsafe-inline'", "'unsafe-eval'", '*', 'https:', 'data:', 'blob:']) {
      expect(scripts).not.toContain(loose);
    }
    expect(policy['require-trusted-types-for']).toBe("'script'");
    expect(policy['img-src']).toBe("'self' data: https://www.openstreetmap.org");
    expect(answer.headers.get('cross-origin-resource-policy')).toBe('same-origin');
  });

  test('SEC-39 no page holds a script of its own that the policy would stop', async () => {
    for (const [path] of pages) {
      const answer = await get(path);
      const html = await answer.text();
      const allowed = directives(answer.headers)['script-src'];
      for (const script of inlineScripts(html)) {
        const digest = createHash('sha256').update(script).digest('base64');
        expect(allowed, path).toContain(`'sha256-${digest}'`);
      }
      expect(html).not.toMatch(/\son[a-z]+\s*=\s*["']/);
    }
  });

  test('SEC-39 its other files say so too, and what is named by its content is kept for good', async () => {
    const html = await (await get('/login')).text();
    const assets = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path = '']) => path);
    expect(assets.length).toBeGreaterThan(1);
    for (const path of [
      ...assets,
      '/icon.svg',
      '/robots.txt',
      '/sitemap.xml',
      '/markdown/sensor-protocol.md',
    ]) {
      const answer = await get(path);
      expect(answer.status, path).toBe(200);
      expectSafe(answer);
    }
  });

  test('SEC-60 every built file that is named by its content is kept for good, and no other file', async () => {
    const files = globSync('**/*', { cwd: 'web/dist', withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.startsWith('_'))
      .map((entry) => join(entry.parentPath, entry.name).replace(/^.*web\/dist/, ''));
    const kept = files.filter((path) => path.startsWith('/assets/'));
    expect(kept.length).toBeGreaterThan(30);
    for (const path of kept) {
      const answer = await get(path);
      expect([path, answer.status]).toEqual([path, 200]);
      expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      const etag = answer.headers.get('etag') ?? '';
      expect([path, (await get(path, { headers: { 'if-none-match': etag } })).status]).toEqual([path, 304]);
    }
    for (const path of files.filter((each) => !kept.includes(each))) {
      // A page's own address has no ending, and the file's leads there.
      const answer = await get(path.replace(/(\/index)?\.html$/, ''));
      const control = answer.headers.get('cache-control') ?? '';
      const isDay = path.startsWith('/pictures/') && control === 'public, max-age=86400';
      expect(isDay ? '' : control, path).not.toMatch(/max-age=[1-9]|immutable/);
    }
  });

  test('SEC-60 a missing file under /assets is kept nowhere, whatever it is called', async () => {
    const [known = ''] = globSync('index-*.js', { cwd: 'web/dist/assets' });
    for (const path of [
      '/assets/index-00000000.js',
      '/assets/index-00000000.css',
      `/assets/${known}.map`,
      `/assets/${known.toLowerCase()}x`,
      `/assets/x/${known}`,
      '/assets/missing.svg?v=1',
      '/assets/%20',
    ]) {
      for (const method of ['GET', 'HEAD']) {
        const answer = await get(path, { method });
        expect([path, answer.status]).toEqual([path, 404]);
        expect(answer.headers.get('cache-control'), path).toBe('no-store');
      }
    }
  });

  test.each(['/', '/login', '/icon.svg'])('SEC-39 so does a 304 of %s', async (path) => {
    const etag = (await get(path)).headers.get('etag') ?? '';
    const answer = await get(path, { headers: { 'if-none-match': etag } });
    expect(answer.status).toBe(304);
    expectSafe(answer);
  });

  test.each<[string, string, number[]]>([
    ['HEAD', '/', [200]],
    ['POST', '/', [405]],
    ['DELETE', '/nowhere', [404, 405]],
    ['GET', '/index.html', [301, 302, 307, 308]],
    ['GET', '/..%2f..%2fetc/passwd', [307, 404]],
    ['GET', '/login/', [301, 302, 307, 308, 404]],
  ])('SEC-39 so does %s %s', async (method, path, statuses) => {
    const answer = await get(path, { method });
    expect(statuses).toContain(answer.status);
    expectSafe(answer);
  });
});

describe('the API', () => {
  const json = { 'content-type': 'application/json' };
  const calls: [string, () => Promise<Response>, number][] = [
    ['an open list', () => get('/api/people'), 200],
    ['a list for admins', () => get('/api/users', { headers: { cookie: admin } }), 200],
    ['the user', () => get('/api/login/status', { method: 'POST', headers: { cookie: guest } }), 200],
    ['a redirect', () => get('/api/login/redirect'), 302],
    ['a bad query', () => get('/api/people?lang=fr'), 400],
    ['nobody', () => get('/api/users'), 401],
    ['a browser that is nobody', () => get('/api/users', { headers: { accept: 'text/html' } }), 401],
    ['a guest', () => get('/api/users', { headers: { cookie: guest } }), 403],
    [
      'another site',
      () => get('/api/logout', { method: 'POST', headers: { cookie: guest, origin: 'https://evil.test' } }),
      403,
    ],
    ['an unknown address', () => get('/api/nowhere'), 404],
    ['an encoded address', () => get('/api/%75sers', { headers: { cookie: admin } }), 404],
    ['HEAD', () => get('/api/people', { method: 'HEAD' }), 405],
    [
      'a large body',
      () =>
        get('/api/users/1', { method: 'PUT', headers: { cookie: admin, ...json }, body: ' '.repeat(70_000) }),
      413,
    ],
    ['no JSON', () => get('/api/users/1', { method: 'PUT', headers: { cookie: admin }, body: 'x' }), 415],
  ];

  test.each(calls)(
    'SEC-39 SEC-40 answers %s with its headers and keeps it in no cache',
    async (_, call, status) => {
      const answer = await call();
      expect(answer.status).toBe(status);
      expectSafe(answer);
      expect(answer.headers.get('cache-control')).toBe('no-store');
    },
  );

  test('SEC-40 courses and the public plant alone are kept, and for visitors alone', async () => {
    const visitor = await get('/api/courses');
    const kept = 'public, max-age=0, s-maxage=60, stale-while-revalidate=60, stale-if-error=86400';
    expect(visitor.headers.get('cache-control')).toBe(kept);
    expectSafe(visitor);
    const plant = await get('/api/plants/public');
    expect(plant.headers.get('cache-control')).toMatch(/^public, max-age=0, s-maxage=300,/);
    expectSafe(plant);
    for (const path of ['/api/courses', '/api/plants/public']) {
      const user = await get(path, { headers: { cookie: admin } });
      expect(user.headers.get('cache-control')).not.toContain('public');
      expectSafe(user);
    }
  });

  test('SEC-40 nobody is given what was answered to somebody else before', async () => {
    for (const path of ['/api/users', '/api/access_log', '/api/login/sessions']) {
      expect((await get(path, { headers: { cookie: admin } })).status).toBe(200);
      expect((await get(path)).status).toBe(401);
    }
    const toAdmin = await (await get('/api/people', { headers: { cookie: admin } })).text();
    expect(toAdmin).toContain('undergraduate_students');
    expect(await (await get('/api/people')).text()).not.toContain('undergraduate_students');
  });

  test('SEC-8 logging out kills the cookie for good, twice without harm, and not by GET', async () => {
    const cookie = await cookieOf('member@lab.test');
    const status = async () =>
      (await get('/api/login/status', { method: 'POST', headers: { cookie } })).status;
    expect([404, 405]).toContain((await get('/api/logout', { headers: { cookie } })).status);
    expect(await status()).toBe(200);
    const answer = await get('/api/logout', { method: 'POST', headers: { cookie } });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('clear-site-data')).toBe('"cache"');
    expect(answer.headers.getSetCookie().join()).toMatch(
      /^__Host-session=; Max-Age=0; Path=\/; HttpOnly; Secure/,
    );
    expect(await status()).toBe(401);
    expect((await get('/api/logout', { method: 'POST', headers: { cookie } })).status).toBe(200);
  });
});

describe('the ingest worker', () => {
  const post = (headers: Record<string, string>, body: string) =>
    fetch(`${stack.ingestUrl}/readings`, { method: 'POST', headers, body });
  function signed(body: string): Record<string, string> {
    const timestamp = String(Math.floor(Date.now() / 1000));
    const hash = createHash('sha256').update(body).digest('hex');
    const key = readFileSync(join(stack.dataDir, 'bridge-key'), 'utf8');
    const text = textToSign(timestamp, 'POST', '/readings', hash);
    return {
      'x-bridge-id': 'local',
      'x-bridge-timestamp': timestamp,
      'x-bridge-signature': createHmac('sha256', key).update(text).digest('hex'),
    };
  }

  test('SEC-39 SEC-41 answers with its headers and keeps nothing in a cache', async () => {
    const answers = await Promise.all([
      fetch(`${stack.ingestUrl}/health`),
      fetch(`${stack.ingestUrl}/nowhere`),
      fetch(`${stack.ingestUrl}/readings`),
      post({}, '{}'),
      post(signed(''), ' '.repeat(300_000)),
    ]);
    answers.push(await post(signed('{}'), '{}'));
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 405, 401, 413, 400]);
    for (const answer of answers) {
      expectSafe(answer);
      expect(answer.headers.get('cache-control')).toBe('no-store');
    }
  });
});

describe('a server that fails', () => {
  /** Runs something while the database has no users' table. */
  async function withoutUsers(work: () => Promise<void>): Promise<void> {
    const db = openLocalD1(stack.dataDir);
    db.exec('ALTER TABLE users RENAME TO hidden');
    try {
      await work();
    } finally {
      db.exec('ALTER TABLE hidden RENAME TO users');
      db.close();
    }
  }

  test('SEC-42 answers with an id and nothing else, and logs nobody: no cookie, no token, no email', async () => {
    keepLogsOnFailure(stack);
    const email = 'very.private@lab.test';
    const token = await credential(stack.origin, email, { name: '비밀스런이름', sub: '8877665544332211' });
    await withoutUsers(async () => {
      const headers = { authorization: `Bearer ${token}`, cookie: admin };
      for (const answer of [
        await get('/api/login', { method: 'POST', headers }),
        await get('/api/users', { headers }),
        await get('/api/login/status', { method: 'POST', headers }),
        await get('/api/login/1', {
          method: 'PUT',
          headers: { ...headers, 'content-type': 'application/json' },
          body: JSON.stringify({ name: '비밀스런이름', email, univId: '209912345' }),
        }),
      ]) {
        expect(answer.status).toBe(500);
        expectSafe(answer);
        expect(answer.headers.get('cache-control')).toBe('no-store');
        const { error } = errorBodySchema.strict().parse(await answer.json());
        expect(error).toEqual({
          code: 'server_error',
          message: expect.any(String),
          requestId: expect.any(String),
        });
        await stack.untilPrinted(new RegExp(error.requestId ?? 'none'));
      }
    });
    const value = admin.split('=')[1] ?? '';
    const hash = createHash('sha256').update(value).digest('hex');
    const secrets = [
      value,
      hash,
      ...token.split('.'),
      email,
      '비밀스런이름',
      '8877665544332211',
      '209912345',
    ];
    for (const secret of secrets) expect(stack.output()).not.toContain(secret);
    expect((await get('/api/users', { headers: { cookie: admin } })).status).toBe(200);
  });
});
