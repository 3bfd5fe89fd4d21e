import { readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, sep } from 'node:path';

/* Reads about other processes in Linux's /proc. It finds none on other systems, and none of other users. */

type RunningProcess = { pid: number; name: string };

/** For example `process 4711 (workerd)`; several processes are joined with `and`. */
export function processNames(processes: readonly RunningProcess[]): string {
  return processes.map(({ pid, name }) => `process ${pid} (${name})`).join(' and ');
}

/** The other processes that have opened files in the folder or below it. */
export function processesWithFilesIn(folder: string): RunningProcess[] {
  const below = realpathSync(folder) + sep;
  return processesWhere((file) => file.startsWith(below));
}

/** The other processes that listen on the TCP port. */
export function processesListeningOn(port: number): RunningProcess[] {
  const sockets = new Set(['/proc/net/tcp', '/proc/net/tcp6'].flatMap((table) => listeners(table, port)));
  return sockets.size === 0 ? [] : processesWhere((file) => sockets.has(file));
}

const LISTENS = '0A';

/** The sockets that listen on the port, as /proc/<pid>/fd names them. */
function listeners(table: string, port: number): string[] {
  const lines = whereShown(() => readFileSync(table, 'utf8')) ?? '';
  return lines.split('\n').flatMap((line) => {
    const [, address, , state, , , , , , inode] = line.trim().split(/\s+/);
    const isIt = state === LISTENS && Number.parseInt(address?.split(':')[1] ?? '', 16) === port;
    return isIt ? [`socket:[${inode}]`] : [];
  });
}

/** The processes that have this environment variable, and all of their descendants. */
export function processesWithVariable(variable: string): RunningProcess[] {
  const pids = (whereShown(() => readdirSync('/proc')) ?? []).filter((name) => /^\d+$/.test(name));
  const running = pids.map(Number).flatMap((pid) => {
    const stat = whereShown(() => readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? '';
    // The program's name may contain any character, so the fields are read from behind the name.
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

/** Kills these processes with SIGKILL. Returns when the last one has ended, or after ten seconds. */
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

/** The name of the program and, if it runs a script, of the script. */
function nameOf(pid: number): string {
  const [program = '', ...args] = (
    whereShown(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8')) ?? ''
  ).split('\0');
  const script = args.find((arg) => /\.[mc]?[jt]s$/.test(arg));
  return [basename(program), ...(script === undefined ? [] : [script])].join(' ');
}

/** Undefined if the entry does not exist (any more) or belongs to another user. */
function whereShown<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined;
    throw error;
  }
}
