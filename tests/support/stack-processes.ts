import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { treeOf } from './process-tree.ts';
import type { Stack } from './stack.ts';

export const commandLine = (pid: string) => readFileSync(`/proc/${pid}/cmdline`, 'utf8');

/** Processes that descend from the stack's parent. */
export const descendants = ({ process: { pid = 0 } }: Stack): string[] => treeOf(pid).slice(1).map(String);

export const bridgesOf = (stack: Stack) =>
  descendants(stack).filter((pid) => partsOf(pid).includes('bridge'));

/** Which part of the local run a process is. */
export function partsOf(pid: string): string[] {
  const line = commandLine(pid);
  const parts = {
    broker: /local\/broker\.ts/,
    // The built bundle, or the source with `--dev`.
    bridge: /bridge\.mjs|firmware-bridge/,
    workers: /local\/workers\.ts/,
    workerd: /workerd/,
    guard: /while read/,
  };
  return Object.entries(parts).flatMap(([part, pattern]) => (pattern.test(line) ? [part] : []));
}

/** Whether a process runs; false for a zombie. */
export function isAlive(pid: string): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch (error) {
    if (error instanceof Error && 'code' in error) return false;
    throw error;
  }
}

const LISTENS = '0A';

/** Every TCP port on which a process of the stack listens. */
export function portsOf(stack: Stack): number[] {
  if (process.platform !== 'linux') return [];
  const open = new Set(
    descendants(stack).flatMap((pid) =>
      readdirSync(`/proc/${pid}/fd`).map((fd) => {
        try {
          return readlinkSync(`/proc/${pid}/fd/${fd}`);
        } catch {
          // Closed while the list was read.
          return '';
        }
      }),
    ),
  );
  const lines = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((table) =>
    readFileSync(table, 'utf8').split('\n'),
  );
  return lines.flatMap((line) => {
    const [, address = '', , state, , , , , , inode] = line.trim().split(/\s+/);
    const isOurs = state === LISTENS && open.has(`socket:[${inode}]`);
    return isOurs ? [Number.parseInt(address.split(':')[1] ?? '', 16)] : [];
  });
}
