import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { openLocalD1 } from '../../scripts/database/local-d1.ts';
import { selected } from '../support/both-databases.ts';
import { hasBrowser } from '../support/chromium.ts';
import { chooseRowAction } from '../support/row-menu.ts';
import { openLedger, storedEntries, storeEntries, timelineTexts, toast } from '../support/ledger-screen.ts';
import { sharedStack } from '../support/shared-stack.ts';

const pdf = Buffer.from('%PDF-1.7\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n');
const books = [
  ['2026-02-27', 100_000, '이월'],
  ['2026-03-02', 50_000, '1학기 회비 최나래'],
  ['2026-03-05', -12_000, '복사 용지'],
  ['2026-09-03', -700, '=1+1'],
] as const;

describe.skipIf(!hasBrowser)('the books of the account screen', () => {
  const stack = sharedStack('empty');

  test('ACC-8 a receipt is added to an entry, seen, saved and deleted', async () => {
    storeEntries(stack, books);
    const { page, problems } = await openLedger(stack);
    await page.getByRole('button', { name: '복사 용지 영수증 추가' }).click();
    const dialog = page.getByRole('dialog', { name: '복사 용지 영수증' });
    await dialog.getByText('영수증이 없습니다.').waitFor();
    const picture = await page.screenshot({ type: 'jpeg' });
    const chooser = dialog.getByLabel('영수증 추가');
    await chooser.setInputFiles({ name: '영수증.jpg', mimeType: 'image/jpeg', buffer: picture });
    await toast(page, '업로드 성공');
    const image = dialog.getByRole('img', { name: '영수증.jpg' });
    await expect.poll(() => image.evaluate((each: HTMLImageElement) => each.naturalWidth)).toBeGreaterThan(0);
    // The toast is there still.
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: '복사 용지 영수증 1개' }).click();

    await chooser.setInputFiles({ name: '세금계산서.pdf', mimeType: 'application/pdf', buffer: pdf });
    const link = dialog.getByRole('link', { name: '세금계산서.pdf' });
    await link.waitFor();
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
    expect(download.suggestedFilename()).toBe('세금계산서.pdf');
    expect(readFileSync(await download.path())).toEqual(pdf);

    await chooser.setInputFiles({ name: '표.xlsx', mimeType: 'application/zip', buffer: Buffer.from('PK') });
    await toast(page, 'JPEG, PNG, WebP, PDF 파일이 아닙니다');
    await dialog.getByRole('button', { name: '영수증.jpg 삭제' }).click();
    await dialog.getByRole('button', { name: '삭제 확인' }).click();
    await image.waitFor({ state: 'detached' });
    await dialog.getByRole('button', { name: '닫기' }).click();
    await page.getByRole('button', { name: '복사 용지 영수증 1개' }).waitFor();
    expect(problems.filter((problem) => !problem.includes('415'))).toEqual([]);
  });

  test('ACC-9 chart, totals by month and semester, statement and CSV say the same', async () => {
    storeEntries(stack, books);
    const { page, problems } = await openLedger(stack, '?tab=report');
    await page.getByRole('figure', { name: '잔액 변화' }).locator('.recharts-line path').first().waitFor();
    const rowsOf = async (name: string) => {
      const rows = await page.getByRole('table', { name }).locator('tbody tr').all();
      return await Promise.all(
        rows.map(async (row) => (await row.locator('td, th').allInnerTexts()).join(' ')),
      );
    };
    await expect
      .poll(() => rowsOf('학기별 합계'))
      .toEqual([
        '2026년 2학기 1 0원 -700원 137,300원',
        '2026년 1학기 2 +50,000원 -12,000원 138,000원',
        '2025년 2학기 1 +100,000원 0원 100,000원',
      ]);
    await expect
      .poll(() => rowsOf('월별 합계'))
      .toEqual([
        '2026.09 1 0원 -700원 137,300원',
        '2026.03 2 +50,000원 -12,000원 138,000원',
        '2026.02 1 +100,000원 0원 100,000원',
      ]);
    await page.getByRole('combobox', { name: '결산할 학기' }).click();
    await page.getByRole('option', { name: '2026년 1학기' }).click();
    const sheet = page.getByRole('article', { name: '2026년 1학기 결산' });
    await sheet.waitFor();
    const summary = (await sheet.locator('dl').innerText()).replace(/\s+/g, ' ');
    expect(summary).toBe('전기 이월 100,000원 입금 합계 +50,000원 출금 합계 -12,000원 기말 잔액 138,000원');
    await expect.poll(() => sheet.locator('tbody tr').count()).toBe(2);

    const [all] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: '전체 CSV 저장' }).click(),
    ]);
    expect(readFileSync(await all.path(), 'utf8')).toBe(
      '\ufeff날짜,구분,내용,분류,금액,잔액,비고\r\n2026-02-27,입금,이월,,100000,100000,\r\n' +
        "2026-03-02,입금,1학기 회비 최나래,,50000,150000,\r\n2026-03-05,출금,복사 용지,,-12000,138000,\r\n2026-09-03,출금,'=1+1,,-700,137300,\r\n",
    );
    expect(problems).toEqual([]);
  });

  test('ACC-9 the statement alone goes on paper, whole', async () => {
    const many = Array.from({ length: 120 }, (_, at) => ['2026-03-02', -at - 1, `내역 ${at}`] as const);
    storeEntries(stack, many);
    const { page } = await openLedger(stack, '?tab=report');
    const sheet = page.getByRole('article', { name: '2026년 1학기 결산' });
    await sheet.waitFor();
    await page.emulateMedia({ media: 'print' });
    for (const hidden of [page.getByRole('tab', { name: '내역' }), page.getByText('월별 합계').first()]) {
      await expect.poll(() => hidden.isVisible()).toBe(false);
    }
    await sheet.getByText('확인자 (인)').waitFor();
    const list = sheet.getByRole('region', { name: '결산 내역' });
    await expect.poll(() => list.evaluate((each) => each.scrollHeight <= each.clientHeight + 1)).toBe(true);
    const printed = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
    expect(printed).toMatch(/\/MediaBox \[0 0 59[45][.\d]* 84[12]/);
  });

  test('ACC-10 dues: who has paid this semester and with which entry', async () => {
    storeEntries(stack, [[today(), 50_000, '회비 최나래'], ...books]);
    const { page } = await openLedger(stack, '?tab=dues');
    await page.getByText('3명 중 0명 납부').waitFor();
    await page.getByRole('button', { name: '최나래 납부 처리' }).press('Enter');
    const first = page.getByRole('list', { name: '입금 내역' }).getByRole('button').first();
    await first.getByText('이름 일치').waitFor();
    // A second Enter pays with nobody's deposit.
    await page.keyboard.press('Enter');
    await expect.poll(() => first.isVisible()).toBe(true);
    await first.click();
    await page.getByText('3명 중 1명 납부').waitFor();
    const list = page.getByRole('table', { name: '회비 명단' });
    const row = list.getByRole('row').filter({ hasText: '최나래' });
    await expect.poll(() => row.innerText()).toMatch(/납부.*\+50,000원.*회비 최나래/s);

    // Whoever deletes the deposit hears whose dues become unpaid.
    await page.getByRole('tab', { name: '내역' }).click();
    await chooseRowAction(page, '회비 최나래 작업', '삭제');
    const deletion = page.getByRole('dialog');
    await deletion.getByText(/학기 최나래 회비로 쓰인 입금입니다/).waitFor();
    await deletion.getByRole('button', { name: '취소' }).click();
    await page.getByRole('tab', { name: '회비' }).click();
    await row.waitFor();

    await page.getByLabel('이름 추가').fill('윤슬, 하늘');
    await page.getByRole('button', { name: '추가', exact: true }).click();
    await page.getByText('5명 중 1명 납부').waitFor();
    await chooseRowAction(page, '하늘 작업', '명단에서 삭제');
    await page.getByRole('dialog').getByRole('button', { name: '삭제' }).click();
    await page.getByText('4명 중 1명 납부').waitFor();

    // A user's name is asked about.
    await page.getByLabel('이름 추가').fill('최 나래, 바다');
    await page.getByRole('button', { name: '추가', exact: true }).click();
    await page.getByText('최 나래: 이미 명단에 있는 사용자의 이름입니다', { exact: false }).waitFor();
    await page.getByRole('button', { name: '1명 추가', exact: true }).click();
    await page.getByText('5명 중 1명 납부').waitFor();
    await page.getByLabel('이름 추가').fill('최나래');
    await page.getByRole('button', { name: '추가', exact: true }).click();
    await page.getByRole('button', { name: '추가하지 않음' }).click();
    await expect.poll(() => page.getByLabel('이름 추가').inputValue()).toBe('');
    await page.getByText('5명 중 1명 납부').waitFor();
    await chooseRowAction(page, '바다 작업', '명단에서 삭제');
    await page.getByRole('dialog').getByRole('button', { name: '삭제' }).click();
    await page.getByText('4명 중 1명 납부').waitFor();

    await page.getByRole('button', { name: 'CSV 저장' }).click();
    await page.getByLabel('사유').fill('감사 제출');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('dialog').getByRole('button', { name: '저장' }).click(),
    ]);
    expect(readFileSync(await download.path(), 'utf8')).toContain('최나래,납부,');
    const log = selected(
      stack.dataDir,
      "SELECT detail FROM access_log WHERE action = 'export' AND subject = 'due'",
    );
    expect(JSON.stringify(log)).toContain('감사 제출');

    const takeBack = () => chooseRowAction(page, '최나래 작업', '납부 취소');
    const dialog = page.getByRole('dialog', { name: '최나래 님의 납부 처리를 취소할까요?' });
    await takeBack();
    await dialog.getByRole('button', { name: '취소', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('4명 중 1명 납부').waitFor();
    await takeBack();
    await dialog.getByRole('button', { name: '납부 취소' }).click();
    await page.getByText('4명 중 0명 납부').waitFor();
    const region = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
    await expect.poll(region).toBe('회비 명단');
  });

  test('ACC-13 ACC-10 the chooser shows whose a deposit is, and what was paid twice or stands twice can be mended', async () => {
    storeEntries(stack, [
      [today(), 50_000, '회비 가'],
      [today(), 50_000, '회비 나'],
    ]);
    const [one, two] = storedEntries(stack).map(({ id }) => id);
    const onDisk = (...statements: string[]) => {
      const db = openLocalD1(stack.dataDir);
      for (const statement of statements) db.exec(statement);
      db.close();
    };
    const { page } = await openLedger(stack, '?tab=dues');
    const list = page.getByRole('table', { name: '회비 명단' });
    const row = (name: string) => list.getByRole('row').filter({ hasText: name });
    const dialog = page.getByRole('dialog');
    const offered = dialog
      .getByRole('list', { name: '입금 내역' })
      .getByRole('button')
      .filter({ hasNotText: '나누기' });
    await page.getByRole('button', { name: '최나래 납부 처리' }).click();
    await offered.filter({ hasText: '회비 가' }).click();
    await page.getByText('3명 중 1명 납부').waitFor();
    await page.getByRole('button', { name: '오다솜 납부 처리' }).click();
    await dialog.getByText(/^\d{4}년 [12]학기 최나래 회비로 쓰임$/).waitFor();
    await expect.poll(() => offered.allInnerTexts()).toEqual([expect.stringContaining('회비 나')]);

    // Somebody else takes the other one while this list is open.
    onDisk(`INSERT INTO dues (year, semester, name, entry_id) VALUES (2030, 1, '윤슬', ${two})`);
    await offered.click();
    await toast(page, '이미 윤슬 님의 2030년 1학기 회비로 쓰인 입금입니다');
    await page.getByRole('button', { name: '오다솜 납부 처리' }).click();
    await dialog.getByText('2030년 1학기 윤슬 회비로 쓰임').waitFor();
    await expect.poll(() => offered.count()).toBe(0);
    await dialog.getByRole('button', { name: '닫기' }).click();

    // As an earlier version let it.
    onDisk(`UPDATE dues SET entry_id = ${one} WHERE name = '윤슬'`);
    await page.reload();
    await page.getByText('이중 사용 1명').waitFor();
    await expect
      .poll(() => row('최나래').innerText())
      .toMatch(/이중 사용.*2030년 1학기 윤슬 회비로도 쓰였습니다/s);
    onDisk("DELETE FROM dues WHERE name = '윤슬'");

    // The account was deleted and has come back.
    onDisk("UPDATE dues SET user_id = NULL, user_deleted_at = 1 WHERE name = '최나래'");
    await page.reload();
    await page.getByText('4명 중 1명 납부').waitFor();
    await chooseRowAction(row('최나래').last(), '최나래 작업', '사용자와 합치기');
    await dialog.getByRole('button', { name: '합치기' }).click();
    await page.getByText('3명 중 1명 납부').waitFor();
    await expect.poll(() => row('최나래').innerText()).toMatch(/납부.*회비 가/s);
  });

  test('PUB-10 ACC-1 ACC-4 an entry is made and deleted by keyboard alone', async () => {
    storeEntries(stack);
    const { page } = await openLedger(stack);
    const { keyboard } = page;
    await page.getByText('내역이 없습니다.', { exact: false }).waitFor();
    const focused = () =>
      page.evaluate(
        () => document.activeElement?.getAttribute('name') ?? document.activeElement?.textContent,
      );
    const tabTo = async (name: string) => {
      for (let step = 0; step < 40 && (await focused()) !== name; step++) await keyboard.press('Tab');
      await expect.poll(focused).toBe(name);
    };
    const label = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
    await tabTo('type');
    await keyboard.press('ArrowRight');
    await tabTo('amount');
    await keyboard.type('50,000');
    await tabTo('description');
    await keyboard.type('March dues');
    await keyboard.press('Enter');
    await toast(page, '추가 완료');
    expect(storedEntries(stack)).toMatchObject([{ amount: 50_000, description: 'March dues' }]);
    await expect.poll(focused).toBe('amount');
    for (let step = 0; step < 40 && !(await label())?.endsWith(' 작업'); step++) await keyboard.press('Tab');
    await keyboard.press('Enter');
    await keyboard.press('ArrowUp');
    expect(await focused()).toBe('삭제');
    await keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await keyboard.press('Tab');
    await tabTo('삭제');
    await keyboard.press('Enter');
    await toast(page, '삭제 완료');
    expect(storedEntries(stack)).toEqual([]);
    await expect.poll(() => timelineTexts(page)).toEqual([]);
    // The row that had the focus is gone; the next step starts where it was.
    await expect.poll(label).toBe('랩비 내역');
  });
});

const today = () => new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Seoul' }).format();
