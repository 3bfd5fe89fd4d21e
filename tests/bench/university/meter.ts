import type { ChildProcess } from 'node:child_process';
import { readOfProcess as read, treeOf } from '../../support/process-tree.ts';

/** Each look walks through the memory of every part. */
const EVERY_MS = 2000;
/** Of the processor, by the kernel's clock (`getconf CLK_TCK`). */
const TICKS_A_SECOND = 100;

/** Proportional set size in bytes: what is shared with others counts by its share. */
function pssOf(pid: number): number {
  return Number(/^Pss:\s+([0-9]+) kB$/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0) * 1024;
}

/** Seconds of the processor that it has used. */
function secondsOf(pid: number): number {
  const [, fields = ''] = read(`/proc/${pid}/stat`).split(') ');
  const [user = 0, system = 0] = fields.split(' ').slice(11, 13).map(Number);
  return (user + system) / TICKS_A_SECOND;
}

/** Seconds that all processors together were at work for anybody. */
function secondsOfAll(): number {
  const [line = ''] = read('/proc/stat').split('\n');
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0] = line.split(/ +/).slice(1).map(Number);
  return (user + nice + system + irq + softirq) / TICKS_A_SECOND;
}

export type Use = {
  /** The most memory that a part had at once, in bytes (PSS). */
  memory: Map<string, number>;
  /** Processors that a part kept busy on average. */
  processors: Map<string, number>;
  /** The same of everything else on this machine. */
  others: number;
};

/** Notes every two seconds what the parts use, each by its name; a part may be another process by the next time. */
export function startMeter(parts: () => Record<string, ChildProcess>): { stop: () => Use } {
  const began = performance.now();
  const beganAll = secondsOfAll();
  const memory = new Map<string, number>();
  const used = new Map<string, Map<number, number>>();
  const before = new Map<number, number>();
  const pidsOf = (child: ChildProcess) => (child.pid === undefined ? [] : treeOf(child.pid));
  for (const child of Object.values(parts()))
    for (const pid of pidsOf(child)) before.set(pid, secondsOf(pid));
  const look = () => {
    for (const [name, child] of Object.entries(parts())) {
      const pids = pidsOf(child);
      const bytes = pids.map(pssOf).reduce((sum, each) => sum + each, 0);
      memory.set(name, Math.max(memory.get(name) ?? 0, bytes));
      const seconds = used.get(name) ?? new Map<number, number>();
      for (const pid of pids) {
        const now = secondsOf(pid) - (before.get(pid) ?? 0);
        seconds.set(pid, Math.max(now, seconds.get(pid) ?? 0));
      }
      used.set(name, seconds);
    }
  };
  const timer = setInterval(look, EVERY_MS);
  return {
    stop: () => {
      clearInterval(timer);
      look();
      const elapsed = (performance.now() - began) / 1000;
      const sum = (seconds: Map<number, number>) => [...seconds.values()].reduce((all, one) => all + one, 0);
      const processors = new Map([...used].map(([name, seconds]) => [name, sum(seconds) / elapsed]));
      const ours = [...processors.values()].reduce((all, one) => all + one, 0);
      return { memory, processors, others: (secondsOfAll() - beganAll) / elapsed - ours };
    },
  };
}
