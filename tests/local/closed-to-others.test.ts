import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { connectAsync } from 'mqtt';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { openBroker } from '../../local/broker.ts';
import { prepareLanBoards } from '../../local/lan.ts';
import { claimDataDir, releaseDataDir } from '../../scripts/database/data-dir.ts';
import { freePorts } from '../support/ports.ts';

const place = mkdtempSync(join(tmpdir(), 'cps-lab-closed-'));
afterAll(() => rmSync(place, { recursive: true }));

test.each([
  ['that is made', undefined, 0o700],
  ['of a version that left it open', 'v3', 0o700],
  ['that is no data folder yet, and somebody else’s perhaps,', 'other', 0o755],
])('SEC-107 a data folder %s is its owner’s alone, or stays as it is', async (_, inside, mode) => {
  const dataDir = join(place, inside ?? 'new');
  if (inside !== undefined) {
    mkdirSync(join(dataDir, inside), { recursive: true });
    chmodSync(dataDir, 0o755);
  }
  await claimDataDir(dataDir);
  releaseDataDir(dataDir);
  expect(statSync(dataDir).mode & 0o777).toBe(mode);
});

/** Resolves when the socket is closed, or with one of these events. */
const end = (socket: TLSSocket, ...events: string[]) =>
  new Promise((resolve) => ['close', ...events].forEach((event) => socket.once(event, resolve)));

test('SEC-108 who says no name takes no memory of the broker of the network and no place of a board', async () => {
  const [port = 0] = await freePorts(1);
  const folder = join(place, 'lan');
  prepareLanBoards({ address: '127.0.0.1', port, folder, plants: ['fern'] });
  const told: string[] = [];
  const broker = await openBroker(0, (event, reason) => void told.push(`${event} ${reason}`), {
    port,
    folder,
  });
  onTestFinished(broker.close);
  const ca = readFileSync(join(folder, 'ca.crt'), 'utf8');
  const stranger = async () => {
    const socket = connect({ host: '127.0.0.1', port, ca });
    socket.on('error', () => undefined);
    await end(socket, 'secureConnect');
    return socket;
  };

  const greedy = await stranger();
  const ended = end(greedy);
  // The header of a CONNECT packet of 120 MB.
  greedy.write(Buffer.from([0x10, 0x80, 0x9c, 0x9c, 0x39]));
  greedy.write(Buffer.alloc(64 * 1024));
  await ended;
  expect(told.join()).toContain('too much was sent before the sign-in');

  const many = await Promise.all(Array.from({ length: 40 }, stranger));
  expect(many.filter(({ destroyed }) => !destroyed)).toHaveLength(32);
  for (const socket of many) socket.destroy();
  const password = readFileSync(join(folder, 'plant-fern/password'), 'utf8').trim();
  await expect
    .poll(async () => {
      const board = await connectAsync(`mqtts://127.0.0.1:${port}`, {
        ca,
        username: 'fern',
        password,
        reconnectPeriod: 0,
      });
      await board.publishAsync('lab/plants/fern/soil_moisture', 'x'.repeat(100_000), { qos: 1 });
      await board.endAsync();
      return 'taken';
    })
    .toBe('taken');
});
