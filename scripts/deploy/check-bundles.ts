import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { generated } from './wrangler-configs.ts';
import { checkSite } from './check-site.ts';
import { wrangler } from './wrangler.ts';

/** Maximum gzipped size of each bundle in bytes. Cloudflare's own limit is 3 MB. */
const WEIGHT_MAX = { 'API worker': 400_000, 'ingest worker': 80_000, "site's functions": 230_000 };
type Bundle = keyof typeof WEIGHT_MAX;

/** Cloudflare rejects a worker whose startup takes longer. */
const START_MAX_MS = 1000;
const START_TRIES = 5;

type Finding = { lines: string[]; problems: string[] };

/** Bundles all three as for a deployment of that name, without an account, and checks their size and startup time. */
export async function checkBundles(name: string): Promise<Finding> {
  const from = generated(name);
  const place = mkdtempSync(join(tmpdir(), 'cps-lab-deploy-'));
  const at = (name: string) => join(place, name);
  try {
    await Promise.all([
      wrangler(['deploy', '--dry-run', '--config', from.api, '--outdir', at('api')]),
      wrangler(['deploy', '--dry-run', '--config', from.ingest, '--outdir', at('ingest')]),
      wrangler(
        [
          'pages',
          'functions',
          'build',
          '--outdir',
          at('functions'),
          '--output-routes-path',
          at('_routes.json'),
        ],
        { cwd: from.site },
      ),
    ]);
    const weighed = [
      weigh('API worker', at('api/app.js')),
      weigh('ingest worker', at('ingest/app.js')),
      weigh("site's functions", at('functions/index.js')),
    ];
    const started = await startUp([
      ['API worker', at('api/app.js')],
      ['ingest worker', at('ingest/app.js')],
    ]);
    const routes: unknown = JSON.parse(readFileSync(at('_routes.json'), 'utf8'));
    const site = existsSync('web/dist')
      ? checkSite('web/dist', routes)
      : { figures: 'not built', problems: ['web/dist is not there: run npm run build'] };
    return {
      lines: [...weighed.flatMap(({ lines }) => lines), ...started.lines, `site: ${site.figures}`],
      problems: [...weighed.flatMap(({ problems }) => problems), ...started.problems, ...site.problems],
    };
  } finally {
    rmSync(place, { recursive: true });
  }
}

function weigh(bundle: Bundle, file: string): Finding {
  const bytes = gzipSync(readFileSync(file)).byteLength;
  const kilobytes = (count: number) => `${(count / 1000).toFixed(1)} KB`;
  const line = `${bundle}: ${kilobytes(bytes)} gzipped, at most ${kilobytes(WEIGHT_MAX[bundle])}`;
  return { lines: [line], problems: bytes > WEIGHT_MAX[bundle] ? [`too heavy: ${line}`] : [] };
}

/** How much longer workerd takes to start with each bundle than with an empty worker. */
async function startUp(bundles: [Bundle, string][]): Promise<Finding> {
  const empty = await start('export default { fetch: () => new Response() }');
  const findings: Finding = { lines: [], problems: [] };
  for (const [bundle, file] of bundles) {
    const script = readFileSync(file, 'utf8');
    let milliseconds = Infinity;
    // Retry, because a busy machine is only slow at times.
    for (let tries = 0; tries < START_TRIES && milliseconds > START_MAX_MS; tries += 1) {
      milliseconds = Math.max(0, (await start(script)) - empty);
    }
    const line = `${bundle}: starts in ${milliseconds.toFixed(0)} ms, at most ${START_MAX_MS} ms`;
    findings.lines.push(line);
    if (milliseconds > START_MAX_MS) findings.problems.push(`too slow: ${line}`);
  }
  return findings;
}

/** Milliseconds from spawning workerd until it has run the script. */
async function start(script: string): Promise<number> {
  const began = performance.now();
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({ modules: true, script, compatibilityDate: '2026-10-23', cf: false }),
  );
  try {
    await miniflare.ready;
    return performance.now() - began;
  } finally {
    await miniflare.dispose();
  }
}
