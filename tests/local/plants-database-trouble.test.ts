import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { preflight } from '../../local/preflight.ts';
import { readSettings } from '../../local/settings.ts';
import { releaseDataDir } from '../../scripts/database/data-dir.ts';
import { localD1File, openLocalD1 } from '../../scripts/database/local-d1.ts';
import { visit } from '../support/browser.ts';
import { hasBrowser } from '../support/chromium.ts';
import { isFull } from '../support/counts.ts';
import { makeDataFolder } from '../support/data-folder.ts';
import { credential, login } from '../support/sign-in.ts';
import { canMount, mount, unmount } from '../support/small-disk.ts';
import { keepLogsOnFailure, launchStack, startStack, type Stack } from '../support/stack.ts';

const withoutBoards = { SIMULATOR: 'off' };
const MB = 1024 * 1024;

/** Writes zeros until the disk is full. */
function fill(file: string): void {
  const open = openSync(file, 'w');
  try {
    for (;;) writeSync(open, Buffer.alloc(4096));
  } catch (error) {
    const isFull = error instanceof Error && 'code' in error && error.code === 'ENOSPC';
    if (!isFull) throw error;
  } finally {
    closeSync(open);
  }
}

/** Expects that everything except plants works, and that the plants' failure is reported. */
async function tryEverything(stack: Stack): Promise<void> {
  const { cookie } = await login(stack.origin, await credential(stack.origin, 'admin@lab.test'));
  const ask = (path: string) => fetch(`${stack.origin}/api${path}`, { headers: { cookie } });
  for (const path of ['/students', '/account', '/courses', '/people', '/users', '/access_log', '/receivers'])
    expect({ path, status: (await ask(path)).status }).toEqual({ path, status: 200 });
  for (const page of ['/', '/login', '/publications'])
    expect({ page, status: (await fetch(stack.origin + page)).status }).toEqual({ page, status: 200 });
  const entry = await fetch(`${stack.origin}/api/account`, {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() },
    body: JSON.stringify({ amount: 5, datetime: '2026-03-02T13:00:00', description: '회비' }),
  });
  expect(entry.status).toBe(201);

  expect(await (await ask('/health/details')).json()).toMatchObject({
    parts: { api: true, plants: false },
    storage: { plants: null },
    plants: null,
  });
  for (const path of ['/plants', '/plants/states', '/plants/csv']) {
    const answer = await ask(path);
    expect({ path, status: answer.status, body: await answer.json() }).toEqual({
      path,
      status: 500,
      body: { error: expect.objectContaining({ message: '서버 오류가 발생했습니다' }) },
    });
  }
}

async function lookAtScreens(stack: Stack): Promise<void> {
  if (!hasBrowser) return;
  const { page } = await visit(stack, { as: 'admin@lab.test', at: '/manage_plants' });
  await page.getByText('화분을 불러오지 못했습니다.').waitFor();
  await page.goto('/manage_health');
  await page
    .locator('[data-part="plants"]')
    .filter({ hasText: '화분 데이터베이스' })
    .getByText('응답 없음')
    .waitFor();
}

test('SEC-47 with the file of the plants’ database overwritten while it runs all else goes on, and screens and the next start name it', async () => {
  const stack = await startStack(withoutBoards);
  onTestFinished(stack.stop);
  keepLogsOnFailure(stack);
  const file = localD1File(stack.dataDir, 'PLANTS_DB');
  const db = openLocalD1(stack.dataDir, { database: 'PLANTS_DB' });
  // Changes the database from outside and empties its log: otherwise good pages in them would still be used.
  db.exec("INSERT INTO plants (name) VALUES ('last')");
  expect(db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()).toMatchObject({ busy: 0, log: 0 });
  const open = openSync(file, 'r+');
  writeSync(open, Buffer.alloc(65_536, 0x5a), 0, 65_536, 0);
  closeSync(open);
  db.close();
  await tryEverything(stack);
  await lookAtScreens(stack);

  stack.process.kill('SIGTERM');
  await stack.ended;
  onTestFinished(() => releaseDataDir(stack.dataDir));
  await expect(preflight(readSettings({ DATA_DIR: stack.dataDir }))).rejects.toThrow(
    `the data folder ${stack.dataDir} is damaged: PLANTS_DB, ${file}: file is not a database. First step: DATA_DIR=${stack.dataDir} npm run restore -- `,
  );
});

// Both tests use the same code after the database has failed, so a short run has only the other one.
test.skipIf(!canMount || !isFull)(
  'SEC-47 with no room for the plants’ database all else goes on, and screens and the next start name it',
  async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'cps-lab-full-'));
    const small = mkdtempSync(join(tmpdir(), 'cps-lab-small-'));
    onTestFinished(() => rmSync(small, { recursive: true }));
    mount(small, 24 * MB);
    onTestFinished(() => unmount(small));
    await makeDataFolder(dataDir);
    // Only the write-ahead log is on the small disk, because every change is written there first.
    const log = `${localD1File(dataDir, 'PLANTS_DB')}-wal`;
    for (const file of [log, join(small, 'wal')]) writeFileSync(file, '');
    expect(spawnSync('mount', ['--bind', join(small, 'wal'), log]).status).toBe(0);
    onTestFinished(() => unmount(log));
    const env = { ...withoutBoards, DATA_DIR: dataDir, WATCH_SECONDS: '1' };
    const stack = await startStack(env);
    onTestFinished(async () => {
      unmount(log);
      await stack.stop();
    });
    keepLogsOnFailure(stack);
    fill(join(small, 'rest'));
    await stack.untilPrinted(/"event":"heartbeat_failed"/);
    await tryEverything(stack);
    await lookAtScreens(stack);

    stack.process.kill('SIGTERM');
    await stack.ended;
    const next = await launchStack(env);
    expect(await next.ended).toBe(1);
    expect(next.output()).toContain('cannot be used: PLANTS_DB cannot be written: its disk may be full');
  },
);
