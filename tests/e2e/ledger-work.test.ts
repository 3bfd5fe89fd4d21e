import { describe, expect, test } from 'vitest';
import { openLocalD1 } from '../../scripts/database/local-d1.ts';
import { change } from '../support/both-databases.ts';
import { hasBrowser } from '../support/chromium.ts';
import { chooseRowAction } from '../support/row-menu.ts';
import {
  openLedger,
  storedEntries,
  storeEntries,
  timeline,
  timelineTexts,
  toast,
} from '../support/ledger-screen.ts';
import { sharedStack } from '../support/shared-stack.ts';

describe.skipIf(!hasBrowser)('a treasurer at work', () => {
  const stack = sharedStack('empty');
  const onDisk = (statement: string) => change(stack.dataDir, statement);

  test('ACC-11 ACC-14 corrects an entry, takes its category from one like it, finds both by the address and deletes them at once', async () => {
    storeEntries(stack, [
      ['2026-03-02', -12_000, '복사 용지'],
      ['2026-03-05', -5_000, '복사용지와 토너'],
      ['2026-04-01', 50_000, '회비'],
    ]);
    onDisk("UPDATE ledger_entries SET category = '사무용품' WHERE amount = -12000");
    const { page, problems } = await openLedger(stack);
    const dialog = page.getByRole('dialog');
    await chooseRowAction(page, '복사용지와 토너 작업', '수정');
    await dialog.getByLabel('금액').fill('15,000');
    await dialog.getByRole('button', { name: '분류 사무용품 넣기' }).click();
    await dialog.getByRole('button', { name: '저장' }).click();
    await toast(page, '변경 완료');
    await expect
      .poll(() => timelineTexts(page))
      .toContain('2026.03.05 | 출금 복사용지와 토너 | -15,000원 | -27,000원');
    await page.getByText('토너').click();
    await dialog.getByRole('button', { name: '수정 이력 1회' }).click();
    await dialog.getByText('-5,000원', { exact: true }).waitFor();
    await page.keyboard.press('Escape');

    await page.getByRole('button', { name: '필터', exact: true }).click();
    await page.getByRole('combobox', { name: '표시할 분류' }).click();
    await page.getByRole('option', { name: '사무용품' }).click();
    await page.waitForURL(/category=/);
    await page.reload();
    await page.getByText('3건 중 2건').waitFor();
    await page.getByText('출금 -27,000원').waitFor();
    await page.getByRole('button', { name: '여러 건 선택' }).click();
    await page.getByRole('button', { name: '2건 모두 선택' }).click();
    await page.getByRole('button', { name: '2건 삭제' }).click();
    await dialog.getByText('합계 -27,000원').waitFor();
    await page
      .getByRole('dialog', { name: '내역 2건을 삭제할까요?' })
      .getByRole('button', { name: '삭제' })
      .click();
    await toast(page, '삭제 완료');
    expect(storedEntries(stack)).toMatchObject([{ description: '회비' }]);
    expect(problems).toEqual([]);
  });

  test('ACC-14 ACC-11 several entries and the rows of an import get categories like earlier ones; less than the dues asks', async () => {
    const day = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Seoul' }).format();
    storeEntries(stack, [
      [day, 50_000, '최나래 회비'],
      ['2026-03-02', -12_000, '복사 용지'],
      ['2026-03-05', -5_000, '복사용지와 토너'],
      ['2026-03-06', -7_000, '복사용지 A3'],
    ]);
    onDisk("UPDATE ledger_entries SET category = '사무용품' WHERE amount = -12000");
    onDisk(
      "INSERT INTO dues (year, semester, name, entry_id, amount) SELECT 2026, 2, '최나래', id, 30000 FROM ledger_entries WHERE amount = 50000",
    );
    const { page, problems } = await openLedger(stack);
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: '여러 건 선택' }).click();
    await page.getByRole('checkbox', { name: /토너/ }).check();
    await page.getByRole('checkbox', { name: /A3/ }).check();
    await page.getByRole('button', { name: '분류 변경' }).click();
    await dialog.getByRole('button', { name: '분류 사무용품 넣기' }).click();
    await dialog.getByRole('button', { name: '저장', exact: true }).click();
    await toast(page, '변경 완료');
    await page.getByRole('button', { name: '여러 건 선택' }).click();

    await chooseRowAction(page, '최나래 회비 작업', '수정');
    await dialog.getByLabel('금액').fill('10,000');
    await dialog.getByRole('button', { name: '저장' }).click();
    await dialog.getByText('그 회비를 미납으로 바꾸고 저장할까요?', { exact: false }).waitFor();
    await dialog.getByRole('button', { name: '미납으로 바꾸고 저장' }).click();
    await dialog.waitFor({ state: 'detached' });

    await page.getByRole('tab', { name: '가져오기' }).click();
    await page
      .getByRole('textbox', { name: '거래 내역' })
      .fill('2026-04-01\t복사용지\t-900\n2026-04-02\t우표\t-700');
    await page.getByRole('button', { name: '미리보기' }).click();
    await page.getByRole('button', { name: '비슷한 내역의 분류 1건 모두 넣기' }).click();
    await page.getByRole('button', { name: '1행 분류 사무용품 수정' }).waitFor();
    await page.getByRole('button', { name: '2건 추가' }).click();
    await toast(page, '추가 완료');
    const db = openLocalD1(stack.dataDir);
    const found = db.prepare('SELECT amount, category FROM ledger_entries ORDER BY id').all();
    const unpaid = db.prepare('SELECT entry_id FROM dues').all();
    db.close();
    expect(found.map(Object.values)).toEqual([
      [10_000, ''],
      [-12_000, '사무용품'],
      [-5_000, '사무용품'],
      [-7_000, '사무용품'],
      [-900, '사무용품'],
      [-700, ''],
    ]);
    expect(unpaid).toEqual([{ entry_id: null }]);
    expect(problems.filter((problem) => !problem.includes('409'))).toEqual([]);
  });

  test('ACC-15 goes through ten thousand entries by keyboard, of which only what is visible is rendered', async () => {
    storeEntries(stack);
    onDisk(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
      INSERT INTO ledger_entries (amount, datetime, description)
      SELECT iif(i % 3, -100, 250), date('2020-03-02', (i / 5) || ' days') || 'T13:00:00', '내역 ' || i FROM n`);
    const { page, problems } = await openLedger(stack);
    await timeline(page).getByText('내역 10000').waitFor();
    await timeline(page).locator('tr[data-entry]').first().focus();
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    const isInWindow = () =>
      page.evaluate(
        () => (document.activeElement?.getBoundingClientRect().bottom ?? Infinity) <= innerHeight + 1,
      );
    for (const [key, words] of [
      ['ArrowDown', '내역 9999'],
      ['End', '내역 1'],
      ['PageUp', '내역 149'],
      ['ArrowUp', '내역 150'],
    ] as const) {
      await page.keyboard.press(key);
      await expect.poll(focused).toMatch(new RegExp(`${words}\\D`));
      await expect.poll(isInWindow).toBe(true);
    }
    // One a frame: faster than rows far away are drawn.
    const fast = ['End', 'Home', ...Array<string>(5).fill('ArrowDown'), 'PageDown', 'PageDown', 'PageUp'];
    const press = async (key: string) => {
      await page.keyboard.press(key);
      await page.evaluate(() => new Promise(requestAnimationFrame));
    };
    for (const key of fast) await press(key);
    await expect.poll(focused).toMatch(/내역 9889\D/);
    // All before anything of it is drawn, as on a busy machine.
    await page.keyboard.press('End');
    await page.evaluate((keys) => {
      for (const key of keys)
        document.activeElement?.dispatchEvent(
          new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }),
        );
    }, fast);
    await expect.poll(focused).toMatch(/내역 9889\D/);
    for (const key of ['End', 'PageUp', 'ArrowUp']) await press(key);
    await expect.poll(focused).toMatch(/내역 150\D/);
    expect(await timeline(page).getByRole('row').count()).toBeLessThan(100);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: '내역 수정' }).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(focused).toMatch(/내역 150\D/);
    expect(problems).toEqual([]);
  });

  test('ACC-13 records twelve payments with one click, one deposit divided between two', async () => {
    const day = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Seoul' }).format();
    const names = Array.from({ length: 12 }, (_, at) => `회원${String.fromCodePoint(0xac00 + at * 28)}`);
    storeEntries(stack, [
      ...names.slice(0, 10).map((name) => [day, 50_000, `회비 ${name}`] as const),
      [day, 100_000, `${names[10]} ${names[11]} 회비`],
    ]);
    const { page, problems } = await openLedger(stack, '?tab=dues');
    await page.getByLabel('이름 추가').fill(names.join(','));
    await page.getByRole('button', { name: '추가', exact: true }).click();
    await page.getByText('15명 중 0명 납부').waitFor();

    await page.getByRole('button', { name: '12명 납부 처리' }).click();
    await page.getByText('15명 중 12명 납부').waitFor();
    const row = page
      .getByRole('row')
      .filter({ has: page.getByRole('rowheader', { name: names[11] ?? '', exact: true }) });
    await expect.poll(() => row.innerText()).toContain('100,000원 중 50,000원');
    expect(problems).toEqual([]);
  });
});
