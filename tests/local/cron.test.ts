import { expect, test } from 'vitest';
import { unstable_readConfig as readConfig } from 'wrangler';
import { isCronDue } from '../../local/cron.ts';
import { WATCH_CRON } from '../../worker/src/watch/rules.ts';

const at = (time: string) => new Date(`2026-03-02T${time}Z`);

test('OPS-4 the local run knows the schedules of wrangler.toml, and the worker tells them apart', () => {
  const crons: string[] = readConfig({ config: 'wrangler.toml' }).triggers.crons ?? [];
  const due = (time: string) => crons.filter((cron) => isCronDue(cron, at(time)));
  expect(due('18:17:00')).toEqual(['17 18 * * *']);
  expect(due('06:17:30')).toEqual([]);
  expect(due('06:00:59')).toEqual(['*/5 * * * *']);
  expect(due('06:55:00')).toEqual(['*/5 * * * *']);
  expect(due('06:56:00')).toEqual([]);
  expect(crons[1]).toBe(WATCH_CRON);
});

test.each(['* * * *', '1-5 * * * *', '0 0 * * MON', '*/0 * * * *'])(
  'refuses what it does not know: %s',
  (cron) => {
    expect(() => isCronDue(cron, at('00:00:00'))).toThrow('does not understand');
  },
);
