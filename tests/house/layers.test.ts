import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readImports, type Import } from '../../scripts/test/imports.ts';

const sources = globSync(
  '{contract,content,db,http,web,worker,ingest,firmware-bridge,local,scripts}/**/*.{ts,tsx}',
  { exclude: ['**/dist/**', '**/paraglide/**', '**/*.gen.ts', '**/*.d.ts'] },
);

const imports = sources.flatMap(readImports);

/** Imports that start in `from` and end in `to`, except those that `but` lets pass. */
function violations(from: RegExp, to: RegExp, but: (each: Import) => boolean = () => false): string[] {
  return imports
    .filter((each) => from.test(each.from) && to.test(each.to) && !but(each))
    .map((each) => `${each.from} imports ${each.to}`);
}

/** Each step from `from` to `to` that lies on a way back to where it began. */
function circles(steps: Pick<Import, 'from' | 'to'>[]): string[] {
  const next = Map.groupBy(steps, ({ from }) => from);
  const reaches = (from: string, goal: string, seen = new Set<string>()): boolean => {
    if (from === goal) return true;
    if (seen.has(from)) return false;
    seen.add(from);
    return (next.get(from) ?? []).some(({ to }) => reaches(to, goal, seen));
  };
  return steps.filter(({ from, to }) => reaches(to, from)).map(({ from, to }) => `${from} ↔ ${to}`);
}

test('the list of imports is not empty', () => {
  expect(imports.length).toBeGreaterThan(200);
});

/** What each folder of the product may import beside itself and packages, as docs/architecture.md says it. */
const mayImport: Record<string, RegExp> = {
  contract: /^zod$/,
  content: /^contract\//,
  db: /^contract\//,
  http: /^contract\//,
  worker: /^(contract|content|db|http)\//,
  ingest: /^(contract|db|http)\//,
  'firmware-bridge': /^contract\//,
  // Of people only what visitors may see, which the build picks in Node.
  web: /^(contract\/|content\/(?!people\.)|worker\/src\/app\.ts$)/,
  scripts: /^(contract|content|db|http|worker|ingest|firmware-bridge|web)\//,
};

test.each(Object.entries(mayImport))(
  '%s imports only what the page of architecture lets it',
  (folder, may) => {
    const isOwn = ({ to }: Import) => to.startsWith(`${folder}/`) || may.test(to);
    const isPeoplePlugin = ({ from, to }: Import) =>
      /^web\/vite\/(people-plugin|content-plugin)\.ts$/.test(from) && to.startsWith('content/people.');
    const isPackage = ({ to }: Import) => folder !== 'contract' && !/^[a-z-]+\/.+\.(ts|tsx)$/.test(to);
    expect(
      violations(
        new RegExp(`^${folder}/`),
        /./,
        (each) => isOwn(each) || isPeoplePlugin(each) || isPackage(each),
      ),
    ).toEqual([]);
  },
);

test('no file imports itself by way of others', () => {
  expect(circles(imports)).toEqual([]);
});

test('below the routes no subject of the API imports itself by way of others, and lib imports none', () => {
  const subject = (path: string) => /^worker\/src\/([a-z-]+)\//.exec(path)?.[1];
  const steps = imports.flatMap(({ from, to }) => {
    if (from.endsWith('/routes.ts')) return [];
    const [start, end] = [subject(from), subject(to)];
    return start === undefined || end === undefined || start === end ? [] : [{ from: start, to: end }];
  });
  expect(steps.length).toBeGreaterThan(20);
  expect(circles(steps)).toEqual([]);
  expect(steps.filter(({ from }) => from === 'lib')).toEqual([]);
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
  const isForAll = ({ to }: Import) => ['db/client.ts', 'db/plant-states.ts'].includes(to);
  const outside = /^(worker\/src|ingest\/src)\/(?!.*\bdata\.ts$)/;
  expect(violations(outside, /^(drizzle-orm|db\/)/, isForAll)).toEqual([]);
});

test('only data.ts prepares statements and reaches into R2', () => {
  // Which of R2's files nobody knows is asked for two subjects at once.
  const isData = /(data|lib\/orphan-files)\.ts$/;
  const reaches = /\.prepare\(|\.batch\(|\.commit\(|\$client\b|\b(FILES|files)\.(get|put|delete|list|head)\(/;
  const outside = sources.filter((file) => /^(worker\/src|ingest\/src)\//.test(file) && !isData.test(file));
  expect(outside.length).toBeGreaterThan(30);
  expect(outside.filter((file) => reaches.test(readFileSync(file, 'utf8')))).toEqual([]);
});

test('whatever the API writes is handed to commit, and a signed-in route takes its databases from requireLevel', () => {
  const ofWorker = sources.filter((file) => file.startsWith('worker/src/'));
  const writes = /\b(logged\w*|insertFrom)\(|\.(insert|update|delete)\(/;
  const unguarded = ofWorker.flatMap((file) => {
    const source = readFileSync(file, 'utf8');
    const alone =
      source.match(/await (db|plants)\s*\.(insert|update|delete)\(|await logged\w*\(|\.run\(\)/g) ?? [];
    const reading = source.split(/\.batch\(/).slice(1);
    const lists = reading.map((rest) => /^[^]*?\]\)/.exec(rest)?.[0] ?? '');
    return [...alone, ...lists.filter((list) => writes.test(list))].map((what) => `${file}: ${what}`);
  });
  expect(unguarded).toEqual([]);
  const own = ofWorker
    .filter((file) => file.endsWith('/routes.ts'))
    .flatMap((file) => (readFileSync(file, 'utf8').match(/\bdatabase\(/g) ?? []).map(() => file));
  // What everybody may read, without a session.
  expect(own.sort()).toEqual([
    'worker/src/content/routes.ts',
    'worker/src/content/routes.ts',
    'worker/src/courses/routes.ts',
    'worker/src/health/routes.ts',
    'worker/src/health/routes.ts',
    'worker/src/people/routes.ts',
    'worker/src/plants/routes.ts',
  ]);
});

test('a feature describes its calls in queries.ts, or in a flow that makes several of them', () => {
  const features = sources.filter((file) => file.startsWith('web/src/features/'));
  const describing = features.filter((file) =>
    /\b(mutation|query)Fn:(?! skipToken)/.test(readFileSync(file, 'utf8')),
  );
  expect(describing.length).toBeGreaterThan(8);
  expect(describing.filter((file) => !/\/(queries|[a-z-]+-flow)\.ts$/.test(file))).toEqual([]);
});

test('only mqtt.ts speaks to the broker', () => {
  expect(violations(/^(web|worker|ingest|firmware-bridge)\/(?!src\/broker\/mqtt\.ts$)/, /^mqtt$/)).toEqual(
    [],
  );
});
