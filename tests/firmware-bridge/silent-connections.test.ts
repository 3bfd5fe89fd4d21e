import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { boardCommand } from '../../firmware-bridge/src/commands/board-command.ts';
import { connectAs, startSecureBroker } from './support/secure-broker.ts';
import { hasMosquitto, passwordIn } from './support/shipped-mosquitto.ts';

const setting = (file: string, form: RegExp) =>
  Number(form.exec(readFileSync(`firmware-bridge/${file}`, 'utf8'))?.[1]);
/** systemd's default for the maximum number of open files of a service. */
const SYSTEMD = 1024;

test.skipIf(!hasMosquitto || !existsSync('/usr/bin/prlimit'))(
  'SEC-101 1,015 connections that say nothing leave the shipped broker reachable for a board',
  async () => {
    const broker = await startSecureBroker();
    const files = setting('debian/mosquitto.service.conf', /^LimitNOFILE=(\d+)$/m) || SYSTEMD;
    const pid = readFileSync(broker.env['MOSQUITTO_PID_FILE'] ?? '', 'utf8').trim();
    expect(spawnSync('prlimit', ['--pid', pid, `--nofile=${files}:${files}`]).status).toBe(0);
    const { hostname, port } = new URL(broker.url);
    const silent: Socket[] = [];
    onTestFinished(() => silent.forEach((socket) => socket.destroy()));
    for (let count = 0; count < 1015; count += 1) {
      const socket = connect(Number(port), hostname).on('error', () => undefined);
      silent.push(socket);
      await once(socket, 'connect');
    }
    const password = passwordIn(boardCommand(['add', 'fern'], broker.env).text);
    const board = await connectAs(broker, 'fern', password, { connectTimeout: 5000 });
    await board.publishAsync('lab/plants/fern/soil_moisture', '{"soil_moisture":512}', { qos: 1 });
    expect(board.connected).toBe(true);
  },
);

test('SEC-101 the broker may open a file for every connection that it takes, and its own', () => {
  const connections = setting(
    'mosquitto/mosquitto.conf',
    /^tls_version .*\n(?:#.*\n)*max_connections (\d+)$/m,
  );
  expect(connections).toBeGreaterThan(1015 + 1000);
  expect(setting('debian/mosquitto.service.conf', /^LimitNOFILE=(\d+)$/m)).toBeGreaterThan(connections + 200);
  expect(setting('mosquitto/connections.nft', /ip saddr ct count over (\d+)/)).toBe(32);
});
