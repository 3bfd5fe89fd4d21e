import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

/** Runs wrangler without an account and returns what it printed and where it wrote. */
function wrangler(args: string[], cwd = '.'): { output: string; outdir: string; status: number | null } {
  const outdir = mkdtempSync(join(tmpdir(), 'cps-lab-deploy-'));
  onTestFinished(() => rmSync(outdir, { recursive: true }));
  const bin = resolve('node_modules/.bin/wrangler');
  const { CLOUDFLARE_API_TOKEN: _, ...env } = process.env;
  const done = spawnSync(process.execPath, [bin, ...args, '--outdir', outdir], {
    cwd,
    encoding: 'utf8',
    env: { ...env, NO_COLOR: '1', WRANGLER_SEND_METRICS: 'false' },
  });
  return { output: done.stdout + done.stderr, outdir, status: done.status };
}

test('OPS-2 the API worker passes the dry run with its database, files and ingest binding', () => {
  const { output, status } = wrangler(['deploy', '--dry-run']);
  expect(status, output).toBe(0);
  for (const binding of ['env.DB (cps-lab)', 'env.FILES (cps-lab-files)', 'env.INGEST (cps-lab-ingest)']) {
    expect(output).toContain(binding);
  }
});

test('OPS-2 the ingest worker passes the dry run with its database', () => {
  const { output, status } = wrangler(['deploy', '--dry-run', '--config', 'ingest/wrangler.toml']);
  expect(status, output).toBe(0);
  expect(output).toContain('env.DB (cps-lab)');
});

test('OPS-2 the site builds as a Pages project whose function owns /api', () => {
  const { output, outdir, status } = wrangler(['pages', 'functions', 'build'], 'web');
  expect(status, output).toBe(0);
  expect(readFileSync(join(outdir, 'index.js'), 'utf8')).toContain('/api/:path*');
  for (const file of ['index.html', '404.html', '_headers', '_redirects']) {
    expect(readFileSync(join('web/dist', file), 'utf8')).not.toBe('');
  }
});

test('nothing of the local identity provider is in a production bundle', () => {
  const bundles = [
    'dist/api/app.js',
    'dist/ingest/app.js',
    'dist/functions/index.js',
    ...globSync('web/dist/**/*.{js,html}'),
  ];
  expect(bundles.length).toBeGreaterThan(5);
  for (const bundle of bundles) {
    const text = readFileSync(bundle, 'utf8');
    for (const trace of ['dev/identity', 'lab.test', 'local-client']) {
      expect(text.includes(trace), `${bundle} contains ${trace}`).toBe(false);
    }
  }
});
