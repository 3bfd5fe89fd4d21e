import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import type { Part } from '../ingest/parts.ts';

export type Written = {
  /** Of each process, by name. */
  by: Record<string, number>;
  /** Of all of them. */
  parts: number;
  /** What reached the disk, with the journal of its file system, and with what others wrote meanwhile. */
  disk: number;
};

/**
 * The pages that the process made dirty: what the file system is to write for it. `wchar` would count sockets and pipes
 * too, and a page that is written twice only for its changed bytes.
 */
function writtenBy({ child }: Part): number {
  const io = readFileSync(`/proc/${child.pid}/io`, 'utf8');
  return Number(/^write_bytes: ([0-9]+)$/m.exec(io)?.[1]);
}

function reachedDisk(folder: string): number {
  spawnSync('sync', ['-f', folder]);
  const { dev } = statSync(folder);
  const [major, minor] = [(dev >> 8) & 0xfff, dev & 0xff];
  const [, , , , , , sectors] = readFileSync(`/sys/dev/block/${major}:${minor}/stat`, 'utf8')
    .trim()
    .split(/\s+/);
  return Number(sectors) * 512;
}

/** Begins to measure; what it returns ends it. */
export function writing(folder: string, parts: Record<string, Part>): () => Written {
  const before = Object.values(parts).map(writtenBy);
  const disk = reachedDisk(folder);
  return () => {
    const by = Object.fromEntries(
      Object.entries(parts).map(([name, part], index) => [name, writtenBy(part) - (before[index] ?? 0)]),
    );
    const sum = Object.values(by).reduce((total, bytes) => total + bytes, 0);
    return { by, parts: sum, disk: reachedDisk(folder) - disk };
  };
}

export function perReading({ by, parts, disk }: Written, count: number): string {
  const kb = (bytes: number) => `${(bytes / count / 1000).toFixed(1)} KB`;
  const each = Object.entries(by).map(([name, bytes]) => `${name} ${kb(bytes)}`);
  return `${kb(parts)} (${each.join(', ')}); on the disk ${kb(disk)}`;
}
