import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import * as z from 'zod';
import { setRights } from '../../../firmware-bridge/src/rights.ts';
import { homeNames, localD1File, openLocalD1 } from '../../../scripts/local-d1.ts';
import { freePorts } from '../../support/ports.ts';
import { killTree } from '../../support/process-tree.ts';
import { folder, launch, launchBridge, placeShipped, until, type Part } from '../ingest/parts.ts';
import { bundled } from './bundle.ts';

const BRIDGES = 4;
/** As systemd's RestartSec of the bridge. */
const AWAY_MS = 2000;

type Size = { groups: number; boards: number; homes: number; hasQueue: boolean; isShared: boolean };

export type Campus = {
  plants: string[];
  /** How the boards of each group reach the broker, for boards.ts. */
  accessFile: string;
  d1: DatabaseSync;
  ingestUrl: string;
  /** Each running part by its name. */
  parts: Record<string, Part>;
  /** Ends the part and all that it started with SIGKILL, and starts it again on its own disk after two seconds. */
  kill: (name: string) => Promise<void>;
  /** How many readings the bridges have refused, by their health. */
  refusedByBridges: () => Promise<number>;
  stop: () => Promise<void>;
};

async function launchReady(args: (string | number)[]): Promise<Part> {
  const part = launch(process.execPath, ['--disable-warning=ExperimentalWarning', ...args.map(String)]);
  await until(`${args[0]} is ready`, () => {
    if (part.child.exitCode !== null) throw new Error(part.output());
    return part.output().includes('ready') ? true : undefined;
  });
  return part;
}

const healthSchema = z.object({ dead_letter_readings: z.int() });

async function refusedBy(bridge: Part | undefined): Promise<number> {
  const port = /"health_port":([0-9]+)/.exec(bridge?.output() ?? '')?.[1];
  const answer = await fetch(`http://127.0.0.1:${port}/health`);
  return healthSchema.parse(await answer.json()).dead_letter_readings;
}

/** PLANTS_DB, with the plants and readings of all homes in the place of its own; what has left a home is not among them. */
function openHomes(disk: string, homes: number): DatabaseSync {
  const d1 = openLocalD1(disk, { database: 'PLANTS_DB', readOnly: true });
  if (homes === 1) return d1;
  const schemas = homeNames(homes).map((name, at) => {
    if (at > 0) d1.prepare(`ATTACH ? AS ${name}`).run(localD1File(disk, name));
    return at === 0 ? 'main' : name;
  });
  for (const [table, plant] of [
    ['plants', 'id'],
    ['plant_readings', 'plant_id'],
  ]) {
    const parts = schemas.map(
      (schema) => `SELECT one.* FROM ${schema}.plant_states AS state CROSS JOIN ${schema}.${table} AS one
        ON one.${plant} = state.plant_id`,
    );
    d1.exec(`CREATE TEMP VIEW ${table} AS ${parts.join(' UNION ALL ')}`);
  }
  return d1;
}

/**
 * Bridges, ingest worker and queue, each a process of its own. Either each bridge has a broker of its own with its share of the
 * groups, or all share the messages of one broker.
 */
export async function openCampus({ groups, boards, homes, hasQueue, isShared }: Size): Promise<Campus> {
  const disk = folder();
  const brokers = await Promise.all(
    Array.from({ length: isShared ? 1 : BRIDGES }, () => placeShipped(folder())),
  );
  const brokerOf = (at: number) => {
    const broker = brokers[at % brokers.length];
    if (broker === undefined) throw new Error('there is no broker');
    return broker;
  };
  const [ingestPort = 0, queuePort = 0] = await freePorts(2);
  const ingestUrl = `http://127.0.0.1:${ingestPort}`;
  const queueUrl = hasQueue ? `http://127.0.0.1:${queuePort}` : '';

  const script = join(disk, 'ingest.json');
  writeFileSync(script, JSON.stringify(await bundled('tests/bench/university/behind-queue.ts')));

  const each = Math.ceil(boards / groups);
  const access = Array.from({ length: groups }, (_, group) => {
    const broker = brokerOf(group);
    const user = `group-${group + 1}`;
    const own = broker.as(user, 'add', user);
    setRights(broker.aclFile, user, [`topic write lab/${user}/plants/+/soil_moisture`]);
    return { access: own, plants: Array.from({ length: each }, (_, at) => `${user}/board-${at + 1}`) };
  });
  const accessFile = join(disk, 'access.json');
  writeFileSync(accessFile, JSON.stringify(access));

  const keys: Record<string, string> = {};
  const bridges: Record<string, () => Promise<Part>> = {};
  for (let at = 0; at < BRIDGES; at++) {
    const id = `bridge-${at + 1}`;
    const key = randomBytes(32).toString('hex');
    const forBridge = brokerOf(at).as(`cps-bridge-${id}`, 'bridge', id, '--group', '+');
    const spool = folder();
    keys[id] = key;
    const env = {
      BRIDGE_ID: id,
      BRIDGE_KEY: key,
      PLANT_GROUP: '+',
      HOME_ASSISTANT: 'off',
      ...(isShared && { MQTT_SHARED_GROUP: 'shared-by-the-university' }),
    };
    bridges[id] = () => launchBridge({ forBridge }, ingestUrl, spool, env);
  }
  const here = 'tests/bench/university';
  const starts: Record<string, () => Promise<Part>> = {
    ...(hasQueue && {
      queue: () =>
        launchReady([`${here}/queue.ts`, join(disk, 'queue.sqlite'), queuePort, `${ingestUrl}/deliver`]),
    }),
    'ingest worker': () =>
      launchReady([`${here}/ingest.ts`, script, disk, ingestPort, queueUrl, JSON.stringify(keys), homes]),
    ...Object.fromEntries(brokers.map(({ restart }, at) => [`broker-${at + 1}`, restart])),
    ...bridges,
  };
  const parts: Record<string, Part> = {};
  for (const [name, start] of Object.entries(starts)) parts[name] = await start();
  const d1 = openHomes(disk, homes);

  return {
    plants: access.flatMap(({ plants }) => plants),
    accessFile,
    d1,
    ingestUrl,
    parts,
    kill: async (name) => {
      const part = parts[name];
      const start = starts[name];
      if (part?.child.pid === undefined || start === undefined) throw new Error(`there is no ${name}`);
      killTree(part.child.pid);
      await part.end();
      await wait(AWAY_MS);
      parts[name] = await start();
    },
    refusedByBridges: async () => {
      const refused = Object.keys(bridges).map((id) => refusedBy(parts[id]));
      return (await Promise.all(refused)).reduce((sum, one) => sum + one, 0);
    },
    stop: async () => {
      d1.close();
      for (const part of Object.values(parts).toReversed()) await part.end();
    },
  };
}
