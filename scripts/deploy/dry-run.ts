import { writeGeneratedConfigs, type DeployConfig, generatedConfigPaths } from './wrangler-configs.ts';
import { checkAndBuild, deploySteps } from './steps.ts';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { checkSite } from './check-built-site.ts';
import { wrangler } from './wrangler.ts';

/**
 * Checks what would be deployed, and lists the steps. It needs no account and no network.
 * @throws Error naming everything that would prevent a deployment
 */
export async function dryRun(parts: DeployConfig, say: (line: string) => void): Promise<void> {
  await checkAndBuild(parts);
  writeGeneratedConfigs(parts, { databaseIds: {}, variables: {} });
  const { lines, problems } = await checkBundles(parts.name);
  say('deploy  checks');
  for (const line of lines) say(`        ${line}`);
  if (problems.length > 0) throw new Error(problems.map((problem) => `refused: ${problem}`).join('\n'));
  say('        bindings, variables, secrets, compatibility dates, migrations: they fit the code');
  say('deploy  what it would do');
  for (const [index, { name, would }] of deploySteps.entries()) {
    say(`${String(index + 1).padStart(6)}. ${name}: ${would(parts)}`);
  }
}

/** Maximum size of each bundle, gzipped, in bytes. Cloudflare's own limit is 3 MB. */
const WEIGHT_MAX = { 'API worker': 400_000, 'ingest worker': 80_000, "site's functions": 400_000 };
type Bundle = keyof typeof WEIGHT_MAX;

type Finding = { lines: string[]; problems: string[] };

/** Bundles the workers and the site's functions as a deployment would; checks their size and start. */
async function checkBundles(name: string): Promise<Finding> {
  const from = generatedConfigPaths(name);
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
    const started = [
      await startUp('API worker', at('api/app.js')),
      await startUp('ingest worker', at('ingest/app.js')),
    ];
    const routes: unknown = JSON.parse(readFileSync(at('_routes.json'), 'utf8'));
    const site = existsSync('web/dist')
      ? checkSite('web/dist', routes)
      : { figures: 'not built', problems: ['web/dist is not there: run npm run build'] };
    return {
      lines: [...weighed.flatMap(({ lines }) => lines), ...started, `site: ${site.figures}`],
      problems: [...weighed.flatMap(({ problems }) => problems), ...site.problems],
    };
  } finally {
    rmSync(place, { recursive: true });
  }
}

function weigh(bundle: Bundle, file: string): Finding {
  const bytes = gzipSync(readFileSync(file)).byteLength;
  const kilobytes = (count: number) => `${(count / 1000).toFixed(1)} KB`;
  const line = `${bundle}: ${kilobytes(bytes)} gzipped, at most ${kilobytes(WEIGHT_MAX[bundle])}`;
  return { lines: [line], problems: bytes > WEIGHT_MAX[bundle] ? [`too large: ${line}`] : [] };
}

/** How much longer workerd needs to start than with an empty worker. On Cloudflare this time is different. */
async function startUp(bundle: Bundle, file: string): Promise<string> {
  const empty = await start('export default { fetch: () => new Response() }');
  const milliseconds = Math.max(0, (await start(readFileSync(file, 'utf8'))) - empty);
  return `${bundle}: starts in ${milliseconds.toFixed(0)} ms here; Cloudflare refuses more than 1000 ms`;
}

/** The milliseconds that workerd needs to start and to run the script. */
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
