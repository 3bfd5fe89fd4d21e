import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { median, type Row } from '../table.ts';
import { CHROMIUM } from '../../support/chromium.ts';
import { verdict } from './report.ts';

const ROUNDS = 3;
/** Now and then the browser's trace has no beginning (NO_NAVSTART), and Lighthouse asks for another run. */
const TRIES = 4;
const INSTALL_WITHIN_MS = 300_000;
const RUN_WITHIN_MS = 180_000;
/** Outside of the project: it weighs 199 MB. */
const FOLDER = join(homedir(), '.cache', 'cps-lab-bench');
const CLI = join(FOLDER, 'node_modules', 'lighthouse', 'cli', 'index.js');
/** The least score of each category, 0..100. */
const TARGETS = { performance: 100, accessibility: 100, 'best-practices': 100, seo: 100 };

const resultSchema = z.object({
  runtimeError: z.object({ message: z.string() }).optional(),
  categories: z.record(
    z.string(),
    z.object({
      score: z.number().nullable(),
      auditRefs: z.array(z.object({ id: z.string(), weight: z.number() })),
    }),
  ),
  audits: z.record(
    z.string(),
    z.object({
      title: z.string(),
      score: z.number().nullable(),
      displayValue: z.string().optional(),
      numericValue: z.number().optional(),
    }),
  ),
});
type Result = z.infer<typeof resultSchema>;

/** Downloads Lighthouse on the first run. @throws Error when that cannot be done */
export async function installLighthouse(): Promise<void> {
  if (existsSync(CLI)) return;
  console.log(`bench  installing Lighthouse in ${FOLDER}`);
  const npm = process.env['npm_execpath'];
  const args = [
    'install',
    '--prefix',
    FOLDER,
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    'lighthouse@12',
  ];
  await output(npm ? process.execPath : 'npm', npm ? [npm, ...args] : args, INSTALL_WITHIN_MS).catch(
    (error: unknown) => {
      throw new Error('Lighthouse cannot be installed here; --no-lighthouse goes without it', {
        cause: error,
      });
    },
  );
}

/**
 * Scores of each page, medians of interleaved rounds, and the titles of the audits that failed in the last one. The last
 * page is the limit.
 */
export async function benchLighthouse(pages: Record<string, string>): Promise<Row[]> {
  const results = new Map(Object.keys(pages).map((name) => [name, [] as Result[]]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, url] of Object.entries(pages)) results.get(name)?.push(await untilRecorded(url));
  }
  const limit = [...results.values()].at(-1) ?? [];
  return [...results].flatMap(([name, rounds]) =>
    scoreRows(name, rounds).concat(
      rounds === limit ? [] : paintRow(name, simulatedPaint(rounds) / simulatedPaint(limit)),
      failedAudits(name, rounds),
    ),
  );
}

function paintRow(name: string, ratio: number): Row {
  return {
    figure: `${name} LCP, simulated ÷ limit page`,
    value: ratio.toFixed(2),
    target: verdict('≤ 1.25', ratio <= 1.25, 'over'),
  };
}

const simulatedPaint = (rounds: Result[]) =>
  median(rounds.map((round) => round.audits['largest-contentful-paint']?.numericValue ?? Number.NaN));

function scoreRows(name: string, rounds: Result[]): Row[] {
  const scores = Object.entries(TARGETS).map(([category, target]) => {
    const value = Math.round(median(rounds.map((round) => (round.categories[category]?.score ?? 0) * 100)));
    return {
      figure: `${name} ${category}`,
      value: String(value),
      target: verdict(`≥ ${target}`, value >= target, 'under'),
    };
  });
  return [
    ...scores,
    {
      figure: `${name} LCP, simulated`,
      value: `${Math.round(simulatedPaint(rounds))} ms`,
      target: 'no target',
    },
  ];
}

function failedAudits(name: string, rounds: Result[]): Row[] {
  const last = rounds.at(-1);
  if (!last) return [];
  return Object.entries(last.categories).flatMap(([category, { auditRefs }]) => {
    const least = category === 'performance' ? 0.9 : 1;
    return auditRefs.flatMap(({ id }) => {
      const audit = last.audits[id];
      if (!audit || audit.score === null || audit.score >= least) return [];
      return [
        { figure: `  ${name} ${audit.title}`, value: audit.displayValue ?? 'failed', target: category },
      ];
    });
  });
}

async function untilRecorded(url: string): Promise<Result> {
  for (let left = TRIES - 1; ; left--) {
    try {
      return await runLighthouse(url);
    } catch (error) {
      if (left === 0) throw error;
      console.log('bench  Lighthouse could not record a page and tries again');
    }
  }
}

async function runLighthouse(url: string): Promise<Result> {
  const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--ignore-certificate-errors'].join(' ');
  const args = [url, '--output=json', '--quiet', '--no-enable-error-reporting', `--chrome-flags=${flags}`];
  const only = `--only-categories=${Object.keys(TARGETS).join(',')}`;
  const json = await output(process.execPath, [CLI, ...args, only], RUN_WITHIN_MS);
  const result = resultSchema.parse(JSON.parse(json));
  if (result.runtimeError) throw new Error(`Lighthouse: ${result.runtimeError.message}`);
  return result;
}

/** What a command prints. @throws Error with its complaints when it fails or takes too long */
function output(command: string, args: string[], withinMs: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, CHROME_PATH: CHROMIUM },
      timeout: withinMs,
    });
    let printed = '';
    let complaints = '';
    child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (complaints += chunk.toString()));
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve(printed);
      else reject(new Error(`${command} ended with ${code}\n${complaints}`));
    });
  });
}
