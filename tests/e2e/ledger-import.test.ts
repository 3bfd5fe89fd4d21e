import { seoulDay } from '#contract/time';
import type { Page } from 'playwright-core';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { hasBrowser } from '../support/chromium.ts';
import { fewOrMany } from '../support/counts.ts';
import { outOfSight } from '../support/import-screen.ts';
import { openLedger, storedEntries, storeEntries, timelineTexts, toast } from '../support/ledger-screen.ts';
import { sharedStack } from '../support/shared-stack.ts';
import { xlsx } from '../support/xlsx.ts';

const days = (count: number) =>
  Array.from({ length: count }, (_, at) => {
    const day = new Date(Date.UTC(2026, 0, 1 + ((at * 37) % 300))).toISOString().slice(0, 10);
    return `${day}\t내역 ${at}\t${at % 3 === 0 ? '' : '△'}${1000 + at}`;
  }).join('\n');

describe.skipIf(!hasBrowser)('the import of the account screen', () => {
  const stack = sharedStack('empty');

  const open = () => openLedger(stack, '?tab=import');
  const paste = async (page: Page, text: string) => {
    await page.getByRole('textbox', { name: '거래 내역' }).fill(text);
    await page.getByRole('button', { name: '미리보기' }).click();
  };
  const correct = async (page: Page, cell: string, text: string) => {
    await page.getByRole('button', { name: new RegExp(`^${cell} `) }).click();
    await page.getByRole('textbox', { name: cell }).fill(text);
    await page.keyboard.press('Enter');
  };
  const add = (page: Page, count: number) => page.getByRole('button', { name: `${count}건 추가` });

  test('ACC-5 ACC-6 what is pasted is previewed and posted one by one in order of date', async () => {
    storeEntries(stack);
    const { page, problems } = await open();
    const posts: { body: string | null; key: string | undefined }[] = [];
    page.on('request', (request) => {
      if (request.method() !== 'POST' || !request.url().endsWith('/api/account')) return;
      posts.push({ body: request.postData(), key: request.headers()['idempotency-key'] });
    });
    await paste(
      page,
      '날짜\t내용\t금액\n2026.3.5.\t복사 용지\t(12,000)\n26/03/02\t3월 회비\t₩50,000\n12월 31일\t지난해 몫\t１２３，０００원\n',
    );
    await page.getByLabel('연도가 없는 날짜의 연도').fill('2025');
    await page.getByText('3행 중 3건을 추가합니다. 합계 +161,000원').waitFor();
    await page.getByText('2025.12.31', { exact: false }).first().waitFor();
    expect(posts).toEqual([]);
    await add(page, 3).click();
    await toast(page, '추가 완료');
    expect(posts.map(({ body }) => JSON.parse(body ?? ''))).toEqual([
      { amount: 123_000, datetime: '2025-12-31T13:00:00', description: '지난해 몫' },
      { amount: 50_000, datetime: '2026-03-02T13:00:00', description: '3월 회비' },
      { amount: -12_000, datetime: '2026-03-05T13:00:00', description: '복사 용지' },
    ]);
    expect(new Set(posts.map(({ key }) => key)).size).toBe(3);
    expect(posts.every(({ key }) => /^[\x21-\x7e]{1,128}$/.test(key ?? ''))).toBe(true);
    await page.getByRole('tab', { name: '내역' }).click();
    await expect
      .poll(() => timelineTexts(page))
      .toEqual([
        '2026.03.05 | 출금 복사 용지 | -12,000원 | 161,000원',
        '2026.03.02 | 입금 3월 회비 | +50,000원 | 173,000원',
        '2025.12.31 | 입금 지난해 몫 | +123,000원 | 123,000원',
      ]);
    expect(problems).toEqual([]);
  });

  test('ACC-12 rows with a remark are counted and can be shown alone, and bracketed labels are named', async () => {
    storeEntries(stack);
    const { page } = await open();
    const rows = Array.from(
      { length: 12 },
      (_, at) => `2026-03-${at + 10}\t품목 ${at}\t${at + 1}000\t${at === 11 ? 500 : (at + 1) * 1000}`,
    );
    await paste(page, ['날짜\t내용\t지출(예정)\t실지급액', ...rows].join('\n'));
    await page.getByText('머리글의 괄호에 적힌 뜻을 확인하세요: 지출(예정).').waitFor();
    await page.getByText('비교에 적힌 행 1건').waitFor();
    await page.getByRole('button', { name: '비교 1', exact: true }).click();
    await page.getByText('‘실지급액 500’ 표시가 있습니다. 금액을 확인하세요.').waitFor();
    await expect.poll(() => page.getByRole('checkbox', { name: /행 포함$/ }).count()).toBe(1);
  });

  test('IMP-9 days and months that a spreadsheet has exchanged are flagged, and one click puts them right', async () => {
    storeEntries(stack);
    const { page } = await open();
    const day = (date: string) => ({ number: Date.parse(date) / 86_400_000 + 25_569, format: 'yyyy-mm-dd' });
    const book = [
      ['날짜', '내용', '금액'],
      [day('2026-02-03'), '간식', { number: -5000 }],
      [day('2026-05-03'), '책', { number: -7000 }],
      ['13/03/2026', '회비', { number: 50_000 }],
      ['25/03/2026', '다과', { number: -3000 }],
    ];
    await page.locator('input[type=file]').setInputFiles({
      name: '장부.xlsx',
      mimeType: 'application/zip',
      buffer: Buffer.from(xlsx([{ name: '3월', rows: book }])),
    });
    await page.getByText('엑셀이 월과 일을 바꾼 날짜로 보입니다').first().waitFor();
    await page.getByRole('button', { name: '제안 2개 모두 반영' }).click();
    await page.getByText('2026.03.02 출금 -5,000원').waitFor();
    await page.getByText('2026.03.05 출금 -7,000원').waitFor();
  });

  test('ACC-5 ACC-6 a file with commas is read, an own one offers nothing new, and what is no table is said', async () => {
    storeEntries(stack, [
      ['2026-03-02', 50_000, '\'=회비, "3월"'],
      ['2026-03-03', -700, '👩‍🔬 우표\u200d'],
      ['2026-03-04', -5, ''],
    ]);
    const { page } = await open();
    await paste(page, '2026-03-02,회비,50,000\n2026-03-05,복사');
    await page.getByText('열이 하나뿐이어서 표로 읽을 수 없습니다.', { exact: false }).waitFor();

    await page.getByRole('tab', { name: '통계·결산' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: '전체 CSV 저장' }).click(),
    ]);
    await page.getByRole('tab', { name: '가져오기' }).click();
    await paste(page, readFileSync(await download.path(), 'utf8'));
    await page.getByText('3행 중 0건을 추가합니다.', { exact: false }).waitFor();
    await expect.poll(() => add(page, 0).isDisabled()).toBe(true);
    await expect.poll(() => page.getByText('열이 하나뿐이어서', { exact: false }).count()).toBe(0);
  });

  test('ACC-6 rows that cannot be read are named, mended where they stand, or left out', async () => {
    storeEntries(stack);
    const { page } = await open();
    await paste(page, '2026-02-30\t세미나\t12,00\n2026-03-02\t회비\t50,000\n어제\t\t0\n3.2\t택배\t5,500');
    await page.getByText('4행 중 1건을 추가합니다.', { exact: false }).waitFor();
    await page.getByRole('button', { name: '오류 3' }).click();
    await page.getByText('날짜를 알 수 없습니다').first().waitFor();
    await page.getByText('금액을 숫자로 입력하세요').first().waitFor();
    await expect.poll(() => add(page, 1).isDisabled()).toBe(true);
    const why = (button: Element) =>
      document.getElementById(button.getAttribute('aria-describedby') ?? '')?.textContent;
    expect(await add(page, 1).evaluate(why)).toMatch(/^읽을 수 없는 3행을 고치거나/);
    // On a phone no row is wider than the screen.
    await page.setViewportSize({ width: 390, height: 844 });
    const list = page.getByRole('region', { name: '가져올 내역' });
    expect(await list.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
    await list.getByText('거래 상대').or(list.getByText('내용')).last().waitFor();
    await page.setViewportSize({ width: 1280, height: 800 });

    await correct(page, '1행 날짜', '2월 27일');
    await correct(page, '1행 금액', '-12,000');
    await page.getByText('4행 중 2건을 추가합니다.', { exact: false }).waitFor();
    const part = page.locator('section[aria-label="가져오기"]:focus');
    await page.getByLabel('읽을 수 없는 2행을 제외하고 추가').check();
    await add(page, 2).click();
    await toast(page, '추가 완료');
    await part.waitFor();
    expect(storedEntries(stack)).toMatchObject([
      { amount: -12_000, datetime: expect.stringContaining('-02-27T13:00:00'), description: '세미나' },
      { amount: 50_000, description: '회비' },
    ]);
  });

  test('ACC-17 a day without a year is the last one that there was, one to come is marked, an odd year is named', async () => {
    storeEntries(stack);
    const { page } = await open();
    const day = (ahead: number) => seoulDay(Date.now() + ahead * 86_400_000);
    const [tomorrow, yesterday] = [day(1), day(-1)];
    const short = (date: string) => date.slice(5).replace('-', '/');
    await paste(
      page,
      `${short(tomorrow)}\t작년\t100\n${short(yesterday)}\t어제\t200\n${tomorrow}\t내일\t300\n0302-02-06\t옛날\t400`,
    );
    await page.getByText('아직 오지 않은 날짜 1건').waitFor();
    const cells = page
      .getByRole('table', { name: '가져올 내역' })
      .getByRole('row')
      .filter({ hasText: '내일' });
    await expect.poll(() => cells.innerText()).toContain('예정');
    await page.getByText('0302-02-06: 2000-03-01부터', { exact: false }).waitFor();
    await page.getByLabel('읽을 수 없는 1행을 제외하고 추가').check();
    await add(page, 2).waitFor();
    await page.getByRole('checkbox', { name: '3행 포함' }).check();
    await add(page, 3).click();
    await toast(page, '추가 완료');
    const stored = storedEntries(stack).map(({ datetime, description }) => [
      description,
      datetime.slice(0, 10),
    ]);
    const [lastYear = []] = stored;
    expect(lastYear[1]?.slice(5)).toBe(tomorrow.slice(5));
    expect((lastYear[1] ?? '') < yesterday).toBe(true);
    expect(stored.slice(1)).toEqual([
      ['어제', yesterday],
      ['내일', tomorrow],
    ]);
  });

  test('IMP-9 a list without any sign says that all are deposits, and one click makes them withdrawals', async () => {
    storeEntries(stack, [['2026-03-02', -7000, '간식']]);
    const { page } = await open();
    // Of a card's list the minus gives money back.
    await paste(page, '2026-03-04\t간식\t7,000\n2026-03-05\t간식\t-7,000\n2026-03-06\t우표\t700');
    await page
      .getByText('부호가 없는 금액 2건을 입금, 빼기 기호가 있는 1건을 출금으로 읽었습니다.')
      .waitFor();
    await page.getByRole('button', { name: '반대로 읽기' }).click();
    await page.getByText('합계 -700원', { exact: false }).waitFor();
    // In a list of purchases nobody can know whether an amount without a sign is money out.
    await paste(page, '날짜\t품목\t금액\n2026-03-04\t간식\t7,000\n2026-03-05\t우표\t700');
    await page.getByText('입금인지 출금인지 알 수 없는 금액이 2건 있습니다.').waitFor();
    await page.getByRole('button', { name: '모두 출금으로 읽기' }).click();
    await page.getByText('합계 -7,700원', { exact: false }).waitFor();
    await paste(page, '2026-03-04\t간식\t7,000\n2026-03-05\t우표\t700');
    await page.getByText('부호가 없는 금액 2건을 입금으로 읽었습니다.').waitFor();
    await page.getByRole('button', { name: '모두 출금으로 읽기' }).click();
    await page.getByText('2행 중 2건을 추가합니다. 합계 -7,700원').waitFor();
    await page.getByText('날짜가 다른 내역: 간식 2026.03.02', { exact: false }).waitFor();
    await add(page, 2).click();
    await toast(page, '추가 완료');
    expect(storedEntries(stack).map(({ amount }) => amount)).toEqual([-7000, -7000, -700]);

    // Whoever undoes it after another import hears what that one may have left out.
    await paste(page, '2026-03-20\t택시\t-900');
    await add(page, 1).click();
    await toast(page, '추가 완료');
    const undo = page
      .getByRole('region', { name: '가져오기 이력' })
      .getByRole('button', { name: /되돌리기$/ });
    await expect.poll(() => undo.count()).toBe(2);
    const dialog = page.getByRole('dialog');
    for (const [at, isTold] of [false, true].entries()) {
      await undo.nth(at).click();
      await dialog.getByText('모두 삭제합니다.', { exact: false }).waitFor();
      const told = dialog.getByText('그 파일을 다시 가져와야 채워집니다', { exact: false });
      await expect.poll(() => told.count()).toBe(isTold ? 1 : 0);
      await dialog.getByRole('button', { name: '취소' }).click();
    }
  });

  test('ACC-6 what is stored already is marked: the same unticked, the alike ticked, nothing dropped', async () => {
    storeEntries(stack, [
      ['2026-03-02', 50_000, '3월 회비'],
      ['2026-03-03', -5_500, '시료 택배비'],
    ]);
    const { page } = await open();
    await paste(page, '2026-03-02\t3월 회비\t50,000\n2026-03-03\t택배\t-5,500\n2026-03-04\t우표\t-700');
    await page.getByText('중복 의심 2건').waitFor();
    await page.getByText('이미 있음: 3월 회비').waitFor();
    await page.getByText('비슷한 내역: 시료 택배비').waitFor();
    const boxes = [1, 2, 3].map((line) => page.getByRole('checkbox', { name: `${line}행 포함` }));
    await expect.poll(() => Promise.all(boxes.map((box) => box.isChecked()))).toEqual([false, true, true]);
    await boxes[0]?.check();
    await boxes[1]?.uncheck();
    await add(page, 2).click();
    await toast(page, '추가 완료');
    expect(storedEntries(stack).map(({ description }) => description)).toEqual([
      '3월 회비',
      '시료 택배비',
      '3월 회비',
      '우표',
    ]);
  });

  test('ACC-6 what a corrected download no longer has is named and stays stored; a long list is folded', async () => {
    const day = (at: number) => `2026-03-${String(at + 1).padStart(2, '0')}`;
    const rows = Array.from({ length: 14 }, (_, at) => [day(at), 1000 + at, `내역 ${at}`] as const);
    storeEntries(
      stack,
      rows.map((row) => [...row]),
    );
    const { page } = await open();
    const without = (...gone: number[]) =>
      rows.flatMap(([date, amount, words], at) =>
        gone.includes(at) ? [] : [`${date}\t${words}\t${amount}`],
      );
    const list = page.getByRole('region', { name: '미리보기' }).getByRole('group');
    await paste(page, without(3, 5).join('\n'));
    await list.getByText('이 파일에는 없는 내역이 2건 있습니다.', { exact: false }).waitFor();
    await list.getByText('2026.03.06 내역 5 +1,005원').waitFor();
    await paste(page, without(1, 2, 3, 4, 5, 6).join('\n'));
    await list.getByText('이 파일에는 없는 내역이 6건 있습니다.', { exact: false }).click();
    await list.getByText('2026.03.02 내역 1 +1,001원').waitFor();
    expect(storedEntries(stack)).toHaveLength(rows.length);
    // What is no running balance, and fees that are not read, are told once.
    await paste(
      page,
      '날짜\t내용\t지출\t수수료\t잔액\n2026-04-01\t버스\t3,000\t500\t90,000\n2026-04-02\t간식\t2,000\t0\t8,000\n2026-04-03\t토너\t5,000\t0\t70,000\n2026-04-04\t우표\t700\t0\t4,000',
    );
    await page.getByText('잔액 열이 거의 모든 행에서 금액과 맞지 않아', { exact: false }).waitFor();
    await page.getByText('수수료 열의 금액 500원은 읽지 않았습니다.', { exact: false }).waitFor();
    expect(await page.getByText('앞뒤 행으로 계산한 잔액', { exact: false }).count()).toBe(0);
  });

  test('ACC-6 a corrected entry is known again before anything is sent, though the preview could not ask for it', async () => {
    storeEntries(stack, [['2026-03-02', 50_000, '3월 회비']]);
    const { page } = await open();
    const [entry] = storedEntries(stack);
    const corrected = await page.evaluate(
      async ([id]) => {
        const body = JSON.stringify({
          amount: 45_000,
          datetime: '2026-03-02T13:00:00',
          description: '일부',
          version: 1,
        });
        const headers = { 'content-type': 'application/json' };
        return (await fetch(`/api/account/${id}`, { method: 'PUT', headers, body })).status;
      },
      [entry?.id],
    );
    expect(corrected).toBe(200);
    await page.route('**/api/account/originals', (route) => route.abort());
    await page.reload();
    await paste(page, '2026-03-02\t3월 회비\t50,000');
    await add(page, 1).click();
    await toast(page, '서버에 연결할 수 없습니다');
    await expect.poll(() => add(page, 1).isEnabled()).toBe(true);
    expect(storedEntries(stack)).toHaveLength(1);
    await page.unroute('**/api/account/originals');
    await add(page, 1).click();
    await page.getByText('그 사이에 같은 내역 1건이 저장되거나 지워져', { exact: false }).waitFor();
    await page.getByText('이미 있음 (그 뒤에 고친 내역): 일부').waitFor();
    expect(storedEntries(stack)).toHaveLength(1);
  });

  test('ACC-12 IMP-4 a KB-style export keeps its payees, chosen columns are remembered, all of it is undone, what was deleted is known', async () => {
    storeEntries(stack, [['2026-03-01', 100_000, '이월']]);
    const { page, problems } = await open();
    const statement = [
      '거래내역조회',
      '조회기간\t2026.03.01 ~ 2026.03.31',
      '거래일시\t적요\t보낸분/받는분\t송금메모\t출금액\t입금액\t잔액\t거래점\t구분',
      '2026.03.02 09:11:33\t체크카드\t학교문구\t\t12,000\t0\t88,000\tKB카드\t',
      '2026.03.03 10:20:00\t오픈뱅킹\t가람\t3월 회비\t0\t50,000\t139,000\t본점\t',
      '합계\t\t\t\t12,000\t50,000\t\t\t',
    ].join('\n');
    await paste(page, statement);
    await page.getByText('KB국민은행 거래 내역으로 읽었습니다.').waitFor();
    await page.getByText('열 9개 중 7개를 사용합니다 (제외: 거래점, 구분). 열 변경').waitFor();
    await expect.poll(() => page.getByText('알 수 없는 열', { exact: false }).count()).toBe(0);
    expect(await outOfSight(page, '가져올 내역', ['추가할 내역', '비교', '확인'])).toEqual([]);
    await page.getByText('잔액과 맞지 않는 행 1건').waitFor();
    await page.getByText('가람 3월 회비 (오픈뱅킹)').waitFor();
    await page.getByText('열 변경', { exact: false }).click();
    await page.getByRole('combobox', { name: '적요' }).click();
    await page.getByRole('option', { name: '사용 안 함' }).click();
    await page.getByText('가람 3월 회비', { exact: true }).waitFor();
    await add(page, 2).click();
    await toast(page, '추가 완료');
    expect(storedEntries(stack).map(({ amount, description }) => [amount, description])).toEqual([
      [100_000, '이월'],
      [-12_000, '학교문구'],
      [50_000, '가람 3월 회비'],
    ]);

    await paste(page, statement);
    await page.getByText('중복 의심 2건').waitFor();
    await page.getByText('이미 있음: 가람 3월 회비').waitFor();

    const imports = page.getByRole('region', { name: '가져오기 이력' });
    await imports.getByText('2건 · 합계 +38,000원').waitFor();
    await imports.getByRole('button', { name: /되돌리기$/ }).click();
    await page.getByRole('dialog').getByText('남아 있는 내역 2건을 모두 삭제합니다.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: '되돌리기' }).click();
    await toast(page, '되돌리기 완료');
    await imports.getByText('되돌릴 수 있는 가져오기가 없습니다.').waitFor();
    expect(storedEntries(stack)).toHaveLength(1);

    // What went with an import is offered again as new, and what somebody deleted is not.
    const [kept] = storedEntries(stack);
    await page.evaluate(async (id) => await fetch(`/api/account/${id}`, { method: 'DELETE' }), kept?.id);
    await page.reload();
    await paste(page, `${statement}\n2026.03.01\t\t이월\t\t0\t100,000\t100,000\t\t`);
    await page.getByText('지운 내역: 이월').waitFor();
    await add(page, 2).waitFor();
    expect(problems).toEqual([]);
  });

  test('ACC-5 an import that breaks off tells what went in, and goes on after a reload without a double', async () => {
    storeEntries(stack);
    const { page } = await open();
    let posts = 0;
    await page.route('**/api/account', async (route) => {
      if (route.request().method() !== 'POST') return await route.fallback();
      posts += 1;
      // The first failure comes before the server has it, the second after.
      if (posts === 20) return await route.abort();
      if (posts !== 45) return await route.fallback();
      await route.fetch();
      return await route.abort();
    });
    await paste(page, days(60));
    await add(page, 60).click();
    const progress = page.getByRole('progressbar', { name: '가져오기' });
    await page.getByText('60건 중 19건을 저장했습니다.', { exact: false }).waitFor();
    await page.getByText('마지막으로 저장된 내역', { exact: false }).waitFor();
    expect(storedEntries(stack)).toHaveLength(19);
    await expect.poll(() => progress.getAttribute('value')).toBe('19');

    await page.getByRole('button', { name: '이어서 저장' }).click();
    await page.getByText('60건 중 43건을 저장했습니다.', { exact: false }).waitFor();
    expect(storedEntries(stack)).toHaveLength(44);
    await page.reload();
    await page.getByText('60건 중 43건을 저장했습니다.', { exact: false }).waitFor();
    await page.getByRole('button', { name: '이어서 저장' }).click();
    await toast(page, '추가 완료');
    const entries = storedEntries(stack);
    expect(entries).toHaveLength(60);
    expect(new Set(entries.map(({ description }) => description)).size).toBe(60);
    const inOrder = entries.map(({ datetime }) => datetime);
    expect(inOrder).toEqual(inOrder.toSorted());

    await page.getByRole('tab', { name: '내역' }).click();
    await page.getByText('60건', { exact: true }).waitFor();
    await expect.poll(() => timelineTexts(page)).toHaveLength(60);
  });

  test('ACC-5 an import of hundreds of rows can be stopped and taken up again', async () => {
    const count = fewOrMany(120, 300);
    storeEntries(stack);
    const { page } = await open();
    let posts = 0;
    const stopped = Promise.withResolvers<void>();
    await page.route('**/api/account', async (route) => {
      posts += route.request().method() === 'POST' ? 1 : 0;
      // The hundredth is under way while somebody stops the import.
      if (posts === 100) await stopped.promise;
      await route.fallback();
    });
    await paste(page, days(count));
    await add(page, count).click();
    await page.getByText(`99 / ${count}`).waitFor();
    await page.getByRole('button', { name: '중지' }).click();
    stopped.resolve();
    await page.getByText(`${count}건 중 100건을 저장했습니다.`, { exact: false }).waitFor();
    expect(storedEntries(stack)).toHaveLength(100);
    await page.unroute('**/api/account');
    await page.getByRole('button', { name: '이어서 저장' }).click();
    await toast(page, '추가 완료');
    expect(storedEntries(stack)).toHaveLength(count);
    await page.getByRole('textbox', { name: '거래 내역' }).waitFor();
  });

  test('ACC-5 WORK-1 one statement sent by two tabs at once is stored once, and where it breaks off either goes on', async () => {
    storeEntries(stack);
    const { page, problems } = await open();
    const other = await page.context().newPage();
    const tabs = [page, other];
    await other.goto('/manage_account?tab=import');
    await paste(page, days(12));
    // The text is a draft, which every tab shows.
    await other.getByRole('button', { name: '미리보기' }).click();

    const [isHeld, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let posts = 0;
    await page.context().route('**/api/account', async (route) => {
      posts += route.request().method() === 'POST' ? 1 : 0;
      if (posts !== 8) return await route.fallback();
      isHeld.resolve();
      await goOn.promise;
      return await route.abort();
    });
    const buttons = await Promise.all(tabs.map((tab) => add(tab, 12).elementHandle()));
    await Promise.all(buttons.map((button) => button?.evaluate((each: HTMLElement) => each.click())));
    await isHeld.promise;
    for (const tab of tabs) await tab.getByText('7 / 12').waitFor();
    const waiting = async () =>
      await Promise.all(tabs.map((tab) => tab.getByText('다른 탭에서 한 건씩 저장하고 있습니다.').count()));
    await expect.poll(async () => (await waiting()).filter((count) => count === 1).length).toBe(1);
    goOn.resolve();
    for (const tab of tabs) await tab.getByText('12건 중 7건을 저장했습니다.', { exact: false }).waitFor();
    expect(storedEntries(stack)).toHaveLength(7);

    await other.getByRole('button', { name: '이어서 저장' }).click();
    for (const tab of tabs) {
      await tab.getByRole('textbox', { name: '거래 내역' }).waitFor();
      await expect.poll(() => tab.getByRole('textbox', { name: '거래 내역' }).inputValue()).toBe('');
    }
    const entries = storedEntries(stack);
    expect(entries).toHaveLength(12);
    expect(new Set(entries.map(({ description }) => description)).size).toBe(12);
    // The browser names what was cut, and nothing else is wrong.
    expect(problems.filter((text) => !text.includes('ERR_FAILED'))).toEqual([]);
  });
});
