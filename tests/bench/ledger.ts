/** `npm run bench -- ledger`: the account's timeline with ten thousand entries, in a real browser. */
import type { Page } from 'playwright-core';
import { openLocalD1 } from '../../scripts/database/local-d1.ts';
import { timeline } from '../support/ledger-screen.ts';
import type { Stack } from '../support/stack.ts';
import { inBrowser } from './browser.ts';
import { tasksDuring, tasksText } from './main-thread.ts';
import { printTable, type Row } from './table.ts';

const ENTRIES = 10_000;
const DAYS = 3650;
const DAY_MS = 86_400_000;
const KEYS = 20;
const WHEELS = 40;
const WORDS = ['회비', '복사 용지', '2024.0', '-1'];

const names = ['3월 회비', '복사 용지', '시료 택배비', '센서 부품', '세미나 다과', '학회 등록비', '우표'];
const categories = ['회비', '사무용품', '운송비', '재료비', '회의비', '학회', ''];

async function benchLedger(page: Page): Promise<void> {
  printTable(`An account of ${ENTRIES} entries: longest task`, [
    await measured(page, 'opening the screen', () => open(page)),
    await measured(page, `typing ${WORDS.length} searches`, () => search(page)),
    await measured(page, 'another kind, and back', () => chooseKind(page)),
    await measured(page, `${WHEELS} turns of the wheel`, () => scroll(page)),
    await measured(page, 'to another month by the list', () => chooseMonth(page)),
    await measured(page, `End, Home, ${KEYS} months, ${KEYS} rows by key`, () => step(page)),
  ]);
}

/** Ten years, a few entries a day, most with a category. */
function store({ dataDir }: Stack): void {
  const db = openLocalD1(dataDir);
  const insert = db.prepare(
    'INSERT INTO ledger_entries (datetime, amount, description, category) VALUES (?, ?, ?, ?)',
  );
  const first = Date.now() - DAYS * DAY_MS;
  db.exec('BEGIN');
  for (let at = 0; at < ENTRIES; at++) {
    const day = new Date(first + Math.floor((at * DAYS) / ENTRIES) * DAY_MS).toISOString().slice(0, 10);
    const kind = at % names.length;
    const amount = (kind === 0 ? 1 : -1) * (1000 + ((at * 7919) % 90_000));
    insert.run(`${day}T13:00:00`, amount, `${names[kind]} ${at}`, categories[kind] ?? '');
  }
  db.exec('COMMIT');
  db.close();
}

async function measured(page: Page, figure: string, what: () => Promise<void>): Promise<Row> {
  const started = performance.now();
  let took = 0;
  const tasks = await tasksDuring(page, async () => {
    await what();
    took = performance.now() - started;
  });
  return { figure: `${figure} (${Math.round(took)} ms)`, value: tasksText(tasks), target: '≤ 50 ms' };
}

const untilCounted = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor();
const entriesOf = (page: Page) => timeline(page).locator('tr[data-entry]');

async function open(page: Page): Promise<void> {
  await page.goto('/manage_account');
  await untilCounted(page, `${ENTRIES}건`);
  await entriesOf(page).first().waitFor();
}

async function search(page: Page): Promise<void> {
  const field = page.getByRole('searchbox', { name: '내역 검색' });
  for (const word of WORDS) {
    await field.pressSequentially(word);
    await untilCounted(page, new RegExp(`^${ENTRIES}건 중 `));
    await field.fill('');
    await untilCounted(page, new RegExp(`^${ENTRIES}건$`));
  }
}

async function chooseKind(page: Page): Promise<void> {
  for (const [kind, count] of [
    ['출금', new RegExp(`^${ENTRIES}건 중 `)],
    ['입금·출금', new RegExp(`^${ENTRIES}건$`)],
  ] as const) {
    await page.getByRole('search').getByRole('combobox', { name: '구분' }).click();
    await page.getByRole('option', { name: kind, exact: true }).click();
    await untilCounted(page, count);
  }
}

async function scroll(page: Page): Promise<void> {
  await entriesOf(page).first().hover();
  for (let turn = 0; turn < WHEELS; turn++) {
    await page.mouse.wheel(0, 900);
    await page.evaluate(() => new Promise(requestAnimationFrame));
  }
}

async function chooseMonth(page: Page): Promise<void> {
  const months = page.getByRole('combobox', { name: '월 선택' });
  await months.click();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await timeline(page).getByText('우표', { exact: false }).first().waitFor();
}

async function step(page: Page): Promise<void> {
  await timeline(page).locator('tr[data-entry][tabindex="0"]').focus();
  const keys = ['End', 'Home', ...Array(KEYS).fill('PageDown'), ...Array(KEYS).fill('ArrowDown')];
  for (const key of keys) {
    await page.keyboard.press(key);
    await page.evaluate(() => new Promise(requestAnimationFrame));
  }
}

await inBrowser('account@lab.test', ({ page }) => benchLedger(page), { prepare: { stack: store } });
