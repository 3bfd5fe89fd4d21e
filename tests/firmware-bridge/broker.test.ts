import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { brokers, connectBoard } from './support/brokers.ts';
import { loggedPort, start } from './support/processes.ts';

/** Sends bytes on a new connection and waits until the broker closes the connection. */
async function sendBytes(port: number, bytes: number[]): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve).once('error', reject);
  });
  await new Promise<void>((resolve) => {
    socket.end(Buffer.from(bytes), resolve);
  });
  socket.destroy();
}

const CONNECT = [0x10, 15, 0, 4, 0x4d, 0x51, 0x54, 0x54, 4, 2, 0, 60, 0, 3, 0x61, 0x62, 0x63];

test('the embedded broker lives through clients that break off, speak nonsense or acknowledge nothing', async () => {
  const broker = start(process.execPath, ['local/broker.ts', '0']);
  const port = await loggedPort(broker, 'port');
  await sendBytes(port, []);
  await sendBytes(port, [0x47, 0x45, 0x54, 0x20, 0x2f]);
  await sendBytes(port, [...CONNECT, 0x40, 2, 0, 7]);
  await sendBytes(port, [...CONNECT, 0x62, 2, 0, 7]);
  await sendBytes(port, [...CONNECT, 0x82, 0xff, 0xff, 0xff, 0xff]);
  await sendBytes(port, CONNECT.slice(0, 9));

  const board = await connectBoard({ url: `mqtt://127.0.0.1:${port}` });
  await board.publishAsync('lab/plants/fern/soil_moisture', '512', { qos: 1 });
  expect(broker.child.exitCode).toBeNull();
});

test('the embedded broker says in one line that its port is taken, and ends with 78', async () => {
  const { url } = await brokers.embedded();
  const { port } = new URL(url);
  const second = start(process.execPath, ['local/broker.ts', port], {});
  expect(await second.ended).toBe(78);
  expect(second.output().trim().split('\n')).toEqual([expect.stringContaining(`MQTT_PORT ${port}`)]);
});

test('the embedded broker leaves SIGINT to its parent and ends with it', async () => {
  const started = start(process.execPath, ['local/broker.ts', '0'], {}, { ipc: true });
  await new Promise((resolve) => {
    started.child.once('message', resolve);
  });
  started.child.kill('SIGINT');
  expect(started.child.exitCode).toBeNull();
  started.child.disconnect();
  expect(await started.ended).toBe(0);
});
