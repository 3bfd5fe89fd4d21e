/** `npm run bench -- live`: how soon a reading is on twenty-two open screens, and what an open screen asks for in an hour. */
import { setTimeout as pause } from 'node:timers/promises';
import { LIVE_SOCKET_MS, LIVE_SOCKETS_PER_USER, type LiveMessage } from '#contract/plants-socket';
import { HOUR_MS, MINUTE_MS } from '#contract/time';
import { connectAsync, type MqttClient } from 'mqtt';
import type { Browser, Page } from 'playwright-core';
import * as z from 'zod';
import { buildChangedParts } from '../../scripts/build/build.ts';
import { launchChromium } from '../support/chromium.ts';
import { credential, login } from '../support/sign-in.ts';
import { signInDirectly } from '../support/sign-in-page.ts';
import { startStack, type Stack } from '../support/stack.ts';
import { printTable, quantile, type Row } from './table.ts';

const SOCKETS = 20;
const BROWSERS = 2;
const PLANTS = 20;
/**
 * The bridge sends at once what comes less often than once a second, and gathers what comes faster for up to a second,
 * which is then part of the figure.
 */
const rhythms = [
  { arrivals: 80, everyMs: 1200, target: 'p95 ≤ 1000 ms' },
  { arrivals: 150, everyMs: 200, target: 'up to 1000 ms of it in the bridge' },
];
/** The browser's clock is put forward in steps, so that the server has answered before the next timer is due. */
const STEP_MS = 1000;

const admins = Array.from(
  { length: Math.ceil(SOCKETS / LIVE_SOCKETS_PER_USER) + 1 },
  (_, at) => `admin-${at}@lab.test`,
);

/** When each value of each plant was seen, by `plant raw`. */
type Seen = Map<string, number>;

async function openSocket(stack: Stack, cookie: string): Promise<{ socket: WebSocket; seen: Seen }> {
  const seen: Seen = new Map();
  const { origin } = stack;
  const address = `${origin.replace(/^http/, 'ws')}/api/plants/live`;
  const socket: WebSocket = Reflect.construct(WebSocket, [address, { headers: { cookie, origin } }]);
  await new Promise<void>((told, fail) => {
    socket.addEventListener('message', ({ data }: MessageEvent<string>) => {
      const message: LiveMessage = JSON.parse(data);
      const now = Date.now();
      for (const { plant, last_soil_moisture: raw } of message.states) {
        const name = `${plant} ${raw}`;
        if (!seen.has(name)) seen.set(name, now);
      }
      told();
    });
    socket.addEventListener('close', () =>
      fail(new Error('a socket was closed before it was told anything')),
    );
  });
  return { socket, seen };
}

/** Opens the screen in a browser of its own, which notes when a value is in the page. */
async function openScreen(browser: Browser, stack: Stack, email: string): Promise<Page> {
  const context = await browser.newContext({
    baseURL: stack.origin,
    viewport: { width: 1280, height: 900 },
  });
  const page = await context.newPage();
  await signInDirectly(page, email);
  await page.goto('/manage_plants');
  await page.locator('[data-plant]').first().waitFor();
  await page.waitForLoadState('networkidle');
  await page.evaluate(() => {
    const seen: Record<string, number> = {};
    Reflect.set(window, 'seen', seen);
    const note = () => {
      for (const card of document.querySelectorAll<HTMLElement>('li[data-plant]')) {
        seen[`${card.dataset['plant']} ${card.dataset['raw']}`] ??= Date.now();
      }
    };
    new MutationObserver(note).observe(document.body, { subtree: true, childList: true, attributes: true });
  });
  return page;
}

const seenSchema = z.record(z.string(), z.number());
const seenBy = async (page: Page): Promise<Seen> =>
  new Map(Object.entries(seenSchema.parse(await page.evaluate(() => Reflect.get(window, 'seen')))));

const publish = (board: MqttClient, plant: number, raw: number) =>
  board.publishAsync(`lab/plants/plant-${plant}/soil_moisture`, String(raw), { qos: 1 });

async function measureArrivals(stack: Stack, board: MqttClient, browser: Browser): Promise<Row[]> {
  const cookies = await Promise.all(
    admins.map(async (email) => (await login(stack.origin, await credential(stack.origin, email))).cookie),
  );
  const sockets = await Promise.all(
    Array.from({ length: SOCKETS }, (_, at) =>
      openSocket(stack, cookies[Math.floor(at / LIVE_SOCKETS_PER_USER)] ?? ''),
    ),
  );
  const pages: Page[] = [];
  for (let at = 0; at < BROWSERS; at++) pages.push(await openScreen(browser, stack, admins.at(-1) ?? ''));
  const published = rhythms.map(() => new Map<string, number>());
  for (const [at, { arrivals, everyMs }] of rhythms.entries()) {
    for (let turn = 0; turn < arrivals; turn++) {
      const [plant, raw] = [turn % PLANTS, 300 + 200 * at + turn];
      published[at]?.set(`plant-${plant} ${raw}`, Date.now());
      await publish(board, plant, raw);
      await pause(everyMs);
    }
    await pause(5000);
  }
  const screens = [...(await Promise.all(pages.map(seenBy))), ...sockets.map(({ seen }) => seen)];
  for (const { socket } of sockets) socket.close();
  await Promise.all(pages.map(async (page) => await page.context().close()));
  const rowOf = (figure: string, list: Seen[], at: number): Row => {
    const delays = list.flatMap((seen) =>
      [...(published[at] ?? [])].map(([name, at]) => (seen.get(name) ?? Number.POSITIVE_INFINITY) - at),
    );
    const missing = delays.filter((delay) => delay === Number.POSITIVE_INFINITY).length;
    const [p50, p95, most] = [0.5, 0.95, 1].map((part) => quantile(delays, part).toFixed(0));
    return {
      figure: `one every ${rhythms[at]?.everyMs} ms → ${figure}`,
      value: `p50 ${p50} ms, p95 ${p95} ms, longest ${most} ms, not shown ${missing}`,
      target: rhythms[at]?.target ?? '',
    };
  };
  return rhythms.flatMap((_, at) => [
    rowOf(`in the page of ${BROWSERS} browsers`, screens.slice(0, BROWSERS), at),
    rowOf(`at ${SOCKETS} sockets`, screens.slice(BROWSERS), at),
  ]);
}

/** An hour of the browser's clock, in which every board reports once a minute. */
async function measureHour(stack: Stack, board: MqttClient, browser: Browser): Promise<Row[]> {
  const context = await browser.newContext({ baseURL: stack.origin });
  const page = await context.newPage();
  await signInDirectly(page, 'admin@lab.test');
  await page.clock.install();
  await page.goto('/manage_plants');
  await page.locator('[data-plant]').first().waitFor();
  await page.waitForLoadState('networkidle');
  const asked = new Map<string, number>();
  const count = (what: string) => void asked.set(what, (asked.get(what) ?? 0) + 1);
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (request.resourceType() !== 'websocket') count(`${request.method()} ${pathname}`);
  });
  page.on('websocket', (socket) => count(`socket ${new URL(socket.url()).pathname}`));
  for (let elapsed = 0; elapsed < HOUR_MS; elapsed += STEP_MS) {
    if (elapsed % MINUTE_MS === 0) {
      const raw = 600 + elapsed / MINUTE_MS;
      for (let plant = 0; plant < PLANTS; plant++) await publish(board, plant, raw);
    }
    await page.clock.runFor(STEP_MS);
    // Its answer takes as long as it does.
    await pause(20);
  }
  await context.close();
  // The server's clock goes on as it does: it ends no socket meanwhile.
  const renewals = HOUR_MS / LIVE_SOCKET_MS;
  const all = [...asked.values()].reduce((sum, times) => sum + times, 0) + renewals;
  return [
    { figure: 'requests of an open, idle screen in an hour', value: String(all), target: '≤ 60' },
    ...[...asked].map(([figure, times]) => ({
      figure: `  ${figure}`,
      value: String(times),
      target: 'part of it',
    })),
    { figure: '  sockets opened anew, by LIVE_SOCKET_MS', value: String(renewals), target: 'part of it' },
  ];
}

await buildChangedParts();
const stack = await startStack({
  DEMO_DATA: 'off',
  SIMULATOR: 'off',
  ADMIN_EMAILS: ['admin@lab.test', ...admins].join(','),
});
const browser = await launchChromium();
const board = await connectAsync(stack.brokerUrl);
try {
  for (let plant = 0; plant < PLANTS; plant++) await publish(board, plant, 200);
  printTable(
    `Readings of ${PLANTS} plants, from the board to ${SOCKETS + BROWSERS} open screens`,
    await measureArrivals(stack, board, browser),
  );
  printTable(
    `An hour of an open screen, ${PLANTS} boards with a reading a minute`,
    await measureHour(stack, board, browser),
  );
} finally {
  await board.endAsync();
  await browser.close();
  await stack.stop();
}
