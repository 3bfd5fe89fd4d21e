import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';

/** Puts a file system of so many bytes over the folder; false where that is not allowed. */
export function mount(folder: string, bytes: number): boolean {
  return spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', folder]).status === 0;
}

export const unmount = (folder: string) => void spawnSync('umount', ['-l', folder]);

/** A file system of so many bytes for the tests of a file, where that is allowed. */
export function smallDisk(bytes: number): string {
  const folder = mkdtempSync(join(tmpdir(), 'a-disk-'));
  beforeAll(() => void (canMount && mount(folder, bytes)));
  afterAll(() => {
    if (canMount) unmount(folder);
    rmSync(folder, { recursive: true });
  });
  return folder;
}

/** Takes of a file system with so many bytes all but a few. */
export const leaveFree = (folder: string, bytes: number, free: number) =>
  writeFileSync(join(folder, 'of-others'), Buffer.alloc(bytes - free));

/** Whether this process may: CAP_SYS_ADMIN is bit 21. */
export const canMount =
  process.platform === 'linux' &&
  /^CapEff:\s+\w*[2367abef]\w{5}$/m.test(readFileSync('/proc/self/status', 'utf8'));
