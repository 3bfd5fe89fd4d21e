import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { unstable_readConfig as readConfig } from 'wrangler';
import { isDue } from '../../local/cron.ts';

const at = (time: string) => new Date(`2026-03-02T${time}Z`);

test('OPS-4 the local run knows the schedules of wrangler.toml, and the worker tells them apart', () => {
  const crons: string[] = readConfig({ config: 'wrangler.toml' }).triggers.crons ?? [];
  const due = (time: string) => crons.filter((cron) => isDue(cron, at(time)));
  expect(due('18:17:00')).toEqual(['17 18 * * *']);
  expect(due('06:17:30')).toEqual([]);
  expect(due('06:00:59')).toEqual(['*/5 * * * *']);
  expect(due('06:55:00')).toEqual(['*/5 * * * *']);
  expect(due('06:56:00')).toEqual([]);
  expect(readFileSync('worker/src/app.ts', 'utf8')).toContain(`WATCH_CRON = '${String(crons[1])}'`);
});

test.each(['* * * *', '1-5 * * * *', '0 0 * * MON', '*/0 * * * *'])(
  'refuses what it does not know: %s',
  (cron) => {
    expect(() => isDue(cron, at('00:00:00'))).toThrow('does not understand');
  },
);
