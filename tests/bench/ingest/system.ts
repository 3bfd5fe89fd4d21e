import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { launchIngest, type Ingest } from '../../support/ingest-worker.ts';
import { counted, counting, folder, launchBridge, launchMosquitto, type BenchBroker } from './parts.ts';

export type System = {
  ingest: Ingest;
  broker: BenchBroker;
  spool: string;
  d1: DatabaseSync;
  stop: () => Promise<void>;
};

/** Broker, bridge and ingest worker, each a process of its own. */
export async function startSystem() {
  const ingest = await launchIngest(folder());
  const broker = await launchMosquitto();
  const spool = folder();
  const d1 = ingest.openFile({ readOnly: true });
  const system: System = {
    ingest,
    broker,
    spool,
    d1,
    stop: async () => {
      d1.close();
      await broker.part.end();
      await ingest.stop();
    },
  };
  return { ...system, bridge: await launchBridge(broker, ingest.url, spool) };
}

/** Waits until everything is stored, or nothing more comes. */
export async function settled(system: System, count: number): Promise<void> {
  const stored = counting(system.d1);
  let last = -1;
  let still = 0;
  while (counted(stored) < count && still < 600) {
    const now = counted(stored);
    still = now === last ? still + 1 : 0;
    last = now;
    await wait(50);
  }
}
