import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const real = { writeSync: fs.writeSync, write: fs.write };
const full = () => Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC', syscall: 'write' });

/**
 * Runs work as on a disk with so many free bytes. As on a real disk, the write that fills the disk writes
 * only a part of its bytes, and the next write fails.
 */
export async function withRoomFor<T>(bytes: number, work: () => T | Promise<T>): Promise<T> {
  let left = bytes;
  const take = (wanted: number) => {
    if (left === 0 && wanted > 0) throw full();
    const taken = Math.min(left, wanted);
    left -= taken;
    return taken;
  };
  const writeSync = (opened: number, data: Uint8Array, offset = 0, length = data.byteLength - offset) =>
    real.writeSync(opened, data, offset, take(length));
  type Done = (error: Error | null, taken: number, data: Uint8Array) => void;
  const write = (
    opened: number,
    data: Uint8Array,
    offset: number,
    length: number,
    position: number | null,
    done: Done,
  ) => {
    try {
      real.write(opened, data, offset, take(length), position, done);
    } catch (error) {
      if (error instanceof Error) done(error, 0, data);
    }
  };
  Object.assign(fs, { writeSync, write });
  syncBuiltinESMExports();
  try {
    return await work();
  } finally {
    Object.assign(fs, real);
    syncBuiltinESMExports();
  }
}
