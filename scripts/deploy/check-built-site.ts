import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';

/** Limits of Pages on the free plan: https://developers.cloudflare.com/pages/platform/limits/ */
const FILES_MAX = 20_000;
const FILE_BYTES_MAX = 25 * 1024 * 1024;
const HEADER_RULES_MAX = 100;
const HEADER_LINE_MAX = 2000;
const STATIC_REDIRECTS_MAX = 2000;
const DYNAMIC_REDIRECTS_MAX = 100;
const REDIRECT_LINE_MAX = 1000;
const ROUTES_MAX = 100;
const ROUTE_LENGTH_MAX = 100;

const routesSchema = z.object({ include: z.array(z.string()), exclude: z.array(z.string()) });

/** How many files and rules the built site has, and one line for each problem. */
export function checkSite(folder: string, routes: unknown): { figures: string; problems: string[] } {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const sizes = files.map((file) => ({ file, bytes: statSync(file).size }));
  const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
  const headers = headerRules(folder);
  const redirects = redirectRules(folder);
  const { include, exclude } = routesSchema.parse(routes);
  const all = [...include, ...exclude];
  const over = (count: number, max: number, what: string) =>
    count > max ? [`${count} ${what}; Pages allows ${max}`] : [];
  return {
    figures: `${files.length} files, ${(total / 1e6).toFixed(1)} MB; ${headers.rules} header rules, ${redirects.fixed + redirects.dynamic} redirects, functions for ${include.join(', ')}`,
    problems: [
      ...['index.html', '404.html', '_headers', '_redirects']
        .filter((name) => !existsSync(join(folder, name)))
        .map((name) => `${folder} lacks ${name}: run npm run build`),
      ...over(files.length, FILES_MAX, 'files'),
      ...sizes
        .filter(({ bytes }) => bytes > FILE_BYTES_MAX)
        .map(({ file }) => `${file} is larger than 25 MiB`),
      ...over(headers.rules, HEADER_RULES_MAX, 'rules in _headers'),
      ...headers.long.map(
        (line) => `_headers: a line is longer than ${HEADER_LINE_MAX} characters: ${line.slice(0, 60)}…`,
      ),
      ...over(redirects.fixed, STATIC_REDIRECTS_MAX, 'static redirects'),
      ...over(redirects.dynamic, DYNAMIC_REDIRECTS_MAX, 'dynamic redirects'),
      ...redirects.long.map(
        (line) => `_redirects: a line is longer than ${REDIRECT_LINE_MAX} characters: ${line.slice(0, 60)}…`,
      ),
      ...over(all.length, ROUTES_MAX, 'rules in _routes.json'),
      ...all
        .filter((rule) => rule.length > ROUTE_LENGTH_MAX)
        .map((rule) => `_routes.json: a rule is longer than ${ROUTE_LENGTH_MAX} characters: ${rule}`),
      ...stoppedScripts(files, folder),
      ...(include.includes('/api/*') ? [] : ['the site has no function for /api/*']),
    ],
  };
}

/** One line for each page with an inline script that browsers would not run, because of `_headers`. */
function stoppedScripts(files: string[], folder: string): string[] {
  const rules = rulesIn(folder, '_headers').join('\n');
  const isStopped = (script: string) =>
    !rules.includes(`'sha256-${createHash('sha256').update(script).digest('base64')}'`);
  return files
    .filter((file) => file.endsWith('.html') && inlineScripts(readFileSync(file, 'utf8')).some(isStopped))
    .map((file) => `${file} has an inline script that the Content-Security-Policy in _headers blocks`);
}

/** The inline scripts in a page that a browser would run. */
export function inlineScripts(html: string): string[] {
  return [...html.matchAll(/<script\b([^>]*)>(.*?)<\/script>/gs)].flatMap(
    ([, attributes = '', script = '']) => (/\s(?:src=|type="application\/)/.test(attributes) ? [] : [script]),
  );
}

function rulesIn(folder: string, name: string): string[] {
  const file = join(folder, name);
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  return lines.filter((line) => line.trim() !== '' && !line.startsWith('#'));
}

function headerRules(folder: string) {
  const lines = rulesIn(folder, '_headers');
  return {
    rules: lines.filter((line) => !/^\s/.test(line)).length,
    long: lines.filter((line) => line.length > HEADER_LINE_MAX),
  };
}

function redirectRules(folder: string) {
  const lines = rulesIn(folder, '_redirects');
  const dynamic = lines.filter((line) => /^\S*[*:]/.test(line)).length;
  return {
    dynamic,
    fixed: lines.length - dynamic,
    long: lines.filter((line) => line.length > REDIRECT_LINE_MAX),
  };
}
