import type { RosterUndoResult, StoredRosterImport } from '#contract/students';
import { HOUR_MS } from '#contract/time';
import { env } from 'cloudflare:workers';
import * as fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { fewOrMany, propertyRuns } from '../support/counts.ts';
import { asAdmin, call } from './client.ts';
import { list, listed, post, row, undo } from './roster.ts';
import { migrateDatabase } from './support.ts';

beforeAll(migrateDatabase);
asAdmin();

/*
 * The model is the list of what happened. An undone import is taken out of it, and what remains is done again from
 * nothing. Each import keeps to what its preview said then: a value that it did not take it never takes over another,
 * and one that it kept for an empty cell it brings where nothing else is known.
 */

type Cells = (string | number)[];
type Person = { cells: Cells; newest: number; enrolments: Record<string, Cells> };
type State = Record<string, Person | undefined>;
type Listed = { no: number; cells: string[]; shown: Cells };
type Happened =
  | { id: number; course: string; term: number; listed: Record<string, Listed>; removed: string[] }
  | { at: string; cell: number; typed: string; seen: Cells }
  | { at: string; added: Cells }
  | { at: string; dropped: string }
  | { at: string; set: Person | undefined };

function replayed(all: readonly Happened[]): State {
  const state: State = {};
  for (const each of all) {
    if ('set' in each) state[each.at] = structuredClone(each.set);
    else if ('dropped' in each) delete state[each.at]?.enrolments[each.dropped];
    else if ('added' in each) state[each.at] = { cells: each.added, newest: 0, enrolments: {} };
    else if ('cell' in each) {
      const person = (state[each.at] ??= { cells: each.seen, newest: 0, enrolments: {} });
      person.cells = person.cells.with(each.cell, each.typed);
    } else {
      for (const id of each.removed) delete state[id]?.enrolments[each.course];
      for (const [id, { no, cells, shown }] of Object.entries(each.listed)) {
        const person = (state[id] ??= { cells: ['', '', ''], newest: 0, enrolments: {} });
        person.cells = taking(person, each.term, cells, shown);
        person.newest = Math.max(person.newest, each.term);
        // An empty list number (0) keeps the known one, as an empty cell does.
        const [known] = person.enrolments[each.course] ?? [];
        const own = no === 0 ? (known ?? 0) : no;
        if (known !== own) person.enrolments[each.course] = [own, each.id];
      }
    }
  }
  return state;
}

/** @param shown what the preview said that the person would be; none while it is being made */
function taking({ cells, newest }: Person, term: number, listed: string[], shown?: Cells): Cells {
  return listed.map((cell, at) => {
    const [known = '', then = cell] = [cells[at], shown?.[at]];
    const isTaken = cell !== '' && newest <= term && cell === then;
    return isTaken || known === '' ? cell || then : known;
  });
}

/** Who is there and in which class, as the model and as the server say it. */
const byKey = ([a]: [string, unknown], [b]: [string, unknown]) => (a < b ? -1 : 1);
const shown = (state: State) =>
  Object.entries(state)
    .sort(byKey)
    .flatMap(([id, person]) =>
      person ? [[id, person.cells, Object.entries(person.enrolments).sort(byKey)]] : [],
    );

type Stored = { id: string; name: string; tel: string; email: string; last_term: number | null };
type Enrolled = { student_id: string; course: string; no: number; last_import: number };

async function allStored() {
  const [students, enrolments] = await Promise.all([
    env.DB.prepare('SELECT id, name, tel, email, last_term FROM students ORDER BY id').all<Stored>(),
    env.DB.prepare(
      `SELECT student_id, subject || ' ' || year AS course, no, last_import FROM enrolments ORDER BY course`,
    ).all<Enrolled>(),
  ]);
  return { students: students.results, enrolments: enrolments.results };
}

async function stored() {
  const { students, enrolments } = await allStored();
  return students.map(({ id, name, tel, email }) => [
    id,
    [name, tel, email],
    enrolments
      .filter(({ student_id }) => student_id === id)
      .map(({ course, no, last_import }) => [course, [no, last_import]]),
  ]);
}

const student = fc.nat(3);
const of = fc.record({ subject: fc.constantFrom('가', '나'), year: fc.constantFrom(2025, 2026, 2027) });
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      of,
      data: fc.uniqueArray(
        fc.record({
          at: student,
          tel: fc.constantFrom('', '1', '2'),
          email: fc.constantFrom('', 'a@b.kr', 'c@d.kr'),
          no: fc.nat(1),
          name: fc.constantFrom('가람', '나래'),
        }),
        { minLength: 1, maxLength: 3, selector: ({ at }) => at },
      ),
      removed: fc.uniqueArray(student, { maxLength: 1 }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ undone: fc.nat(9) }) },
  { weight: 2, arbitrary: fc.record({ corrected: student, cell: fc.nat(2) }) },
  { weight: 1, arbitrary: fc.record({ typedIn: student, email: fc.constantFrom('', 'e@f.kr') }) },
  { weight: 2, arbitrary: fc.record({ dropped: student, of }) },
  { weight: 1, arbitrary: fc.record({ deleted: student }) },
  { weight: 1, arbitrary: fc.record({ purged: fc.constantFrom(2025, 2026, 2027) }) },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

const named = ([name, tel, email]: string[]) => ({ name, tel, email });
const numberOf = (at: number) => row(at).id;

async function expectStatus(status: number, answer: Promise<Response>): Promise<void> {
  expect((await answer).status).toBe(status);
}

/** Everybody's fields, and their row in a class. */
async function fieldsOf(asked: StoredRosterImport) {
  const rows = await env.DB.prepare(
    `SELECT students.id, name, department, tel, email, no, school_year AS year, type FROM students
     LEFT JOIN enrolments ON student_id = students.id AND (enrolments.year, semester, subject) = (?, ?, ?)`,
  )
    .bind(asked.year, asked.semester, asked.subject)
    .all<Record<string, string | number | null>>();
  return new Map(rows.results.map((each) => [each['id'], each]));
}

/**
 * Undoes an import, which goes as it was foretold: who is named to go, and nobody else, goes, and keeps nothing; who
 * stays is named with every value and enrolment that becomes another.
 */
async function expectForetold(asked: number): Promise<void> {
  const foretold = await (await call(`/students/imports/${asked}`)).json<RosterUndoResult>();
  const of = (await listed()).find(({ id }) => id === asked);
  if (!of) throw new Error('the import is not listed');
  const there = await list();
  const before = await fieldsOf(of);
  const answer = await undo(asked);
  expect(answer.status).toBe(200);
  expect(await answer.json()).toEqual(foretold);
  const left = new Set((await list()).map(({ id }) => id));
  const gone = there.map(({ id }) => id).filter((id) => !left.has(id));
  expect(foretold.gone.map(({ id }) => id)).toEqual(gone.toSorted());
  expect(foretold.kept.filter(({ id, name }) => name !== null && !left.has(id))).toEqual([]);
  const told = new Map(foretold.altered.map((each) => [each.id, each]));
  for (const [id, now] of await fieldsOf(of)) {
    const [was, { enrolment = null, changes = [] } = {}] = [before.get(id) ?? {}, told.get(String(id))];
    const [isIn, wasIn] = [now['no'] !== null, was['no'] !== null];
    expect(enrolment).toBe(isIn === wasIn ? null : isIn ? 'begun' : 'ended');
    expect(changes).toEqual(
      Object.entries(now).flatMap(([field, after]) =>
        after === was[field] || after === null || was[field] === null
          ? []
          : [{ field, before: was[field], after }],
      ),
    );
  }
}

/** Does a step at the server, and says what the model has of what happened then. */
async function taken(each: Step, before: readonly Happened[], count: number): Promise<Happened[]> {
  const state = replayed(before);
  if ('data' in each) {
    const course = `${each.of.subject} ${each.of.year}`;
    const removed = each.removed
      .filter((at) => !each.data.some((one) => one.at === at))
      .map(numberOf)
      .filter((id) => state[id]?.enrolments[course]);
    const data = each.data.map(({ at, ...fields }) => row(at, { ...fields, department: '' }));
    const term = each.of.year * 10 + 1;
    const rows = Object.fromEntries(
      data.map(({ id, no, name, tel, email }) => {
        const [cells, known] = [[name, tel, email], state[id] ?? { cells: [], newest: 0, enrolments: {} }];
        return [id, { no, cells, shown: taking(known, term, cells) }];
      }),
    );
    await expectStatus(201, post(data, { ...each.of, remove: removed }));
    const [{ id } = { id: 0 }] = await listed();
    return [...before, { id, course, term, listed: rows, removed }];
  }
  if ('undone' in each) {
    const all = await listed();
    const asked = all[each.undone % Math.max(1, all.length)]?.id;
    if (asked === undefined) return [...before];
    await expectForetold(asked);
    return before.filter((one) => !('id' in one && one.id === asked));
  }
  if ('corrected' in each) {
    const id = numberOf(each.corrected);
    const now = (await list()).find((one) => one.id === id);
    if (!now) return [...before];
    const { name, department, tel, email } = now;
    const typed = each.cell === 2 ? `hand${count}@b.kr` : `손 ${count}`;
    const cells = [name, tel, email].with(each.cell, typed);
    await expectStatus(200, call(`/students/${id}`, 'PUT', { ...named(cells), department }));
    return [...before, { at: id, cell: each.cell, typed, seen: cells }];
  }
  if ('typedIn' in each) {
    const id = numberOf(each.typedIn);
    const cells = ['손수', '손 0', each.email];
    const { status } = await call(`/students/${id}`, 'POST', { ...named(cells), department: '' });
    return status === 201 ? [...before, { at: id, added: cells }] : [...before];
  }
  if ('dropped' in each) {
    const id = numberOf(each.dropped);
    const query = `year=${each.of.year}&semester=1&subject=${encodeURIComponent(each.of.subject)}`;
    const { status } = await call(`/students/${id}/enrolment?${query}`, 'DELETE');
    return status === 200
      ? [...before, { at: id, dropped: `${each.of.subject} ${each.of.year}` }]
      : [...before];
  }
  if ('deleted' in each) {
    const id = numberOf(each.deleted);
    const { status } = await call(`/students/${id}`, 'DELETE');
    return status === 200 ? [...before, { at: id, set: undefined }] : [...before];
  }
  const path = `/students/terms/${each.purged}/1`;
  const { enrolments } = await (await call(path)).json<{ enrolments: number }>();
  await expectStatus(200, call(path, 'DELETE', { enrolments }));
  const { students } = await allStored();
  // Everything that can still be undone is newer than what the purge forgot: the model goes on from what it left.
  const left = new Set((await listed()).map(({ id }) => id));
  const last = before.findLastIndex((one) => 'id' in one && !left.has(one.id));
  const [old, rest] = [before.slice(0, last + 1), before.slice(last + 1)];
  const base = replayed(old);
  const purged = (person: Person): Person => ({
    ...person,
    enrolments: Object.fromEntries(
      Object.entries(person.enrolments).filter(([course]) => !course.endsWith(String(each.purged))),
    ),
  });
  const there = new Set(students.map(({ id }) => id));
  const isIn = (id: string) =>
    !there.has(id) ||
    Object.keys(state[id]?.enrolments ?? {}).some((one) => one.endsWith(String(each.purged)));
  const newest = (id: string) => students.find((one) => one.id === id)?.last_term ?? 0;
  return [
    ...Object.entries(base).map(([at, person]) => ({
      at,
      set: person && { ...person, newest: newest(at) },
    })),
    ...rest,
    ...Object.entries(state).flatMap(([at, person]) =>
      isIn(at)
        ? [{ at, set: there.has(at) && person ? { ...purged(person), newest: newest(at) } : undefined }]
        : [],
    ),
  ];
}

test(
  'IMP-11 STU-6 after any undo the roster is what the imports that remain and the hands have made of it',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 12 }), async (steps) => {
        await env.DB.batch([env.DB.prepare('DELETE FROM students'), env.DB.prepare('DELETE FROM imports')]);
        let happened: Happened[] = [];
        for (const [count, each] of steps.entries()) {
          happened = await taken(each, happened, count);
          expect(await stored()).toEqual(shown(replayed(happened)));
        }
      }),
      propertyRuns(20, 10_000),
    );
  },
  fewOrMany(120_000, 4 * HOUR_MS),
);
