import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin } from 'vite';

/** Most rules that Pages takes: https://developers.cloudflare.com/pages/configuration/headers/ */
const RULES_MAX = 100;

/**
 * Names every file whose name says its content in `_headers`, to be kept for good. One rule for all of them would hold
 * for the answer to a missing one too, and a browser would not ask again for a year.
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
 * @param rules those of web/public/_headers, of which the last one keeps nothing under /assets/
 * @throws Error when Pages would not take so many
 */
export function withKeptFiles(rules: string, files: readonly string[]): string {
  // The first line takes back what the rule for all of them says.
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
