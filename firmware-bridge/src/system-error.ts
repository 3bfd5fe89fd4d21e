import { visible } from '#contract/visible-text';
import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/*
 * What the system, SQLite or the network says in its own words, said for whoever typed a command: what could not be done,
 * with which file or address, why, and the first step to take.
 */

/** A system error knows its call and most often its path; Node leaves the latter out once a file is open. */
type SystemError = Error & {
  code?: unknown;
  syscall?: unknown;
  path?: unknown;
  dest?: unknown;
  address?: unknown;
  port?: unknown;
  hostname?: unknown;
  /** SQLite's. */
  errcode?: unknown;
};

/** Of calls that are made with a path. */
const DOING: Record<string, string> = {
  open: 'opened',
  read: 'read',
  write: 'written',
  fsync: 'written',
  ftruncate: 'written',
  mkdir: 'made',
  mkdtemp: 'made',
  scandir: 'listed',
  opendir: 'listed',
  readdir: 'listed',
  stat: 'looked at',
  lstat: 'looked at',
  access: 'looked at',
  unlink: 'deleted',
  rm: 'deleted',
  rmdir: 'deleted',
  rename: 'moved',
  copyfile: 'copied',
  cp: 'copied',
  link: 'linked',
  symlink: 'linked',
  chmod: 'changed',
  chown: 'changed',
  utime: 'changed',
  spawn: 'run',
};

/** A word of a path as a shell takes it: most need nothing. */
const asWord = (path: string) => (/^[\w@.+/:-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`);

function nearestAbove(path: string): string {
  const above = dirname(path);
  return above === path || existsSync(above) ? above : nearestAbove(above);
}

type Saying = [why: string, step: string];

function notThere(path: string): Saying {
  const above = nearestAbove(path);
  return above === dirname(path)
    ? ['it is not there', `look what is: ls ${asWord(above)}`]
    : [
        `of its folders only ${visible(above)} is there`,
        `look what is (ls ${asWord(above)}), or make the others: mkdir -p ${asWord(dirname(path))}`,
      ];
}

const IS_FOLDER = (path: string): Saying => [
  'it is a folder, and a file is wanted',
  `name a file: ls ${asWord(path)}`,
];
const FULL = (path: string): Saying => ['its disk is full', `make room on it: df -h ${asWord(path)}`];
const MAY_NOT = (path: string): Saying => [
  'whoever runs this may not',
  `see whose it is (ls -ld ${asWord(path)}), and run this as them or with sudo`,
];
const BROKEN = (path: string): Saying => [
  'its disk reported an error',
  `copy away what can be read: dmesg tells of the disk, df ${asWord(path)} which it is`,
];

const OF_FILES: Record<string, (path: string) => Saying> = {
  ENOENT: notThere,
  EACCES: MAY_NOT,
  EPERM: MAY_NOT,
  EISDIR: IS_FOLDER,
  ENOTDIR: (path) => [
    'a file stands where a folder is wanted',
    `name another folder: ls -ld ${asWord(dirname(path))}`,
  ],
  ENOTEMPTY: (path) => ['something is in it', `look what: ls -A ${asWord(path)}`],
  EEXIST: () => ['it is there already and stays as it is', 'give another name, or move it away'],
  ENOSPC: FULL,
  EDQUOT: FULL,
  EROFS: (path) => ['its disk is read-only', `see why: dmesg, findmnt --target ${asWord(path)}`],
  EXDEV: () => ['that is on another disk', 'name a folder of the same disk'],
  EBUSY: (path) => ['something else is using it', `see what: fuser -v ${asWord(path)}`],
  EMFILE: () => ['this process has too many files open', 'allow more: ulimit -n'],
  ENFILE: () => ['this machine has too many files open', 'end what has them: lsof'],
  ENAMETOOLONG: () => ['its name is too long', 'give a shorter one'],
  ELOOP: (path) => ['its links lead in a circle', `see where to: ls -l ${asWord(path)}`],
  EIO: BROKEN,
};

function cannotOpen(path: string): Saying {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return notThere(path);
  return found.isDirectory() ? IS_FOLDER(path) : MAY_NOT(path);
}

/** SQLite's primary result codes that are about the file. */
const OF_SQLITE: Record<number, (path: string) => Saying> = {
  3: MAY_NOT,
  5: (path) => ['another process is writing to it', `wait, or see which: fuser -v ${asWord(path)}`],
  8: MAY_NOT,
  10: BROKEN,
  11: () => ['it is damaged', 'move it away, and bring a backup back: npm run restore'],
  13: FULL,
  14: cannotOpen,
  23: MAY_NOT,
  26: () => ['it is no database', 'name another, or bring a backup back: npm run restore'],
};

const CERTIFICATE: Saying = [
  'its certificate is signed by nobody whom this machine knows',
  'name its authority (MQTT_CA_FILE for a broker, NODE_EXTRA_CA_CERTS for an address)',
];
const AWAY: Saying = ['it does not answer', 'look at the network of this machine, then whether it runs'];

const OF_ADDRESSES: Record<string, Saying> = {
  ECONNREFUSED: ['nothing listens there', 'see whether it runs, and whether the port is right'],
  ENOTFOUND: ['nobody knows a machine of that name', 'look at the spelling, then at the network (ping)'],
  EAI_AGAIN: ['names cannot be looked up now', 'look at the network of this machine (ping)'],
  ECONNRESET: ['it broke the connection off', 'look whether address, port and protocol fit each other'],
  EPIPE: ['it broke the connection off', 'look whether address, port and protocol fit each other'],
  UND_ERR_SOCKET: ['it broke the connection off', 'look whether address, port and protocol fit each other'],
  ETIMEDOUT: AWAY,
  EHOSTUNREACH: AWAY,
  ENETUNREACH: AWAY,
  UND_ERR_CONNECT_TIMEOUT: AWAY,
  EADDRINUSE: ['another program has that port', 'see which: ss -ltnp'],
  EADDRNOTAVAIL: ['this machine has no such address', 'see which it has: ip address'],
  ERR_SSL_WRONG_VERSION_NUMBER: ['it does not speak TLS there', 'look at the port, and at http or https'],
  ERR_SSL_PACKET_LENGTH_TOO_LONG: ['it does not speak TLS there', 'look at the port, and at http or https'],
  CERT_HAS_EXPIRED: ['its certificate has ended', 'have it renewed; first look at the date of this machine'],
  CERT_NOT_YET_VALID: ['its certificate is not valid yet', 'look at the date of this machine: date'],
  ERR_TLS_CERT_ALTNAME_INVALID: ['its certificate is for other names', 'use one of its names'],
  SELF_SIGNED_CERT_IN_CHAIN: CERTIFICATE,
  DEPTH_ZERO_SELF_SIGNED_CERT: CERTIFICATE,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: CERTIFICATE,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: CERTIFICATE,
};

const put = (what: string, [why, step]: Saying) => `${what}: ${why}. First step: ${step}`;

function ofFile(error: SystemError): string | undefined {
  const { code, syscall, path, dest, errcode, message } = error;
  const isNamed = typeof path === 'string';
  if (typeof errcode === 'number') {
    const saying = OF_SQLITE[errcode & 0xff];
    return saying && isNamed ? put(`${visible(path)} cannot be used as a database`, saying(path)) : undefined;
  }
  if (typeof code !== 'string' || typeof syscall !== 'string') return undefined;
  const doing = DOING[syscall.replace(/Sync\b| .*/g, '')];
  // To make a folder fails so only where something else has its name.
  const saying = OF_FILES[code === 'EEXIST' && syscall === 'mkdir' ? 'ENOTDIR' : code];
  if (doing === undefined || saying === undefined) return undefined;
  if (!isNamed) return put(`something could not be ${doing} (${visible(message)})`, saying('.'));
  const to = typeof dest === 'string' ? ` to ${visible(dest)}` : '';
  // A program that is not there has no folder to look into.
  if (syscall.startsWith('spawn') && code === 'ENOENT' && !path.includes('/'))
    return put(`${visible(path)} could not be run`, [
      'it is not installed',
      `install it, or look at the PATH: which ${asWord(path)}`,
    ]);
  return put(`${visible(path)}${to} could not be ${doing}`, saying(path));
}

function ofAddress({ code, message, address, hostname, port }: SystemError): string | undefined {
  if (message === 'bad port')
    return put('the address could not be reached', [
      'its port is one that no web address may have',
      'look at the port',
    ]);
  const saying = typeof code === 'string' ? OF_ADDRESSES[code] : undefined;
  if (saying === undefined) return undefined;
  const where = [
    [hostname, address].find((each) => typeof each === 'string'),
    typeof port === 'number' ? `${port}` : undefined,
  ]
    .filter((each) => each !== undefined)
    .join(' port ');
  return put(`${where === '' ? 'the address' : visible(where)} could not be reached`, saying);
}

/** The error of the system below one that was thrown for it, and what it says. */
function found(error: unknown): { own: Error; saying: string } | undefined {
  if (!(error instanceof Error)) return undefined;
  const saying = ofFile(error) ?? ofAddress(error);
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
