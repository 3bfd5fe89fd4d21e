import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  bridgeEnv,
  startBridge,
  startBridgeProcess,
  untilConnected,
  type Bridge,
} from '../support/bridge.ts';
import { connectBoard } from '../support/brokers.ts';
import { fewOrMany } from '../../support/counts.ts';
import { startIngest } from '../support/ingest.ts';
import { error, json } from '../support/ingest-server.ts';
import { until } from '../support/processes.ts';
import { honest, startDoor } from './proxies.ts';
import { canMount, smallDisk } from '../../support/small-disk.ts';
import { anyBroker } from './support.ts';

const MEBIBYTE = 1024 * 1024;
const TOPIC = 'lab/plants/fern/soil_moisture';

const disk = smallDisk(6.5 * MEBIBYTE);

/** The whole system, with the spool on a disk of 6.5 MB and an ingest worker that fails. */
async function startOnSmallDisk() {
  const [ingest, broker] = await Promise.all([startIngest(), anyBroker()]);
  const door = await startDoor(ingest.url);
  const refuse = () =>
    door.meddleWith(async (_request, response) => {
      json(503, error('unavailable'))(response, { path: '', headers: {}, body: Buffer.alloc(0) });
    });
  refuse();
  const folder = mkdtempSync(join(disk, 'own-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const env = bridgeEnv(broker, door.url, folder);
  const bridge = await startBridgeProcess(env);
  await untilConnected(bridge);
  const board = await connectBoard(broker);
  let sent = 0;
  return {
    ingest,
    env,
    folder,
    bridge,
    repair: () => door.meddleWith(honest),
    sent: () => sent,
    /** Publishes one message of so many numbered readings; resolves when the broker has acknowledged it. */
    publish: async (count: number) => {
      const readings = Array.from({ length: count }, (_, n) => ({
        soil_moisture: 512,
        datetime: new Date(Date.UTC(2026, 2, 2) + (sent + n) * 1000).toISOString(),
      }));
      sent += count;
      await board.publishAsync(TOPIC, JSON.stringify(readings), { qos: 1 });
    },
  };
}

/** Fills the disk with a file. */
function fill(folder: string): string {
  const file = join(folder, 'somebody-else');
  const { bavail, bsize } = statfsSync(folder);
  writeFileSync(file, Buffer.alloc(bavail * bsize));
  expect(statfsSync(folder).bavail).toBe(0);
  return file;
}

/** Each takes half a minute, so a short run tests only the first, which has to open its spool again. */
const bridges = ['a bridge that was killed', 'the same bridge', 'a bridge that was stopped'].slice(
  0,
  fewOrMany(1, 3),
);

describe.skipIf(!canMount)(
  `a disk without room${canMount ? '' : ' (skipped: nothing can be mounted here)'}`,
  () => {
    test.each(bridges)(
      'FAULT-10 ING-5 %s empties a spool that has filled its disk, and takes more',
      async (which) => {
        const system = await startOnSmallDisk();
        let bridge: Bridge = system.bridge;
        for (let n = 0; n < 200 && !(await bridge.health()).failures.includes('spool_full'); n++) {
          await system.publish(500);
          await until('taken', async () => {
            const { spool_depth, failures } = await bridge.health();
            return spool_depth === system.sent() || failures.includes('spool_full');
          });
        }
        if (which !== 'the same bridge') {
          await system.bridge.end(which.includes('killed') ? 'SIGKILL' : 'SIGTERM');
          bridge = await startBridge(system.env);
        }
        await until('full', async () => (await bridge.health()).failures.includes('spool_full'));
        expect(await bridge.health()).toMatchObject({
          status: 503,
          broker_connected: false,
          spool_writable: false,
        });
        system.repair();
        await until('all stored', async () => (await system.ingest.count()) === system.sent());
        await until('well again', async () => (await bridge.health()).ok);
        await system.publish(100);
        await until('more stored', async () => (await system.ingest.count()) === system.sent());
      },
    );

    test.each(bridges)(
      'FAULT-10 ING-5 %s delivers what it holds while somebody else fills the disk, and takes more when there is room',
      async (which) => {
        const system = await startOnSmallDisk();
        let bridge: Bridge = system.bridge;
        await system.publish(3000);
        await until('taken', async () => (await bridge.health()).spool_depth === 3000);
        const filler = fill(system.folder);
        if (which !== 'the same bridge') {
          await system.bridge.end(which.includes('killed') ? 'SIGKILL' : 'SIGTERM');
          bridge = await startBridge(system.env);
        }
        await system.publish(15_000);
        await until('full', async () => (await bridge.health()).failures.includes('spool_full'));
        system.repair();
        await until('what it held is stored', async () => (await system.ingest.count()) === 3000);
        expect((await bridge.health()).failures).toContain('spool_full');
        rmSync(filler);
        await until('all stored', async () => (await system.ingest.count()) === system.sent());
        await until('well again', async () => (await bridge.health()).ok);
      },
    );
  },
);
