import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** The largest resident memory of the running process until now, in bytes. */
export function peakMemory({ pid }: ChildProcess): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmHWM:\s+([0-9]+) kB$/m.exec(status)?.[1]) * 1024;
}
