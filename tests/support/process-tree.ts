import { readFileSync } from 'node:fs';

/** The text of a file in /proc; empty if the process has ended. */
export function readOfProcess(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** The process and all its descendants. */
export function treeOf(pid: number): number[] {
  const children = readOfProcess(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number);
  return [pid, ...children.flatMap(treeOf)];
}

/** Kills the process and all its descendants. */
export function killTree(pid: number): void {
  for (const each of treeOf(pid)) process.kill(each, 'SIGKILL');
}
