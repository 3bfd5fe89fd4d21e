import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';

/** Mounts a file system of so many bytes on the folder; false if that is not allowed. */
export function mount(folder: string, bytes: number): boolean {
  return spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', folder]).status === 0;
}

export const unmount = (folder: string) => void spawnSync('umount', ['-l', folder]);

/** A folder with a file system of so many bytes, for the tests of a file; if allowed, else a usual folder. */
export function smallDisk(bytes: number): string {
  const folder = mkdtempSync(join(tmpdir(), 'a-disk-'));
  beforeAll(() => void (canMount && mount(folder, bytes)));
  afterAll(() => {
    if (canMount) unmount(folder);
    rmSync(folder, { recursive: true });
  });
  return folder;
}

/** Fills a file system of so many bytes, except for `free` bytes. */
export const leaveFree = (folder: string, bytes: number, free: number) =>
  writeFileSync(join(folder, 'of-others'), Buffer.alloc(bytes - free));

/** Whether this process may mount, by CAP_SYS_ADMIN (bit 21). */
export const canMount =
  process.platform === 'linux' &&
  /^CapEff:\s+\w*[2367abef]\w{5}$/m.test(readFileSync('/proc/self/status', 'utf8'));
