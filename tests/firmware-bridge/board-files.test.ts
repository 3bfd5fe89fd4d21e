import { loadMicroPython } from '@micropython/micropython-webassembly-pyscript';
import { spawnSync } from 'node:child_process';
import * as fc from 'fast-check';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { boardCommand } from '../../firmware-bridge/src/commands/board-command.ts';
import { boardHostName } from '../../firmware-bridge/src/commands/board-files.ts';
import { propertyRuns, shareOrAll } from '../support/counts.ts';
import { shippedBridge } from '../support/shipped-bridge.ts';
import { CXX } from '../firmware/arduino/sketch.ts';
import { CLEAN_ENV, freshFolder } from './support/processes.ts';
import { connectAs, startSecureBroker } from './support/secure-broker.ts';
import { hasMosquitto, placeCertificate } from './support/shipped-mosquitto.ts';

const ADDRESS = 'mqtts://broker.hanbit.example';
const OWN = { micropython: 'settings.py', arduino: 'board/settings.h' };

/** A folder with the broker's certificate and the variables of the command. */
function place(changes: Record<string, string | undefined> = {}) {
  const folder = freshFolder();
  placeCertificate(folder);
  writeFileSync(join(folder, 'acl'), '');
  const env = {
    MOSQUITTO_PASSWORD_FILE: join(folder, 'passwords'),
    MOSQUITTO_ACL_FILE: join(folder, 'acl'),
    MOSQUITTO_PID_FILE: '/nowhere',
    MQTT_URL: ADDRESS,
    MQTT_CA_FILE: join(folder, 'server.crt'),
    ...changes,
  };
  return { folder, env, certificate: readFileSync(join(folder, 'server.crt'), 'utf8').trim() };
}

type Values = { plant: string; password: string; broker: string; port: number; ca: string };

/** The values that MicroPython reads from a settings.py. */
async function asMicroPython(text: string): Promise<Values> {
  const lines: string[] = [];
  const python = await loadMicroPython({ stdout: (line) => void lines.push(line) });
  python.FS.writeFile('/settings.py', text);
  await python.runPythonAsync(`
import json
from settings import *
print(json.dumps(dict(plant=PLANT, password=PASSWORD, broker=BROKER, port=BROKER_PORT, ca=CA.strip())))
`);
  return JSON.parse(lines.join('\n'));
}

/** The values that a C++ compiler reads from a settings.h. */
function asCxx(text: string): Values {
  const folder = freshFolder();
  writeFileSync(join(folder, 'settings.h'), text);
  writeFileSync(
    join(folder, 'main.cpp'),
    `#include <stdio.h>
#include "settings.h"
int main() { printf("%s\\n%s\\n%s\\n%d\\n%s", PLANT, PASSWORD, BROKER, BROKER_PORT, CA); }
`,
  );
  const made = spawnSync(CXX, ['main.cpp', '-o', 'main'], { cwd: folder, encoding: 'utf8' });
  expect(made.stderr).toBe('');
  const [plant = '', password = '', broker = '', port, ...ca] = spawnSync(join(folder, 'main'), {
    encoding: 'utf8',
  }).stdout.split('\n');
  return { plant, password, broker, port: Number(port), ca: ca.join('\n').trim() };
}

describe.skipIf(!hasMosquitto)('the files of one board', () => {
  test.each(shareOrAll(2, ['고사리', 'the "big" \\fern\\', "O'Hara ${x} {{y}}", 'fern']))(
    'ING-11 the program of %j reads its own name, password, broker and certificate',
    async (plant) => {
      const { folder, env, certificate } = place();
      for (const [kind, own] of Object.entries(OWN)) {
        if (kind === 'arduino' && !existsSync(CXX)) continue;
        const to = join(folder, kind);
        const { exitCode, text } = boardCommand(['add', plant, '--for', kind, '--to', to], env);
        expect(exitCode).toBe(0);
        const settings = readFileSync(join(to, own), 'utf8');
        const values = kind === 'arduino' ? asCxx(settings) : await asMicroPython(settings);
        expect(values).toMatchObject({ plant, broker: 'broker.hanbit.example', port: 8883, ca: certificate });
        expect(values.password).toMatch(/^[\w-]{32}$/);
        expect(text).not.toContain(values.password);
        expect(statSync(join(to, own)).mode & 0o777).toBe(0o600);
      }
    },
  );

  test('ING-11 a file for ESPHome speaks of the board’s two topics alone, and holds its certificate where YAML wants it', () => {
    const { env, certificate } = place({ MQTT_URL: 'mqtts://10.0.0.7:8884' });
    const { exitCode, text } = boardCommand(['add', '고사리', '--for', 'esphome'], env);
    expect(exitCode).toBe(0);
    expect(text).toContain('  plant: "고사리"\n');
    expect(text).toContain('  broker: "10.0.0.7"\n  broker_port: "8884"\n');
    expect(text).toMatch(/^ {2}node: "plant-[a-z0-9-]{1,25}"$/m);
    expect(text).toContain(certificate.replace(/^/gm, '    '));
    expect(text).toContain('  topic: "lab/plants/고사리"\n');
    expect(new Set(text.match(/\$\{topic\}\/\w+\b/g))).toEqual(
      new Set(['${topic}/availability', '${topic}/soil_moisture']),
    );
    expect(text.replace(/#.*/g, '')).not.toContain('fern');
  });

  test('ING-11 a second time what people wrote into the files stays, and only the board’s own values are new', () => {
    const written: Record<string, [file: string, changes: [string | RegExp, string][]]> = {
      micropython: [
        'settings.py',
        [
          ['WIFI_NAME = ""', 'WIFI_NAME = "온실 $& 1"  # 2층'],
          ['WIFI_PASSWORD = ""', 'WIFI_PASSWORD = "secret"'],
          ['SENSOR_PIN = 34', 'SENSOR_PIN = 35'],
          [/$/, '\n# mine: PLANT = "x"\n'],
          [/^(PLANT.*)$/m, '$1  # by the window'],
        ],
      ],
      arduino: [
        'board/settings.h',
        [
          ['WIFI_NAME[] = ""', 'WIFI_NAME[] = "온실"'],
          ['WIFI_PASSWORD[] = ""', 'WIFI_PASSWORD[] = "secret"'],
          [/^(const char BROKER\[\].*)$/m, '$1  // in the cellar'],
          [/\n/g, '\r\n'],
        ],
      ],
      esphome: [
        'plant-fern.yaml',
        [
          ['GPIO34', 'GPIO35'],
          ['password: !secret wifi_password', 'password: "my; own"'],
          [/node: ".*"/, 'node: "kitchen"'],
        ],
      ],
    };
    const { folder, env } = place();
    for (const [kind, [own, changes]] of Object.entries(written)) {
      const to = join(folder, kind);
      const add = () => boardCommand(['add', 'fern', '--for', kind, '--to', to], env);
      const passwordOf = (text: string) =>
        /^.*\b(?:PASSWORD|password)\b.*"([\w-]{32})"/m.exec(text)?.[1] ?? '';
      expect(add().exitCode).toBe(0);
      const file = join(to, own);
      const first = readFileSync(file, 'utf8');
      const byHand = changes.reduce((text, [from, by]) => text.replace(from, by), first);
      expect(byHand).not.toBe(first);
      writeFileSync(file, byHand);
      const again = add();
      expect(again).toMatchObject({ exitCode: 0, text: expect.stringContaining(`${own} existed`) });
      const second = readFileSync(file, 'utf8');
      expect(passwordOf(second)).not.toBe(passwordOf(first));
      expect(second).toBe(byHand.replace(passwordOf(first), passwordOf(second)));
      expect(statSync(file).mode & 0o777).toBe(0o600);
    }
  });

  test('ING-11 a second time other broker and certificates come into a file, which keeps all else', () => {
    const { folder, env, certificate } = place();
    for (const [kind, own] of Object.entries({ ...OWN, esphome: 'plant-fern.yaml' })) {
      const to = join(folder, kind);
      boardCommand(['add', 'fern', '--for', kind, '--to', to], env);
      const before = readFileSync(join(to, own), 'utf8');
      const other = place({ MQTT_URL: 'mqtts://10.0.0.7:8884' });
      const chain = `${other.certificate}\n${certificate}\n`;
      writeFileSync(other.env.MQTT_CA_FILE, chain);
      const change = { ...other.env, MOSQUITTO_PASSWORD_FILE: env.MOSQUITTO_PASSWORD_FILE };
      expect(boardCommand(['add', 'fern', '--for', kind, '--to', to], change).exitCode).toBe(0);
      const after = readFileSync(join(to, own), 'utf8');
      expect(after).toContain('"10.0.0.7"');
      expect(after.replace(/^ +/gm, '')).toContain(chain.trim());
      // Then one certificate again.
      expect(boardCommand(['add', 'fern', '--for', kind, '--to', to], env).exitCode).toBe(0);
      const strip = (text: string) => text.replace(/"[\w-]{32}"/, '');
      expect(strip(readFileSync(join(to, own), 'utf8'))).toBe(strip(before));
    }
  });

  test('ING-11 a program that somebody changed is left as it is, and named', () => {
    const { folder, env } = place();
    for (const [kind, program] of Object.entries({ micropython: 'main.py', arduino: 'board/board.ino' })) {
      const to = join(folder, kind);
      const add = () => boardCommand(['add', 'fern', '--for', kind, '--to', to], env);
      expect(add().text).not.toContain('was not changed');
      writeFileSync(join(to, program), 'mine');
      expect(add()).toMatchObject({
        exitCode: 0,
        text: expect.stringContaining(`${program} existed and differs`),
      });
      expect(readFileSync(join(to, program), 'utf8')).toBe('mine');
    }
  });

  test.each([
    ['is not as it was written', (text: string) => text.replace(/^.*\bBROKER_PORT\b.*$/m, '')],
    ['has a value twice', (text: string) => `${text}\nPLANT = "x"\n`],
    ['makes its password otherwise', (text: string) => text.replace(/^PASSWORD = .*/m, 'PASSWORD = read()')],
    [
      'has another certificate as well',
      (text: string) => `${text}\nMINE = """\n${place({}).certificate}\n"""\n`,
    ],
    ['is another plant’s', (text: string) => text.replace('"fern"', '"moss"')],
    ['is no UTF-8', (text: string) => Buffer.concat([Buffer.from(text), Buffer.from([0xb0, 0xa1])])],
  ])(
    'ING-11 a settings.py that %s is not touched: it says which file, and no password changes',
    (_, change) => {
      const { folder, env } = place();
      const args = ['add', 'fern', '--for', 'micropython', '--to', join(folder, 'fern')];
      boardCommand(args, env);
      const file = join(folder, 'fern/settings.py');
      writeFileSync(file, change(readFileSync(file, 'utf8')));
      const before = [readFileSync(file), readFileSync(env.MOSQUITTO_PASSWORD_FILE)];
      const refused = boardCommand(args, env);
      expect(refused).toMatchObject({
        exitCode: 73,
        text: expect.stringMatching(/settings\.py.*move it away/),
      });
      expect([readFileSync(file), readFileSync(env.MOSQUITTO_PASSWORD_FILE)]).toEqual(before);
    },
  );

  test('ING-11 the bridge’s one file on the Pi makes them too, and they are those of firmware/', () => {
    const { folder, env } = place();
    const [command, ...args] = shippedBridge();
    for (const [kind, files] of Object.entries({
      micropython: ['mqtt.py', 'kept_readings.py', 'board.py', 'sensor.py', 'main.py'],
      arduino: ['board/board.ino', 'board/kept_readings.h'],
    })) {
      const to = join(folder, kind);
      const made = spawnSync(command, [...args, 'board', 'add', 'fern', '--for', kind, '--to', to], {
        env: { ...CLEAN_ENV, ...env },
        encoding: 'utf8',
      });
      expect(made.status).toBe(0);
      for (const file of files) {
        expect(readFileSync(join(to, file), 'utf8')).toBe(readFileSync(join('firmware', kind, file), 'utf8'));
      }
    }
  });

  test('ING-11 the password in the files is the one that the broker takes', async () => {
    const broker = await startSecureBroker();
    const env = { ...broker.env, MQTT_URL: ADDRESS, MQTT_CA_FILE: broker.caFile };
    const { text } = boardCommand(['add', 'fern', '--for', 'micropython'], env);
    const { password } = await asMicroPython(/^PLANT[^]*^SLEEPS.*$/m.exec(text)?.[0] ?? '');
    const board = await connectAs(broker, 'fern', password);
    expect(board.connected).toBe(true);
  });

  test.each([
    ['an unknown kind', ['add', 'fern', '--for', 'cobol'], {}],
    ['a folder without a kind', ['add', 'fern', '--to', '/tmp'], {}],
    ['a kind for a command that makes none', ['revoke', 'fern', '--for', 'esphome'], {}],
    ['a name that ESPHome would take apart', ['add', 'a"b', '--for', 'esphome'], {}],
    ['no address', ['add', 'fern', '--for', 'esphome'], { MQTT_URL: undefined }],
    [
      'an address without TLS',
      ['add', 'fern', '--for', 'arduino'],
      { MQTT_URL: 'mqtt://broker.hanbit.example' },
    ],
    [
      'an address that boards cannot reach',
      ['add', 'fern', '--for', 'arduino'],
      { MQTT_URL: 'mqtts://127.0.0.1' },
    ],
    ['no certificate', ['add', 'fern', '--for', 'esphome'], { MQTT_CA_FILE: undefined }],
    ['a file that holds none', ['add', 'fern', '--for', 'esphome'], { MQTT_CA_FILE: import.meta.filename }],
    ['a folder that cannot be made', ['add', 'fern', '--for', 'esphome', '--to', '/dev/null/x'], {}],
  ])('ING-11 %s: it says so, and no password is changed', (_, args, changes) => {
    const { env } = place(changes);
    const { exitCode, text } = boardCommand(args, env);
    expect(exitCode).toBeGreaterThan(63);
    expect(text).not.toBe('');
    expect(existsSync(env.MOSQUITTO_PASSWORD_FILE)).toBe(false);
  });
});

describe('the name of a device in ESPHome', () => {
  test.each([
    ['fern', 'plant-fern'],
    ['bed-2', 'plant-bed-2'],
    ['a'.repeat(25), `plant-${'a'.repeat(25)}`],
    ['바질 1', 'plant-1-ce1510e2a5'],
  ])('ING-11 of %s is %s', (plant, node) => {
    expect(boardHostName(plant)).toBe(node);
  });

  test('ING-11 is another for each plant, and one that ESPHome takes', () => {
    const odd = fc.string({
      unit: fc.constantFrom('a', 'A', '1', 'f', '0', '-', '_', ' ', '.', '바', '질', 'é'),
      minLength: 1,
      maxLength: 64,
    });
    const nameArb = fc.oneof(
      odd,
      odd.map((end) => `greenhouse-of-the-faculty-${end}`.slice(0, 64)),
      // Names of plants that equal the device name of another plant.
      odd.map((plant) => boardHostName(plant).replace(/^plant-/, '')),
    );
    const plants = new Map<string, string>();
    fc.assert(
      fc.property(nameArb, (plant) => {
        const node = boardHostName(plant);
        expect(node).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*$/);
        expect(node.length).toBeLessThanOrEqual(31);
        expect(plants.get(node) ?? plant).toBe(plant);
        plants.set(node, plant);
      }),
      propertyRuns(2000),
    );
    const alike = [
      '바질 1',
      '로즈마리 1',
      '바질_1',
      '1',
      'Fern',
      'fern',
      '고사리',
      '이끼',
      `${'a'.repeat(40)}1`,
      `${'a'.repeat(40)}2`,
    ];
    expect(new Set(alike.map(boardHostName)).size).toBe(alike.length);
  });
});
