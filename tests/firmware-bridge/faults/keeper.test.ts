import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { seeded } from '../../../local/boards/seeded.ts';
import { shippedKeeper } from '../../support/shipped-bridge.ts';
import { fewOrMany } from '../../support/counts.ts';
import { startBridge, untilConnected } from '../support/bridge.ts';
import { hasMosquitto } from '../support/brokers.ts';
import { start, until, type Started } from '../support/processes.ts';
import {
  printTableAtTheEnd,
  proveNothingLost,
  seeds,
  startPublisher,
  startSystem,
  startSystemOfProcesses,
} from './support.ts';

printTableAtTheEnd();

type Env = Record<string, string>;

/** The keeper as it is deployed, without the variables that can stop a bridge. */
function startKeeper({ BRIDGE_KEY: _key, INGEST_URL: _url, HEALTH_PORT: _port, ...env }: Env): Started {
  const [command, ...args] = shippedKeeper();
  return start(command, args, env);
}

async function untilKeeping(keeper: Started, times = 1): Promise<void> {
  await until('keeping', () => keeper.output().split('"keeping"').length > times);
}

/** Messages that nobody has looked at yet. */
function keptIn(env: Env): number {
  const spool = new DatabaseSync(env['SPOOL_FILE'] ?? '', { readOnly: true, timeout: 5000 });
  const count = Number(spool.prepare('SELECT count(*) AS n FROM kept').get()?.['n']);
  spool.close();
  return count;
}

describe('the keeper', () => {
  test.each(seeds)(
    'OPS-11 FAULT-3 takes the place of a bridge that was killed, outlives kill -9, and gives the place back (seed %d)',
    async (seed) => {
      const system = await startSystemOfProcesses();
      const random = seeded(seed);
      const publisher = await startPublisher(system.broker, random);
      await publisher.publish(20);
      let keeper = startKeeper(system.env);
      await system.bridge.end('SIGKILL');
      for (let kill = 0; kill < fewOrMany(1, 10); kill++) {
        await untilKeeping(keeper);
        const publishing = publisher.publish(60);
        const seen = publisher.acknowledged.size + Math.floor(random() * 60);
        await until('so many acknowledged', () => publisher.acknowledged.size >= seen);
        await keeper.end('SIGKILL');
        keeper = startKeeper(system.env);
        await publishing;
      }
      await untilKeeping(keeper);
      await publisher.publish(5, { inFlight: 1 });
      await until('kept', () => keptIn(system.env) >= 5);
      const bridge = await startBridge(system.env);
      await untilConnected(bridge);
      await publisher.publish(20);
      await proveNothingLost('3 kill -9 of the keeper', seed, system, publisher);
      expect(keptIn(system.env)).toBe(0);
      expect(keeper.output()).toContain('"not_keeping"');
      expect(bridge.output()).not.toContain('broker_lost');
      expect((await bridge.health()).dead_letters).toBe(0);
    },
  );

  test.skipIf(!hasMosquitto)(
    'OPS-11 FAULT-4 what it has kept and not acknowledged is not lost with the broker, and not doubled',
    async () => {
      const system = await startSystem();
      const [seed = 0] = seeds;
      const publisher = await startPublisher(system.broker, seeded(seed), { repeats: 1 });
      const keeper = startKeeper(system.env);
      await system.bridge.end();
      await untilKeeping(keeper);
      let { broker } = system;
      for (let life = 1; life <= fewOrMany(2, 10); life++) {
        await publisher.publish(30, { inFlight: 1 });
        await until('kept', () => keptIn(system.env) >= publisher.acknowledged.size);
        await broker.process.end('SIGKILL');
        broker = await broker.restart();
        await untilKeeping(keeper, life + 1);
      }
      await keeper.end('SIGKILL');
      await startBridge(system.env);
      await proveNothingLost('4 kill -9 of Mosquitto beside the keeper', seed, system, publisher);
    },
  );
});
