import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Puts a file system of so many bytes over the folder; false where that is not allowed. */
export function mount(folder: string, bytes: number): boolean {
  return spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', folder]).status === 0;
}

export const unmount = (folder: string) => void spawnSync('umount', ['-l', folder]);

/** Takes of a file system with so many bytes all but a few. */
export const leaveFree = (folder: string, bytes: number, free: number) =>
  writeFileSync(join(folder, 'of-others'), Buffer.alloc(bytes - free));

export const canMount = (() => {
  const folder = join('/tmp', `mount-test-${process.pid}`);
  mkdirSync(folder);
  const mounted = mount(folder, 1024 * 1024);
  if (mounted) unmount(folder);
  rmSync(folder, { recursive: true });
  return mounted;
})();
