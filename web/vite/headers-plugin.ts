import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { inlineDigests } from './before-paint.ts';

/** Maximum number of rules on Pages: https://developers.cloudflare.com/pages/configuration/headers/ */
const RULES_MAX = 100;

/**
 * Allows the inline scripts of the pages, and lists every file with a content hash in `_headers` as immutable. A single rule for all of them would also apply to
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
        const rules = withScripts(await readFile(headers, 'utf8'), inlineDigests);
        const source = withKeptFiles(rules, files);
        this.emitFile({ type: 'asset', fileName: '_headers', source });
      },
    },
  };
}

/** Adds inline scripts to the policy of web/public/_headers. */
export function withScripts(rules: string, digests: readonly string[]): string {
  const policy = "script-src 'self'";
  if (!rules.includes(policy)) throw new Error(`_headers lacks ${policy}`);
  return rules.replace(policy, `${policy} ${digests.join(' ')}`);
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
