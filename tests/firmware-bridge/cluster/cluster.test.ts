import { describe, expect, test } from 'vitest';
import { seeded } from '../../../local/boards/seeded.ts';
import { fewOrMany, isFull } from '../../support/counts.ts';
import { bridgeEnv, startBridge, untilConnected } from '../support/bridge.ts';
import { startIngest } from '../support/ingest.ts';
import { freshFolder, until } from '../support/processes.ts';
import { printTableAtTheEnd, proveNothingLost, startPublisher } from '../faults/support.ts';
import { hasRabbitmq, startCluster } from './rabbitmq.ts';

printTableAtTheEnd();

// Three nodes weigh some 400 MB and are installed by hand: apt-get install rabbitmq-server.
describe.runIf(isFull && hasRabbitmq)('a cluster of three brokers', { timeout: 600_000 }, () => {
  test('ING-15 FAULT-4 ING-3 each node is killed once while boards publish: nothing acknowledged is lost, nothing is double', async () => {
    const [ingest, cluster] = await Promise.all([startIngest(), startCluster()]);
    const { front } = cluster;
    const env = bridgeEnv(front, ingest.url, freshFolder());
    const bridge = await startBridge(env);
    await untilConnected(bridge);
    const publisher = await startPublisher(front, seeded(20_261_121), { repeats: 1 });
    const count = fewOrMany(300, 3000);
    await publisher.publish(count);
    for (const node of [0, 1, 2]) {
      const published = publisher.publish(count, { aSecond: 300 });
      await until('under way', () => publisher.acknowledged.size > (node + 1.3) * count);
      await cluster.kill(node);
      await published;
      await cluster.revive(node);
      await until('connected again', async () => (await bridge.health()).broker_connected);
    }
    await proveNothingLost('4 nodes of a cluster are killed', 20_261_121, { ingest, env }, publisher);
    expect(publisher.acknowledged.size).toBe(4 * count);
  });
});
