import { join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, test, vi } from 'vitest';
import { DATABASES, openLocalD1, type DatabaseName } from '../../scripts/local-d1.ts';
import { closeBrowser } from './browser.ts';
import { startStack, type Stack } from './stack.ts';

type Kept = { database: string; asNew: DatabaseSync };
type Shared = { stack: Stack; kept: Kept[] };

const kinds = {
  /** The accounts and nothing else. */
  empty: { DEMO_DATA: 'off' },
  /** Demo data, and two admins. */
  demo: { ADMIN_EMAILS: 'admin@lab.test,other@lab.test' },
};
type Kind = keyof typeof kinds;

/** In one step: nobody finds half of it. */
const WHOLE = { rate: 1_000_000 };

async function startShared(kind: Kind): Promise<Shared> {
  // All that a worker tests comes from one address: how often it may sign in is the subject of none of it.
  const rates = { LOGIN_RATE: '6000', UPLOAD_RATE: '6000' };
  const stack = await startStack({ SIMULATOR: 'off', ...rates, ...kinds[kind] });
  const kept = await Promise.all(DATABASES.map((database) => keep(stack.dataDir, database)));
  return { stack, kept };
}

async function keep(dataDir: string, name: DatabaseName): Promise<Kept> {
  const live = openLocalD1(dataDir, { database: name });
  const copy = join(dataDir, `as-new-${name}.sqlite`);
  await backup(live, copy, WHOLE);
  const database = live.location() ?? '';
  live.close();
  return { database, asNew: new DatabaseSync(copy, { readOnly: true }) };
}

/** What the files of a worker share ends with it. */
const perWorker = test
  .extend('started', { scope: 'worker' }, () => new Map<Kind, Promise<Shared>>())
  .extend('shared', { scope: 'worker' }, ({ started }, { onCleanup }) => {
    onCleanup(async () => {
      await Promise.allSettled(
        [...started.values()].map(async (shared) => await (await shared).stack.stop()),
      );
      await closeBrowser();
    });
    return (kind: Kind): Promise<Shared> => {
      const shared = started.get(kind) ?? startShared(kind);
      started.set(kind, shared);
      // One that could not start is not there for the next file.
      shared.catch(() => started.delete(kind));
      return shared;
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

/** The stack of that kind that the files of a worker share, its databases as new. */
export function sharedStack(kind: Kind): Stack {
  const { stack, lend } = lent();
  perWorker.beforeAll(async ({ shared }) => {
    const { stack: running, kept } = await shared(kind);
    // It is refused while the product writes.
    for (const { asNew, database } of kept)
      await vi.waitFor(() => backup(asNew, database, WHOLE), { timeout: 30_000 });
    lend(running);
  });
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
