import type { PlantState } from '#contract/plants';
import { connectAsync, type MqttClient } from 'mqtt';
import type { BrowserContext, Page, WebSocket } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { visit } from '../support/browser.ts';
import { hasBrowser } from '../support/chromium.ts';
import { sharedStack } from '../support/shared-stack.ts';
import { credential, login } from '../support/sign-in.ts';
import { commandLine, descendants } from '../support/stack-processes.ts';

const isLinux = process.platform === 'linux';

describe.skipIf(!hasBrowser)('an open plants screen', () => {
  const stack = sharedStack('empty');
  let board: MqttClient;
  beforeAll(async () => {
    board = await connectAsync(stack.brokerUrl);
  });
  afterAll(async () => {
    await board?.endAsync();
  });

  const publish = (plant: string, raw: number) =>
    board.publishAsync(`lab/plants/${plant}/soil_moisture`, String(raw), { qos: 1 });
  const shown = (page: Page, plant: string, raw: number) =>
    page.locator(`li[data-plant="${plant}"][data-raw="${raw}"]`);
  const note = (page: Page) => page.getByText('실시간 연결이 끊겨 30초마다 새 값을 확인합니다.');

  /** Every request to the API from now on, as method and path. */
  function requestsOf(page: Page): string[] {
    const asked: string[] = [];
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.startsWith('/api/')) asked.push(`${request.method()} ${pathname}`);
    });
    return asked;
  }

  const isLive = (socket: WebSocket) => new URL(socket.url()).pathname === '/api/plants/live';

  /** Opens a tab, and waits until its screen has been told the whole list. */
  async function openTab(page: Page): Promise<WebSocket> {
    const opened = page.waitForEvent('websocket', isLive);
    await page.goto('/manage_plants');
    const socket = await opened;
    await socket.waitForEvent('framereceived');
    await page.locator('.recharts-line').first().waitFor({ state: 'attached' });
    await page.waitForLoadState('networkidle');
    return socket;
  }

  async function arrive(): Promise<{ page: Page; context: BrowserContext }> {
    const opened = await visit(stack, { as: 'admin@lab.test' });
    return opened;
  }

  test('PLT-11 shows an arrival, a new plant and a board that left, in each tab and without a request', async () => {
    await publish('told', 600);
    const { page, context } = await arrive();
    const tabs = [page, await context.newPage()];
    for (const tab of tabs) {
      await openTab(tab);
      await shown(tab, 'told', 600).waitFor();
    }
    const asked = tabs.map(requestsOf);
    await publish('told', 580);
    await publish('told-newly', 500);
    for (const tab of tabs) {
      await shown(tab, 'told', 580).waitFor();
      await shown(tab, 'told-newly', 500).waitFor();
    }
    await board.publishAsync('lab/plants/told/availability', 'offline', { qos: 1, retain: true });
    for (const tab of tabs) await tab.locator('[data-plant="told"][data-contact="offline"]').waitFor();
    expect(asked).toEqual([[], []]);
  });

  test('PLT-11 asks for the waterings when it is told of one, and marks it', async () => {
    await publish('watered', 700);
    const { page } = await arrive();
    await openTab(page);
    const asked = page.waitForRequest(/\/api\/plants\/waterings/);
    // Its board was away for two days, and somebody watered meanwhile.
    const readings = Array.from({ length: 48 }, (_, hour) => ({
      soil_moisture: (hour < 36 ? 700 : 450) + (hour % 3),
      datetime: new Date(Date.now() - (48 - hour) * 3_600_000).toISOString(),
      seq: hour,
    }));
    await board.publishAsync('lab/plants/watered/soil_moisture', JSON.stringify(readings), { qos: 1 });
    // Whoever asks has it judged, and every screen is told.
    await expect
      .poll(async () => {
        const states: PlantState[] = await (await page.context().request.get('/api/plants/states')).json();
        return states.find(({ plant }) => plant === 'watered')?.last_watered;
      })
      .toEqual(expect.any(String));
    await asked;
    await page.locator('[data-watering]').first().waitFor({ state: 'attached' });
  });

  test('PLT-11 SEC-92 goes to the login at once when its session is ended from elsewhere', async () => {
    await publish('ended', 600);
    const { page } = await arrive();
    await openTab(page);
    const { cookie } = await login(stack.origin, await credential(stack.origin, 'admin@lab.test'));
    const listed = await fetch(`${stack.origin}/api/login/sessions`, { headers: { cookie } });
    const sessions: { id: number; current: boolean }[] = await listed.json();
    for (const { id, current } of sessions) {
      if (current) continue;
      await fetch(`${stack.origin}/api/login/sessions/${id}`, { method: 'DELETE', headers: { cookie } });
    }
    await page.waitForURL('**/login');
  });

  test('PLT-11 asks every 30 s and says so where there is no socket, and is told again when there is', async () => {
    await publish('asked', 600);
    const { page } = await arrive();
    await page.clock.install();
    let isShut = true;
    await page.routeWebSocket('**/api/plants/live', (socket) => {
      if (isShut) void socket.close();
      else socket.connectToServer();
    });
    await page.goto('/manage_plants');
    await note(page).waitFor();
    await shown(page, 'asked', 600).waitFor();
    await page.waitForLoadState('networkidle');
    await publish('asked', 590);
    await expect
      .poll(async () => {
        await page.clock.runFor(31_000);
        return await shown(page, 'asked', 590).count();
      })
      .toBe(1);
    isShut = false;
    await expect
      .poll(async () => {
        await page.clock.runFor(5000);
        return await note(page).count();
      })
      .toBe(0);
  });

  test('PLT-11 lets its socket go when nobody looks, and shows what came meanwhile when somebody does', async () => {
    await publish('unseen', 600);
    const { page } = await arrive();
    const socket = await openTab(page);
    const look = async (isHidden: boolean) => {
      await page.evaluate((hidden) => {
        Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden });
        document.dispatchEvent(new Event('visibilitychange'));
      }, isHidden);
    };
    await page.clock.install();
    await look(true);
    const closed = socket.waitForEvent('close');
    await page.clock.runFor(6 * 60_000);
    await closed;
    await publish('unseen', 590);
    await look(false);
    await shown(page, 'unseen', 590).waitFor();
    await expect.poll(() => note(page).count()).toBe(0);
  });

  test.skipIf(!isLinux)('PLT-11 comes back after the server has, and misses nothing', async () => {
    await publish('outlived', 600);
    const { page } = await arrive();
    await openTab(page);
    const workers = descendants(stack).find((pid) => commandLine(pid).includes('local/workers.ts'));
    process.kill(Number(workers), 'SIGKILL');
    await note(page).or(page.getByText('새 값을 받지 못하고 있습니다.')).first().waitFor();
    await publish('outlived', 590);
    await shown(page, 'outlived', 590).waitFor({ timeout: 60_000 });
    await note(page).waitFor({ state: 'detached', timeout: 90_000 });
  });
});
