import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Largest resident memory in bytes that the running process ever had. */
export function peakMemory({ pid }: ChildProcess): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmHWM:\s+([0-9]+) kB$/m.exec(status)?.[1]) * 1024;
}
