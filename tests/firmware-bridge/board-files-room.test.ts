import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { boardCommand } from '../../firmware-bridge/src/commands/board-command.ts';
import { someOrAll } from '../support/counts.ts';
import { canMount, leaveFree, smallDisk } from '../support/small-disk.ts';
import { freshFolder } from './support/processes.ts';
import { placeCertificate } from './support/shipped-mosquitto.ts';

const DISK = 256 * 1024;
const disk = smallDisk(DISK);
/** Free kilobytes of the disk. */
const SIZES = Array.from({ length: 32 }, (_, at) => 4 + at * 4);

test.skipIf(!canMount).each(['micropython', 'arduino', 'esphome'])(
  'ING-11 on a full disk a board keeps its whole program and its password, or gets both: %s',
  (kind) => {
    const folder = freshFolder();
    placeCertificate(folder);
    const env = {
      MOSQUITTO_PASSWORD_FILE: join(folder, 'passwords'),
      MOSQUITTO_PID_FILE: '/nowhere',
      MQTT_URL: 'mqtts://broker.hanbit.example',
      MQTT_CA_FILE: join(folder, 'server.crt'),
    };
    const own = join(disk, 'fern');
    const add = () => boardCommand(['add', 'fern', '--for', kind, '--to', own], env);
    const stored = () => ({
      files: (existsSync(own) ? readdirSync(own, { recursive: true, withFileTypes: true }) : [])
        .filter((entry) => entry.isFile() && entry.name !== '.cps-lock')
        .map(({ parentPath, name }) => [name, readFileSync(join(parentPath, name), 'utf8')]),
      passwords: existsSync(env.MOSQUITTO_PASSWORD_FILE) && readFileSync(env.MOSQUITTO_PASSWORD_FILE, 'utf8'),
    });
    const codes = new Set<number>();
    // The last sizes have room for the program and for the new files beside the old files.
    for (const kilobytes of someOrAll(9, SIZES)) {
      rmSync(own, { recursive: true, force: true });
      leaveFree(disk, DISK, kilobytes * 1024);
      for (const _ of ['new', 'another password']) {
        const before = stored();
        const { exitCode } = add();
        codes.add(exitCode);
        const after = stored();
        expect(after.passwords === before.passwords, `${kilobytes} KB`).toBe(exitCode !== 0);
        expect(after.files).toEqual(exitCode === 0 ? after.files : before.files);
      }
    }
    expect(codes).toEqual(new Set([73, 0]));
  },
);
