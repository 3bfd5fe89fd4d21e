import { readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, sep } from 'node:path';

/*
 * Reads Linux's /proc about other processes. Finds nothing on other systems, or about other users' processes.
 */

type RunningProcess = { pid: number; name: string };

/** `process 4711 (workerd)`, or several of them. */
export function processNames(processes: readonly RunningProcess[]): string {
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

/** The sockets that listen on the port, written as in /proc/<pid>/fd. */
function listeners(table: string, port: number): string[] {
  const lines = whereShown(() => readFileSync(table, 'utf8')) ?? '';
  return lines.split('\n').flatMap((line) => {
    const [, address, , state, , , , , , inode] = line.trim().split(/\s+/);
    const isIt = state === LISTENS && Number.parseInt(address?.split(':')[1] ?? '', 16) === port;
    return isIt ? [`socket:[${inode}]`] : [];
  });
}

/** Processes whose environment has a variable with this name, and all their descendants. */
export function processesWithVariable(variable: string): RunningProcess[] {
  const pids = (whereShown(() => readdirSync('/proc')) ?? []).filter((name) => /^\d+$/.test(name));
  const running = pids.map(Number).flatMap((pid) => {
    const stat = whereShown(() => readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? '';
    // The fields begin after the program's name, which may contain any character.
    const [state = 'Z', parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return state === 'Z' ? [] : [{ pid, parent: Number(parent) }];
  });
  const isMarked = (pid: number) =>
    `\0${whereShown(() => readFileSync(`/proc/${pid}/environ`, 'utf8')) ?? ''}`.includes(`\0${variable}=`);
  const children = Map.groupBy(running, ({ parent }) => parent);
  const withThose = (pid: number): number[] => [
    pid,
    ...(children.get(pid) ?? []).flatMap((child) => withThose(child.pid)),
  ];
  const found = new Set(running.filter(({ pid }) => isMarked(pid)).flatMap(({ pid }) => withThose(pid)));
  return [...found].map((pid) => ({ pid, name: nameOf(pid) }));
}

/** Kills these processes with SIGKILL; returns once the last one has ended, or after ten seconds. */
export function killProcessesWithVariable(variable: string): void {
  for (let tries = 0; tries < 500; tries++) {
    const left = processesWithVariable(variable);
    if (left.length === 0) return;
    for (const { pid } of left) whereShown(() => process.kill(pid, 'SIGKILL'));
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
  }
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

/** The name of the program, with its script if there is one. */
function nameOf(pid: number): string {
  const [program = '', ...args] = (
    whereShown(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8')) ?? ''
  ).split('\0');
  const script = args.find((arg) => /\.[mc]?[jt]s$/.test(arg));
  return [basename(program), ...(script === undefined ? [] : [script])].join(' ');
}

/** Undefined if the entry is missing, has just disappeared or belongs to another user. */
function whereShown<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined;
    throw error;
  }
}
