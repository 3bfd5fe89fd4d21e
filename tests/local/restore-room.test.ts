import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ownKeyFingerprint } from '../../scripts/backup/author.ts';
import { openLocalStore } from '../../scripts/backup/local-store.ts';
import { createBackup } from '../../scripts/backup/make-archive.ts';
import { restoreCommand } from '../../scripts/backup/restore.ts';
import { makeDataFolder } from '../support/data-folder.ts';
import { runCommand } from '../support/run-command.ts';
import { canMount, leaveFree, smallDisk } from '../support/small-disk.ts';

const place = mkdtempSync(join(tmpdir(), 'cps-lab-room-'));
const DISK = 8 * 1024 * 1024;
const disk = smallDisk(DISK);
let archive = '';
let author = '';

beforeAll(async () => {
  await makeDataFolder(join(place, 'data'));
  const store = await openLocalStore(join(place, 'data'), { claim: true });
  await store.writeObject({ key: 'pictures/1', type: 'image/png', content: new Uint8Array(300_000) });
  archive = await createBackup(store, place, { say: () => undefined, begin: () => undefined });
  author = ownKeyFingerprint(join(place, 'data')) ?? '';
  await store.close();
});
afterAll(() => rmSync(place, { recursive: true }));

test.skipIf(!canMount)(
  'OPS-3 a restore whose disk is full says so in whatever step, leaves nothing in the clear, and goes well with room',
  async () => {
    const codes = new Set<number>();
    for (let kilobytes = 96; !codes.has(0); kilobytes = Math.ceil(kilobytes * 1.3)) {
      const dataDir = mkdtempSync(join(disk, 'data-'));
      leaveFree(disk, DISK, kilobytes * 1024);
      const wrong: string[] = [];
      const error = (text: string) => void wrong.push(text);
      const words = [archive, '--author', author];
      const { status } = await runCommand(restoreCommand, words, { DATA_DIR: dataDir }, { error });
      codes.add(status);
      expect(wrong.join('\n'), `${kilobytes} KB`).toMatch(
        status === 0 ? /^$/ : /^the disk of .* is full\. .*$/,
      );
      expect(
        readdirSync(join(dataDir, 'unpacked-local')).filter((name) => !name.startsWith('lock')),
        wrong.join('\n'),
      ).toEqual([]);
      rmSync(dataDir, { recursive: true });
    }
    expect(codes).toEqual(new Set([1, 0]));
  },
);
