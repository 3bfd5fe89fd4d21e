import { expect, onTestFinished, test } from 'vitest';
import { rightHome } from '#db/homes';
import { connectedBoard } from '../../local/boards/connect.ts';
import { homesToRun } from '../../local/homes.ts';
import { databasesIn, homeNames, openLocalD1, type DatabaseName } from '../../scripts/local-d1.ts';
import { until } from '../firmware-bridge/support/processes.ts';
import { keepLogsOnFailure, launchStack, startStack } from '../support/stack.ts';

const GROUPS = ['', 'moss-lab', 'reed-lab', 'ivy-lab', 'fern-lab', 'pine-lab'];
const HOMES = homeNames(3);
const right = Object.fromEntries(GROUPS.map((group) => [group, rightHome(group, HOMES)]));

function read(dataDir: string, database: DatabaseName, select: string) {
  const db = openLocalD1(dataDir, { database, readOnly: true });
  try {
    return db.prepare(select).all();
  } finally {
    db.close();
  }
}

function write(dataDir: string, database: DatabaseName, change: string): void {
  const db = openLocalD1(dataDir, { database });
  try {
    db.exec(change);
  } finally {
    db.close();
  }
}

/** The readings of plants that are shown, by their group. */
const stored = (dataDir: string, home: DatabaseName) =>
  read(
    dataDir,
    home,
    'SELECT topic, seq FROM plant_readings JOIN plants ON id = plant_id JOIN plant_states USING (plant_id) ORDER BY 1, 2',
  ).map(({ topic, seq }) => `${String(topic)} ${String(seq)}`);

test(
  'ING-17 FAULT-5 npm start with three databases: boards of six groups go on while their plants are moved, also beside a group that stays closed, and nothing is lost',
  { timeout: 300_000 },
  async () => {
    const settings = { SIMULATOR: 'off', DEMO_DATA: 'off', WATCH_SECONDS: '1' };
    const before = await startStack(settings);
    const { dataDir } = before;
    before.process.kill();
    await before.ended;
    const stack = await startStack({ ...settings, PLANTS_DATABASES: '3', DATA_DIR: dataDir });
    onTestFinished(() => stack.stop());
    keepLogsOnFailure(stack, 'homes');
    const board = await connectedBoard({ MQTT_URL: stack.brokerUrl });
    onTestFinished(() => board.endAsync(true));
    let seq = 0;
    const sent: Record<string, string[]> = {};
    const sendAll = async () => {
      seq += 1;
      for (const group of GROUPS) {
        const plant = group === '' ? 'fern' : `${group}/fern`;
        (sent[right[group] ?? ''] ??= []).push(`${plant} ${seq}`);
        // oxlint-disable-next-line no-await-in-loop -- one board says one thing after another
        await board.publishAsync(
          `lab/${group === '' ? '' : `${group}/`}plants/fern/soil_moisture`,
          JSON.stringify({
            soil_moisture: seq,
            datetime: new Date(Date.now() - 60_000 + seq).toISOString(),
            seq,
          }),
          { qos: 1 },
        );
      }
    };
    await sendAll();
    const isMoved = () => {
      const named = read(dataDir, 'PLANTS_DB', 'SELECT plant_group, home, moving_to FROM plant_homes');
      return (
        named.every(({ moving_to: to }) => to === null) &&
        named.length === GROUPS.filter((group) => right[group] !== 'PLANTS_DB').length
      );
    };
    await until('every group is where it belongs', async () => {
      await sendAll();
      return isMoved();
    });
    await sendAll();
    const isAllIn = (home: DatabaseName) => stored(dataDir, home).length === (sent[home] ?? []).length;
    for (const home of HOMES) await until(`everything is in ${home}`, () => isAllIn(home));
    // As a run leaves it that is killed while it moves the group.
    const closed = 'pine-lab';
    const itsHome = 'PLANTS_DB_2';
    expect(right).toMatchObject({ [closed]: itsHome, 'reed-lab': itsHome });
    write(dataDir, itsHome, `INSERT INTO plant_groups_gone VALUES ('${closed}', ${Date.now()})`);
    const isOfClosed = (reading: string) => reading.startsWith(`${closed}/`);
    const beforeClosing = stored(dataDir, itsHome).filter(isOfClosed);
    await sendAll();
    await sendAll();
    const others = (readings: string[]) => readings.filter((reading) => !isOfClosed(reading)).length;
    for (const home of HOMES)
      await until(
        `the others are in ${home}`,
        () => others(stored(dataDir, home)) === others(sent[home] ?? []),
      );
    expect(stored(dataDir, itsHome).filter(isOfClosed)).toEqual(beforeClosing);
    write(dataDir, itsHome, `DELETE FROM plant_groups_gone WHERE plant_group = '${closed}'`);
    await until('the rest comes after them', () => isAllIn(itsHome));
    for (const home of HOMES) expect(stored(dataDir, home)).toEqual((sent[home] ?? []).toSorted(bySeq));
    expect(new Set(Object.values(right)).size).toBe(3);

    stack.process.kill();
    await stack.ended;
    const fewer = await launchStack({ ...settings, PLANTS_DATABASES: '1', DATA_DIR: dataDir });
    expect(await fewer.ended).not.toBe(0);
    const some = String.raw`(the plants of group ".+"|the laboratory's own plants) are in`;
    expect(fewer.output()).toMatch(
      new RegExp(
        String.raw`\[workers\] wrong settings: PLANTS_DATABASES is too low: ${some} PLANTS_DB_2 \(groups there now: \d\); ${some} PLANTS_DB_3 \(groups there now: \d\): start with PLANTS_DATABASES=3 or more; with PLANTS_DB_EMPTIED=PLANTS_DB_2,PLANTS_DB_3 beside it groups leave for the others\n`,
      ),
    );
    expect(fewer.output()).not.toContain('cannot be used');
    expect(databasesIn(dataDir)).toEqual(['DB', ...HOMES]);
  },
);

test('ING-17 npm start makes as many databases of plants as are asked for or bound in wrangler.toml, the higher of both', () => {
  const bound = ['DB', 'PLANTS_DB', 'PLANTS_DB_2', 'PLANTS_DB_10'];
  expect(homesToRun(1, bound.slice(0, 2))).toBe(1);
  expect(homesToRun(3, bound.slice(0, 2))).toBe(3);
  expect(homesToRun(1, bound.slice(0, 3))).toBe(2);
  expect(homesToRun(3, bound.slice(0, 3))).toBe(3);
  expect(homesToRun(3, bound)).toBe(10);
});

const bySeq = (a: string, b: string) => {
  const [plantA = '', seqA = ''] = a.split(' ');
  const [plantB = '', seqB = ''] = b.split(' ');
  return plantA === plantB ? Number(seqA) - Number(seqB) : plantA < plantB ? -1 : 1;
};
