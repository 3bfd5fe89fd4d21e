import { expect, test } from 'vitest';
import { pageAccess } from '../../web/src/lib/page-access.ts';
import { visit } from '../support/browser.ts';
import { isFull, shareOrAll, someOrAll } from '../support/counts.ts';
import { sharedStack } from '../support/shared-stack.ts';

const stack = sharedStack('demo');

/** Every name that an address of some screen may hold. */
const NAMES = 'tab id range from to plants dept year semester grade view redirected failed'.split(' ');
const VALUES = [
  '9999-12-31T23:59:59Z',
  '0001-01-01T00:00:00Z',
  '',
  'null',
  '-1',
  '1e308',
  '[]',
  '["a/b","","#"]',
  '{"toString":1}',
  '__proto__',
  '%E0%A4%A',
  '%00',
  '가'.repeat(2000),
];
const hostile = VALUES.map((value) =>
  NAMES.map((name) => `${name}=${value.startsWith('%') ? value : encodeURIComponent(value)}`).join('&'),
);
const searches = [...hostile, 'from=0001-01-01T00:00:00Z&to=9999-12-31T23:59:59Z', 'dept=physics&year=99999'];

/** The screens whose address says something, and the others, which must not mind either. */
const READERS = ['users', 'students', 'courses', 'subjects_list', 'account', 'plants'].map(
  (name) => `/manage_${name}`,
);
const everyPage = ['/', '/ko', '/en', '/test', '/docs/staff-guide', ...Object.keys(pageAccess)];

test.each(shareOrAll(2, isFull ? everyPage : READERS))(
  'NAV-3 %s shows what it shows without a search, whatever stands in its address',
  async (path) => {
    const { page, problems } = await visit(stack, { as: 'admin@lab.test' });
    const refused: string[] = [];
    page.on('response', (response) => {
      if (response.status() >= 400) refused.push(`${response.status()} ${response.url()}`);
    });
    for (const search of someOrAll(3, searches)) {
      await page.goto(`${path}?${search}`);
      await page.locator('main h1').first().waitFor();
      await page.waitForLoadState('networkidle');
      expect(new URL(page.url()).pathname, search).toBe(path);
      expect(await page.getByRole('button', { name: '다시 시도' }).count(), search).toBe(0);
    }
    expect(refused).toEqual([]);
    expect(problems).toEqual([]);
  },
);
