import { printable } from '#contract/printable-text';
import { shellQuoted, REPAIR_STEPS, SYSTEM_ERROR_STEPS, type InstallationKind } from '#contract/first-steps';
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/*
 * Explains an error of the system, SQLite or the network to the user of a command: what failed, the file or
 * address, the cause, and the first step.
 */

/** A system error names the system call and usually the path. Node omits the path once a file is open. */
type SystemError = Error &
  Partial<Record<'code' | 'syscall' | 'path' | 'dest' | 'address' | 'port' | 'hostname', unknown>> & {
    /** SQLite's error code. */
    errcode?: unknown;
  };

/** Creates an error like the system's own, so that one table explains both kinds. */
export function createSystemError(code: 'EEXIST' | 'EISDIR' | 'ELOOP' | 'EPERM', path: string): Error {
  return Object.assign(new Error(`${code}: ${path}`), { code, syscall: 'open', path });
}

/** The verb for each system call, as in “could not be opened”. For any other call the verb is `used`. */
const DOING: Record<string, string> = {
  open: 'opened',
  read: 'read',
  write: 'written',
  mkdir: 'made',
  spawn: 'run',
};

/** SQLite's primary result codes for errors of the file. CANTOPEN has three causes: see `ofDatabase`. */
export const SQLITE_ERRNO: Record<number, string> = {
  3: 'EACCES',
  5: 'SQLITE_BUSY',
  8: 'EACCES',
  10: 'EIO',
  11: 'SQLITE_CORRUPT',
  13: 'ENOSPC',
  14: 'CANTOPEN',
  23: 'EACCES',
  26: 'SQLITE_NOTADB',
};

/** SQLite's code if the shared memory of its write-ahead log cannot grow. */
export const SQLITE_IOERR_SHMSIZE = 4874;

function nearestAbove(path: string): string {
  const above = dirname(path);
  return above === path || existsSync(above) ? above : nearestAbove(above);
}

/** Where this program is installed: printed steps must be right for that place. */
export const currentInstallation = (): InstallationKind =>
  process.argv[1]?.startsWith('/usr/lib/cps-bridge/') === true ? 'pi' : 'clone';

/** An unused name beside the path, to which a damaged file can be moved. */
export const damagedFilePath = (path: string, now = new Date()) =>
  join(dirname(path), `damaged-${now.toISOString().slice(0, 19).replaceAll(':', '')}Z`);

/** The first step depends on the database: below v3/ it is the portal's, elsewhere a bridge's spool. */
function ownStep(code: string, path: string): string | undefined {
  if (code === 'EACCES' && currentInstallation() === 'pi' && path.endsWith('.sqlite'))
    return REPAIR_STEPS.spoolOfOthers(dirname(path));
  if (code !== 'SQLITE_CORRUPT' && code !== 'SQLITE_NOTADB') return undefined;
  const [, dataDir] = /^(.*)\/v3\/(?:d1|r2)\//.exec(path) ?? [];
  if (dataDir !== undefined) return REPAIR_STEPS.store(dataDir);
  if (/^(run\.lock|lock|\.cps-lock.*)$/.test(basename(path))) return REPAIR_STEPS.lock(path);
  const spool = REPAIR_STEPS.spool(path, damagedFilePath(path), currentInstallation());
  return code === 'SQLITE_NOTADB' ? `if this is the spool, ${spool}` : spool;
}

const entryOf = (code: unknown) =>
  Object.entries(SYSTEM_ERROR_STEPS).find(([codes]) => codes.split(' ').some((each) => each === code));

function sayingOf(code: unknown, path = '.'): string | undefined {
  const [, saying] = entryOf(code) ?? [];
  if (saying === undefined) return undefined;
  const above = nearestAbove(path);
  if (code === 'ENOENT' && above !== dirname(path))
    return `of its folders only ${printable(above)} exists. First step: list it (ls ${shellQuoted(above)}), or create the others: mkdir -p ${shellQuoted(dirname(path))}`;
  return `${saying[0]}. First step: ${errorFirstStep(String(code), path)}`;
}

/** The first step for a path and a code of the system or SQLite; undefined if the code is unknown. */
export function errorFirstStep(code: string, path: string): string | undefined {
  const own = ownStep(code, path);
  if (own !== undefined) return own;
  const [, [, step] = []] = entryOf(code) ?? [];
  return step
    ?.replace('{above}', () => shellQuoted(dirname(path)))
    .replace('{there}', () => shellQuoted(existsSync(path) ? path : nearestAbove(path)))
    .replace('{}', () => shellQuoted(path));
}

/** SQLite reports a read-only disk and a file without write permission with the same code. */
function onReadOnlyDisk(path: string): boolean {
  try {
    accessSync(existsSync(path) ? path : nearestAbove(path), constants.W_OK);
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EROFS';
  }
}

function ofDatabase(errcode: number, path: string): string | undefined {
  const said = errcode === SQLITE_IOERR_SHMSIZE ? 'ENOSPC' : SQLITE_ERRNO[errcode & 0xff];
  const isClosed = (said === 'EACCES' || said === 'CANTOPEN') && onReadOnlyDisk(path);
  const code = isClosed ? 'EROFS' : said;
  const found = code === 'CANTOPEN' ? statSync(path, { throwIfNoEntry: false }) : undefined;
  const cannotOpen = found === undefined ? 'ENOENT' : found.isDirectory() ? 'EISDIR' : 'EACCES';
  const saying = sayingOf(code === 'CANTOPEN' ? cannotOpen : code, path);
  return saying && `${printable(path)} cannot be used as a database: ${saying}`;
}

function ofFile({ code, syscall, path, dest, message }: SystemError): string | undefined {
  if (typeof syscall !== 'string') return undefined;
  const call = syscall.replace(/Sync\b| .*/g, '');
  const doing = DOING[call] ?? 'used';
  if (typeof path !== 'string') {
    const saying = sayingOf(code);
    return saying && `something could not be ${doing} (${printable(message)}): ${saying}`;
  }
  // A program that is missing has no folder to list.
  if (call === 'spawn' && code === 'ENOENT' && !path.includes('/'))
    return `${printable(path)} could not be run: it is not installed. First step: install it, or check the PATH: which ${shellQuoted(path)}`;
  const to = typeof dest === 'string' ? ` to ${printable(dest)}` : '';
  // For mkdir, EEXIST means that the name is taken by something other than a folder.
  const saying = sayingOf(code === 'EEXIST' && call === 'mkdir' ? 'ENOTDIR' : code, path);
  return saying && `${printable(path)}${to} could not be ${doing}: ${saying}`;
}

function ofAddress({ code, message, address, hostname, port }: SystemError): string | undefined {
  if (message === 'bad port')
    return 'the address could not be reached: web addresses must not use its port. First step: change the port';
  const name = [hostname, address].find((each) => typeof each === 'string');
  const where = [name, typeof port === 'number' ? `${port}` : undefined].filter((each) => each !== undefined);
  const shown = where.length === 0 ? 'the address' : printable(where.join(' port '));
  const saying = sayingOf(code);
  return saying && `${shown} could not be reached: ${saying}`;
}

function sayingIn(error: SystemError): string | undefined {
  const { errcode, path, syscall } = error;
  if (typeof errcode === 'number') return typeof path === 'string' ? ofDatabase(errcode, path) : undefined;
  const isOfNetwork =
    /^(connect|listen|bind|getaddrinfo)\b/.test(String(syscall)) ||
    /^(E(CONN|HOST|NET)|EPIPE|ETIMEDOUT)/.test(String(error.code));
  return (isOfNetwork ? undefined : ofFile(error)) ?? ofAddress(error);
}

/** The system's error that caused another error, with its explanation. */
function found(error: unknown): { own: Error; saying: string } | undefined {
  if (!(error instanceof Error)) return undefined;
  const saying = sayingIn(error);
  if (saying !== undefined) return { own: error, saying };
  // For a host name with several addresses there is one error for each address. Explain the first one.
  return found(error instanceof AggregateError ? error.errors[0] : error.cause);
}

/** The text of an error as a command prints it. The product's own messages stay unchanged. */
export function explainError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const below = found(error);
  if (below === undefined) return error.message || error.name;
  const { own, saying } = below;
  if (own === error || /^(fetch failed)?$/.test(error.message)) return saying;
  return own.message === '' ? error.message : error.message.replaceAll(own.message, saying);
}

/**
 * Runs work on a file or folder. If the system or SQLite throws an error, the error then names this path.
 * @throws what the work throws
 */
export function withErrorPath<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof Error && !('path' in error)) Object.assign(error, { path });
    throw error;
  }
}
