import { readFileSync } from 'node:fs';
import type { Course } from '#contract/courses';
import type { PublicPlant } from '#contract/plants';
import { Response, type Miniflare } from 'miniflare';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startSiteFunctions } from '../support/site-functions.ts';
import { course } from '../support/course.ts';

/* The main page's function with its cache in workerd, and the page as it was built; the API is the test's own. */

const HEADERS = { 'content-type': 'text/html; charset=utf-8', etag: '"built"', 'x-of-the-asset': 'kept' };
const file = (path: string) =>
  readFileSync(`web/dist/${path === '/' ? 'index' : path.slice(1)}.html`, 'utf8');

/** A laboratory under a host of its own. */
class Lab {
  readonly origin: string;
  courses: Course[] = [];
  plant: PublicPlant | null = null;
  state: 'works' | 'fails' | 'hangs' = 'works';
  control = 'public, max-age=0, s-maxage=60, stale-while-revalidate=60, stale-if-error=86400';
  readonly asked: string[] = [];
  readonly cookies: string[] = [];

  constructor(name: string) {
    this.origin = `http://${name}.test`;
  }

  async answer(method: string, path: string, cookie: string | null): Promise<Response> {
    this.asked.push(`${method} ${path}`);
    if (cookie !== null) this.cookies.push(cookie);
    if (this.state === 'fails') return Response.json({}, { status: 500 });
    if (this.state === 'hangs') await new Promise(() => {});
    if (method !== 'GET') return Response.json({});
    const list = path === '/api/courses' ? this.courses : this.plant;
    return Response.json(list, { headers: { 'cache-control': this.control } });
  }
}

const labs = new Map<string, Lab>();
let site: Miniflare;
beforeAll(async () => {
  site = await startSiteFunctions({
    API: async ({ url, method, headers }) => {
      const { origin, pathname } = new URL(url);
      const answer = labs.get(origin)?.answer(method, pathname, headers.get('cookie'));
      return (await answer) ?? new Response(null, { status: 404 });
    },
    ASSETS: ({ url }) => new Response(file(new URL(url).pathname), { headers: HEADERS }),
  });
});
afterAll(() => site?.dispose());

function newLab(name: string): Lab {
  const lab = new Lab(name);
  labs.set(lab.origin, lab);
  return lab;
}

const basil = (): PublicPlant => {
  const hour = Math.floor(Date.now() / 3_600_000) * 3_600_000;
  return {
    plant: 'basil',
    plant_en: 'Basil',
    from: new Date(hour - 167 * 3_600_000).toISOString(),
    hours: Array.from({ length: 168 }, (_, at) => (at === 80 ? null : 40 + (at % 20))),
    last: { percent: 46, datetime: new Date(hour).toISOString() },
    limit_percent: 20,
    watered: [],
    last_watered: null,
  };
};

const get = async (lab: Lab, path = '/ko', headers: Record<string, string> = {}, method = 'GET') => {
  const answer = await site.dispatchFetch(lab.origin + path, { headers, method });
  return { answer, html: await answer.text() };
};

/** The page once it says this: on a busy machine the API may be late, and the page comes as it was built. */
async function untilSaid(lab: Lab, words: string, path = '/ko'): Promise<string> {
  const html = () => get(lab, path).then((found) => found.html);
  return await vi.waitFor(
    async () => {
      const found = await html();
      if (!found.includes(words)) throw new Error(`${path} does not say ${words}`);
      return found;
    },
    { timeout: 30_000 },
  );
}

const isAsBuilt = async (lab: Lab) => (await get(lab)).html === file('/ko');

const blockOf = (html: string): unknown =>
  JSON.parse(/<script type="application\/json" id="delivered">(.*?)<\/script>/s.exec(html)?.[1] ?? 'null');
const schemaOf = (html: string): { '@graph': { '@type': string; name: string }[] } =>
  JSON.parse(
    [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)]
      .map(([, text]) => text ?? '')
      .find((text) => text.includes('"Course"')) ?? '{"@graph":[]}',
  );

test('PUB-14 PUB-19 courses and plant stand in the page, in its language, with what the browser wakes with', async () => {
  const lab = newLab('whole');
  lab.courses = [course(1), course(2, { target: 0, target_etc: '누구나', target_etc_en: 'Anyone' })];
  lab.plant = basil();
  await untilSaid(lab, 'basil');
  const html = await untilSaid(lab, '과목 1', '/');
  for (const words of ['과목 1', '3학년', 'basil', '지금 46 %']) expect(html).toContain(words);
  expect(html).not.toContain('강의 목록은 JavaScript를 켜면');
  expect(blockOf(html)).toMatchObject({ courses: { courses: lab.courses }, plant: lab.plant });
  expect(schemaOf(html)['@graph'].map((each) => [each['@type'], each.name])).toEqual([
    ['Course', '과목 1'],
    ['Course', '과목 2'],
  ]);
  const english = await untilSaid(lab, 'Course 1', '/en');
  for (const words of [
    'Course 1',
    '<span lang="ko">3학년</span><span> · Year 3</span>',
    '<span lang="ko">누구나</span><span> · Anyone</span>',
    'now 46 %',
  ]) {
    expect(english.replaceAll('<!-- -->', '')).toContain(words);
  }
  // One after the other: nothing of the language before is left.
  expect(await untilSaid(lab, 'basil', '/')).toContain('과목 1');
});

test('PUB-14 SEC-39 the answer has the headers of the file, a tag of its own, and nothing when only they are asked for', async () => {
  const lab = newLab('headers');
  lab.courses = [course(1)];
  // Then both come from copies.
  for (const path of ['/api/courses', '/api/plants/public']) await site.dispatchFetch(lab.origin + path);
  await untilSaid(lab, '과목 1');
  const { answer } = await get(lab);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('x-of-the-asset')).toBe('kept');
  const tag = answer.headers.get('etag') ?? '';
  expect(tag).toMatch(/^W\/"[0-9a-f]{32}-\w+"$/);
  const head = await get(lab, '/ko', {}, 'HEAD');
  expect([head.answer.status, head.answer.headers.get('etag'), head.html]).toEqual([200, tag, '']);
  expect((await get(lab, '/ko', { 'if-none-match': tag })).answer.status).toBe(304);
  // The built page alone is another one.
  expect((await get(lab, '/ko', { 'if-none-match': '"built"' })).answer.status).toBe(200);
  await site.dispatchFetch(`${lab.origin}/api/courses`, { method: 'POST' });
  lab.courses = [course(1), course(2)];
  expect((await get(lab, '/ko', { 'if-none-match': tag })).answer.status).toBe(200);
});

test.each([
  ['POST', '/api/courses'],
  ['DELETE', '/api/courses/1'],
])('PUB-14 %s %s shows in the next page, and what was deleted in none after that', async (method, path) => {
  const lab = newLab(`fresh-${method}`.toLowerCase());
  lab.courses = [course(1)];
  // From then on a copy answers.
  await expect
    .poll(async () => {
      const before = lab.asked.length;
      await untilSaid(lab, '과목 1');
      return lab.asked.length - before;
    })
    .toBe(0);
  lab.courses = [course(2)];
  expect((await get(lab)).html).toContain('과목 1');
  await site.dispatchFetch(lab.origin + path, { method });
  expect((await get(lab)).html).not.toContain('과목 1');
  await untilSaid(lab, '과목 2');
  await site.dispatchFetch(lab.origin + path, { method });
  lab.state = 'fails';
  for (let n = 0; n < 5; n++) expect((await get(lab)).html).not.toContain('과목 2');
});

test.each(['fails', 'hangs'] as const)(
  'PUB-14 the page is whole as it was built while the API %s, and an old copy stands in',
  async (state) => {
    const lab = newLab(`page-${state}`);
    lab.courses = [course(1)];
    lab.control = 'public, max-age=0, s-maxage=0, stale-while-revalidate=0, stale-if-error=86400';
    lab.state = state;
    expect(await isAsBuilt(lab)).toBe(true);
    lab.state = 'works';
    await untilSaid(lab, '과목 1');
    lab.state = state;
    // Stored behind the answer.
    await untilSaid(lab, '과목 1');
  },
);

test('PUB-14 members get the page of everybody: their cookie goes nowhere', async () => {
  const lab = newLab('member');
  lab.courses = [course(1)];
  await untilSaid(lab, '과목 1');
  const { html } = await get(lab, '/ko', { cookie: `__Host-session=${'a'.repeat(43)}` });
  expect(html).toContain('과목 1');
  expect(lab.cookies).toEqual([]);
});

test('PUB-14 SEC-26 SEC-37 a name is text, whatever is in it', async () => {
  const lab = newLab('hostile');
  const subject = '</script><script>alert(1)</script><!--<b>&amp;';
  lab.courses = [course(1, { subject })];
  lab.plant = { ...basil(), plant: '<img src=x onerror=alert(1)>' };
  await untilSaid(lab, '&lt;img');
  const html = await untilSaid(lab, '&lt;/script&gt;');
  expect(html).not.toContain('<script>alert(1)');
  expect(html).not.toContain('<img src=x');
  expect(html).toContain('&lt;/script&gt;&lt;script&gt;alert(1)');
  expect(blockOf(html)).toMatchObject({ courses: { courses: [{ subject }] } });
  expect(schemaOf(html)['@graph'][0]?.name).toBe(subject);
});

test('PUB-19 the drawn line stands while no plant is open, or has never been heard of', async () => {
  const lab = newLab('closed');
  const drawn = /<div data-edge="plant"[^>]*>.*?<\/div>/s.exec(file('/ko'))?.[0] ?? '';
  expect(drawn).toContain('<svg');
  await untilSaid(lab, '"plant":null');
  expect((await get(lab)).html.includes(drawn)).toBe(true);
  await site.dispatchFetch(`${lab.origin}/api/plants/settings?plant=basil`, { method: 'PUT' });
  lab.plant = { ...basil(), last: null };
  expect((await untilSaid(lab, '"last":null')).includes(drawn)).toBe(true);
});

test('PUB-19 a plant that is opened or closed shows in the next page', async () => {
  const lab = newLab('opened');
  const change = () => site.dispatchFetch(`${lab.origin}/api/plants/settings?plant=basil`, { method: 'PUT' });
  await untilSaid(lab, '"plant":null');
  lab.plant = basil();
  await change();
  await untilSaid(lab, '지금 46 %');
  lab.plant = null;
  await change();
  expect((await get(lab)).html).not.toContain('지금 46 %');
  lab.state = 'fails';
  expect((await get(lab)).html).not.toContain('지금 46 %');
});

test('PUB-17 no course at all is said', async () => {
  await untilSaid(newLab('none'), '등록된 강의가 없습니다.');
});
