import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';

const sources = globSync('{web,worker,ingest,firmware-bridge,local,scripts}/**/*.{ts,tsx}', {
  exclude: ['**/dist/**', '**/paraglide/**', '**/*.gen.ts', '**/*.d.ts'],
});

type Import = { from: string; to: string };

const aliases: Record<string, string> = {
  '#contract': 'worker/contract',
  '#content': 'worker/content',
  '#db': 'worker/db',
};

/** `import … from '…'`, `export … from '…'`, `import '…'` and `import('…')`, not what a comment says. */
const importLine = /(?:^(?:import|export)\b(?:[^;']*?\bfrom\s)?\s*|\bimport\()'([^']+)'/gm;

/** Every import as a path from the root; packages keep their names. */
const imports: Import[] = sources.flatMap((from) =>
  [...readFileSync(from, 'utf8').matchAll(importLine)].map(([, name = '']) => ({
    from,
    to: name.startsWith('.') ? normalize(join(dirname(from), name)) : resolveAlias(name),
  })),
);

function resolveAlias(name: string): string {
  const [alias = '', ...rest] = name.split('/');
  return aliases[alias] === undefined ? name : [aliases[alias], ...rest].join('/');
}

/** Imports that start in `from` and end in `to`, except those that `but` lets pass. */
function violations(from: RegExp, to: RegExp, but: (each: Import) => boolean = () => false): string[] {
  return imports
    .filter((each) => from.test(each.from) && to.test(each.to) && !but(each))
    .map((each) => `${each.from} imports ${each.to}`);
}

test('the list of imports is not empty', () => {
  expect(imports.length).toBeGreaterThan(200);
});

test('nothing in the product imports the local run', () => {
  expect(violations(/^(web|worker|ingest|firmware-bridge)\//, /^(local|tests|scripts)\//)).toEqual([]);
});

test('the contract imports only zod and itself', () => {
  expect(
    violations(/^worker\/contract\//, /./, ({ to }) => to === 'zod' || to.startsWith('worker/contract/')),
  ).toEqual([]);
});

test('the runtimes meet in the contract alone', () => {
  const sharedOr = (own: string) => (each: Import) =>
    /^worker\/(contract|db)\//.test(each.to) || each.to.startsWith(own);
  expect(violations(/^ingest\//, /^(web|worker|firmware-bridge)\//, sharedOr('ingest/'))).toEqual([]);
  expect(
    violations(/^firmware-bridge\//, /^(web|worker|ingest)\//, ({ to }) => to.startsWith('worker/contract/')),
  ).toEqual([]);
  expect(violations(/^worker\//, /^(web|ingest|firmware-bridge)\//)).toEqual([]);
});

test('the web app takes types, contract and public content from the worker, and no names of people', () => {
  const allowed = (each: Import) =>
    each.to.startsWith('worker/contract/') ||
    each.to.startsWith('worker/content/lab.') ||
    each.to === 'worker/src/app.ts' ||
    // The build picks what visitors may see of the people, in Node.
    (each.from === 'web/vite/people-plugin.ts' && each.to.startsWith('worker/content/people.'));
  expect(violations(/^web\//, /^(worker|ingest|firmware-bridge)\//, allowed)).toEqual([]);
});

test('layers of the web app point one way: routes, features, components, lib', () => {
  expect(violations(/^web\/src\/lib\//, /^web\/src\/(components|features|routes)\//)).toEqual([]);
  expect(violations(/^web\/src\/components\//, /^web\/src\/(features|routes)\//)).toEqual([]);
  expect(violations(/^web\/src\/features\//, /^web\/src\/routes\//)).toEqual([]);
});

test('features never import features', () => {
  const feature = (path: string) => path.split('/')[3];
  const own = (each: Import) => feature(each.from) === feature(each.to);
  expect(violations(/^web\/src\/features\//, /^web\/src\/features\//, own)).toEqual([]);
});

test('only data.ts and db/ speak to the database', () => {
  const isTypeOrClient = ({ to }: Import) => to === 'worker/db/client';
  const outside = /^(worker\/src|ingest\/src)\/(?!.*\bdata\.ts$)/;
  expect(violations(outside, /^(drizzle-orm|worker\/db\/)/, isTypeOrClient)).toEqual([]);
});

test('only data.ts prepares statements and reaches into R2', () => {
  // Which of R2's files nobody knows is asked for two subjects at once.
  const isData = /(data|lib\/orphan-files)\.ts$/;
  const reaches = /\.prepare\(|\.batch\(|\$client\b|\b(FILES|files)\.(get|put|delete|list|head)\(/;
  const outside = sources.filter((file) => /^(worker\/src|ingest\/src)\//.test(file) && !isData.test(file));
  expect(outside.length).toBeGreaterThan(30);
  expect(outside.filter((file) => reaches.test(readFileSync(file, 'utf8')))).toEqual([]);
});

test('only mqtt.ts speaks to the broker', () => {
  expect(violations(/^(web|worker|ingest|firmware-bridge)\/(?!src\/mqtt\.ts$)/, /^mqtt$/)).toEqual([]);
});
