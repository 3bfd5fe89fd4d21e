import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { unstable_readConfig as readConfig } from 'wrangler';
import * as z from 'zod';

const page = readFileSync('docs/architecture.md', 'utf8');
const alphabetically = (a: string, b: string) => a.localeCompare(b);
const picture = /```mermaid\n([^]*?)```/.exec(page)?.[1] ?? '';

/** `api["API worker (worker/src)"]`: the part's id and the paths in its brackets. */
const parts = [...picture.matchAll(/^\s*(\w+)[[(]+"([^"]+)"[\])]+$/gm)].map(([, id = '', label = '']) => ({
  id,
  paths: (/\(([^)]+)\)/.exec(label)?.[1] ?? '').split(', ').filter(Boolean),
}));

/** `api -- "DB: rows" --> d1` */
const arrows = [...picture.matchAll(/^\s*(\w+) -[-.] "([^"]+)" [-.]+> (\w+)$/gm)].map(
  ([, from = '', label = '', to = '']) => ({ from, label, to }),
);

const bindingsSchema = z.object({
  d1_databases: z.array(z.object({ binding: z.string() })),
  r2_buckets: z.array(z.object({ binding: z.string() })),
  services: z.array(z.object({ binding: z.string(), service: z.string() })).optional(),
  durable_objects: z.object({
    bindings: z.array(z.object({ name: z.string(), script_name: z.string().optional() })),
  }),
  ratelimits: z.array(z.object({ name: z.string() })).optional(),
});

/** Where each service stands in the picture. */
const partOf: Record<string, string> = { 'cps-lab-api': 'api', 'cps-lab-ingest': 'ingest' };

/** Every binding of a worker as `from NAME to`, in the words of the picture. */
function bindingsOf(from: string, config: string): string[] {
  const bound = bindingsSchema.parse(readConfig({ config }));
  return [
    ...bound.d1_databases.map(({ binding }) => `${from} ${binding} ${binding === 'DB' ? 'd1' : 'plants'}`),
    ...bound.r2_buckets.map(({ binding }) => `${from} ${binding} r2`),
    ...(bound.services ?? []).map(({ binding, service }) => `${from} ${binding} ${partOf[service]}`),
    ...bound.durable_objects.bindings.map(({ name }) => `${from} ${name} live`),
    ...(bound.ratelimits ?? []).map(({ name }) => `${from} ${name} ${from}`),
  ];
}

test('each part of the picture is where the picture says', () => {
  expect(parts.length).toBeGreaterThan(8);
  for (const { id, paths } of parts)
    for (const path of paths) expect(existsSync(path), `${id}: ${path}`).toBe(true);
  const ids = new Set(parts.map(({ id }) => id));
  expect(arrows.filter(({ from, to }) => !ids.has(from) || !ids.has(to))).toEqual([]);
});

test('the arrows of the picture are the bindings of the three wrangler.toml, no more and no fewer', () => {
  const drawn = arrows.flatMap(({ from, label, to }) =>
    [...(/^([A-Z_]+(?:, [A-Z_]+)*): /.exec(label)?.[1] ?? '').matchAll(/[A-Z_]+/g)].map(
      ([name]) => `${from} ${name} ${to}`,
    ),
  );
  expect(drawn.sort()).toEqual(
    [
      ...bindingsOf('site', 'web/wrangler.toml'),
      ...bindingsOf('api', 'wrangler.toml'),
      ...bindingsOf('ingest', 'ingest/wrangler.toml'),
    ].sort(),
  );
});

test('what the page names in code exists', () => {
  const named = [
    ...page.matchAll(
      /`((?:contract|content|db|http|web|worker|ingest|firmware-bridge|local|scripts|tests|docs)\/[^`\s]*)`/g,
    ),
  ];
  expect(named.length).toBeGreaterThan(5);
  for (const [, path = ''] of named) expect(existsSync(path), path).toBe(true);
});

test('its table of folders is the tree', () => {
  const table = page.slice(page.indexOf('## The folders'));
  const folders = [...table.matchAll(/^\| `([\w-]+)`/gm)].map(([, folder = '']) => folder);
  const ignored = new Set(['node_modules', 'dist', 'backups', 'test-results']);
  const there = readdirSync('.', { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.') && !ignored.has(entry.name))
    .map(({ name }) => name);
  expect(folders.toSorted(alphabetically)).toEqual(there.toSorted(alphabetically));
});

test('docs/comments.md quotes comments as they stand in their files', () => {
  const words = (text: string) =>
    text
      .replaceAll(/(\/\/|\s\*)\s/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim();
  const quotes = readFileSync('docs/comments.md', 'utf8').matchAll(/```ts\n\/\/ (\S+)\n([^]*?)```/g);
  const found = [...quotes].map(([, file = '', quote = '']) => [file, words(quote)] as const);
  expect(found).toHaveLength(1);
  for (const [file, quote] of found) expect(words(readFileSync(file, 'utf8')), file).toContain(quote);
});

test('every page of docs is reachable from the README', () => {
  const link = /\]\((?!https?:|#)([^)#]+)/g;
  const seen = new Set<string>();
  const visit = (file: string): void => {
    if (seen.has(file) || !file.endsWith('.md')) return;
    seen.add(file);
    for (const [, target = ''] of readFileSync(file, 'utf8').matchAll(link)) {
      const path = new URL(target, `file:///${file}`).pathname.slice(1);
      expect(existsSync(path), `${file} links to ${target}`).toBe(true);
      visit(path);
    }
  };
  visit('README.md');
  expect(globSync('{*,docs/*}.md').filter((file) => !seen.has(file))).toEqual([]);
});

test('OPS-13 whatever a page, a message or a screen tells somebody to type is a command of package.json', () => {
  const { scripts } = z
    .object({ scripts: z.record(z.string(), z.string()) })
    .parse(JSON.parse(readFileSync('package.json', 'utf8')));
  const files = globSync(
    '{*.md,docs/**/*.md,firmware*/**/*.md,{contract,content,web,worker,ingest,http,db,local,scripts,firmware-bridge,tests}/**/*.{ts,tsx,mjs,sh,cron,service}}',
    { exclude: ['CHANGELOG.md', '**/dist/**'] },
  );
  const told = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/\bnpm run ([a-z][\w-]*(?::[a-z]+)?)/g)].map(
      ([, name = '']) => name,
    ),
  );
  expect(told.length).toBeGreaterThan(150);
  expect([...new Set(told)].filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
});
