import type { PlantState } from '#contract/plants';
import { readFileSync } from 'node:fs';
import { connectAsync, type MqttClient } from 'mqtt';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apiAnswer } from '../support/api-answer.ts';
import { sharedVisit, visit, type Visit } from '../support/browser.ts';
import { hasBrowser } from '../support/chromium.ts';
import { sharedStack } from '../support/shared-stack.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const isoBefore = (ms: number) => new Date(Date.now() - ms).toISOString();
const rawOf = (percent: number) => Math.round(1023 - percent * 10.23);

describe.skipIf(!hasBrowser)('the plants screen', () => {
  const stack = sharedStack('empty');
  let board: MqttClient;
  beforeAll(async () => {
    board = await connectAsync(stack.brokerUrl);
  });
  afterAll(async () => {
    await board?.endAsync();
  });

  async function publish(plant: string, payload: unknown): Promise<void> {
    const text = typeof payload === 'string' ? payload : JSON.stringify(payload);
    await board.publishAsync(`lab/plants/${plant}/soil_moisture`, text, { qos: 1 });
  }

  /** Readings as a board sends them that was away: `[ms ago, raw]`, oldest first. */
  async function publishPast(plant: string, readings: [ago: number, raw: number][]): Promise<void> {
    await publish(
      plant,
      readings.map(([ago, soil_moisture], seq) => ({ soil_moisture, datetime: isoBefore(ago), seq })),
    );
  }

  const again = sharedVisit(stack, 'admin@lab.test');
  const opened = async (visitor: Visit): Promise<Visit> => {
    await visitor.page.getByRole('heading', { level: 1, name: '화분 관리' }).waitFor();
    return visitor;
  };
  const open = async (address: string) => await opened(await again(`/manage_plants${address}`));
  const openAnew = async (address = '', viewport?: { width: number; height: number }) =>
    await opened(await visit(stack, { as: 'admin@lab.test', at: `/manage_plants${address}`, viewport }));

  const only = (plant: string) => `?plants=${encodeURIComponent(JSON.stringify([plant]))}`;
  const card = (page: Page, plant: string) => page.locator(`li[data-plant="${plant}"]`);
  const untilShown = (page: Page, plant: string, raw: number) =>
    page.locator(`li[data-plant="${plant}"][data-raw="${raw}"]`).waitFor();
  const paths = async (page: Page) =>
    await page
      .locator('path.recharts-line-curve')
      .evaluateAll((curves) => curves.map((curve) => curve.getAttribute('d') ?? ''));
  const search = (page: Page, name: string) => new URL(page.url()).searchParams.get(name);

  test('PLT-1 draws the chart only when its data is there, in percent from 0, in the time of Seoul', async () => {
    await publishPast('fern', [
      [3 * HOUR, 0],
      [2 * HOUR, 1023],
      [HOUR, 512],
    ]);
    const { page, problems } = await visit(stack, { as: 'admin@lab.test' });
    let letGo = () => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    await page.route(/\/api\/plants\?/, async (route) => {
      await held;
      await route.continue();
    });
    problems.length = 0;
    await page.goto(`/manage_plants${only('fern')}`);
    await page.getByRole('heading', { level: 1, name: '화분 관리' }).waitFor();
    await page.getByRole('heading', { name: 'Soil moisture by time', exact: true }).waitFor();
    await untilShown(page, 'fern', 512);
    expect(await page.locator('.recharts-line').count()).toBe(0);
    letGo();
    await page.locator('.recharts-line').first().waitFor({ state: 'attached' });
    const figure = page.getByRole('figure', { name: 'Soil moisture by time' });
    for (const percent of ['0%', '25%', '50%', '75%', '100%']) {
      await expect.poll(() => figure.getByText(percent, { exact: true }).count()).toBe(1);
    }
    await expect.poll(() => card(page, 'fern').textContent()).toContain('50.0%');
    // The tick at the last midnight in Seoul bears the date; just before midnight the chart may end after the next.
    const dates = [0, DAY].map((later) =>
      new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Seoul' }).format(Date.now() + later),
    );
    const text = await figure.textContent();
    expect(dates.some((date) => text?.includes(date.slice(5).replace('-', '.')))).toBe(true);
    expect(problems).toEqual([]);
  });

  test('PLT-2 a refusal goes back one page with a toast, a failure is a toast and a way to try again, and a session that ended goes to the login', async () => {
    const { page } = await openAnew();
    await page.goto('/settings');
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
    await page.route(/\/api\/plants/, (route) => route.fulfill(apiAnswer(403)));
    await page.getByRole('main').getByRole('link', { name: '화분 관리' }).first().click();
    await page.getByText('접근 권한 없음', { exact: true }).waitFor();
    await page.waitForURL('**/settings');

    await page.unroute(/\/api\/plants/);
    await page.route(/\/api\/plants/, (route) =>
      route.fulfill({ status: 500, json: { error: { code: 'internal', message: '서버 오류' } } }),
    );
    await page.goto('/manage_plants');
    await page.getByText('서버 오류', { exact: true }).waitFor();
    await page.getByText('수분 기록을 불러오지 못했습니다.').waitFor();
    await page.unroute(/\/api\/plants/);
    await page.getByRole('button', { name: '다시' }).last().click();
    await page.locator('.recharts-line').first().waitFor({ state: 'attached' });
    await page.evaluate(() => localStorage.removeItem('dev-identity-account'));
    await page.context().request.post('/api/logout');
    await page.waitForURL('**/login');
    await page.getByText('로그인 되지 않음', { exact: true }).waitFor();
  });

  test('PLT-3 shows readings as they come, those that come late too, without a reload', async () => {
    await publish('live', '600');
    const { page } = await open(only('live'));
    await untilShown(page, 'live', 600);
    await page.locator('.recharts-line').first().waitFor({ state: 'attached' });
    const before = await paths(page);
    await publish('live', '300');
    await untilShown(page, 'live', 300);
    await expect.poll(() => paths(page)).not.toEqual(before);
    await publishPast('live', [[5 * HOUR, 1000]]);
    await page.getByText('표로 보기').click();
    await page.getByRole('cell', { name: '2.2–2.2%' }).waitFor();
    // It is not the newest.
    await untilShown(page, 'live', 300);
  });

  test('PLT-4 shows the plants that are chosen, and a silence as a gap in the line', async () => {
    await publishPast(
      'gappy',
      [10, 9.9, 9.8, 9.7, 9.6, 4, 3.9, 3.8, 3.7, 3.6].map((hours) => [hours * HOUR, 400]),
    );
    await publish('whole', '500');
    const { page } = await open(`?plants=${encodeURIComponent('["gappy","whole"]')}`);
    await untilShown(page, 'whole', 500);
    await expect
      .poll(async () => (await paths(page)).some((path) => path.split('M').length === 3))
      .toBe(true);
    const chips = page.getByRole('group', { name: '표시할 화분' });
    await chips.getByText('gappy').click();
    await expect.poll(() => search(page, 'plants')).toBe('["whole"]');
    await page.reload();
    await page.locator('.recharts-line').first().waitFor({ state: 'attached' });
    await expect.poll(() => chips.getByRole('checkbox', { name: 'gappy' }).isChecked()).toBe(false);
    await chips.getByText('whole').click();
    await page.getByText('표시할 화분을 위에서 선택해 주세요.').waitFor();
    await chips.getByText('gappy').click();
    await page.locator('.recharts-line').first().waitFor({ state: 'attached' });
  });

  test('PLT-4 zooms to what is dragged over, and the way back leads out of it', async () => {
    await publishPast(
      'zoomed',
      Array.from({ length: 200 }, (_, step) => [(200 - step) * 10 * MINUTE, 300 + step]),
    );
    const { page } = await open(`${only('zoomed')}&range=7d`);
    await page.locator('.recharts-line').first().waitFor({ state: 'attached' });
    await page.getByRole('figure').scrollIntoViewIfNeeded();
    const box = await page.getByRole('figure').boundingBox();
    if (!box) throw new Error('the chart is not there');
    const y = box.y + box.height / 2;
    await page.mouse.move(box.x + box.width * 0.85, y);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.9, y, { steps: 4 });
    await page.mouse.up();
    await expect.poll(() => search(page, 'from')).not.toBeNull();
    const length = Date.parse(search(page, 'to') ?? '') - Date.parse(search(page, 'from') ?? '');
    expect(length / DAY).toBeGreaterThan(0.2);
    expect(length / DAY).toBeLessThan(0.6);
    await page.locator('.recharts-line').first().waitFor({ state: 'attached' });
    await page.goBack();
    await expect.poll(() => search(page, 'from')).toBeNull();
    expect(search(page, 'range')).toBe('7d');
    await page.getByRole('button', { name: '이전' }).click();
    await page.locator('[data-stretch]').waitFor();
    await page.getByRole('group', { name: '기간', exact: true }).getByText('24시간').click();
    await expect.poll(() => search(page, 'from')).toBeNull();
  });

  test('PLT-4 saves the readings of the range as CSV, of the plants that are chosen, and none when none is', async () => {
    for (const [at, plant] of ['csv-a', 'csv-b', 'csv-c'].entries())
      await publishPast(plant, [
        [3 * DAY, 111],
        [2 * HOUR, 400 + at],
      ]);
    const { page } = await open(`?plants=${encodeURIComponent('["csv-a","csv-c"]')}`);
    await untilShown(page, 'csv-c', 402);
    const link = page.getByRole('link', { name: 'CSV 저장' });
    const saved = async () => {
      const download = page.waitForEvent('download');
      await link.click();
      const lines = readFileSync(await (await download).path(), 'utf8')
        .trim()
        .split('\r\n')
        .slice(1);
      return lines.map((line) => line.split(',').slice(1, 3).join(' '));
    };
    expect(await saved()).toEqual(['csv-a 400', 'csv-c 402']);
    const chips = page.getByRole('group', { name: '표시할 화분' });
    await chips.getByText('csv-c').click();
    await expect.poll(saved).toEqual(['csv-a 400']);
    await chips.getByText('csv-a').click();
    await page.getByRole('button', { name: 'CSV 저장', disabled: true }).waitFor();
  });

  test('PLT-4 the chart opens where every plant was heard, everything begins at the first reading, and there is nothing after now to move on to', async () => {
    await publishPast('all', [
      [3 * DAY, 111],
      [2 * HOUR, 222],
    ]);
    await publishPast('old', [[2 * DAY, 333]]);
    const { page } = await openAnew(`?plants=${encodeURIComponent('["all","old"]')}`);
    await untilShown(page, 'all', 222);
    await untilShown(page, 'old', 333);
    // At first one of them may not have been there.
    await page.reload();
    await page.getByRole('radio', { name: '7일', checked: true }).waitFor();
    await page.getByRole('group', { name: '기간', exact: true }).getByText('24시간').click();
    const chips = page.getByRole('group', { name: '표시할 화분' });
    await chips.getByRole('checkbox', { name: 'old 기록 없음' }).waitFor();
    // Nobody asked for it: whether it was heard is not known.
    await expect.poll(() => chips.getByText('기록 없음').count()).toBe(1);
    const next = page.getByRole('button', { name: '다음' });
    await next.press('Enter');
    expect(search(page, 'from')).toBeNull();
    await next.and(page.locator('[aria-disabled=true]:focus')).waitFor();
    await page.getByRole('group', { name: '기간', exact: true }).getByText('전체').click();
    await page.getByText('표로 보기').click();
    await page.getByRole('columnheader', { name: 'all 최저–최고' }).waitFor();
    await page.getByRole('cell', { name: '89.1–89.1%' }).waitFor();
    await expect.poll(() => chips.getByText('기록 없음').count()).toBe(0);
    await page.getByRole('button', { name: '축소', disabled: true }).press('Enter');
    expect(search(page, 'from')).toBeNull();
    await page.getByRole('button', { name: '이전' }).click();
    await page.locator('[data-stretch]').waitFor();
    await next.click();
    await page.getByRole('button', { name: '다음', disabled: true }).waitFor();
  });

  test('PLT-4 a range that is not here yet shows the one before in its own frame, and says so offline', async () => {
    await publishPast('framed', [
      [20 * DAY, 111],
      [2 * HOUR, 222],
    ]);
    const { page, context } = await openAnew(only('framed'));
    const figure = page.getByRole('figure', { name: 'Soil moisture by time' });
    const ticks = async () => await figure.locator('.recharts-xAxis-tick-labels').allTextContents();
    await page.locator('.recharts-line').first().waitFor({ state: 'attached' });
    const before = await ticks();
    await context.setOffline(true);
    await page.waitForFunction(() => !navigator.onLine);
    await page.getByRole('group', { name: '기간', exact: true }).getByText('30일').click();
    await page.getByText('연결되면 이 기간을 불러옵니다.').waitFor();
    await expect.poll(ticks).toEqual(before);
    await context.setOffline(false);
    await page.getByText('연결되면 이 기간을 불러옵니다.').waitFor({ state: 'detached' });
    await expect.poll(ticks).not.toEqual(before);
  });

  test('PLT-5 PLT-24 OPS-4 tells a board that went offline and when each was heard, with an age that goes on without a network, which makes nobody silent', async () => {
    await publishPast('late', [[2 * HOUR + MINUTE, 400]]);
    await publish('healthy', '400');
    const will = {
      topic: 'lab/plants/mortal/availability',
      payload: Buffer.from('offline'),
      qos: 1 as const,
    };
    const mortal = await connectAsync(stack.brokerUrl, { will: { ...will, retain: true } });
    await mortal.publishAsync(will.topic, 'online', { qos: 1, retain: true });
    await mortal.publishAsync('lab/plants/mortal/soil_moisture', '500', { qos: 1 });
    const { page, context } = await openAnew();
    await untilShown(page, 'healthy', 400);
    // It sent two hours late, but it sent.
    await page.locator('[data-plant="late"][data-contact="heard"]').waitFor();
    await expect.poll(() => card(page, 'late').textContent()).toMatch(/(방금|(초|분) 전) 수신/);
    await page.locator('[data-plant="mortal"][data-contact="online"]').waitFor();
    // Without a word, as when the power fails.
    mortal.options.reconnectPeriod = 0;
    mortal.stream.destroy();
    await page.locator('[data-plant="mortal"][data-contact="offline"]').waitFor();
    await expect.poll(() => card(page, 'mortal').textContent()).toMatch(/오프라인.*(방금|(초|분) 전) 수신/);
    await mortal.endAsync(true);

    // Before the page: one that is running would for a moment read a clock that begins at 0.
    await page.clock.install();
    await page.goto('/manage_health');
    const plant = page.getByRole('region', { name: '화분별 마지막 측정값' }).locator('[data-over]', {
      hasText: 'healthy',
    });
    await plant.waitFor();
    await context.setOffline(true);
    await page.clock.setFixedTime(Date.now() + 2 * HOUR);
    await plant.getByText('2시간 전').waitFor();
    await expect.poll(() => plant.getAttribute('data-over')).toBe('false');
    expect(await page.getByText('화분 healthy: 측정값이 오지 않습니다').count()).toBe(0);
  });

  test("PLT-6 PLT-12 PUB-19 a calibrated plant has one percent everywhere, and behind it that of the sensor's whole range, by which the chart can be drawn", async () => {
    await publish('calibrated', '550');
    const { page } = await open(only('calibrated'));
    await untilShown(page, 'calibrated', 550);
    await expect.poll(() => card(page, 'calibrated').textContent()).toContain('46.2%');
    await page.getByRole('button', { name: 'calibrated 설정' }).click();
    const dialog = page.getByRole('dialog', { name: 'calibrated 설정' });
    await dialog.getByRole('button', { name: /현재 값 550 사용\s*\(마른 값\)/ }).click();
    await expect.poll(() => dialog.getByLabel('마른 값 (0%)').inputValue()).toBe('550');
    await dialog.getByLabel('마른 값 (0%)').fill('300');
    await dialog.getByLabel('젖은 값 (100%)').fill('800');
    await dialog.getByRole('button', { name: '저장' }).click();
    await dialog.getByText('마른 값은 젖은 값보다 커야 합니다').waitFor();
    await dialog.getByLabel('마른 값 (0%)').fill('800');
    await dialog.getByLabel('젖은 값 (100%)').fill('300');
    await dialog.getByText('현재 값은 50.0%입니다. 보정하지 않으면 46.2%입니다.').waitFor();
    await dialog.getByLabel('첫 화면에 공개').check();
    await dialog.getByRole('button', { name: '저장' }).click();
    await page.getByText('변경 완료', { exact: true }).waitFor();
    await dialog.waitFor({ state: 'detached' });
    await card(page, 'calibrated').getByText('50.0%').waitFor();
    await card(page, 'calibrated').getByText('공개', { exact: true }).waitFor();
    expect(await (await fetch(`${stack.origin}/ko`)).text()).toContain('지금 50 %');
    await card(page, 'calibrated').getByText('보정 전 46.2% · 센서 550').waitFor();
    await page.locator('[data-limit="20"]').waitFor({ state: 'attached' });
    await page.getByText('보정 전', { exact: true }).click();
    // 20 % of it is the raw value 700.
    await page.locator('[data-limit^="31.5"]').waitFor({ state: 'attached' });
    await page.getByText('표로 보기').click();
    await page.getByRole('cell', { name: '50.0–50.0% 보정 전 46.2–46.2% · 센서 550–550' }).waitFor();
    // On a phone the chart tells both too, with nothing cut off.
    await page.setViewportSize({ width: 360, height: 740 });
    await page.getByRole('slider', { name: '시각별 수분' }).focus();
    const told = page.locator('[data-tooltip]').getByText('calibrated');
    await told.waitFor();
    const tooltip = page.locator('[data-tooltip]', { hasText: '50.0%' });
    await tooltip.getByText('센서 550').waitFor();
    await tooltip.getByText('보정 전 46.2%').waitFor();
    await expect
      .poll(() => told.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth))
      .toBe(0);
  });

  test('PUB-10 PLT-4 a name of 64 letters makes the page no wider than any screen, and the chart of three plants is in the first one', async () => {
    const names = ['W'.repeat(64), '흙', 'loam'];
    for (const name of names) await publish(name, '400');
    const { page } = await openAnew(`?plants=${encodeURIComponent(JSON.stringify(names))}`);
    await untilShown(page, 'loam', 400);
    await page.locator('.recharts-line').first().waitFor({ state: 'attached' });
    for (const width of [360, 768, 1024, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
    }
    // Plants of other tests make cards and names more, which three fill a row of each.
    const bottom = async () => {
      const heights = await Promise.all(
        [
          page.locator('ul:has(> [data-plant])'),
          card(page, 'loam'),
          page.getByRole('group', { name: '표시할 화분' }),
          page.locator('label', { hasText: 'loam' }),
        ].map(async (each) => (await each.boundingBox())?.height ?? 0),
      );
      const [cards = 0, row = 0, chips = 0, chip = 0] = heights;
      const { y = 0, height = 0 } = (await page.locator('figure').boundingBox()) ?? {};
      return y + height - (cards - row) - (chips - chip);
    };
    await expect.poll(bottom).toBeLessThanOrEqual(800);
  });

  test('PLT-13 a plant is renamed with its board, hidden, shown again, and removed after its file is offered', async () => {
    await publishPast('sage', [[HOUR, 444]]);
    const { page, problems } = await open(only('sage'));
    await untilShown(page, 'sage', 444);
    const settings = async (plant: string) => {
      // By keyboard: a toast may lie over it.
      await page.getByRole('button', { name: `${plant} 설정` }).press('Enter');
      return page.getByRole('dialog', { name: `${plant} 설정` });
    };
    const naming = await settings('sage');
    await naming.getByLabel('이름', { exact: true }).fill('창가 세이지');
    await naming.getByLabel('첫 화면에 공개').check();
    await naming.getByRole('button', { name: '저장' }).click();
    await naming.waitFor({ state: 'detached' });
    await expect.poll(() => search(page, 'plants')).toBe('["창가 세이지"]');
    const mainPage = async () => await (await fetch(`${stack.origin}/ko`)).text();
    expect(await mainPage()).toContain('창가 세이지');
    await publish('sage', '333');
    await untilShown(page, '창가 세이지', 333);
    await page.getByText('표로 보기').click();
    await page.getByRole('columnheader', { name: '창가 세이지 최저–최고' }).waitFor();
    await page.getByRole('cell', { name: '센서 444–444' }).waitFor();

    await (await settings('창가 세이지')).getByRole('button', { name: '숨기기' }).click();
    await card(page, '창가 세이지').waitFor({ state: 'detached' });
    await page.getByText('숨기거나 삭제한 화분', { exact: true }).click();
    await page.getByRole('button', { name: '창가 세이지 다시 표시' }).waitFor();
    expect(await mainPage()).not.toContain('창가 세이지');
    await page.getByRole('button', { name: '창가 세이지 다시 표시' }).click();
    await untilShown(page, '창가 세이지', 333);

    await (await settings('창가 세이지')).getByRole('button', { name: '삭제' }).click();
    const removal = page.getByRole('dialog', { name: '창가 세이지 삭제' });
    await removal.getByText('측정값 2건과 설정을 함께 삭제하며').waitFor();
    const download = page.waitForEvent('download');
    await removal.getByRole('link', { name: 'CSV 저장' }).click();
    const file = readFileSync(await (await download).path(), 'utf8');
    expect(file.trim().split('\r\n')).toHaveLength(3);
    await removal.getByRole('button', { name: '삭제' }).click();
    await card(page, '창가 세이지').waitFor({ state: 'detached' });
    await page.getByText('남은 측정값 최대 2건을 매일 밤 나누어 삭제합니다').waitFor();
    expect(problems).toEqual([]);
  });

  /** A reading every so many hours, oldest first, as its percentage is so many hours ago. */
  const everyHours = (from: number, to: number, every: number, percentAt: (ago: number) => number) =>
    Array.from({ length: (from - to) / every + 1 }, (_, step): [number, number] => {
      const ago = from - step * every;
      return [ago * HOUR, rawOf(percentAt(ago)) + (step % 3)];
    });

  test('PLT-20 PLT-21 marks waterings and tells in how many days the soil is dry', async () => {
    // Watered nine days ago; falling by 2 a day since, 40 % now.
    await publishPast('watered', [
      ...everyHours(11 * 24, 9 * 24 + 3, 3, () => 35),
      ...everyHours(9 * 24, 0, 3, (ago) => 40 + ago / 12),
    ]);
    const { page } = await openAnew(`${only('watered')}&range=30d`);
    await page.locator('[data-watering="watered"]').waitFor();
    await expect.poll(() => page.locator('[data-watering="watered"]').count()).toBe(1);
    // Whoever asks has it judged.
    await page.reload();
    const told = card(page, 'watered').getByText(/(일 뒤 물이 필요합니다|일은 물이 필요하지 않습니다)$/);
    const [low, high = 10] = (await told.textContent())?.match(/\d+/g)?.map(Number) ?? [];
    expect(low).toBeLessThanOrEqual(10);
    expect(high).toBeGreaterThanOrEqual(10);
  });

  test('PLT-22 PLT-9 tells of soil that stays below 20 %, no more when it was watered, and by the limits that are set', async () => {
    await publishPast(
      'thirsty',
      everyHours(12, 5, 0.25, () => 19),
    );
    const { page } = await openAnew(only('thirsty'));
    const alert = page.locator('[data-alert="thirsty"]');
    await alert.waitFor();
    await publishPast(
      'thirsty',
      everyHours(4.5, 0, 0.25, () => 45),
    );
    // Whoever asks before the last reading has come has an earlier assessment.
    const stored = async () => {
      const states: PlantState[] = await (await page.request.get('/api/plants/states')).json();
      return states.find(({ plant }) => plant === 'thirsty')?.readings;
    };
    await expect.poll(stored).toBe(48);
    await page.reload();
    await untilShown(page, 'thirsty', rawOf(45));
    await expect.poll(() => alert.count()).toBe(0);
    await page.getByRole('button', { name: 'thirsty 설정' }).click();
    await page.getByLabel('알림 기준 (%)').fill('50');
    await page.getByLabel('해제 기준 (%)').fill('60');
    await page.getByRole('button', { name: '저장' }).click();
    await alert.waitFor();
  });

  test('PUB-10 PLT-4 the range is chosen, zoomed and read by keyboard alone', async () => {
    await publishPast('keys', [
      [2 * HOUR, 300],
      [HOUR, 350],
    ]);
    const { page } = await open(only('keys'));
    await page.locator('.recharts-line').first().waitFor({ state: 'attached' });
    const tabTo = async (name: string | RegExp, role: 'radio' | 'button' | 'slider') => {
      const target = page.getByRole(role, { name }).first();
      for (let presses = 0; presses < 40; presses++) {
        if (await target.evaluate((element) => element === document.activeElement)) return;
        await page.keyboard.press('Tab');
      }
      throw new Error(`no way to ${String(name)} by keyboard`);
    };
    await tabTo('24시간', 'radio');
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => search(page, 'range')).toBe('7d');
    await tabTo('기간 지정', 'button');
    await page.keyboard.press('Enter');
    await tabTo('확대', 'button');
    await page.keyboard.press('Enter');
    await expect.poll(() => search(page, 'from')).not.toBeNull();
    const tomorrow = new Date(Date.now() + 2 * DAY).toISOString().slice(0, 10);
    await page.getByLabel('종료일').fill(tomorrow);
    await tabTo('보기', 'button');
    await page.keyboard.press('Enter');
    await page.getByText('종료일은 오늘까지만 고를 수 있습니다').waitFor();
    await page.getByLabel('종료일').fill(await page.getByLabel('시작일').inputValue());
    await tabTo('보기', 'button');
    await page.keyboard.press('Enter');
    await expect.poll(() => (search(page, 'from') ?? '').slice(11, 19)).toBe('15:00:00');
    // A range leads out of the stretch.
    for (let presses = 0; presses < 20 && search(page, 'from') !== null; presses++) {
      await page.keyboard.press('Shift+Tab');
      const isRange = await page.evaluate(() => document.activeElement?.getAttribute('name') === 'range');
      if (isRange) await page.keyboard.press('Space');
    }
    await expect.poll(() => search(page, 'from')).toBeNull();
    await page.locator('.recharts-line').first().waitFor({ state: 'attached' });
    await tabTo('시각별 수분', 'slider');
    const slider = page.getByRole('slider', { name: '시각별 수분' });
    // Whichever range was chosen, one reading is at its beginning or near its end.
    const heard = async () => {
      const texts: (string | null)[] = [];
      for (const key of ['Home', 'End', ...Array<string>(20).fill('ArrowLeft')]) {
        await page.keyboard.press(key);
        texts.push(await slider.getAttribute('aria-valuetext'));
      }
      return texts;
    };
    const reading = expect.stringMatching(/^\d{4}\.\d\d\.\d\d \d\d:\d\d, keys (65\.8|70\.7)%$/);
    await expect.poll(heard).toContainEqual(reading);
  });

  test('PLT-3 says so when the network is gone, and goes on when it is back', async () => {
    await publish('cut-off', '400');
    const { page, context } = await openAnew(only('cut-off'), { width: 360, height: 740 });
    await untilShown(page, 'cut-off', 400);
    // The part of the app that shows toasts comes last.
    await page.waitForLoadState('networkidle');
    await context.setOffline(true);
    const alert = page.getByRole('alert').filter({ hasText: '연결되면 이어서 표시합니다.' });
    await alert.waitFor();
    await page.getByRole('button', { name: 'cut-off 설정' }).click();
    const dialog = page.getByRole('dialog', { name: 'cut-off 설정' });
    await dialog.getByLabel('알림 기준 (%)').fill('21');
    await dialog.getByRole('button', { name: '저장' }).click();
    await page.getByText('서버에 연결할 수 없습니다', { exact: true }).waitFor();
    await expect.poll(() => dialog.getByLabel('알림 기준 (%)').inputValue()).toBe('21');
    // By keyboard: on a phone the toast lies over it.
    await dialog.getByRole('button', { name: '취소' }).press('Enter');
    await publish('cut-off', '300');
    await context.setOffline(false);
    await untilShown(page, 'cut-off', 300);
    await alert.waitFor({ state: 'detached' });
  });
});
