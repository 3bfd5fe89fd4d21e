import type { AwaitingCounts } from '#contract/awaiting';
import { addMonths, monthSpan, seoulMonth, type LogMonth, type LogReport } from '#contract/log-reviews';
import { createScheduledController } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import worker from '../../worker/src/app.ts';
import { busyDays } from '../../worker/src/access-log/reviews-data.ts';
import { asAdmin, call, refusal } from './client.ts';
import { contents, migrateDatabase, sessionOf } from './support.ts';

const DAY = 86_400_000;
const HOUR = 3_600_000;
const thisMonth = seoulMonth(Date.now());
const lastMonth = addMonths(thisMonth, -1);
/** Noon in Seoul on a day of last month. */
const noon = (day: number) => monthSpan(lastMonth).from + (day - 1) * DAY + 12 * HOUR;
const dayOf = (day: number) => `${lastMonth}-${String(day).padStart(2, '0')}`;

let admin = 0;
let keeper = 0;

type Row = {
  at: number;
  actor?: number | null;
  address?: string;
  action?: string;
  detail?: object;
  to?: string;
};

async function write(...rows: Row[]): Promise<void> {
  const insert = env.DB.prepare(
    `INSERT INTO access_log (at, actor_id, address, action, subject, subject_id, detail) VALUES (?, ?, ?, ?, 'student', ?, ?)`,
  );
  await env.DB.batch(
    rows.map(({ at, actor = keeper, address = '192.0.2.1', action = 'read', detail = {}, to = null }) =>
      insert.bind(at, actor, address, action, to, JSON.stringify(detail)),
    ),
  );
}

const idOf = async (email: string) =>
  (await env.DB.prepare('SELECT id FROM users WHERE email = ?').bind(email).first<number>('id')) ?? 0;

beforeAll(migrateDatabase);
asAdmin();
beforeAll(async () => {
  await sessionOf('keeper@lab.test', 1);
  admin = await idOf('admin@lab.test');
  keeper = await idOf('keeper@lab.test');
});

const months = async (): Promise<LogMonth[]> => await (await call('/access_log/reviews')).json();
const due = async () => (await (await call('/awaiting')).json<AwaitingCounts>()).users.due_reviews;
const report = async (month: string): Promise<LogReport> =>
  await (await call(`/access_log/reviews/${month}`)).json();
const sign = (month: string, remark = '이상 없음') =>
  call(`/access_log/reviews/${month}`, 'POST', { remark });

describe('the monthly review', () => {
  test('USER-6 is due for each month of the log that is over, and for no other', async () => {
    expect(await months()).toEqual([{ month: thisMonth, isOver: false, review: null }]);
    expect(await due()).toBe(0);
    await write({ at: monthSpan(addMonths(thisMonth, -3)).from });
    expect(await due()).toBe(3);
    expect((await months()).map(({ month, isOver }) => [month, isOver])).toEqual([
      [thisMonth, false],
      [lastMonth, true],
      [addMonths(thisMonth, -2), true],
      [addMonths(thisMonth, -3), true],
    ]);
  });

  test('USER-6 tells who did how much, and every export with its reason', async () => {
    await write(
      { at: monthSpan(lastMonth).from - 1, action: 'delete' },
      { at: monthSpan(lastMonth).from, detail: { count: 500 } },
      { at: noon(3), to: '20231111' },
      { at: noon(3), action: 'change', to: '20231111', address: '192.0.2.2' },
      { at: noon(4), action: 'export', detail: { reason: '학과 제출', count: 40 } },
      { at: noon(5), actor: admin, detail: { count: 3 } },
      { at: noon(6), actor: null, address: 'system', action: 'delete', detail: { sessions: 7 } },
      { at: monthSpan(thisMonth).from },
    );
    const { actors, exports, entries, isOver } = await report(lastMonth);
    expect({ entries, isOver }).toEqual({ entries: 6, isOver: true });
    const counts = { changes: 0, exports: 0, addresses: 1 };
    expect(actors).toEqual([
      {
        actor: { id: keeper, name: '나린솔', email: 'keeper@lab.test' },
        address: null,
        entries: 4,
        reads: 2,
        changes: 1,
        exports: 1,
        records: 43,
        addresses: 2,
      },
      { actor: null, address: 'system', entries: 1, reads: 0, ...counts, changes: 1, records: 0 },
      {
        actor: { id: admin, name: '나린솔', email: 'admin@lab.test' },
        address: null,
        entries: 1,
        reads: 1,
        ...counts,
        records: 1,
      },
    ]);
    expect(exports).toMatchObject([
      { actor: { id: keeper }, subject: 'student', detail: { reason: '학과 제출', count: 40 } },
    ]);
    expect((await report(addMonths(lastMonth, -5))).actors).toEqual([]);
  });

  test('USER-6 says what is unusual by number, hour or address', async () => {
    const before = monthSpan(lastMonth).from - 30 * DAY;
    await write(
      { at: before, actor: admin, address: '192.0.2.50' },
      { at: noon(10), actor: admin, address: '192.0.2.50' },
      { at: noon(11), actor: admin, address: '198.51.100.9' },
      { at: noon(12) - 7 * HOUR, actor: admin, address: '192.0.2.50' },
      { at: noon(12) - 6 * HOUR, actor: admin, address: '192.0.2.50' },
      ...Array.from({ length: 120 }, (_, n) => ({ at: noon(13) + n, actor: admin, address: '192.0.2.50' })),
    );
    const { unusual } = await report(lastMonth);
    expect(unusual.filter(({ actor }) => actor?.id === admin)).toEqual([
      { kind: 'number', actor: expect.anything(), day: dayOf(13), entries: 120, handled: 120, usual: 1 },
      { kind: 'hour', actor: expect.anything(), day: dayOf(12), entries: 1 },
      // What the first row of this file wrote of the admin came from nowhere that is known either.
      { kind: 'address', actor: expect.anything(), day: dayOf(5), address: '192.0.2.1', entries: 1 },
      { kind: 'address', actor: expect.anything(), day: dayOf(11), address: '198.51.100.9', entries: 1 },
    ]);
  });

  test('USER-6 SEC-105 judges by how many people were handled, reading a list as one act, and the operator as well', async () => {
    await write(
      { at: noon(19), actor: keeper, detail: { count: 367 } },
      { at: noon(20), actor: keeper, action: 'export', detail: { count: 63_000 } },
      { at: noon(21), actor: keeper, action: 'create', detail: { added: 4000, changed: 90, unchanged: 20 } },
      { at: noon(22) - 10 * HOUR, actor: null, address: 'operator', action: 'export', to: '20231111' },
      { at: noon(22) - 10 * HOUR, actor: null, address: 'system', action: 'delete' },
    );
    const { unusual } = await report(lastMonth);
    const busy = unusual.flatMap((each) => (each.kind === 'number' ? [[each.day, each.handled]] : []));
    // SEC-105: a list that is opened is one act, however many are in it.
    expect(busy.map(([day]) => day)).not.toContain(dayOf(19));
    expect(busy).toContainEqual([dayOf(20), 63_000]);
    expect(busy).toContainEqual([dayOf(21), 4110]);
    expect(unusual.filter(({ actor }) => actor === null)).toEqual([
      { kind: 'hour', actor: null, day: dayOf(22), entries: 1 },
    ]);
  });

  test('USER-6 shows the restore that took back rows of a month, or that it was signed off', async () => {
    const restored = {
      made: noon(14),
      since: noon(14),
      entries: 12,
      months: [addMonths(lastMonth, -2)],
    };
    await env.DB.prepare(
      "INSERT INTO access_log (at, address, action, subject, detail) VALUES (?, 'operator', 'change', 'access_log', ?)",
    )
      .bind(noon(15), JSON.stringify({ restored }))
      .run();
    const shown = [expect.objectContaining({ actor: null, detail: { restored } })];
    expect((await report(lastMonth)).restores).toEqual(shown);
    expect((await report(addMonths(lastMonth, -2))).restores).toEqual(shown);
    expect((await report(addMonths(lastMonth, -1))).restores).toEqual([]);
    expect((await report(thisMonth)).restores).toEqual([]);
  });

  test('USER-6 is signed off once, with a remark that names nobody, and is read with it', async () => {
    await env.DB.prepare("INSERT INTO students (id, name) VALUES ('20231111', '한별하')").run();
    const before = await due();
    const answers = await Promise.all([sign(lastMonth, '한별하 확인함'), sign(lastMonth, '한별하 확인함')]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409]);
    expect(await due()).toBe(before - 1);
    const review = {
      at: expect.stringMatching(/Z$/),
      reviewer: { id: admin, name: '나린솔', email: 'admin@lab.test' },
      remark: '○○○ 확인함',
    };
    expect((await months())[1]).toEqual({ month: lastMonth, isOver: true, review });
    expect((await report(lastMonth)).review).toEqual(review);
    const { access_log: log = [] } = await contents();
    const signed = log.filter((row) => String(Reflect.get(Object(row), 'detail')).includes('reviewed'));
    expect(signed).toMatchObject([{ action: 'create', subject: 'access_log', actor_id: admin }]);
  });

  test('USER-6 SEC-43 is itself a reading of the log', async () => {
    await report(lastMonth);
    const { access_log: log = [] } = await contents();
    expect(log.at(-1)).toMatchObject({
      action: 'read',
      subject: 'access_log',
      detail: JSON.stringify({ month: lastMonth }),
    });
  });

  test('USER-6 leaves the site with a reason, as every export does', async () => {
    await call(`/access_log/reviews/${lastMonth}/exports`, 'POST', { reason: '한별하 감사' });
    const { access_log: log = [] } = await contents();
    expect(log.at(-1)).toMatchObject({
      action: 'export',
      subject: 'access_log',
      detail: JSON.stringify({ month: lastMonth, reason: '○○○ 감사' }),
    });
    const without = await call(`/access_log/reviews/${lastMonth}/exports`, 'POST', { reason: ' ' });
    expect(await refusal(without)).toMatchObject({ status: 400, field: 'reason' });
  });

  test('USER-6 is refused for a month that is not over, without a remark, and for what is no month', async () => {
    expect(await refusal(await sign(thisMonth))).toMatchObject({ status: 400, field: 'month' });
    expect(await refusal(await sign(addMonths(lastMonth, -1), ' '))).toMatchObject({
      status: 400,
      field: 'remark',
    });
    for (const month of ['2026-13', '2026-1', '26-01', 'due%20', '2026-01-01'])
      expect((await call(`/access_log/reviews/${month}`)).status).toBe(404);
  });

  test('USER-6 is kept as long as the log, and nobody changes it', async () => {
    await expect(env.DB.prepare("UPDATE log_reviews SET remark = 'x'").run()).rejects.toThrow(
      'stays as it is',
    );
    await expect(env.DB.prepare('DELETE FROM log_reviews').run()).rejects.toThrow('kept for a year');
    const insert = env.DB.prepare(
      "INSERT INTO log_reviews (month, at, reviewer_id, remark) VALUES (?, ?, 1, 'x')",
    );
    await env.DB.batch([
      insert.bind('2001-01', Date.now() - 401 * DAY),
      insert.bind('2001-02', Date.now() - 399 * DAY),
    ]);
    await worker.scheduled(createScheduledController({ cron: '17 18 * * *' }), env);
    const { results } = await env.DB.prepare('SELECT month FROM log_reviews ORDER BY month').all();
    expect(results).toEqual([{ month: '2001-02' }, { month: lastMonth }]);
  });
});

describe('a day on which somebody did much', () => {
  const days = (...entries: number[]) =>
    entries.map((each, at) => ({
      actorId: 1,
      day: `2026-03-${at + 10}`,
      entries: 1,
      records: each,
      nightly: 0,
    }));
  const found = (...entries: number[]) =>
    busyDays(days(...entries)).map(({ handled, usual }) => [handled, usual]);

  test('USER-6 is unusual by what the others are, and by a number where nobody knows', () => {
    expect(found(60, 50, 40, 300)).toEqual([[300, 50]]);
    expect(found(60, 50, 40, 149)).toEqual([]);
    expect(found(1, 1, 1, 99)).toEqual([]);
    expect(found(1, 1, 1, 100)).toEqual([[100, 1]]);
    expect(found(100, 100, 100, 100)).toEqual([]);
    expect(found(100)).toEqual([[100, 0]]);
    expect(
      busyDays([...days(200, 200, 200), { actorId: 2, day: 'x', entries: 120, records: 0, nightly: 0 }]),
    ).toHaveLength(4);
  });
});
