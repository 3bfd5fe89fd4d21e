import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { startFailure, withStepName } from '../../local/start-failures.ts';
import { loadFirstData } from '../../local/fill-databases.ts';
import { openLocalStore } from '../../scripts/backup/local-store.ts';
import { markDemoLoadBegun, isDemoLoadUnfinished } from '../../scripts/database/unfinished-restore.ts';
import { until } from '../firmware-bridge/support/processes.ts';
import { change, selected } from '../support/both-databases.ts';
import { shareOrAll } from '../support/counts.ts';
import { makeDataFolder } from '../support/data-folder.ts';
import { openLocalBindings } from '../support/local-bindings.ts';
import { descendants, partsOf } from '../support/stack-processes.ts';
import { keepLogsOnFailure, launchStack, type Stack } from '../support/stack.ts';

const settings = { SIMULATOR: 'off' };
const isLinux = process.platform === 'linux';

const inDb = (dataDir: string) =>
  selected(
    dataDir,
    `SELECT (SELECT count(*) FROM users) AS users, (SELECT count(*) FROM courses) AS courses,
       (SELECT count(*) FROM students) AS students, (SELECT count(*) FROM enrolments) AS enrolments,
       (SELECT count(*) FROM subjects) AS subjects, (SELECT count(*) > 300 FROM ledger_entries) AS has_account,
       (SELECT count(*) > 5 FROM dues) AS has_dues`,
    'DB',
  );

const WHOLE = [
  { users: 5, courses: 26, students: 120, enrolments: 220, subjects: 19, has_account: 1, has_dues: 1 },
];

function expectWhole(dataDir: string): void {
  expect(inDb(dataDir)).toEqual(WHOLE);
  // Six weeks of quarter hours, each once. Two boards were off for some time.
  const plants = selected(
    dataDir,
    `SELECT name, count(*) AS readings, count(DISTINCT measured_at / 900000) AS apart, max(is_public) AS is_public
     FROM plants JOIN plant_states ON plant_id = plants.id JOIN plant_readings USING (plant_id) GROUP BY 1`,
    'PLANTS_DB',
  );
  const all = 42 * 96;
  expect(plants).toEqual(
    Object.entries({ monstera: all - 192, rosemary: all - 120, 바질: all }).map(([name, about]) => {
      const readings = Number(plants.find((plant) => plant['name'] === name)?.['readings']);
      expect(Math.abs(readings - about)).toBeLessThan(5);
      return { name, readings, apart: readings, is_public: name === '바질' ? 1 : 0 };
    }),
  );
  const rollups = selected(dataDir, 'SELECT count(DISTINCT plant_id) AS n FROM plant_rollups', 'PLANTS_DB');
  expect(rollups).toEqual([{ n: 3 }]);
  expect(isDemoLoadUnfinished(dataDir)).toBe(false);
}

describe('the first start', { timeout: 300_000 }, () => {
  test.each(
    shareOrAll<[moment: string, isMoment: (stack: Stack) => boolean]>(1, [
      ['in the middle of the readings', ({ dataDir }) => inDb(dataDir)[0]?.['students'] === 120],
      ['before anything is there', () => true],
    ]),
  )(
    'OPS-1 a first start that is killed %s while demo data loads is finished by the next, once, and the death of its runtime is told in its own words, not of the folder',
    async (_, isMoment) => {
      const first = await launchStack(settings);
      await first.untilPrinted(/demo {3}loading courses/);
      await until('the moment', () => isMoment(first));
      first.process.kill('SIGKILL');
      await first.ended;
      expect(first.output()).not.toMatch(/^ready/m);
      expect(isDemoLoadUnfinished(first.dataDir)).toBe(true);
      const next = await launchStack({ ...settings, DATA_DIR: first.dataDir });
      onTestFinished(() => next.stop());
      keepLogsOnFailure(next);
      await next.untilPrinted(/demo {3}(loading courses|an earlier start was interrupted)/);
      if (isLinux) {
        for (const pid of descendants(next).filter((each) => partsOf(each).includes('workerd')))
          process.kill(Number(pid), 'SIGKILL');
      }
      await next.untilPrinted(/^ready http/m);
      expect(next.output()).toMatch(isLinux ? /^\[workers\] loading demo data: fetch failed/m : /^ready/m);
      expect(next.output()).not.toContain('cannot be used');
      expectWhole(first.dataDir);
    },
  );

  test('OPS-1 where people were added after a start that had loaded nothing yet, the next says that it loads no demo', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'cps-lab-'));
    await makeDataFolder(dataDir);
    change(
      dataDir,
      `INSERT INTO users (sub, email, name, secure_level, created_at) VALUES ('1', 'a@b.test', 'a', 1, 1)`,
    );
    markDemoLoadBegun(dataDir);
    const said = vi.spyOn(console, 'log').mockImplementation(() => undefined);
    onTestFinished(() => said.mockRestore());
    const { d1: db, plants, dispose } = await openLocalBindings(dataDir);
    await loadFirstData({ db, plants }, { DATA_DIR: dataDir, DEMO_DATA: true });
    await dispose();
    expect(said.mock.calls.join()).toContain('demo   not loaded: an earlier start was interrupted');
    expect(inDb(dataDir)).toMatchObject([{ users: 1, courses: 0, students: 0 }]);
    expect(isDemoLoadUnfinished(dataDir)).toBe(false);
  });

  test('OPS-3 a restore takes the place of a demo that is not whole', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'cps-lab-'));
    const store = await openLocalStore(dataDir, { claim: true });
    onTestFinished(() => store.close());
    markDemoLoadBegun(dataDir);
    store.beginRestore('an-archive', '');
    expect(isDemoLoadUnfinished(dataDir)).toBe(false);
  });
});

describe('what the workers say when they cannot start', () => {
  const of = async (thrown: Error) => {
    const failing = withStepName('loading demo data', () => {
      throw thrown;
    });
    return startFailure(await failing.catch((each: unknown) => each), '/d');
  };
  const system = (path: string) => Object.assign(new Error('EACCES'), { code: 'EACCES', path });

  test.each([
    [
      system('/d/v3'),
      'the data folder /d cannot be used: loading demo data: EACCES. First step: see its owner (ls -ld /), and run this as the owner or with sudo',
    ],
    [
      Object.assign(new Error('database or disk is full'), { errcode: 13 }),
      'the data folder /d cannot be used: loading demo data: database or disk is full. First step: make room on it: df -h /',
    ],
    [
      new Error('D1_ERROR: disk I/O error: SQLITE_IOERR'),
      'the data folder /d cannot be used: loading demo data: D1_ERROR: disk I/O error: SQLITE_IOERR. First step: copy what can still be read: dmesg shows the errors, df / the disk',
    ],
    [system('/elsewhere'), 'loading demo data: EACCES'],
    [Object.assign(new Error('no such table'), { errcode: 1 }), 'loading demo data: no such table'],
    [
      new Error('D1_ERROR: UNIQUE constraint failed: SQLITE_CONSTRAINT'),
      'loading demo data: D1_ERROR: UNIQUE constraint failed: SQLITE_CONSTRAINT',
    ],
  ])('OPS-5 %s is told of the folder only where that is at fault', async (error, line) => {
    expect(await of(error)).toEqual({ line, isPassing: false });
  });

  test('OPS-5 a connection to the runtime that broke off is tried again', async () => {
    const error = new TypeError('fetch failed', { cause: new Error('other side closed') });
    const line = 'loading demo data: fetch failed: other side closed';
    expect(await of(error)).toEqual({ line, isPassing: true });
  });
});
