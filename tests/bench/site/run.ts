/** `npm run bench -- site`: the main page as a slow phone gets it, beside a hand-written page from the same server. */
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { firstVersion } from '#content/first-version';
import { credential, login } from '../../support/sign-in.ts';
import { startStack } from '../../support/stack.ts';
import { printTable, type Row } from '../table.ts';
import { benchLighthouse, installLighthouse } from './lighthouse.ts';
import { launchChromium } from '../../support/chromium.ts';
import { loadPage, PROFILE, type Load } from './load.ts';
import { scriptRows, timeRows, transferRows } from './report.ts';
import { inspectScripts } from './scripts.ts';
import { slowRows } from './slow-3g.ts';
import { serveFolder, type SiteServer } from './server.ts';

const SITE = 'web/dist';

const { values: options, positionals } = parseArgs({
  options: {
    /** Counted loads of each page. */
    runs: { type: 'string', default: '7' },
    /** Folder of the page that is the limit. */
    limit: { type: 'string', default: join(import.meta.dirname, 'limit') },
    lighthouse: { type: 'boolean', default: true },
  },
  allowNegative: true,
  /** `published`: the page is one that was published in the portal, and not the one of the build. */
  allowPositionals: true,
});

async function run(): Promise<void> {
  const runs = Number(options.runs);
  if (!Number.isInteger(runs) || runs < 1) throw new Error(`--runs ${options.runs} is no number of runs`);
  const stack = await startStack({ SIMULATOR: 'off' });
  const servers: SiteServer[] = [];
  try {
    if (positionals.includes('published')) await publish(stack.origin);
    const site = await serveFolder(SITE, join(SITE, '_headers'), stack.origin);
    servers.push(site);
    const limit = await serveFolder(options.limit, join(SITE, '_headers'));
    servers.push(limit);
    await benchLoads(`${site.origin}/ko`, limit.origin, runs, site);
    if (!options.lighthouse) {
      console.log('\nLighthouse was left out: --no-lighthouse');
      return;
    }
    await installLighthouse();
    const pages = { '/ko': `${site.origin}/ko`, '/en': `${site.origin}/en`, 'limit page': limit.origin };
    printTable('Lighthouse, mobile, simulated throttling, median of 3', await benchLighthouse(pages));
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
    await stack.stop();
  }
}

/** Publishes the content of the repository with one news item more. */
async function publish(origin: string): Promise<void> {
  const { cookie } = await login(origin, await credential(origin, 'admin@lab.test'));
  const ask = async (method: string, path: string, body?: unknown) => {
    const headers = { cookie, origin, 'content-type': 'application/json' };
    const answer = await fetch(`${origin}/api${path}`, { method, headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`);
  };
  const item = { date: '2026-11-26', text: { ko: '측정한 날', en: 'Day of the bench' }, link: '' };
  const draft = { ...firstVersion, news: [...firstVersion.news, item] };
  await ask('PUT', '/content', { version: 0, draft });
  await ask('POST', '/content/publish');
}

async function benchLoads(
  siteUrl: string,
  limitUrl: string,
  runs: number,
  server: SiteServer,
): Promise<void> {
  const browser = await launchChromium();
  const site: Load[] = [];
  const limit: Load[] = [];
  let slow: Row[] = [];
  try {
    // The first loads start the browser's own parts as well; they are not counted.
    for (const url of [siteUrl, limitUrl]) await loadPage(browser, url);
    for (let run = 1; run <= runs; run++) {
      site.push(await loadPage(browser, siteUrl));
      limit.push(await loadPage(browser, limitUrl));
      console.log(`bench  run ${run} of ${runs}`);
    }
    slow = await slowRows(browser, siteUrl, runs);
  } finally {
    await browser.close();
  }
  const [lastSite, lastLimit] = [site.at(-1), limit.at(-1)];
  if (!lastSite || !lastLimit) throw new Error('nothing was loaded');
  printTable(
    `/ko beside the limit page, ${describeProfile()}, median of ${runs} (least–most)`,
    timeRows(site, limit),
  );
  const load = loadavg()[0] ?? Number.NaN;
  const cores = availableParallelism();
  console.log(
    `  load of this machine: ${load.toFixed(1)} on ${cores} cores${load > cores ? '; too busy to compare' : ''}`,
  );
  printTable('Slow 3G (400 kbit/s, 400 ms), empty cache', slow);
  printTable('Over the wire before any interaction', transferRows(lastSite, lastLimit));
  const loaded = site.flatMap(({ transfers }) => transfers.filter(({ kind }) => kind === 'script'));
  const report = inspectScripts(
    server,
    loaded.map(({ url }) => url),
  );
  printTable('Scripts that the main page loads, as brotli 11', scriptRows(report));
}

function describeProfile(): string {
  const { viewport, deviceScaleFactor, cpuSlowdown, downBitsPerSecond, upBitsPerSecond, latencyMs } = PROFILE;
  const screen = `${viewport.width}×${viewport.height} at ${deviceScaleFactor}×`;
  return `${screen}, CPU ÷ ${cpuSlowdown}, ${downBitsPerSecond / 1e6} Mbps down, ${upBitsPerSecond / 1e3} kbps up, ${latencyMs} ms a request`;
}

await run().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
