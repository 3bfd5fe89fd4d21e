import { createScheduledController } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import * as fc from 'fast-check';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { currentTerm, termSortKey } from '#contract/terms';
import worker from '../../worker/src/app.ts';
import { termRetentionEnd } from '../../worker/src/students/purge-data.ts';
import { propertyRuns } from '../support/counts.ts';
import { asAdmin, call } from './client.ts';
import { last, many, post, row, undo } from './roster.ts';
import { png } from './sample-images.ts';
import { migrateDatabase } from './support.ts';

beforeAll(migrateDatabase);
asAdmin();
async function forgetEverybody(): Promise<void> {
  await env.DB.batch([env.DB.prepare('DELETE FROM students'), env.DB.prepare('DELETE FROM imports')]);
  await env.FILES.delete((await pictureIds()).map((id) => `pictures/${id}`));
}
beforeEach(forgetEverybody);
afterEach(() => void vi.useRealTimers());

const thisYear = new Date().getUTCFullYear();
const old = { year: thisYear - 4, semester: 1 } as const;

type Enrolment = { student_id: string; year: number; semester: 1 | 2; subject: string };
type People = Map<string, Person>;
type Person = { id: string; tel: string; last_term: number | null; terms: number[] };

const night = (years = '2') =>
  worker.scheduled(createScheduledController({ cron: '17 18 * * *' }), { ...env, ROSTER_YEARS: years });

const enrolments = async () => (await env.DB.prepare('SELECT * FROM enrolments').all<Enrolment>()).results;

/** Everyone by number, with the terms that they are enrolled in. */
async function people(): Promise<People> {
  const { results } = await env.DB.prepare('SELECT id, tel, last_term FROM students').all<Person>();
  const all = await enrolments();
  return new Map(
    results.map((person) => {
      const own = all.filter(({ student_id }) => student_id === person.id);
      return [person.id, { ...person, terms: own.map(termSortKey) }];
    }),
  );
}

async function purge(year: number, semester: number) {
  const path = `/students/terms/${year}/${semester}`;
  const { enrolments: counted } = await (await call(path)).json<{ enrolments: number }>();
  const answer = await call(path, 'DELETE', { enrolments: counted });
  expect(answer.status).toBe(200);
}

async function givePicture(id: string): Promise<void> {
  if (!(await people()).has(id)) return;
  const { etag } = await env.FILES.put(`pictures/${id}`, png, {});
  await env.DB.prepare(
    `INSERT INTO pictures (student_id, content_type, size, etag, width, height, uploaded_at)
     SELECT id, 'image/png', 1, ?, 1, 1, 0 FROM students WHERE id = ?
     ON CONFLICT DO UPDATE SET etag = excluded.etag`,
  )
    .bind(etag, id)
    .run();
}

const pictureIds = async () =>
  (await env.FILES.list({ prefix: 'pictures/' })).objects.map(({ key }) => key.slice('pictures/'.length));

describe('a student without a course', () => {
  test('OPS-4 STU-12 who was dropped goes when the limit of their last term has passed, with the picture', async () => {
    await post(many(3), old);
    await post([row(0)], { year: thisYear });
    await post([row(2)], { ...old, remove: ['202100000', '202100001'] });
    for (const id of ['202100000', '202100001']) await givePicture(id);
    expect((await people()).get('202100001')).toMatchObject({ last_term: termSortKey(old), terms: [] });
    await night('');
    expect([...(await people()).keys()]).toHaveLength(3);
    await night('2');
    expect([...(await people()).keys()]).toEqual(['202100000']);
    expect(await pictureIds()).toEqual(['202100000']);
  });

  test('STU-12 who was dropped goes with the purge of their last term, which can be chosen as long as somebody is left', async () => {
    await post(many(2), old);
    await env.DB.prepare('DELETE FROM enrolments').run();
    expect(await (await call('/students/terms')).json()).toEqual([old]);
    const path = `/students/terms/${old.year}/${old.semester}`;
    expect(await (await call(path)).json()).toEqual({ enrolments: 0, students: 2, left: 2 });
    await purge(old.year, old.semester);
    expect(await people()).toEqual(new Map());
    expect(await (await call('/students/terms')).json()).toEqual([]);
  });

  test('OPS-4 whose last term has not come, or is not known, is kept from the running term on', async () => {
    await post(many(1), { year: 2050 });
    await env.DB.batch([
      env.DB.prepare('DELETE FROM enrolments'),
      env.DB.prepare("INSERT INTO students (id, name) VALUES ('20990000', '가온')"),
    ]);
    await night('');
    const running = termSortKey(currentTerm(Date.now()));
    expect([...(await people()).values()].map(({ last_term }) => last_term)).toEqual([running, running]);
  });
});

test('STU-6 STU-12 a purge takes the undo of an import that touched its students along, and of no other', async () => {
  await post(many(3), old);
  await post(many(2), { year: thisYear });
  await post([row(0)], { ...old, remove: ['202100001', '202100002'] });
  await purge(old.year, old.semester);
  expect(await last()).toBeUndefined();
  expect((await undo()).status).toBe(404);
  expect(await enrolments()).toMatchObject([{ year: thisYear }, { year: thisYear }]);

  await post([row(8)], old);
  await post([row(0, { tel: '010-7777-7777' })], { year: thisYear });
  await purge(old.year, old.semester);
  expect((await undo()).status).toBe(200);
  expect((await people()).get('202100000')).toMatchObject({ tel: '010-0000-0000' });
});

test('SEC-70 a purge removes nothing without its own row of the log, also under the id of another', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const path = `/students/terms/${old.year}/${old.semester}`;
  const again = { 'x-request-id': '0badc0de-0001' };
  await post(many(3), old);
  expect((await call(path, 'DELETE', { enrolments: 3 }, again)).status).toBe(200);
  await post(many(2), old);
  const before = [await people(), await last()];
  expect((await call(path, 'DELETE', { enrolments: 3 }, again)).status).toBe(409);
  expect([await people(), await last()]).toEqual(before);
  expect((await call(path, 'DELETE', { enrolments: 2 }, again)).status).toBe(200);
  expect(await people()).toEqual(new Map());
});

describe('after any sequence of import, drop, purge, deletion, undo and night', () => {
  const ids = ['202100001', '202100002', '202100003', '202100004'];
  const term = fc.record({
    year: fc.integer({ min: Math.max(2021, thisYear - 5), max: thisYear + 1 }),
    semester: fc.constantFrom(1 as const, 2 as const),
  });
  const subject = fc.constantFrom('운영체제', '회로');
  const step = fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({
        kind: fc.constant('import' as const),
        term,
        subject,
        stay: fc.subarray(ids, { minLength: 1 }),
        leave: fc.subarray(ids),
      }),
    },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('undo' as const) }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('purge' as const), term: fc.nat(9) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('course' as const), at: fc.nat(9) }) },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant('delete' as const), id: fc.constantFrom(...ids) }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant('picture' as const), id: fc.constantFrom(...ids) }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant('night' as const), years: fc.constantFrom(1, 2, 3) }),
    },
  );
  type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

  const running = termSortKey(currentTerm(Date.now()));
  const tracesOf = async () => [
    ...[...(await people()).values()].flatMap(({ id, tel }) => [`student ${id}`, `tel ${tel}`]),
    ...(await enrolments()).map((each) => `${each.student_id} in ${termSortKey(each)} ${each.subject}`),
  ];

  async function take(at: number, taken: Step): Promise<void> {
    switch (taken.kind) {
      case 'import': {
        const data = taken.stay.map((id) => row(0, { id, tel: `010-0000-${at}` }));
        const remove = taken.leave.filter((id) => !taken.stay.includes(id));
        expect((await post(data, { ...taken.term, subject: taken.subject, remove })).status).toBe(201);
        return;
      }
      case 'undo':
        expect([200, 404, 409]).toContain((await undo()).status);
        return;
      case 'purge': {
        const terms = await (await call('/students/terms')).json<{ year: number; semester: number }[]>();
        const chosen = terms[taken.term % Math.max(1, terms.length)];
        if (chosen) await purge(chosen.year, chosen.semester);
        return;
      }
      case 'course': {
        const all = await enrolments();
        const one = all[taken.at % Math.max(1, all.length)];
        if (!one) return;
        await env.DB.prepare('DELETE FROM enrolments WHERE (year, semester, subject) = (?, ?, ?)')
          .bind(one.year, one.semester, one.subject)
          .run();
        return;
      }
      case 'delete':
        await call(`/students/${taken.id}`, 'DELETE');
        return;
      case 'picture':
        await givePicture(taken.id);
        return;
      case 'night':
        await night(String(taken.years));
    }
  }

  const isOver = (order: number, years: number) =>
    termRetentionEnd({ year: Math.floor(order / 10), semester: order % 10 === 1 ? 1 : 2 }, years) <=
    Date.now();

  /** The last term that a student without an enrolment should remember after a step. */
  function remembered(
    id: string,
    taken: Step,
    before: People,
    beforeImport: People,
  ): number | null | undefined {
    const was = before.get(id);
    if (taken.kind === 'undo' && was?.terms.length !== 0) return beforeImport.get(id)?.last_term;
    return taken.kind === 'night' ? Math.min(was?.last_term ?? running, running) : was?.last_term;
  }

  /** Who is still there after a night: whose newest term is not over for so long, by what was stored before it. */
  const keptBy = (before: People, years: number) =>
    [...before.values()]
      .filter(({ terms, last_term }) =>
        (terms.length > 0 ? terms : [Math.min(last_term ?? running, running)]).some(
          (each) => !isOver(each, years),
        ),
      )
      .map(({ id }) => id);

  async function expectSound(steps: Step[]): Promise<void> {
    await forgetEverybody();
    /** What a purge, a deletion or a night took away, and nobody imported again. */
    const gone = new Set<string>();
    let beforeImport: People = new Map();
    for (const [at, taken] of steps.entries()) {
      const before = await people();
      const tracesBefore = await tracesOf();
      await take(at, taken);
      const after = await people();
      const traces = await tracesOf();
      if (taken.kind === 'import') {
        for (const trace of traces) gone.delete(trace);
        if (traces.join() !== tracesBefore.join()) beforeImport = before;
      }
      expect(traces.filter((trace) => gone.has(trace))).toEqual([]);
      if (['purge', 'delete', 'night'].includes(taken.kind))
        for (const trace of tracesBefore) if (!traces.includes(trace)) gone.add(trace);

      const lastTerms = [...after.values()].map(({ id, last_term }) => [id, last_term]);
      const expected = [...after.values()].map(({ id, terms }) => [
        id,
        terms.length > 0 ? Math.max(...terms) : remembered(id, taken, before, beforeImport),
      ]);
      expect(lastTerms).toEqual(expected);
      const kept = taken.kind === 'night' ? keptBy(before, taken.years) : [...after.keys()];
      expect([...after.keys()].sort()).toEqual(kept.sort());
      const isTidy = taken.kind === 'night' || taken.kind === 'purge';
      expect((await pictureIds()).filter((id) => isTidy && !after.has(id))).toEqual([]);
    }
  }

  test('OPS-4 STU-6 STU-12 nobody without an enrolment outlives the limit, and nothing that was purged comes back', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), expectSound),
      propertyRuns(12, 300),
    );
  }, 900_000);
});
