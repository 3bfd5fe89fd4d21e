import { visible } from '#contract/visible-text';
import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/*
 * What the system, SQLite or the network says in its own words, said for whoever typed a command: what could not be done,
 * with which file or address, why, and the first step to take.
 */

/** A system error knows its call and most often its path; Node leaves the latter out once a file is open. */
type SystemError = Error &
  Partial<Record<'code' | 'syscall' | 'path' | 'dest' | 'address' | 'port' | 'hostname', unknown>> & {
    /** SQLite's. */
    errcode?: unknown;
  };

/** Of calls that are made with a path; with any other it could not be used. */
const DOING: Record<string, string> = {
  open: 'opened',
  read: 'read',
  write: 'written',
  mkdir: 'made',
  spawn: 'run',
};

/** By the codes, why it failed, and a first step with `{}` for the path. */
const SAYINGS: Record<string, [why: string, step: string]> = {
  ENOENT: ['it is not there', 'look what is: ls {above}'],
  'EACCES EPERM': [
    'whoever runs this may not',
    'see whose it is (ls -ld {}), and run this as them or with sudo',
  ],
  EISDIR: ['it is a folder, and a file is wanted', 'name a file: ls {}'],
  ENOTDIR: ['a file stands where a folder is wanted', 'name another folder: ls -ld {above}'],
  ENOTEMPTY: ['something is in it', 'look what: ls -A {}'],
  EEXIST: ['it is there already and stays as it is', 'give another name, or move it away'],
  'ENOSPC EDQUOT': ['its disk is full', 'make room on it: df -h {}'],
  EROFS: ['its disk is read-only', 'see why: dmesg, findmnt --target {}'],
  EXDEV: ['that is on another disk', 'name a folder of the same disk'],
  'EBUSY SQLITE_BUSY': ['something else is using it', 'wait, or see what: fuser -v {}'],
  'EMFILE ENFILE': [
    'too many files are open',
    'see which programs have them (lsof), or allow more: ulimit -n',
  ],
  EIO: [
    'its disk reported an error',
    'copy away what can be read: dmesg tells of the disk, df {} which it is',
  ],
  SQLITE_CORRUPT: ['it is damaged', 'move it away, and bring a backup back: npm run restore'],
  SQLITE_NOTADB: ['it is no database', 'name another, or bring a backup back: npm run restore'],
  ECONNREFUSED: ['nothing listens there', 'see whether it runs, and whether the port is right'],
  ENOTFOUND: ['nobody knows a machine of that name', 'look at the spelling, then at the network (ping)'],
  EAI_AGAIN: ['names cannot be looked up now', 'look at the network of this machine (ping)'],
  'ECONNRESET EPIPE UND_ERR_SOCKET': [
    'it broke the connection off',
    'look whether address, port and protocol fit each other',
  ],
  'ETIMEDOUT EHOSTUNREACH ENETUNREACH UND_ERR_CONNECT_TIMEOUT': [
    'it does not answer',
    'look at the network of this machine, then whether it runs',
  ],
  EADDRINUSE: ['another program has that port', 'see which: ss -ltnp'],
  'ERR_SSL_WRONG_VERSION_NUMBER ERR_SSL_PACKET_LENGTH_TOO_LONG': [
    'it does not speak TLS there',
    'look at the port, and at http or https',
  ],
  'CERT_HAS_EXPIRED CERT_NOT_YET_VALID': [
    'its certificate is not valid at this time',
    'look at the date of this machine (date); if that is right, have it renewed',
  ],
  ERR_TLS_CERT_ALTNAME_INVALID: ['its certificate is for other names', 'use one of its names'],
  'SELF_SIGNED_CERT_IN_CHAIN DEPTH_ZERO_SELF_SIGNED_CERT UNABLE_TO_VERIFY_LEAF_SIGNATURE UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
    [
      'its certificate is signed by nobody whom this machine knows',
      'name its authority (MQTT_CA_FILE for a broker, NODE_EXTRA_CA_CERTS for an address)',
    ],
};

/** SQLite's primary result codes that are about the file. Which of three things CANTOPEN is, the path tells. */
const OF_SQLITE: Record<number, string> = {
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

/** A word of a path as a shell takes it: most need nothing. */
const asWord = (path: string) => (/^[\w@.+/:-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`);

function nearestAbove(path: string): string {
  const above = dirname(path);
  return above === path || existsSync(above) ? above : nearestAbove(above);
}

function sayingOf(code: unknown, path = '.'): string | undefined {
  const [, saying] =
    Object.entries(SAYINGS).find(([codes]) => codes.split(' ').some((each) => each === code)) ?? [];
  if (saying === undefined) return undefined;
  const above = nearestAbove(path);
  if (code === 'ENOENT' && above !== dirname(path))
    return `of its folders only ${visible(above)} is there. First step: look what is (ls ${asWord(above)}), or make the others: mkdir -p ${asWord(dirname(path))}`;
  const [why, step] = saying;
  return `${why}. First step: ${step.replace('{above}', () => asWord(dirname(path))).replace('{}', () => asWord(path))}`;
}

function ofDatabase(errcode: number, path: string): string | undefined {
  const code = OF_SQLITE[errcode & 0xff];
  const found = code === 'CANTOPEN' ? statSync(path, { throwIfNoEntry: false }) : undefined;
  const cannotOpen = found === undefined ? 'ENOENT' : found.isDirectory() ? 'EISDIR' : 'EACCES';
  const saying = sayingOf(code === 'CANTOPEN' ? cannotOpen : code, path);
  return saying && `${visible(path)} cannot be used as a database: ${saying}`;
}

function ofFile({ code, syscall, path, dest, message }: SystemError): string | undefined {
  if (typeof syscall !== 'string') return undefined;
  const call = syscall.replace(/Sync\b| .*/g, '');
  const doing = DOING[call] ?? 'used';
  if (typeof path !== 'string') {
    const saying = sayingOf(code);
    return saying && `something could not be ${doing} (${visible(message)}): ${saying}`;
  }
  // A program that is not there has no folder to look into.
  if (call === 'spawn' && code === 'ENOENT' && !path.includes('/'))
    return `${visible(path)} could not be run: it is not installed. First step: install it, or look at the PATH: which ${asWord(path)}`;
  const to = typeof dest === 'string' ? ` to ${visible(dest)}` : '';
  // To make a folder fails so only where something else has its name.
  const saying = sayingOf(code === 'EEXIST' && call === 'mkdir' ? 'ENOTDIR' : code, path);
  return saying && `${visible(path)}${to} could not be ${doing}: ${saying}`;
}

function ofAddress({ code, message, address, hostname, port }: SystemError): string | undefined {
  if (message === 'bad port')
    return 'the address could not be reached: its port is one that no web address may have. First step: look at the port';
  const name = [hostname, address].find((each) => typeof each === 'string');
  const where = [name, typeof port === 'number' ? `${port}` : undefined].filter((each) => each !== undefined);
  const shown = where.length === 0 ? 'the address' : visible(where.join(' port '));
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

/** The error of the system below one that was thrown for it, and what it says. */
function found(error: unknown): { own: Error; saying: string } | undefined {
  if (!(error instanceof Error)) return undefined;
  const saying = sayingIn(error);
  if (saying !== undefined) return { own: error, saying };
  // A name with several addresses fails once for each.
  return found(error instanceof AggregateError ? error.errors[0] : error.cause);
}

/** An error as a command prints it. What the product itself threw stays as it was put there. */
export function explained(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const below = found(error);
  if (below === undefined) return error.message || error.name;
  const { own, saying } = below;
  if (own === error || /^(fetch failed)?$/.test(error.message)) return saying;
  return own.message === '' ? error.message : error.message.replaceAll(own.message, saying);
}

/**
 * Runs work on a file or folder, whose path an error of the system or SQLite then names, also when Node does not.
 * @throws what the work throws
 */
export function onPath<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof Error && !('path' in error)) Object.assign(error, { path });
    throw error;
  }
}
