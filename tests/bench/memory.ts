import { readFileSync } from 'node:fs';
import type { ChildProcess } from 'node:child_process';

const SAMPLE_MS = 50;

/** Watches what a process and all that it starts hold. @returns the most of it at once, in bytes, since it was asked last */
export function watchMemory(child: ChildProcess): () => number {
  let peak = 0;
  const sample = setInterval(() => {
    peak = Math.max(peak, residentBytes(descendantsOf(String(child.pid))));
  }, SAMPLE_MS);
  child.once('close', () => clearInterval(sample));
  return () => {
    const most = peak;
    peak = 0;
    return most;
  };
}

/** A process and all that it has started, and theirs. */
function descendantsOf(pid: string): string[] {
  const children = fromProc(`${pid}/task/${pid}/children`).split(' ').filter(Boolean);
  return [pid, ...children.flatMap(descendantsOf)];
}

/** What each holds for itself, and once what those of one program share. 0 where there is no /proc. */
function residentBytes(pids: string[]): number {
  const shared = new Map<string, number>();
  let own = 0;
  for (const pid of pids) {
    const status = fromProc(`${pid}/status`);
    const held = (what: string) =>
      Number(new RegExp(`^${what}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) * 1024;
    const program = fromProc(`${pid}/cmdline`).split('\0')[0] ?? '';
    own += held('RssAnon') + held('RssShmem');
    shared.set(program, Math.max(shared.get(program) ?? 0, held('RssFile')));
  }
  return own + [...shared.values()].reduce((sum, bytes) => sum + bytes, 0);
}

function fromProc(file: string): string {
  try {
    return readFileSync(`/proc/${file}`, 'utf8');
  } catch {
    return '';
  }
}
