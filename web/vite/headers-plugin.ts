import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin } from 'vite';

/** Maximum number of rules on Pages: https://developers.cloudflare.com/pages/configuration/headers/ */
const RULES_MAX = 100;

/**
 * Lists every file with a content hash in `_headers` as immutable. A single rule for all of them would also apply to
 * the response for a missing file, which browsers would then cache for a year.
 */
export function headersPlugin(): Plugin {
  let headers = '';
  return {
    name: 'headers',
    apply: (config, { command }) => command === 'build' && config.build?.ssr === undefined,
    enforce: 'post',
    configResolved({ publicDir }) {
      headers = join(publicDir, '_headers');
    },
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        const files = Object.keys(bundle).filter((file) => file.startsWith('assets/'));
        const source = withKeptFiles(await readFile(headers, 'utf8'), files);
        this.emitFile({ type: 'asset', fileName: '_headers', source });
      },
    },
  };
}

/**
 * @param rules content of web/public/_headers, whose last rule disables caching under /assets/
 * @throws Error if Pages would not accept so many
 */
export function withKeptFiles(rules: string, files: readonly string[]): string {
  // The first line removes the header set by the general rule.
  const kept = files
    .toSorted()
    .map((file) => `/${file}\n  ! Cache-Control\n  Cache-Control: public, max-age=31536000, immutable\n`);
  const all = [rules.trimEnd(), ...kept].join('\n');
  const count = all.split('\n').filter((line) => /^[^\s#]/.test(line)).length;
  if (count > RULES_MAX) {
    throw new Error(
      `_headers would hold ${count} rules and Pages takes ${RULES_MAX}: fewer files under /assets, or a function`,
    );
  }
  return all;
}
