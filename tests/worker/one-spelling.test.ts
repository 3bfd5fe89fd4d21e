import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { foldAscii } from '../../worker/src/lib/config.ts';
import { asAdmin, call, refusal } from './client.ts';
import { course, list, one, post, row } from './roster.ts';
import { migrateDatabase } from './support.ts';

beforeAll(migrateDatabase);
asAdmin();

/** As a Mac writes it, between marks that nobody sees. */
const odd = (text: string) => `\u200e ${text.normalize('NFD')}\u00ad\u202c`;
const BLANK = ' \u200b\u3164';

const lecture = {
  year: 2026,
  semester: 1,
  subject: '임베디드 시스템',
  subject_en: 'Embedded Systems',
  target: 0,
  target_etc: '누구나',
  target_etc_en: 'Anyone',
};
const entry = { amount: 5000, datetime: '2026-03-02T13:00:00', description: '회비', category: '간식' };
const unit = {
  id: '가1',
  name: '사물인터넷',
  year: 4,
  type: '전공선택',
  score: 3,
  prof: '나린솔',
  time: '월1',
  classroom: '공5호관',
  etc: '영어',
};

describe('a text in another spelling', () => {
  test('IMP-8 of a student and a class is stored as everybody else writes it', async () => {
    const given = row(1, {
      name: odd('가온달'),
      department: odd('컴퓨터공학부'),
      type: odd('재학'),
      tel: odd('010'),
    });
    expect((await post([given], { subject: odd(course.subject) })).status).toBe(201);
    expect(await one(given.id)).toMatchObject({
      name: '가온달',
      department: '컴퓨터공학부',
      type: '재학',
      tel: '010',
      subjects: [course.subject],
    });
    const again = await post([row(1, { name: '가온달', tel: '010' })]);
    expect(await again.json()).toMatchObject({ added: 0, changed: 0, unchanged: 1 });
    const query = new URLSearchParams({
      year: '2026',
      semester: '1',
      subject: odd(course.subject),
    }).toString();
    expect(await (await call(`/students?${query}`)).json()).toEqual(await list());
  });

  test('IMP-8 of a course, an entry, a timetable and a name that owes dues is stored as everybody else writes it', async () => {
    const words = ['subject', 'subject_en', 'target_etc', 'target_etc_en'] as const;
    const spelled = Object.fromEntries(words.map((name) => [name, odd(lecture[name])]));
    expect(await (await call('/courses', 'POST', { ...lecture, ...spelled })).json()).toMatchObject(lecture);
    const booked = { ...entry, description: odd('회비'), category: odd('간식') };
    expect(await (await call('/account', 'POST', booked)).json()).toMatchObject(entry);
    const texts = Object.entries(unit).map(([name, value]) => [
      name,
      typeof value === 'string' ? odd(value) : value,
    ]);
    const saved = await call('/subjects/cs/2026/fall', 'PUT', [Object.fromEntries(texts)]);
    expect(await saved.json()).toEqual({ [unit.id]: unit });
    const twice = { names: [odd('최나래'), '최나래'] };
    const { dues } = await (
      await call('/account/dues/2026/1', 'POST', twice)
    ).json<{ dues: { name: string }[] }>();
    expect(dues.filter(({ name }) => name === '최나래')).toHaveLength(1);
  });

  test('IMP-8 of a plant is stored as everybody else writes it', async () => {
    await env.PLANTS_DB.prepare("INSERT INTO plants (name, topic) VALUES ('basil', 'basil')").run();
    const settings = { dry: null, wet: null, alert_below: 20, alert_clear: 30, stale_after_minutes: 60 };
    const answer = await call('/plants/settings?plant=basil', 'PUT', { ...settings, name: odd('창가 바질') });
    expect(await answer.json()).toMatchObject({ name: '창가 바질' });
  });
});

test.each([
  ['/students', 'POST', { ...course, data: [row(2, { name: BLANK })] }, 'name'],
  ['/students', 'POST', { ...course, subject: BLANK, data: [row(2)] }, 'subject'],
  ['/courses', 'POST', { ...lecture, subject: BLANK }, 'subject'],
  ['/courses', 'POST', { ...lecture, subject_en: BLANK }, 'subject_en'],
  ['/courses', 'POST', { ...lecture, target_etc: BLANK }, 'target_etc'],
  ['/subjects/cs/2026/fall', 'PUT', [{ ...unit, name: BLANK }], 'name'],
  ['/subjects/cs/2026/fall', 'PUT', [{ ...unit, id: BLANK }], 'id'],
  ['/account/dues/2026/1', 'POST', { names: [BLANK] }, 'names'],
  ['/receivers', 'POST', { kind: 'json', name: BLANK, address: 'https://receiver.example/' }, 'name'],
])('IMP-8 %s refuses with %s a blank text by its field: %j', async (path, method, body, field) => {
  expect(await refusal(await call(path, method, body))).toMatchObject({ status: 400, field });
});

test('IMP-8 addresses are the same in both cases of ASCII alone', () => {
  expect(foldAscii('Gaon.KIM@Lab.TEST')).toBe('gaon.kim@lab.test');
  expect(foldAscii('\u212aim@lab.test İ Å')).toBe('\u212aim@lab.test İ Å');
});
