import { globSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, beforeEach, test, vi } from 'vitest';
import { createSelfSignedCertificate } from '../../local/certificate.ts';
import { DATABASES, localD1File, openLocalD1 } from '../../scripts/database/local-d1.ts';
import { migrateLocal } from '../../scripts/database/migrate.ts';
import { closeBrowser } from './browser.ts';
import { startStack, type Stack } from './stack.ts';

type Kind = 'demo' | 'empty';
/** Copies of databases; the keys are the paths of the databases. */
type Copies = Map<string, DatabaseSync>;
type Shared = { stack: Stack; asNew: Record<Kind, Copies> };

/** Copies all pages in one step, so that no other connection sees half of the copy. */
const WHOLE = { rate: 1_000_000 };

async function startShared(): Promise<Shared> {
  const dataDir = mkdtempSync(join(tmpdir(), 'cps-lab-'));
  const certificate = join(dataDir, 'ca.crt');
  writeFileSync(certificate, createSelfSignedCertificate(['broker.lab.example']).certificate);
  const stack = await startStack({
    DATA_DIR: dataDir,
    MOSQUITTO_PASSWORD_FILE: join(dataDir, 'passwords'),
    BOARDS_MQTT_URL: 'mqtts://broker.lab.example:8883',
    MQTT_CA_FILE: certificate,
    SIMULATOR: 'off',
    ADMIN_EMAILS: 'admin@lab.test,other@lab.test',
    // All tests sign in from one address, and none of them is about rate limits.
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

/** The tables that a start without demo data fills: the accounts, and the bridge with its last heartbeat. */
const FIRST_ROWS = { DB: ['users'], PLANTS_DB: ['bridge_keys', 'bridge_heartbeats'] };

/** Tables of the runtime, which it needs. */
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
  // The backup fails while the product writes.
  for (const [file, copy] of copies) await vi.waitFor(() => backup(copy, file, WHOLE), { timeout: 30_000 });
}

/** Deletes cached responses, or files of the bucket: both are in Miniflare's own databases. */
function forget({ dataDir }: Stack, folder: 'cache' | 'r2', table: string): void {
  // The names are hexadecimal numbers. `metadata.sqlite` is in the same folders.
  for (const file of globSync(join(dataDir, 'v3', folder, '*/[0-9a-f]*.sqlite'))) {
    const db = new DatabaseSync(file, { timeout: 30_000 });
    db.exec(`DELETE FROM ${table}`);
    db.close();
  }
}

async function putBack({ stack, asNew }: Shared, kind: Kind): Promise<void> {
  // The last test of a file may have ended a part of the product, which restarts.
  await vi.waitFor(() => fetch(`${stack.origin}/api/health`), { timeout: 30_000 });
  await overwrite(asNew[kind]);
  forget(stack, 'cache', '_mf_entries');
  forget(stack, 'r2', '_mf_objects');
}

/** Saves the rows of a running stack, and restores them. */
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

/** Restores the rows before a second try: otherwise it could fail because of rows of the first try. */
function sameRowsAtEachTry(stack: Stack): void {
  const rows = rowsOf(stack);
  beforeEach(async ({ task }) => {
    if (!task.retry) return;
    if (task.result?.retryCount) await rows.putBack();
    else await rows.keep();
  });
  afterAll(rows.forgetCopies);
}

/** Stops the shared stack and the browser when the test worker ends. */
const perWorker = test
  .extend('started', { scope: 'worker' }, (): { shared?: Promise<Shared> } => ({}))
  .extend('shared', { scope: 'worker' }, ({ started }, { onCleanup }) => {
    onCleanup(async () => {
      await started.shared?.then(({ stack }) => stack.stop()).catch(() => undefined);
      await closeBrowser();
    });
    return (): Promise<Shared> => {
      started.shared ??= startShared();
      // If the stack could not start, the next file tries again.
      started.shared.catch(() => delete started.shared);
      return started.shared;
    };
  });

/** A stack that can be used only after `lend`, which the first hook calls. */
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
 * The stack that all files of a test worker share. Its databases are as after a start: with the demo data, or
 * with the accounts only.
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

/** A separate stack for a file whose tests need other settings. */
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
