import { describe, expect, test } from 'vitest';
import type { GroupOnTheWay, HealthDetails } from '#contract/health';
import { visit } from '../support/browser.ts';
import { hasBrowser } from '../support/chromium.ts';
import { sharedStack } from '../support/shared-stack.ts';
import { arriveAs } from '../support/sign-in-page.ts';

const soon = new Date(Date.now() + 60_000).toISOString();
const way = (group: string, state: GroupOnTheWay['state'], until: string | null = null): GroupOnTheWay => ({
  group,
  from: 'PLANTS_DB',
  to: 'PLANTS_DB_2',
  state,
  until,
});
const named = [
  way('', 'moving', soon),
  way('a-laboratory-with-quite-a-long-name', 'begun'),
  way('reed-lab', 'failed', soon),
  way('fern-lab', 'deleting'),
  ...Array.from({ length: 6 }, (_, n) => way(`small-lab-${n}`, 'waiting')),
];
const homes = {
  each: [
    { name: 'PLANTS_DB', size: 8.4e9, groups: 180 },
    { name: 'PLANTS_DB_2', size: 1.2e9, groups: 20 },
    { name: 'PLANTS_DB_3', size: null, groups: 0 },
  ],
  moves: { count: 96, named },
};
const usage = {
  plan: 'paid',
  full_in_days: null,
  plants_full_in_days: 19,
  rows_today: 1200,
  rows_end_at: null,
};
const alert = {
  kind: 'database',
  name: 'PLANTS_DB',
  since: '2026-03-01T00:00:00.000Z',
  detail: '10.0 GB 중 8.4 GB',
};

describe.skipIf(!hasBrowser)('several databases of plants', () => {
  const stack = sharedStack('empty');

  test.each([
    [1280, 'light'],
    [390, 'light'],
    [390, 'dark'],
  ] as const)(
    'ING-17 OPS-4 시스템 상태 names each with its groups, and ten of those that move (%d px, %s)',
    async (width, colorScheme) => {
      const { page } = await visit(stack.origin, `health-homes-${width}`, { width, height: 900 });
      await page.emulateMedia({ colorScheme });
      await page.route('**/api/health/details', async (route) => {
        const response = await route.fetch();
        const found: HealthDetails = await response.json();
        await route.fulfill({ response, json: { ...found, homes, usage, alerts: [alert] } });
      });
      await arriveAs(page, 'admin@lab.test');
      await page.goto('/manage_health');
      const card = page.getByRole('region', { name: '저장 공간' });
      await card.getByText('화분 데이터베이스 PLANTS_DB_2 (D1)').waitFor();
      await card
        .getByText('그룹 180개 · 유료 요금제의 한도 10.0 GB · 이대로면 19일 뒤 가득 찹니다')
        .waitFor();
      expect(await card.getByRole('listitem').count()).toBe(11);
      await card.getByText('외 86개').waitFor();
      await page.getByText('화분 데이터베이스 PLANTS_DB: 요금제의 한도에 가까워졌습니다').waitFor();
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
      await page.screenshot({
        path: `test-results/health-homes-${width}-${colorScheme}.png`,
        fullPage: true,
      });
    },
  );
});
