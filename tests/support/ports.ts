import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

// Ports that the system does not assign itself, and different ports for each test process: so a port stays
// free until its server starts, and while its server is stopped.
const PORTS_OF_A_FILE = 2000;
const first = 12_000 + ((Number(process.env.VITEST_POOL_ID ?? 1) - 1) % 10) * PORTS_OF_A_FILE;
let taken = randomInt(PORTS_OF_A_FILE);

/** Different free ports of 127.0.0.1. */
export async function freePorts(howMany: number): Promise<number[]> {
  const ports: number[] = [];
  while (ports.length < howMany) {
    taken += 1;
    const port = first + (taken % PORTS_OF_A_FILE);
    if (await isFree(port)) ports.push(port);
  }
  return ports;
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
