import { readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, sep } from 'node:path';

/*
 * Inspects other processes through Linux's /proc. On other systems, and for other users' processes, nothing is found.
 */

type RunningProcess = { pid: number; name: string };

/** `process 4711 (workerd)`, or several of them. */
export function named(processes: readonly RunningProcess[]): string {
  return processes.map(({ pid, name }) => `process ${pid} (${name})`).join(' and ');
}

/** Other processes that have files open below the folder. */
export function processesWithFilesIn(folder: string): RunningProcess[] {
  const below = realpathSync(folder) + sep;
  return processesWhere((file) => file.startsWith(below));
}

/** Other processes that listen on the TCP port. */
export function processesListeningOn(port: number): RunningProcess[] {
  const sockets = new Set(['/proc/net/tcp', '/proc/net/tcp6'].flatMap((table) => listeners(table, port)));
  return sockets.size === 0 ? [] : processesWhere((file) => sockets.has(file));
}

const LISTENS = '0A';

/** In the notation of /proc/<pid>/fd. */
function listeners(table: string, port: number): string[] {
  const lines = whereShown(() => readFileSync(table, 'utf8')) ?? '';
  return lines.split('\n').flatMap((line) => {
    const [, address, , state, , , , , , inode] = line.trim().split(/\s+/);
    const isIt = state === LISTENS && Number.parseInt(address?.split(':')[1] ?? '', 16) === port;
    return isIt ? [`socket:[${inode}]`] : [];
  });
}

function processesWhere(isOpenFile: (file: string) => boolean): RunningProcess[] {
  const pids = (whereShown(() => readdirSync('/proc')) ?? []).filter((name) => /^\d+$/.test(name));
  return pids.map(Number).flatMap((pid) => {
    if (pid === process.pid) return [];
    const open = whereShown(() => readdirSync(`/proc/${pid}/fd`)) ?? [];
    const found = open.some((fd) =>
      isOpenFile(whereShown(() => readlinkSync(`/proc/${pid}/fd/${fd}`)) ?? ''),
    );
    return found ? [{ pid, name: nameOf(pid) }] : [];
  });
}

/** The program, and its script if it runs one. */
function nameOf(pid: number): string {
  const [program = '', ...args] = (
    whereShown(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8')) ?? ''
  ).split('\0');
  const script = args.find((arg) => /\.[mc]?[jt]s$/.test(arg));
  return [basename(program), ...(script === undefined ? [] : [script])].join(' ');
}

/** Undefined when the entry is missing, has just disappeared or belongs to another user. */
function whereShown<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined;
    throw error;
  }
}
