import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { deployCommand } from '../../scripts/deploy/deploy.ts';
import type { Command } from '../../scripts/terminal.ts';
import { runCommand } from '../support/run-command.ts';
import { bindingsOf, openDatabaseFile, readAccount, writeAccount } from './pretended-account.ts';
import { callsAbout, pretendedWrangler } from './pretended-wrangler.ts';
import { makeWorkplace } from './work-folder.ts';

/** A workplace for one test. */
export function workplace(): string {
  const place = makeWorkplace();
  onTestFinished(() => rmSync(place, { recursive: true }));
  return place;
}

/** `status` is null for a command that was killed; `output` is what it printed until then. */
export type Run = { status: number | null; output: string };

/** An account at a pretended Cloudflare, and a deployment into it from a workplace of its own. */
export async function pretendAccount(accounts = [{ id: 'account-1', name: 'The lab' }]) {
  const place = workplace();
  const folder = mkdtempSync(join(tmpdir(), 'cps-lab-account-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const address = await standIn();
  writeAccount(folder, { address, accounts });

  /** Calls one of the operator's commands there: its wrangler and its bindings are those of the account. */
  const run = async (typed: Command, args: string[] = [], env: Record<string, string> = {}): Promise<Run> => {
    let output = '';
    const collect = (text: string) => void (output += `${text}\n`);
    const killed = Promise.withResolvers<null>();
    const around = {
      out: collect,
      error: collect,
      wrangler: pretendedWrangler(folder, () => killed.resolve(null)),
      openBindings: bindingsOf(folder),
    };
    const variables = { CLOUDFLARE_ACCOUNT_ID: undefined, DATA_DIR: join(folder, 'data'), ...env };
    const status = await within(place, async () => {
      const ended = runCommand(typed, args, variables, around).then((done) => done.status);
      return await Promise.race([ended, killed.promise]);
    });
    return { status, output };
  };

  const holds = () => readAccount(folder);
  /** Opens one of the account's databases. */
  const open = (name: string) => {
    const database = holds().databases.find((each) => each.name === name);
    return openDatabaseFile(folder, database?.uuid ?? '');
  };
  return {
    place,
    folder,
    address,
    run,
    deploy: (env: Record<string, string> = {}, args: string[] = []) => run(deployCommand, args, env),
    holds,
    /** Each call of wrangler, as its arguments. */
    calls: () => callsAbout(folder),
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

/** Runs something in another folder, as commands read and write where they are called: one at a time. */
export async function within<T>(place: string, run: () => Promise<T>): Promise<T> {
  const before = process.cwd();
  process.chdir(place);
  try {
    return await run();
  } finally {
    process.chdir(before);
  }
}

/** Answers the smoke test as the deployed site and the ingest worker do. */
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
