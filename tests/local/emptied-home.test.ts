import { expect, onTestFinished, test } from 'vitest';
import { rightHome } from '#db/homes';
import { connectedBoard } from '../../local/boards/connect.ts';
import { homeNames, openLocalD1, type DatabaseName } from '../../scripts/local-d1.ts';
import { until } from '../firmware-bridge/support/processes.ts';
import { launchStack, startStack, type Stack } from '../support/stack.ts';

const settings = { SIMULATOR: 'off', DEMO_DATA: 'off', WATCH_SECONDS: '1' };
const GROUP = 'ivy-lab';

test(
  'ING-17 npm start with fewer databases is refused, with the way, until the last one is emptied',
  { timeout: 300_000 },
  async () => {
    const first = await startStack({ ...settings, PLANTS_DATABASES: '3' });
    const { dataDir } = first;
    const ofThis = { ...settings, DATA_DIR: dataDir };
    const sql = (database: DatabaseName, statement: string) => {
      const db = openLocalD1(dataDir, { database });
      try {
        return db.prepare(statement).all();
      } finally {
        db.close();
      }
    };
    const end = async (stack: Stack) => {
      stack.process.kill();
      await stack.ended;
    };
    const refusal = async (env: Record<string, string>) => {
      const stack = await launchStack({ ...ofThis, ...env });
      expect(await stack.ended).not.toBe(0);
      return stack.output();
    };
    let seq = 0;
    /** One more reading, until all that were sent are in that database. */
    const send = async (stack: Stack, home: DatabaseName) => {
      const board = await connectedBoard({ MQTT_URL: stack.brokerUrl });
      seq += 1;
      const datetime = new Date(Date.now() - 60_000 + seq).toISOString();
      await board.publishAsync(
        `lab/${GROUP}/plants/fern/soil_moisture`,
        JSON.stringify({ soil_moisture: seq, datetime, seq }),
        { qos: 1 },
      );
      await board.endAsync();
      const stored = 'SELECT seq FROM plant_readings JOIN plant_states USING (plant_id) ORDER BY 1';
      await until(`everything is in ${home}`, () => sql(home, stored).length === seq);
      expect(sql(home, stored)).toEqual(Array.from({ length: seq }, (_, at) => ({ seq: at + 1 })));
    };
    await end(first);
    expect(rightHome(GROUP, homeNames(3))).toBe('PLANTS_DB_3');
    sql('PLANTS_DB', `INSERT INTO plant_homes (plant_group, home) VALUES ('${GROUP}', 'PLANTS_DB_3')`);

    const three = await startStack({ ...ofThis, PLANTS_DATABASES: '3' });
    onTestFinished(() => three.stop());
    await send(three, 'PLANTS_DB_3');
    await end(three);
    expect(await refusal({ PLANTS_DATABASES: '2' })).toContain(
      `[workers] wrong settings: PLANTS_DATABASES is too low: the plants of group "${GROUP}" are in PLANTS_DB_3 (groups there now: 1): start with PLANTS_DATABASES=3 or more; with PLANTS_DB_EMPTIED=PLANTS_DB_3 beside it groups leave for the others\n`,
    );
    expect(await refusal({ PLANTS_DATABASES: '2', PLANTS_DB_EMPTIED: 'PLANTS_DB_3' })).toContain(
      '[workers] wrong settings: PLANTS_DB_EMPTIED names PLANTS_DB_3, which is not there: a name goes out of PLANTS_DB_EMPTIED once that database is away, or start with PLANTS_DATABASES=3 or more\n',
    );

    const emptying = await startStack({ ...ofThis, PLANTS_DATABASES: '3', PLANTS_DB_EMPTIED: 'PLANTS_DB_3' });
    onTestFinished(() => emptying.stop());
    const there = 'PLANTS_DB';
    expect(rightHome(GROUP, homeNames(2))).toBe(there);
    await until('the group has left', () =>
      sql('PLANTS_DB', 'SELECT home FROM plant_homes').every(({ home }) => home === there),
    );
    await emptying.untilPrinted(/"emptying":{"PLANTS_DB_3":0}/);
    await send(emptying, there);
    await end(emptying);

    sql(
      'PLANTS_DB_3',
      "INSERT INTO plant_log (at, address, action, subject, detail) VALUES (1, 'operator', 'change', 'plant', '{}')",
    );
    expect(await refusal({ PLANTS_DATABASES: '2' })).toContain(
      'PLANTS_DB_3 still has lines for the access log (1) or plants that have just left (0), which takes five minutes while it is bound: start with PLANTS_DATABASES=3 or more\n',
    );
    sql('PLANTS_DB_3', 'DELETE FROM plant_log');
    const two = await startStack({ ...ofThis, PLANTS_DATABASES: '2' });
    onTestFinished(() => two.stop());
    await send(two, there);
  },
);
