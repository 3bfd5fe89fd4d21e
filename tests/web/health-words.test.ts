import type { HealthDetails } from '#contract/health';
import { expect, test } from 'vitest';
import { silenceShare, sizeText, troubles } from '../../web/src/features/health/words.ts';

const NOW = Date.UTC(2026, 2, 2, 9);
const ago = (minutes: number) => new Date(NOW - minutes * 60_000).toISOString();
const plant = (name: string, heardMinutesAgo: number | null): HealthDetails['plants'][number] => ({
  plant: name,
  last_received_at: heardMinutesAgo === null ? null : ago(heardMinutesAgo),
  stale_after_minutes: 15,
  board: null,
});
const details = (given: Partial<HealthDetails>): HealthDetails => ({
  parts: { api: true, ingest: true, broker: true, bridge: true },
  bridges: [],
  plants: [],
  storage: { database: 0, files: 0, files_count: 0 },
  backup: { last: null, failed_at: null, alert_days: 7 },
  tasks: [],
  alerts: [],
  webhook: true,
  ...given,
});

test('OPS-4 a plant that is silent before the watch has looked is not called well', () => {
  const health = details({ plants: [plant('고사리', 16), plant('이끼', 14), plant('난초', null)] });
  expect(troubles(health, NOW)).toEqual([{ kind: 'board', name: '고사리', since: ago(16) }]);
});

test('OPS-4 a plant that was told of is listed once, beside what else was told of', () => {
  const alerts: HealthDetails['alerts'] = [
    { kind: 'board', name: '고사리', since: ago(40) },
    { kind: 'backup', name: '', since: ago(60) },
  ];
  expect(troubles(details({ alerts, plants: [plant('고사리', 40)] }), NOW)).toEqual(alerts);
});

test.each([
  [null, null],
  [0, 0],
  [15, 1],
  [-5, 0],
])('OPS-4 of a plant heard %s minutes ago the share %s of its silence is used up', (minutes, share) => {
  expect(silenceShare(plant('fern', minutes), NOW)).toBe(share);
});

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1000, '1.0 KB'],
  [12_345_678, '12.3 MB'],
  [2e15, '2000.0 TB'],
])('OPS-4 %d bytes read %s', (bytes, text) => {
  expect(sizeText(bytes)).toBe(text);
});
