import { type Told, tellReadings } from '../support/store-readings.ts';
import { env } from 'cloudflare:workers';
import * as z from 'zod';
import { beforeEach, expect, test } from 'vitest';
import { RECEIVERS_MAX, type Receiver } from '#contract/receivers';
import { call, refusal, signInAdmin } from './client.ts';
import {
  answerWith,
  DAY,
  freshWatch,
  heard,
  look as lookWith,
  MINUTE,
  retry,
  run,
  sent,
} from './watching.ts';

freshWatch();
beforeEach(() => signInAdmin('admin@lab.test'));
beforeEach(() => soils.clear());

const look = () => lookWith({ ALERT_WEBHOOK_URL: '', SITE_URL: 'https://lab.test' });

let addresses = 0;
/** Adds a receiver that takes what it is sent, somewhere on the network. */
async function receiver(more: object = {}): Promise<{ id: number; address: string }> {
  const address = `https://receiver.example/${++addresses}?chat_id=-100`;
  await answerWith(200, address);
  const answer = await call('/receivers', 'POST', { kind: 'json', name: '온실', address, ...more });
  expect(answer.status).toBe(201);
  return { id: (await answer.json<{ id: number }>()).id, address };
}

const list = async (): Promise<Receiver[]> => await (await call('/receivers')).json();

const textSchema = z.object({ text: z.string() });
const texts = async (address: string) =>
  (await sent(address)).map((body) => textSchema.parse(JSON.parse(body)).text);

/** Where the history of each plant has got to, in time and in raw value. */
const soils = new Map<string, { at: number; raw: number }>();

/**
 * The soil of a plant comes to so many percent of the converter's range and stays there for three hours: it dries as slowly
 * as soil does, or is watered. Its board was heard a minute ago.
 */
async function measure(plant: string, percent: number): Promise<void> {
  await heard(plant, MINUTE);
  const raw = Math.round(1023 - (percent / 100) * 1023);
  const soil = soils.get(plant) ?? { at: Date.now() - 60 * DAY, raw };
  const readings: Told[] = [];
  for (let steady = 0; steady < 18; steady += soil.raw === raw ? 1 : 0) {
    soil.at += 10 * MINUTE;
    soil.raw = Math.min(raw, soil.raw + 8);
    readings.push([plant, soil.at, soil.raw, Date.now()]);
  }
  soils.set(plant, soil);
  await tellReadings(env.PLANTS_DB, readings);
}

test('PLT-10 who wants is told once that a plant is dry and once that it is wet again, with percent, time and link', async () => {
  const { address } = await receiver({ kind: 'slack' });
  await measure('fern', 40);
  await look();
  expect(await texts(address)).toEqual([]);
  await measure('fern', 18.2);
  await look();
  await look();
  await measure('fern', 21);
  await look();
  expect(await texts(address)).toEqual([
    expect.stringMatching(
      /^\[발생\] 화분 fern: 물이 부족합니다\. 현재 수분 18\.2% · 20% 아래면 알림 \(\d{4}\.\d\d\.\d\d \d\d:\d\d부터\)\n  먼저: 물을 주세요[^\n]*\nhttps:\/\/lab\.test\/manage_plants$/,
    ),
  ]);
  await measure('fern', 61);
  await look();
  await look();
  expect((await texts(address)).slice(1)).toEqual([
    expect.stringMatching(
      /^\[해소\] 화분 fern: 물이 부족합니다\. 현재 수분 61\.\d% · 20% 아래면 알림 \(.+ – .+\)\n/,
    ),
  ]);
  expect(await env.DB.prepare('SELECT count(*) AS n FROM outbox').first('n')).toBe(0);
});

test('OPS-10 one variable has all messages in English, with the first step of the table', async () => {
  const { address } = await receiver({ kind: 'slack', line: true });
  await measure('fern', 18.2);
  await run('INSERT INTO backups (at, ok) VALUES (?, 0)', Date.now());
  await lookWith({ ALERT_WEBHOOK_URL: '', SITE_URL: 'https://lab.test', ALERT_LANGUAGE: 'en' });
  const [text = ''] = await texts(address);
  expect(text).toMatch(
    /^\[began\] a dry plant: fern\. soil at 18\.2%, alert below 20% \(since .+\)\n  First: water the plant; [^\n]+$/m,
  );
  expect(text).toMatch(
    /^\[began\] a missing backup \(since .+\)\n  First: run npm run backup by hand: it says why$/m,
  );
});

test('PLT-10 a plant that flaps around its limit a hundred times is told of once', async () => {
  const { address } = await receiver();
  for (let time = 0; time < 100; time++) {
    await measure('fern', time % 2 === 0 ? 19.5 : 20.5);
    // On either side of the limit in turn.
    if (time % 3 === 0) await look();
  }
  expect(await texts(address)).toHaveLength(1);
});

test('PLT-10 each service gets the message in its own form, and none of them reads a plant’s name as a call', async () => {
  const kinds = ['slack', 'discord', 'jandi', 'telegram', 'json'] as const;
  const added = await Promise.all(kinds.map((kind) => receiver({ kind })));
  await measure('<!channel> @here', 12);
  await look();
  const body = async (at: number): Promise<unknown> => JSON.parse((await sent(added[at]?.address)).join());
  const line =
    /^\[발생\] 화분 ＜!channel＞ ＠here: 물이 부족합니다\. 현재 수분 12\.0% · 20% 아래면 알림 \(.+부터\)/;
  const text = expect.stringMatching(line);
  expect(await body(0)).toEqual({ text });
  expect(await body(1)).toEqual({ content: text, allowed_mentions: { parse: [] }, flags: 4 });
  expect(await body(2)).toEqual({
    body: '[알림 1건](https://lab.test/manage_plants)',
    connectColor: expect.stringMatching(/^#[0-9a-f]{6}$/),
    connectInfo: [{ title: '알림 내용', description: text }],
  });
  expect(await body(3)).toEqual({ chat_id: '-100', text, link_preview_options: { is_disabled: true } });
  expect(await body(4)).toEqual({
    text,
    title: '알림 1건',
    link: 'https://lab.test/manage_plants',
    news: [
      {
        event: 'began',
        kind: 'dry',
        name: '<!channel> @here',
        text: '화분 ＜!channel＞ ＠here: 물이 부족합니다',
        detail: null,
        first_step: expect.stringContaining('물을 주세요'),
        since: expect.stringMatching(/Z$/),
        until: null,
        gone: null,
        percent: 12,
        limit_percent: 20,
      },
    ],
  });
});

test('PLT-10 somebody is told of the plants they chose, by the name that people use, and of the line or not', async () => {
  await measure('fern', 40);
  await measure('moss', 40);
  const all = await receiver({ line: false });
  const one = await receiver({ plants: ['fern'], line: false });
  const line = await receiver({ plants: [], line: true });
  await run("UPDATE plants SET name = '고사리' WHERE topic = 'fern'");
  expect((await list()).map(({ plants }) => plants)).toEqual([null, ['고사리'], []]);
  await measure('fern', 10);
  await measure('moss', 10);
  await run('INSERT INTO backups (at, ok) VALUES (?, 0)', Date.now());
  await look();
  expect((await texts(all.address)).join()).toMatch(/고사리[^]*moss|moss[^]*고사리/);
  expect((await texts(one.address)).join()).toMatch(
    /^\[발생\] 화분 고사리: [^\n]*\n  먼저: [^\n]*\nhttps:\/\/lab.test\/manage_plants$/,
  );
  expect((await texts(line.address)).join()).toMatch(
    /^\[발생\] 백업: [^\n]*\n  먼저: [^\n]*npm run backup[^\n]*\nhttps:\/\/lab.test\/manage_health#backup%3A$/,
  );
});

test('PLT-12 PLT-13 a calibrated plant is told of in its one percent, and once though it is renamed meanwhile', async () => {
  await measure('fern', 40);
  await run("UPDATE plants SET name = 'fern #7' WHERE topic = 'fern'");
  const limits = { dry: 700, wet: 300, alert_below: 20, alert_clear: 25, stale_after_minutes: 60 };
  const set = async (change: object) =>
    expect((await call('/plants/settings?topic=fern', 'PUT', { ...limits, ...change })).status).toBe(200);
  await set({});
  const { address } = await receiver({ plants: ['fern #7'] });
  await look();
  // Raw 614: 40 % of the converter's range, 21.5 % of the plant's.
  expect(await texts(address)).toEqual([]);
  await set({ alert_below: 22 });
  await look();
  await run("UPDATE plants SET name = '고사리' WHERE topic = 'fern'");
  await look();
  await set({ alert_below: 10, alert_clear: 21 });
  await look();
  expect(await texts(address)).toEqual([
    expect.stringMatching(/^\[발생\] 화분 fern #7: 물이 부족합니다\. 현재 수분 21\.5% · 22% 아래면 알림 /),
    expect.stringMatching(/^\[해소\] 화분 고사리: 물이 부족합니다\. 현재 수분 21\.5% · 10% 아래면 알림 /),
  ]);
});

test('PLT-10 who comes later is told of what goes on', async () => {
  await measure('fern', 10);
  await look();
  const { address } = await receiver();
  await look();
  expect(await texts(address)).toHaveLength(1);
});

const one = 'topic=fern';
const show = (isHidden: boolean) => call(`/plants/hidden?${one}`, 'PUT', { is_hidden: isHidden });
const leave = {
  hidden: () => show(true),
  removed: () => call(`/plants?${one}`, 'DELETE'),
};
const troubles = {
  dry: { text: '물이 부족합니다', happen: () => measure('fern', 10) },
  board: {
    text: '측정값이 오지 않습니다',
    happen: async () => {
      await measure('fern', 40);
      await heard('fern', 180 * MINUTE);
    },
  },
};
const ends = { hidden: '화분을 숨겨 더 알리지 않습니다', removed: '화분을 삭제해 더 알리지 않습니다' };
const waysOut = (['dry', 'board'] as const).flatMap((kind) =>
  (['hidden', 'removed'] as const).map((way) => [kind, way] as const),
);
const left = async () => await env.DB.prepare('SELECT count(*) AS n FROM outbox').first('n');

test.each(waysOut)(
  'PLT-10 PLT-13 the end of %s is told once when its plant is %s, to whom its beginning was, and nobody hears that it is well',
  async (kind, way) => {
    const { text, happen } = troubles[kind];
    const { address } = await receiver();
    const failing = await receiver();
    await answerWith(500, failing.address);
    await happen();
    await look();
    await answerWith(200, failing.address);
    await retry();
    const late = await receiver();
    expect((await leave[way]()).status).toBe(200);
    await look();
    await look();
    expect((await texts(address)).map((said) => said.split('\n')[0])).toEqual([
      expect.stringMatching(new RegExp(`^\\[발생\\] 화분 fern: ${text}`)),
      expect.stringMatching(
        new RegExp(`^\\[종료\\] 화분 fern: ${text}\\. ${ends[way]} \\([^)]+ – [^)]+\\)$`),
      ),
    ]);
    expect(JSON.parse((await sent(address)).at(-1) ?? '')).toMatchObject({
      title: '종료 1건',
      news: [{ event: 'over', gone: way, percent: null }],
    });
    expect(await texts(late.address)).toEqual([]);
    expect(await texts(failing.address)).toHaveLength(1);
    expect(await left()).toBe(0);
  },
);

test.each(['dry', 'board'] as const)(
  'PLT-10 PLT-13 a plant that is shown again is told of once as a new alert where %s goes on',
  async (kind) => {
    const { address } = await receiver();
    await troubles[kind].happen();
    await look();
    await show(true);
    await look();
    await show(false);
    await look();
    await look();
    expect((await texts(address)).map((said) => said.slice(0, 4))).toEqual(['[발생]', '[종료]', '[발생]']);
  },
);

test('PLT-10 PLT-13 of a plant that is watered while it is hidden nothing more is told', async () => {
  const { address } = await receiver();
  await measure('fern', 10);
  await look();
  await show(true);
  await look();
  await measure('fern', 60);
  await look();
  await show(false);
  await look();
  expect((await texts(address)).map((said) => said.slice(0, 4))).toEqual(['[발생]', '[종료]']);
});

test('PLT-10 PLT-13 who did not take the end meanwhile is told nothing of a plant that is shown again and still dry', async () => {
  const { address } = await receiver();
  await measure('fern', 10);
  await look();
  await answerWith(500, address);
  await show(true);
  await look();
  expect(await list()).toMatchObject([{ waiting: 1, failure: 'answered 500' }]);
  await show(false);
  await look();
  await answerWith(200, address);
  await retry();
  await look();
  expect((await texts(address)).map((said) => said.slice(0, 4))).toEqual(['[발생]', '[종료]']);
  expect(await list()).toMatchObject([{ waiting: 0, failure: null }]);
  // Its own end is still told.
  await measure('fern', 60);
  await look();
  expect((await texts(address)).at(-1)).toMatch(/^\[해소\]/);
});

test('PLT-10 PLT-13 a chosen plant stays chosen when it is removed and its board comes back', async () => {
  await measure('fern', 40);
  await measure('moss', 40);
  const { address } = await receiver({ plants: ['fern'], line: false });
  expect((await leave.removed()).status).toBe(200);
  expect(await list()).toMatchObject([{ plants: [], absent: ['fern'] }]);
  await measure('moss', 10);
  await look();
  expect(await texts(address)).toEqual([]);
  await measure('fern', 10);
  await look();
  expect(await list()).toMatchObject([{ plants: ['fern'], absent: [] }]);
  expect(await texts(address)).toEqual([expect.stringMatching(/^\[발생\] 화분 fern/)]);
});

test('PLT-10 a receiver that fails or redirects keeps nobody else from being told, and is tried again', async () => {
  const good = await receiver();
  const failing = await receiver();
  const redirecting = await receiver();
  await answerWith(500, failing.address);
  await answerWith(302, redirecting.address);
  await measure('fern', 10);
  await look();
  expect(await texts(good.address)).toHaveLength(1);
  expect(await list()).toMatchObject([
    { id: good.id, failure: null, waiting: 0, told_at: expect.any(String) },
    { id: failing.id, failure: 'answered 500', waiting: 1, told_at: null, next_at: expect.any(String) },
    { id: redirecting.id, failure: 'answered 302', waiting: 1 },
  ]);
  // Not before its pause is over, which doubles.
  await look();
  expect(await texts(failing.address)).toHaveLength(1);
  const pauses: number[] = [];
  for (let tried = 1; tried < 4; tried++) {
    const [, next] = await list();
    pauses.push(Math.round((Date.parse(next?.next_at ?? '') - Date.now()) / 15_000));
    await retry();
    await look();
  }
  expect(pauses).toEqual([1, 2, 4]);
  // It is over before it was told: one line says both.
  await measure('fern', 60);
  await answerWith(200, failing.address);
  await look();
  await retry();
  await look();
  expect((await texts(failing.address)).slice(4)).toEqual([
    expect.stringMatching(/^\[해소\] [^\n]* – [^\n]*\n/),
  ]);
  expect(await texts(good.address)).toHaveLength(2);
});

test('PLT-10 what nobody took within a day is given up, shown, and tried once more when a test message arrives', async () => {
  const { id, address } = await receiver();
  await answerWith(503, address);
  await measure('fern', 10);
  for (let time = 0; time < 20; time++) {
    await look();
    await retry();
  }
  expect(await texts(address)).toHaveLength(13);
  expect(await list()).toMatchObject([{ waiting: 0, dropped: 1, failure: 'answered 503', next_at: null }]);
  const test = async () => await (await call(`/receivers/${id}/test`, 'POST')).json();
  expect(await test()).toEqual({ ok: false, failure: 'answered 503' });
  await answerWith(200, address);
  expect(await test()).toEqual({ ok: true, failure: null });
  expect((await texts(address)).at(-1)).toMatch(/^시험 알림입니다/);
  await look();
  expect((await texts(address)).at(-1)).toMatch(/물이 부족합니다/);
  expect(await list()).toMatchObject([{ waiting: 0, dropped: 0, failure: null }]);
});

test('PLT-10 in its quiet hours a receiver is told of nothing, and after them of all in one message, a line each', async () => {
  const clock = (shift: number) =>
    new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Seoul', timeStyle: 'short' }).format(
      Date.now() + shift,
    );
  const { address } = await receiver({ quiet: { from: clock(-60 * MINUTE), to: clock(60 * MINUTE) } });
  await measure('fern', 10);
  await measure('moss', 10);
  await look();
  await measure('fern', 60);
  await look();
  expect(await texts(address)).toEqual([]);
  expect(await list()).toMatchObject([{ waiting: 2, failure: null }]);
  await run('UPDATE receivers SET quiet_to = ?', clock(-30 * MINUTE));
  await look();
  await look();
  expect(await texts(address)).toEqual([
    expect.stringMatching(/^\[해소\] 화분 fern: [^\n]*\n\[발생\] 화분 moss: [^\n]*\n  먼저: [^\n]*\nhttps/),
  ]);
});

test('PLT-10 an address is told to nobody again, leaves with its receiver, and the log has neither', async () => {
  const { id, address } = await receiver({ name: '가온의 채널' });
  const shown = await (await call('/receivers')).text();
  expect(shown).toContain('receiver.example');
  expect(shown).not.toContain(address);
  await answerWith(500, address);
  await measure('fern', 10);
  await look();
  await call(`/receivers/${id}/test`, 'POST');
  expect((await call(`/receivers/${id}`, 'DELETE')).status).toBe(200);
  expect((await call(`/receivers/${id}`, 'DELETE')).status).toBe(404);
  expect((await call(`/receivers/${id}/test`, 'POST')).status).toBe(404);
  expect(await list()).toEqual([]);
  expect(await env.DB.prepare('SELECT count(*) AS n FROM outbox').first('n')).toBe(0);
  const { results } = await env.DB.prepare(
    "SELECT action, subject_id, detail FROM access_log WHERE subject = 'receiver' ORDER BY id",
  ).all();
  expect(results).toMatchObject([{ action: 'create' }, { action: 'read' }, { action: 'delete' }]);
  expect(new Set(results.map(({ subject_id }) => subject_id))).toEqual(new Set([String(id)]));
  expect(JSON.stringify(results)).not.toMatch(/receiver\.example|가온/);
});

test.each([
  [{ kind: 'json', name: 'x', address: 'https://10.0.0.1/' }, 'address'],
  [{ kind: 'json', name: 'x', address: 'http://127.0.0.1:9000/' }, 'address'],
  [{ kind: 'pager', name: 'x', address: 'https://receiver.example/' }, 'kind'],
  [{ kind: 'json', name: '', address: 'https://receiver.example/' }, 'name'],
  [
    { kind: 'json', name: 'x', address: 'https://receiver.example/', quiet: { from: '7:00', to: '08:00' } },
    'quiet.from',
  ],
  [
    { kind: 'json', name: 'x', address: 'https://receiver.example/', quiet: { from: '07:00', to: '07:00' } },
    'quiet.to',
  ],
  [{ kind: 'mail', name: 'x', address: 'gaon@lab.test' }, 'kind'],
  [{ kind: 'json', name: 'x', address: 'https://receiver.example/', plants: ['nix'] }, 'plants'],
  [{ kind: 'json', name: 'x', address: 'https://receiver.example/', plants: [], line: false }, 'line'],
])('PLT-10 %j is no receiver', async (body, field) => {
  const answer = await call('/receivers', 'POST', body);
  expect(await refusal(answer.clone())).toMatchObject({ status: 400, field });
  expect(await answer.text()).toMatch(/\p{Script=Hangul}/u);
});

test('PLT-10 there are so many receivers at most', async () => {
  await run(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
     INSERT INTO receivers (kind, name, address, every_plant, line, created_at)
     SELECT 'json', 'x', 'https://receiver.example/' || i, 1, 1, 0 FROM n`,
    RECEIVERS_MAX,
  );
  const one = { kind: 'json', name: 'x', address: 'https://receiver.example/' };
  expect((await call('/receivers', 'POST', one)).status).toBe(409);
});

test('SEC-102 of many at once no more are added than there may be', async () => {
  const one = (at: number) => ({ kind: 'json', name: 'x', address: `https://receiver.example/${at}` });
  const answers = await Promise.all(
    Array.from(
      { length: RECEIVERS_MAX + 10 },
      async (_, at) => (await call('/receivers', 'POST', one(at))).status,
    ),
  );
  expect(answers.filter((status) => status === 409).length).toBeGreaterThan(9);
  expect(await list()).toHaveLength(RECEIVERS_MAX);
});

test('SEC-103 a name that resolves inward is no address of a receiver', async () => {
  const resolve = async (name: string, type: number, data: string) => {
    const body = JSON.stringify({ Status: 0, Answer: [{ name, type, data }] });
    const address = `https://cloudflare-dns.com/dns-query?name=${name}&type=${type}`;
    const order = { 'x-test-order': 'answer' };
    await fetch(address, { method: 'POST', headers: order, body: JSON.stringify({ status: 200, body }) });
  };
  const add = async (name: string) =>
    await refusal(await call('/receivers', 'POST', { kind: 'json', name: 'x', address: `https://${name}/` }));
  await resolve('inward.example', 1, '10.0.0.1');
  await resolve('inward6.example', 28, 'fd00::1');
  await resolve('outward.example', 1, '93.184.215.14');
  expect(await add('inward.example')).toMatchObject({ status: 400, field: 'address' });
  expect(await add('inward6.example')).toMatchObject({ status: 400, field: 'address' });
  expect(
    (await call('/receivers', 'POST', { kind: 'json', name: 'x', address: 'https://outward.example/' }))
      .status,
  ).toBe(201);
});

test('PLT-10 mail is sent by the binding, with the line as its subject, and counts as not sent without one', async () => {
  const mails: object[] = [];
  const EMAIL: SendEmail = {
    send: async (mail) => {
      mails.push(mail);
      return await Promise.resolve({ messageId: 'x' });
    },
  };
  await run(
    `INSERT INTO receivers (kind, name, address, every_plant, line, created_at)
     VALUES ('mail', '가온', 'gaon@lab.test', 1, 1, 0)`,
  );
  await measure('fern', 10);
  await look();
  expect(await list()).toMatchObject([{ host: 'lab.test', failure: 'no sender' }]);
  await retry();
  await lookWith({
    ALERT_WEBHOOK_URL: '',
    SITE_URL: 'https://lab.test',
    MAIL_FROM: 'portal@lab.test',
    EMAIL,
  });
  expect(mails).toEqual([
    {
      from: { name: '화분 알림', email: 'portal@lab.test' },
      to: 'gaon@lab.test',
      subject: expect.stringMatching(/^\[발생\] 화분 fern: 물이 부족합니다/),
      text: expect.stringMatching(/^\[발생\] 화분 fern[^]*https:\/\/lab\.test\/manage_plants$/),
    },
  ]);
});
