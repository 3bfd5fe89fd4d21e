import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { connectBoardAndWait } from '../../../local/boards/publisher.ts';
import { BRIDGE, launchIngest } from '../../support/ingest-worker.ts';
import { folder, launchBridge, placeShipped, until, type BenchBroker } from '../ingest/parts.ts';

const BOARDS = 20;
/** Nobody listens there. */
export const NOWHERE = 'http://127.0.0.1:9';

export type Lab = {
  broker: BenchBroker;
  /** Where broker and bridge keep what they have. */
  disk: string;
  /** One reading of the next board; resolves when the broker has acknowledged it. */
  publish: () => Promise<void>;
  stop: () => Promise<void>;
};

/** A laboratory that has been at work: its boards are plants, and Home Assistant is told of them. Its bridge is away. */
export async function launchLab(): Promise<Lab> {
  const { DISK_FOLDER: onDisk } = process.env;
  const disk = onDisk === undefined ? folder() : mkdtempSync(join(onDisk, 'bench-disk-'));
  const { as, restart } = await placeShipped(disk);
  const forBridge = { ...as(`cps-bridge-${BRIDGE.id}`, 'bridge', BRIDGE.id), HEARTBEAT_SECONDS: '1' };
  const names = Array.from({ length: BOARDS }, (_, n) => `board-${n + 1}`);
  const access = names.map((name) => as(name, 'add', name));
  const broker: BenchBroker = { part: await restart(), restart, forBridge, forBoard: {} };
  const boards = await Promise.all(access.map((board) => connectBoardAndWait(board, { protocolVersion: 5 })));
  for (const [n, board] of boards.entries()) {
    const topic = `lab/plants/${names[n]}/availability`;
    await board.publishAsync(topic, 'online', { qos: 1, retain: true });
  }
  let seq = 0;
  const publish = async () => {
    const board = seq % BOARDS;
    const datetime = new Date(Date.UTC(2026, 2, 2) + seq * 3000).toISOString();
    const payload = JSON.stringify({ soil_moisture: 500 + (seq % 100), datetime, seq });
    seq += 1;
    await boards[board]?.publishAsync(`lab/plants/${names[board]}/soil_moisture`, payload, { qos: 1 });
  };

  const ingest = await launchIngest(folder());
  const bridge = await launchBridge(broker, ingest.url, disk);
  for (let n = 0; n < BOARDS; n++) await publish();
  await until('Home Assistant is told of all', () =>
    bridge.output().includes(`"announced":${BOARDS}`) ? true : undefined,
  );
  await bridge.end();
  await ingest.stop();
  return {
    broker: { ...broker, forBridge: { ...forBridge, HEARTBEAT_SECONDS: '30' } },
    disk,
    publish,
    stop: async () => {
      await Promise.all(boards.map((board) => board.endAsync()));
      await broker.part.end();
    },
  };
}

/** The highest id of a reading that the spool has had. */
export function newestIn({ disk }: Lab) {
  const db = new DatabaseSync(join(disk, 'spool.sqlite'), { readOnly: true });
  const newest = db.prepare("SELECT seq AS id FROM sqlite_sequence WHERE name = 'readings'");
  return { id: () => Number(newest.get()?.['id'] ?? 0), close: () => db.close() };
}
