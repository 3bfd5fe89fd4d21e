import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectAsync, type IClientOptions } from 'mqtt';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { lanBoardInstructions, lanAddresses, parseLanArguments, prepareLanBoards } from '../../local/lan.ts';
import { readSettings } from '../../local/settings.ts';
import { isPasswordOf, setMosquittoPassword } from '../../firmware-bridge/src/commands/mosquitto-users.ts';
import { freePorts } from '../support/ports.ts';
import { credential, login } from '../support/sign-in.ts';
import { portsOf } from '../support/stack-processes.ts';
import { startStack, type Stack } from '../support/stack.ts';

const place = mkdtempSync(join(tmpdir(), 'cps-lab-lan-'));
afterAll(() => rmSync(place, { recursive: true }));
const [address] = lanAddresses();

const settings = (address: string) =>
  readSettings({ DATA_DIR: join(place, 'data'), BOARDS_MQTT_URL: `mqtts://${address}:8883` });

test('OPS-16 of several networks the one that boards are in is named first, and never loopback', () => {
  const of = (address: string, internal = false) => [
    { address, internal, family: 'IPv4' as const, netmask: '', mac: '', cidr: null },
  ];
  const interfaces = { lo: of('127.0.0.1', true), docker0: of('172.17.0.1'), eth0: of('203.0.113.7') };
  expect(lanAddresses({ ...interfaces, wlan0: of('192.168.0.5') })).toEqual([
    '192.168.0.5',
    '203.0.113.7',
    '172.17.0.1',
  ]);
});

test('OPS-16 passwords and what somebody wrote into the files stay from start to start; another address is told to all boards', () => {
  const begin = parseLanArguments(['--lan', 'basil'], settings('192.168.0.5'));
  if (begin === undefined) throw new Error('--lan was passed over');
  expect(prepareLanBoards(begin)).toBe(false);
  const file = join(begin.folder, 'plant-basil/micropython/settings.py');
  const wifi = readFileSync(file, 'utf8').replace('WIFI_NAME = ""', 'WIFI_NAME = "lab"');
  const password = readFileSync(join(begin.folder, 'plant-basil/password'), 'utf8').trim();
  expect(wifi).toContain(`PASSWORD = "${password}"`);
  rmSync(file);
  prepareLanBoards(begin);
  // A second start knows the first board, and adds a new one.
  const again = parseLanArguments(['--lan', 'mint'], settings('192.168.0.9'));
  expect(again?.plants).toEqual(['basil', 'mint']);
  if (again === undefined) return;
  expect(prepareLanBoards(again)).toBe(true);
  const told = readFileSync(file, 'utf8');
  expect(told).toContain('BROKER = "192.168.0.9"');
  expect(told).toContain(`PASSWORD = "${password}"`);
  const certificate = new X509Certificate(readFileSync(join(begin.folder, 'ca.crt')));
  expect(certificate.checkIP('192.168.0.9')).toBe('192.168.0.9');
  expect(certificate.verify(certificate.publicKey)).toBe(true);
  expect(Date.parse(certificate.validFrom)).toBeLessThan(Date.now() - 23 * 3_600_000);
  expect(prepareLanBoards(again)).toBe(false);
  // A board that was made in the browser keeps its password, which is unknown here.
  const passwords = join(begin.folder, 'passwords');
  setMosquittoPassword(passwords, 'fern', 'of the browser');
  const later = parseLanArguments(['--lan'], settings('192.168.0.9'));
  expect(later?.plants).toEqual(['basil', 'mint']);
  expect(later && prepareLanBoards(later)).toBe(false);
  expect(isPasswordOf(passwords, 'fern', 'of the browser')).toBe(true);
  // A board that got a new password in the browser keeps it, even if its plant is given again.
  setMosquittoPassword(passwords, 'basil', 'anew');
  const anew = parseLanArguments(['--lan', 'basil'], settings('192.168.0.9'));
  expect(anew?.plants).toEqual(['mint']);
  expect(anew && prepareLanBoards(anew)).toBe(false);
  expect(isPasswordOf(passwords, 'basil', 'anew')).toBe(true);
  // A password that was cut off is replaced.
  writeFileSync(join(begin.folder, 'plant-mint/password'), '');
  expect(prepareLanBoards(again)).toBe(true);
  const mint = () => readFileSync(join(begin.folder, 'plant-mint/password'), 'utf8').trim();
  const former = mint();
  expect(former).toHaveLength(32);
  // A revoked password does not become valid again.
  setMosquittoPassword(passwords, 'mint', null);
  prepareLanBoards({ ...begin, plants: ['mint'] });
  expect(isPasswordOf(passwords, 'mint', former)).toBe(false);
  expect(isPasswordOf(passwords, 'mint', mint())).toBe(true);
  for (const secret of [
    'broker.pem',
    'passwords',
    'plant-mint/password',
    'plant-mint/esphome/plant-mint.yaml',
  ])
    expect(statSync(join(begin.folder, secret)).mode & 0o077, secret).toBe(0);
});

test.each([
  [['--lan', 'a:b'], {}, /colon/],
  [['--lan'], { MQTT_URL: 'mqtt://127.0.0.1:1' }, /leave MQTT_URL out/],
])('OPS-16 %j is refused by what is wrong with it', (words, env, problem) => {
  expect(() => parseLanArguments(words, readSettings(env))).toThrow(problem);
});

describe.skipIf(address === undefined)('npm start -- --lan, over the address of this machine', () => {
  let stack: Stack;
  let typed: { host: string; port: number; ca: Buffer; username: string; password: string; topic: string };

  beforeAll(async () => {
    const [port] = await freePorts(1);
    const env = {
      DEMO_DATA: 'off',
      SIMULATOR: 'off',
      BOARDS_MQTT_URL: `mqtts://${address}:${port}`,
    };
    stack = await startStack(env, [process.execPath, 'local/start.ts', '--lan', 'rosemary']);
    // Uses the printed command.
    const [, host = '', at, ca = '', username = '', file = '', topic = ''] =
      /mosquitto_pub -h (\S+) -p (\d+) --cafile (\S+) -u (\S+) -P "\$\(cat (\S+)\)" -q 1 -t (\S+) -m '\{"soil_moisture":512\}'/.exec(
        stack.output(),
      ) ?? [];
    const password = readFileSync(file, 'utf8').trim();
    typed = { host, port: Number(at), ca: readFileSync(ca), username, password, topic };
  });
  afterAll(() => stack.stop());

  const connected = (options: IClientOptions = {}) =>
    connectAsync({ protocol: 'mqtts', protocolVersion: 4, reconnectPeriod: 0, ...typed, ...options });

  const listed = async () => {
    const { cookie } = await login(stack.origin, await credential(stack.origin, 'admin@lab.test'));
    const answer = await fetch(`${stack.origin}/api/plants`, { headers: { cookie } });
    return await answer.json();
  };

  test('OPS-16 the board that was made is in the chart with the reading that it publishes', async () => {
    const board = await connected();
    await board.publishAsync(typed.topic, '{"soil_moisture":512}', { qos: 1 });
    await board.endAsync();
    const reading = expect.objectContaining({ plant: 'rosemary', soil_moisture: 512 });
    await vi.waitFor(async () => expect(await listed()).toEqual([reading]), 60_000);
    expect(stack.output()).toContain(`${stack.dataDir}/lan/plant-rosemary/{micropython,arduino,esphome}`);
  });

  test.each([
    ['no password', { username: 'rosemary', password: '' }],
    ['no name', { username: '', password: '' }],
    ['a wrong password', { password: 'x'.repeat(32) }],
    ["another board's name", { username: 'basil' }],
  ])('OPS-16 who comes with %s is refused', async (_, options) => {
    await expect(connected(options)).rejects.toThrow(/not authorized/i);
  });

  test.each([
    'lab/plants/basil/soil_moisture',
    'lab/plants/rosemary/other',
    'lab/bridges/local/availability',
  ])('OPS-16 a board that publishes to %s is disconnected, and nothing comes of it', async (topic) => {
    const board = await connected();
    await new Promise<void>((resolve) => {
      board.once('close', resolve).publish(topic, '{"soil_moisture":1}', { qos: 1 });
    });
    expect(JSON.stringify(await listed())).not.toMatch(/basil|"soil_moisture":1\b/);
  });

  test('OPS-16 a board reads nothing, and does not end the bridge by its name', async () => {
    const board = await connected({ clientId: 'cps-bridge-local' });
    await expect(board.subscribeAsync('#')).rejects.toThrow(/subscribe|unspecified/i);
    await board.endAsync(true);
    const health = await fetch(`${stack.origin}/api/health`);
    expect(await health.json()).toMatchObject({ parts: { bridge: true, broker: true } });
  });

  test('OPS-16 nothing but the broker for boards answers over that address', async () => {
    const ports = new Set(portsOf(stack));
    expect(ports).toContain(typed.port);
    const open = [];
    for (const port of ports) {
      const answers = await new Promise((resolve) => {
        const socket = connect(port, address);
        socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
        socket.on('connect', () => socket.destroy());
      });
      if (answers === true) open.push(port);
    }
    expect(open).toEqual([typed.port]);
  });
});

test('OPS-16 what is printed of a board is quoted for a shell', () => {
  const lan = { address: '192.168.0.5', port: 8883, folder: "/it's", plants: ['한 그루'] };
  expect(lanBoardInstructions(lan).join('\n')).toContain(`-u '한 그루' -P "$(cat '/it'\\''s/plant-`);
});
