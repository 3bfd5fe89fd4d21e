import { globSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, beforeEach, test, vi } from 'vitest';
import { selfSigned } from '../../local/certificate.ts';
import { DATABASES, localD1File, openLocalD1 } from '../../scripts/database/local-d1.ts';
import { migrateLocal } from '../../scripts/database/migrate.ts';
import { closeBrowser } from './browser.ts';
import { startStack, type Stack } from './stack.ts';

type Kind = 'demo' | 'empty';
/** Live databases by their paths, each with a copy. */
type Copies = Map<string, DatabaseSync>;
type Shared = { stack: Stack; asNew: Record<Kind, Copies> };

/** In one step: nobody finds half of it. */
const WHOLE = { rate: 1_000_000 };

async function startShared(): Promise<Shared> {
  const dataDir = mkdtempSync(join(tmpdir(), 'cps-lab-'));
  const certificate = join(dataDir, 'ca.crt');
  writeFileSync(certificate, selfSigned(['broker.lab.example']).certificate);
  const stack = await startStack({
    DATA_DIR: dataDir,
    MOSQUITTO_PASSWORD_FILE: join(dataDir, 'passwords'),
    BOARDS_MQTT_URL: 'mqtts://broker.lab.example:8883',
    MQTT_CA_FILE: certificate,
    SIMULATOR: 'off',
    ADMIN_EMAILS: 'admin@lab.test,other@lab.test',
    // All that a worker tests comes from one address: how often it may sign in is the subject of none of it.
    RATES: 'LOGIN_RATE=6000,UPLOAD_RATE=6000',
  });
  const asNew: Shared['asNew'] = { demo: new Map(), empty: new Map() };
  const emptyDir = join(stack.dataDir, 'empty');
  migrateLocal(emptyDir);
  for (const database of DATABASES) {
    const file = localD1File(stack.dataDir, database);
    const demo = join(stack.dataDir, `demo-${database}.sqlite`);
    const live = openLocalD1(stack.dataDir, { database });
    await backup(live, demo, WHOLE);
    live.close();
    asNew.demo.set(file, new DatabaseSync(demo, { readOnly: true }));
    asNew.empty.set(file, withoutDemo(openLocalD1(emptyDir, { database }), demo, FIRST_ROWS[database]));
  }
  return { stack, asNew };
}

/** All that a start without demo data stores: the accounts, and the bridge with its last word. */
const FIRST_ROWS = { DB: ['users'], PLANTS_DB: ['bridge_keys', 'bridge_heartbeats'] };

/** Tables of the runtime's own, which is lost without them. */
const OF_RUNTIME = `SELECT name, sql FROM demo.sqlite_schema
  WHERE type = 'table' AND name NOT IN (SELECT name FROM main.sqlite_schema)`;

function withoutDemo(migrated: DatabaseSync, demo: string, tables: string[]): DatabaseSync {
  migrated.prepare('ATTACH ? AS demo').run(demo);
  const more = migrated.prepare(OF_RUNTIME).all();
  for (const { sql } of more) migrated.exec(String(sql));
  for (const table of [...tables, ...more.map(({ name }) => String(name))])
    migrated.exec(`INSERT INTO ${table} SELECT * FROM demo.${table}`);
  migrated.exec('DETACH demo');
  return migrated;
}

async function overwrite(copies: Copies): Promise<void> {
  // It is refused while the product writes.
  for (const [file, copy] of copies) await vi.waitFor(() => backup(copy, file, WHOLE), { timeout: 30_000 });
}

/** Answers of the edge and files of the bucket are in databases of Miniflare's own. */
function forget({ dataDir }: Stack, folder: 'cache' | 'r2', table: string): void {
  // Named by numbers; beside them lies `metadata.sqlite`.
  for (const file of globSync(join(dataDir, 'v3', folder, '*/[0-9a-f]*.sqlite'))) {
    const db = new DatabaseSync(file, { timeout: 30_000 });
    db.exec(`DELETE FROM ${table}`);
    db.close();
  }
}

async function putBack({ stack, asNew }: Shared, kind: Kind): Promise<void> {
  // The last test of a file may have ended a part of it.
  await vi.waitFor(() => fetch(`${stack.origin}/api/health`), { timeout: 30_000 });
  await overwrite(asNew[kind]);
  forget(stack, 'cache', '_mf_entries');
  forget(stack, 'r2', '_mf_objects');
}

/** Rows of a stack that is in use, to be put back as they were kept. */
export function rowsOf(stack: Stack) {
  const before: Copies = new Map();
  const forgetCopies = () => before.forEach((copy) => copy.close());
  return {
    async keep() {
      forgetCopies();
      for (const database of DATABASES) {
        const copy = join(stack.dataDir, `before-${database}.sqlite`);
        const live = openLocalD1(stack.dataDir, { database, readOnly: true });
        await backup(live, copy, WHOLE);
        live.close();
        before.set(localD1File(stack.dataDir, database), new DatabaseSync(copy, { readOnly: true }));
      }
    },
    async putBack() {
      await overwrite(before);
      forget(stack, 'cache', '_mf_entries');
    },
    forgetCopies,
  };
}

/** A second try finds the rows that the first one found: it would fail by what that left behind. */
function sameRowsAtEachTry(stack: Stack): void {
  const rows = rowsOf(stack);
  beforeEach(async ({ task }) => {
    if (!task.retry) return;
    if (task.result?.retryCount) await rows.putBack();
    else await rows.keep();
  });
  afterAll(rows.forgetCopies);
}

/** What the files of a worker share ends with it. */
const perWorker = test
  .extend('started', { scope: 'worker' }, (): { shared?: Promise<Shared> } => ({}))
  .extend('shared', { scope: 'worker' }, ({ started }, { onCleanup }) => {
    onCleanup(async () => {
      await started.shared?.then(({ stack }) => stack.stop()).catch(() => undefined);
      await closeBrowser();
    });
    return (): Promise<Shared> => {
      started.shared ??= startShared();
      // One that could not start is not there for the next file.
      started.shared.catch(() => delete started.shared);
      return started.shared;
    };
  });

/** A stack that is there from the first hook of the tests on, when it is lent. */
function lent(): { stack: Stack; lend: (stack: Stack) => void } {
  let lending: Stack | undefined;
  const stack = new Proxy<Stack>(Object.create(null), {
    get: (_, property: keyof Stack) => {
      if (!lending) throw new Error('the stack is asked before the first hook');
      return lending[property];
    },
  });
  return { stack, lend: (running) => (lending = running) };
}

/**
 * The stack that the files of a worker share, its databases as after a start with the demo data or with the accounts and
 * nothing else.
 */
export function sharedStack(kind: Kind): Stack {
  const { stack, lend } = lent();
  perWorker.beforeAll(async ({ shared }) => {
    const running = await shared();
    await putBack(running, kind);
    lend(running.stack);
  });
  sameRowsAtEachTry(stack);
  return stack;
}

/** A stack of the file's own, for tests that set it up otherwise. */
export function ownStack(env: Record<string, string>): Stack {
  const { stack, lend } = lent();
  let own: Stack | undefined;
  beforeAll(async () => {
    own = await startStack(env);
    lend(own);
  });
  afterAll(() => own?.stop());
  return stack;
}
