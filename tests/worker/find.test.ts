import type { SearchableRecords } from '#contract/find';
import { env } from 'cloudflare:workers';
import { beforeAll, expect, test } from 'vitest';
import { asAdmin, askedBy, call } from './client.ts';
import { many, post } from './roster.ts';
import { migrateDatabase } from './support.ts';

beforeAll(migrateDatabase);
asAdmin();

const subject = { name: '운영체제', year: 3, type: '', score: 3, prof: '', time: '', classroom: '', etc: '' };
const teach = (dept: string, year: number, semester: string, ids: string[]) =>
  call(
    `/subjects/${dept}/${year}/${semester}`,
    'PUT',
    ids.map((id) => ({ ...subject, id })),
  );

test('NAV-11 answers names and numbers alone, and a subject by the newest term that has it', async () => {
  await post(many(2));
  const form = { year: 2026, semester: 3, subject: '운영체제', subject_en: 'OS', target: 3 };
  await call('/courses', 'POST', form);
  await teach('cs', 2025, 'winter', ['CS1', 'CS2']);
  await teach('cs', 2026, 'spring', ['CS1']);
  await teach('cs', 2026, 'fall', ['CS1']);
  await teach('sw', 2025, 'summer', ['CS1']);
  await env.PLANTS_DB.prepare("INSERT INTO plants (name) VALUES ('rosemary')").run();
  const found = await (await call('/find')).json<SearchableRecords>();
  expect(found.students).toHaveLength(2);
  expect(Object.keys(found.students[0] ?? {}).toSorted()).toEqual(['department', 'id', 'name']);
  expect(found.courses).toEqual([
    { id: expect.any(Number), year: 2026, semester: 3, subject: '운영체제', subject_en: 'OS' },
  ]);
  expect(
    found.subjects.map(({ id, department, year, semester }) => [id, department, year, semester]),
  ).toEqual([
    ['CS1', 'cs', 2026, 'fall'],
    ['CS1', 'sw', 2025, 'summer'],
    ['CS2', 'cs', 2025, 'winter'],
  ]);
  expect(found.plants).toEqual(['rosemary']);
});

test('NAV-11 each answer is one row in the access log, with a count and no word', async () => {
  await call('/find');
  const { results } = await env.DB.prepare(
    'SELECT action, subject, subject_id, detail FROM access_log ORDER BY id DESC LIMIT 1',
  ).all();
  expect(results).toEqual([{ action: 'read', subject: 'student', subject_id: null, detail: '{"count":2}' }]);
  expect((await askedBy('/find')).batches).toHaveLength(1);
});
