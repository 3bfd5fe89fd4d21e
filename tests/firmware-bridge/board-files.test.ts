import { loadMicroPython } from '@micropython/micropython-webassembly-pyscript';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { boardCommand } from '../../firmware-bridge/src/board-command.ts';
import { shippedBridge } from '../support/shipped-bridge.ts';
import { CXX } from '../firmware/arduino/sketch.ts';
import { freshFolder } from './support/processes.ts';
import { connectAs, startSecureBroker } from './support/secure-broker.ts';
import { hasSecureMosquitto, makeCertificate } from './support/shipped-mosquitto.ts';

const ADDRESS = 'mqtts://broker.hanbit.example';
const OWN = { micropython: 'settings.py', arduino: 'board/settings.h' };

/** A folder with the broker's certificate and the variables of the command. */
function place(changes: Record<string, string | undefined> = {}) {
  const folder = freshFolder();
  makeCertificate(folder);
  const env = {
    MOSQUITTO_PASSWORD_FILE: join(folder, 'passwords'),
    MOSQUITTO_PID_FILE: '/nowhere',
    MQTT_URL: ADDRESS,
    MQTT_CA_FILE: join(folder, 'server.crt'),
    ...changes,
  };
  return { folder, env, certificate: readFileSync(join(folder, 'server.crt'), 'utf8').trim() };
}

type Values = { plant: string; password: string; broker: string; port: number; ca: string };

/** What MicroPython reads in a settings.py. */
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

/** What a C++ compiler reads in a settings.h. */
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

describe.skipIf(!hasSecureMosquitto)('the files of one board', () => {
  test.each(['fern', '고사리', 'the "big" \\fern\\', "O'Hara ${x} {{y}}"])(
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
    expect(new Set(text.match(/lab\/\S+\b/g))).toEqual(
      new Set(['lab/plants/${plant}/availability', 'lab/plants/${plant}/soil_moisture']),
    );
    expect(text.replace(/#.*/g, '')).not.toContain('fern');
  });

  test('ING-11 the bridge’s one file on the Pi makes them too, and they are those of firmware/', () => {
    const { folder, env } = place();
    const [command, ...args] = shippedBridge();
    for (const [kind, files] of Object.entries({
      micropython: ['mqtt.py', 'kept_readings.py', 'board.py', 'main.py'],
      arduino: ['board/board.ino', 'board/kept_readings.h'],
    })) {
      const to = join(folder, kind);
      const made = spawnSync(command, [...args, 'board', 'add', 'fern', '--for', kind, '--to', to], {
        env: { PATH: process.env['PATH'], ...env },
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
