import { spawn } from 'node:child_process';
import { chmodSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { onTestFinished } from 'vitest';
import * as z from 'zod';
import { openDatabaseFile } from './account-databases.ts';
import { linkAll, makeWorkplace } from './workplace.ts';

/** A workplace for one test. */
export function workplace(): string {
  const place = makeWorkplace();
  onTestFinished(() => rmSync(place, { recursive: true }));
  return place;
}

/** In that workplace what is off by default in a part's wrangler.toml is on. */
export function switchOn(place: string, file: string, binding: string): void {
  const paragraphs = readFileSync(file, 'utf8').split('\n\n');
  const on = paragraphs.map((lines) =>
    lines.includes(`# binding = "${binding}"`) ? lines.replace(/^# (?=\[\[|[a-z_]+ = )/gm, '') : lines,
  );
  const folder = dirname(file);
  if (folder === '.') rmSync(join(place, file));
  else if (lstatSync(join(place, folder)).isSymbolicLink()) {
    rmSync(join(place, folder));
    linkAll(folder, join(place, folder), [basename(file)]);
  }
  writeFileSync(join(place, file), on.join('\n\n'));
}

const accountSchema = z.object({
  databases: z.array(z.object({ uuid: z.string(), name: z.string() })).default([]),
  buckets: z.array(z.string()).default([]),
  queues: z.array(z.string()).default([]),
  projects: z.record(z.string(), z.array(z.string())).default({}),
  workers: z
    .record(
      z.string(),
      z.object({
        secrets: z.record(z.string(), z.string()),
        vars: z.record(z.string(), z.string()).optional(),
        deployed: z.array(z.object({ version: z.string(), at: z.string() })).default([]),
      }),
    )
    .default({}),
});

export type Run = { status: number | null; output: string };

/** An account at a pretended Cloudflare, and a deployment into it from a workplace of its own. */
export async function pretendAccount(accounts = [{ id: 'account-1', name: 'The lab' }]) {
  const place = workplace();
  const folder = mkdtempSync(join(tmpdir(), 'cps-lab-account-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const address = await standIn();
  writeFileSync(join(folder, 'account.json'), JSON.stringify({ address, accounts }));
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  const fake = resolve('tests/deploy/fake-wrangler.ts');
  writeFileSync(
    join(bin, 'wrangler'),
    `#!/bin/sh\nexec "${process.execPath}" --disable-warning=ExperimentalWarning "${fake}" "$@"\n`,
  );
  chmodSync(join(bin, 'wrangler'), 0o755);

  // Hundreds of processes load the same modules: halves the time that they take.
  const compiled = { NODE_COMPILE_CACHE: join(folder, 'compiled') };

  /** Runs one of the operator's commands there to its end. */
  const run = (script: string, args: string[] = [], env: Record<string, string> = {}): Promise<Run> =>
    new Promise((done) => {
      const { CLOUDFLARE_ACCOUNT_ID: _, ...inherited } = process.env;
      const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script, ...args], {
        cwd: place,
        env: {
          ...inherited,
          PATH: `${bin}:${inherited['PATH'] ?? ''}`,
          FAKE_ACCOUNT: folder,
          ...compiled,
          ...env,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let output = '';
      child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
      child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
      child.on('close', (status) => done({ status, output }));
    });

  /** What somebody else does right after the next export of a database: statements by the names of databases. */
  const afterExportOf = (name: string, changes: Record<string, string>) =>
    writeFileSync(join(folder, `after-export-of-${name}.json`), JSON.stringify(changes));

  const holds = () => accountSchema.parse(JSON.parse(readFileSync(join(folder, 'account.json'), 'utf8')));
  /** Opens one of the account's databases. */
  const open = (name: string) => {
    const database = holds().databases.find((each) => each.name === name);
    return openDatabaseFile(folder, database?.uuid ?? '');
  };
  return {
    place,
    address,
    run,
    deploy: (env: Record<string, string> = {}, args: string[] = []) =>
      run('scripts/deploy/deploy.ts', args, env),
    /** The same of a command that reaches D1 and R2 by bindings, which are the account's here. */
    runBound: (script: string, args: string[]) =>
      run(script, args, {
        NODE_OPTIONS: `--import=${pathToFileURL(resolve('tests/deploy/fake-bindings.ts')).href}`,
        DATA_DIR: join(folder, 'data'),
      }),
    afterExportOf,
    holds,
    /** Each call of wrangler, as its arguments. */
    calls: () =>
      readFileSync(join(folder, 'calls.ndjson'), 'utf8')
        .trim()
        .split('\n')
        .map((line) => z.array(z.string()).parse(JSON.parse(line))),
    open,
    /** Changes one of the account's databases. */
    change: (sql: string, name: string) => {
      const db = open(name);
      db.exec(sql);
      db.close();
    },
    /** Rows of one of the account's databases. */
    rows: (sql: string, name = 'cps-lab') => {
      const db = open(name);
      try {
        return db.prepare(sql).all();
      } finally {
        db.close();
      }
    },
  };
}

/** Answers as the deployed site and the ingest worker do to the smoke test. */
async function standIn(): Promise<string> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://stand-in');
    const json = (status: number, body: unknown) =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (pathname === '/')
      response.writeHead(200, { 'content-security-policy': "default-src 'self'" }).end('<main>');
    else if (pathname === '/api/courses') json(200, []);
    else if (pathname === '/api/login/provider') json(200, { clientId: 'a-client.apps.example' });
    else if (pathname === '/api/health')
      json(503, {
        ok: false,
        parts: { api: true, ingest: true, broker: false, bridge: false },
      });
    else if (pathname === '/health') json(200, { ok: true });
    else if (/status|students|readings/.test(pathname)) json(401, {});
    else json(404, {});
  });
  await new Promise<void>((done) => {
    server.listen(0, '127.0.0.1', done);
  });
  onTestFinished(() => void server.close());
  const at = server.address();
  return `http://127.0.0.1:${typeof at === 'object' ? at?.port : ''}`;
}
