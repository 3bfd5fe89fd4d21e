import { env } from 'cloudflare:workers';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { isAlertDue } from '../../worker/src/watch/watch.ts';
import {
  answerWith,
  beat,
  freshWatch,
  heard,
  HOUR,
  look,
  MINUTE,
  outside,
  run,
  sent,
  signs,
  taskRun,
} from './watching.ts';
import { words } from '../support/words.ts';

freshWatch();

describe('a database that refuses', () => {
  const restore: string[] = [];
  const change = async (sql: string, back: string) => {
    await run(sql);
    restore.push(back);
  };
  const mend = async () => {
    for (const sql of restore.splice(0).toReversed()) await run(sql);
  };
  const hide = (table: string) =>
    change(
      `ALTER TABLE ${table} RENAME TO hidden_${table}`,
      `ALTER TABLE hidden_${table} RENAME TO ${table}`,
    );

  test.each([
    ['plant_states', '화분의 상태', 'boards'],
    ['bridge_heartbeats', '브리지의 상태', 'bridges'],
    ['backups', '백업 기록', 'backups'],
  ])('OPS-4 to show %s is told of by name, once, and hides nothing else', async (table, what, part) => {
    onTestFinished(mend);
    await heard('basil', 2 * HOUR);
    await beat(MINUTE, 16 * MINUTE);
    await run('INSERT INTO backups (at, ok) VALUES (?, 0)', Date.now());
    await look();
    await hide(table);
    await expect(look()).rejects.toThrow(`the watch failed: ${part}`);
    await expect(look()).rejects.toThrow(`the watch failed: ${part}`);
    expect(await taskRun()).toMatchObject({ ok: 0 });
    await mend();
    await look();
    const [before, ...later] = await sent();
    expect(before).toMatch(/화분 basil[^]*브리지 roof[^]*백업/);
    // The troubles that could not be seen meanwhile were not called over.
    expect(later).toEqual([
      expect.stringMatching(new RegExp(`^\\{"text":"\\[발생\\] 상태 점검: ${what}[^\\n]*$`)),
      expect.stringMatching(new RegExp(`^\\{"text":"\\[해소\\] 상태 점검: ${what}[^\\n]*$`)),
    ]);
    expect(await signs()).toBe(2);
  });

  test.each(['task_runs', 'alerts'])(
    'OPS-4 writes (%s) is told of with everything that is wrong, at the first look and then once an hour',
    async (table) => {
      onTestFinished(mend);
      await heard('basil', 2 * HOUR);
      await change(
        `CREATE TRIGGER refuses BEFORE INSERT ON ${table} BEGIN SELECT RAISE(ABORT, 'quota'); END`,
        'DROP TRIGGER refuses',
      );
      for (let count = 0; count < 3; count++)
        await expect(look()).rejects.toThrow('the watch failed: saving');
      expect(await sent()).toEqual([
        expect.stringMatching(/화분 basil: [^]*데이터베이스에 저장하지 못합니다[^]*한 시간에 한 번/),
      ]);
      // An hour later, as far as R2 remembers.
      await env.FILES.delete('watch/told');
      await expect(look()).rejects.toThrow('the watch failed: saving');
      expect(await sent()).toHaveLength(2);
      expect(await signs()).toBe(0);
      await mend();
      await look();
      await look();
      // Remembered from now on.
      expect(await sent()).toHaveLength(3);
      expect(await signs()).toBe(2);
      expect(await env.FILES.head('watch/told')).toBeNull();
    },
  );

  test('OPS-4 everything is told of at the first look, and then once an hour', async () => {
    onTestFinished(mend);
    await heard('basil', 2 * HOUR);
    for (const table of words('plant_states bridge_heartbeats backups database_days task_runs alerts'))
      await hide(table);
    for (let count = 0; count < 3; count++) await expect(look()).rejects.toThrow('database');
    expect(await sent()).toEqual([
      expect.stringMatching(
        /^\{"text":"\[발생\] 상태 점검: 데이터베이스가 응답하지 않습니다 \([^\n]*부터\)\\n[^\n]*한 시간에[^\n]*$/,
      ),
    ]);
    expect(await signs()).toBe(0);
  });

  test('OPS-4 everything, and a receiver that does not take it either: it is told at the next look', async () => {
    onTestFinished(mend);
    for (const table of ['alerts', 'task_runs']) await hide(table);
    await answerWith(500);
    await expect(look()).rejects.toThrow('answered 500');
    await answerWith(200);
    await expect(look()).rejects.toThrow('the watch failed');
    await expect(look()).rejects.toThrow('the watch failed');
    expect(await sent()).toHaveLength(2);
  });

  test('OPS-4 where R2 cannot remember either, somebody is told in the first look of each hour', async () => {
    const broken = Object.create(env.FILES, { head: { value: () => Promise.reject(new Error('no')) } });
    const day = Array.from({ length: 288 }, (_, look) => look * 5 * MINUTE + 1234);
    const told = await Promise.all(day.map((now) => isAlertDue(broken, now)));
    expect(told.filter(Boolean)).toHaveLength(24);
  });
});

describe('the sign of life', () => {
  test('OPS-4 is asked for once after each look, without a word', async () => {
    await look();
    await look();
    expect(await signs()).toBe(2);
    const bodies = await fetch(outside, { headers: { 'x-test-order': 'bodies' } });
    expect(await bodies.json()).toEqual(['', '']);
  });

  test('OPS-4 stays away when the webhook takes nothing, whatever the look found', async () => {
    await heard('basil', 2 * HOUR);
    await answerWith(503);
    await expect(look()).rejects.toThrow('answered 503');
    expect(await signs()).toBe(0);
  });

  test('OPS-4 that nobody takes spoils no look, and its address is in no line of the log', async () => {
    await answerWith(500, outside);
    const lines: string[] = [];
    const spies = (['log', 'error'] as const).map((level) =>
      vi.spyOn(console, level).mockImplementation((line: string) => void lines.push(line)),
    );
    onTestFinished(() => spies.forEach((spy) => spy.mockRestore()));
    await look();
    expect(await taskRun()).toMatchObject({ ok: 1 });
    expect(lines.join('\n')).toContain('sign_of_life_failed');
    expect(lines.join('\n')).toContain('answered 500');
    expect(lines.join('\n')).not.toMatch(/outside\.test|secret/);
  });
});
