import { readFileSync } from 'node:fs';
import { build } from 'esbuild';
import type { IngestScript } from '../../support/ingest-options.ts';

/**
 * A worker of this bench as one script.
 * @param entry its module, from the root
 */
export async function bundled(entry: string): Promise<IngestScript> {
  const built = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    external: ['cloudflare:*'],
    target: 'es2024',
    logLevel: 'error',
  });
  const settings = readFileSync('ingest/wrangler.toml', 'utf8');
  const [, compatibilityDate = ''] = /^compatibility_date = "(.+)"$/m.exec(settings) ?? [];
  return { script: built.outputFiles[0]?.text ?? '', compatibilityDate };
}
