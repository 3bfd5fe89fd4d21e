import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import packageJson from '../../package.json' with { type: 'json' };
import { escapeHtml } from '../src/head/escaped.ts';

/**
 * When a page loads the app. `painted`: after its first paint. `touched`: at the first pointer move, touch, scroll
 * or key press. `stayed`: like `touched`, but after a while at the latest. For signed-in users: like `painted`.
 */
export type LoadTrigger = 'painted' | 'touched' | 'stayed';

/** What src/before-paint.ts needs to know about a page. */
export type BeforePaintOptions = {
  wake?: LoadTrigger;
  /** Address of the page in English, if the page's own address has no language. */
  english?: string;
  /** Set if the page's frame is in the reader's language, whatever the page's address. */
  reader?: '';
  /** The page's English title. */
  title?: string;
};

/** Compiles a script of web/src for inlining into a page. */
async function inline(name: string, target = 'es2022'): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(`../src/${name}.ts`, import.meta.url))],
    bundle: true,
    minify: true,
    charset: 'utf8',
    tsconfigRaw: {},
    format: 'iife',
    target,
    define: { OLDEST: JSON.stringify(oldest) },
    write: false,
  });
  const [output] = outputFiles;
  if (!output) throw new Error(`the build has no script of ${name}.ts`);
  return output.text.trim();
}

const NAMES: Record<string, string> = { safari: 'Safari (iPhone)', samsung: '삼성 인터넷(Samsung Internet)' };
/** The oldest supported browsers as shown to the reader. */
const oldest = packageJson.browserslist
  .map((each) => each.split(' >= '))
  .filter(([name]) => name !== 'ios_saf')
  .map(([name = '', version]) => `${NAMES[name] ?? name.charAt(0).toUpperCase() + name.slice(1)} ${version}`)
  .join(', ');

const beforePaint = await inline('before-paint');
const inEnglish = await inline('in-english');
const appMissing = await inline('app-missing', 'es2015');

export function beforePaintTag(page: BeforePaintOptions): string {
  const attributes = Object.entries(page).map(([name, value]) => ` data-${name}="${escapeHtml(value)}"`);
  return `<script${attributes.join('')}>${beforePaint}</script>`;
}

export const inEnglishTag = `<script>${inEnglish}</script>`;
export const appMissingTag = `<script>${appMissing}</script>`;

/** Source expression of an inline script for the content security policy. */
const digestOf = (script: string) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`;

/** Adds the inline scripts to the policy of web/public/_headers. */
export function policyWithScripts(rules: string, scripts = [beforePaint, inEnglish, appMissing]): string {
  const policy = "script-src 'self'";
  if (!rules.includes(policy)) throw new Error(`_headers lacks ${policy}`);
  return rules.replace(policy, `${policy} ${scripts.map(digestOf).join(' ')}`);
}
