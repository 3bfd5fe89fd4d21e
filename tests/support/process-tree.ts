import { readFileSync } from 'node:fs';

/** A file of /proc; empty once the process has ended. */
export function readOfProcess(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** The process and all that it started. */
export function treeOf(pid: number): number[] {
  const children = readOfProcess(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number);
  return [pid, ...children.flatMap(treeOf)];
}

/** Ends the process and all that it started with SIGKILL. */
export function killTree(pid: number): void {
  for (const each of treeOf(pid)) process.kill(each, 'SIGKILL');
}
