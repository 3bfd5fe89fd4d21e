/*
 * For everything that is damaged or cannot be read or written: the reason, and what to do first. The product
 * prints these texts at its start, in commands and in alerts; a test does exactly what they say until the
 * product runs again (docs/decisions/0054-one-writer-and-one-table-of-first-steps.md).
 */

/** Quotes a path for a shell where needed. */
export const shellQuoted = (path: string) =>
  /^[\w@.+/:-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;

/**
 * The reason of a failure and the first step, by error code of the system or of SQLite. `{}` is the path,
 * `{there}` the part of the path that exists, `{above}` the folder of the path.
 */
export const SYSTEM_ERROR_STEPS: Record<string, [why: string, step: string]> = {
  ENOENT: ['it does not exist', 'list its folder: ls {above}'],
  'EACCES EPERM': [
    'this user has no permission',
    'see its owner (ls -ld {there}), and run this as the owner or with sudo',
  ],
  EISDIR: ['it is a folder, not a file', 'give a file: ls {}'],
  ENOTDIR: ['a file is where a folder must be', 'give another folder: ls -ld {above}'],
  ENOTEMPTY: ['it is not empty', 'list it: ls -A {}'],
  EEXIST: ['it already exists and is not overwritten', 'give another name, or move it away'],
  ELOOP: [
    'it is a symbolic link, which may lead anywhere',
    'give the file itself (readlink -f {}), or move the link away',
  ],
  'ENOSPC EDQUOT': ['its disk is full', 'make room on it: df -h {there}'],
  EROFS: ['its disk is read-only', 'see why: dmesg, findmnt --target {there}'],
  EXDEV: ['that is on another disk', 'give a folder on the same disk'],
  'EBUSY SQLITE_BUSY': ['another program is using it', 'wait, or see which one: fuser -v {}'],
  'EMFILE ENFILE': [
    'too many files are open',
    'see which programs opened them (lsof), or raise the limit: ulimit -n',
  ],
  EIO: [
    'its disk reported an error',
    'copy what can still be read: dmesg shows the errors, df {there} the disk',
  ],
  // No first step here: the remedy depends on what the damaged file is for (see `REPAIR_STEPS`).
  SQLITE_CORRUPT: ['it is damaged', ''],
  SQLITE_NOTADB: ['it is not a database', ''],
  ECONNREFUSED: ['no program listens there', 'check that it runs, and that the port is right'],
  ENOTFOUND: ['no machine has that name', 'check the spelling, then the network (ping)'],
  EAI_AGAIN: ['names cannot be looked up now', 'check the network of this machine (ping)'],
  'ECONNRESET EPIPE UND_ERR_SOCKET': [
    'it closed the connection',
    'check that address, port and protocol fit together',
  ],
  'ETIMEDOUT EHOSTUNREACH ENETUNREACH UND_ERR_CONNECT_TIMEOUT': [
    'it does not answer',
    'check the network of this machine, then that the other one runs',
  ],
  EADDRINUSE: ['another program uses that port', 'see which one: ss -ltnp'],
  'ERR_SSL_WRONG_VERSION_NUMBER ERR_SSL_PACKET_LENGTH_TOO_LONG': [
    'it does not speak TLS there',
    'check the port, and whether it is http or https',
  ],
  'CERT_HAS_EXPIRED CERT_NOT_YET_VALID': [
    'its certificate is not valid at this time',
    'check the clock of this machine (date); if it is right, renew the certificate',
  ],
  ERR_TLS_CERT_ALTNAME_INVALID: ['its certificate is for other names', 'use one of its names'],
  'SELF_SIGNED_CERT_IN_CHAIN DEPTH_ZERO_SELF_SIGNED_CERT UNABLE_TO_VERIFY_LEAF_SIGNATURE UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
    [
      'this machine does not know who signed its certificate',
      'set its authority (MQTT_CA_FILE for a broker, NODE_EXTRA_CA_CERTS for an address)',
    ],
};

/** Where a step is printed: on a machine set up by the package, or in a clone of the project. */
export type InstallationKind = 'pi' | 'clone';

/** Joins commands, to be typed one after the other. */
const steps = (...commands: string[]) => commands.join(', then ');

/** Moves a database with its -wal and -shm files: SQLite would apply an old log to the next database. */
function moveAway(path: string, to: string): string {
  return `mkdir ${shellQuoted(to)} && mv ${shellQuoted(path)}* ${shellQuoted(to)}/`;
}

/** A command on a data folder, run from the project's root. Without DATA_DIR it uses another folder. */
export const commandInDataDir = (dataDir: string, command: string) =>
  `DATA_DIR=${shellQuoted(dataDir)} ${command}`;

/**
 * The first step for something damaged, by the kind of thing.
 * @param aside an unused path beside the damaged file, to which the file is moved
 * @param start `npm start` as it was typed
 */
export const REPAIR_STEPS = {
  /** @param archive the newest archive on this machine */
  store: (dataDir: string, archive?: string) =>
    commandInDataDir(
      dataDir,
      `npm run restore -- ${archive === undefined ? '<archive>' : shellQuoted(archive)} --overwrite local`,
    ),
  /** Without an archive the data cannot be recovered. */
  storeWithoutArchive: (dataDir: string, aside: string, start: string) =>
    `${REPAIR_STEPS.store(dataDir)}, or without an archive start with empty data: mv ${shellQuoted(`${dataDir}/v3`)} ${shellQuoted(aside)}, then ${start}`,
  spool: (path: string, aside: string, place: InstallationKind) =>
    place === 'pi'
      ? steps(
          'sudo systemctl stop bridge',
          `sudo sh -c ${shellQuoted(moveAway(path, aside))}`,
          'sudo systemctl start bridge',
        )
      : `stop the bridge (or the npm start that runs it), then ${steps(moveAway(path, aside), 'start it again')}`,
  /** For a file of dead letters: puts back the letters that are intact. */
  letters: (file: string, dataDir: string, aside: string, place: InstallationKind) =>
    steps(
      place === 'pi'
        ? `sudo cps-bridge dead-letters replay ${shellQuoted(file)}`
        : commandInDataDir(dataDir, `npm run dead-letters -- replay ${shellQuoted(file)}`),
      REPAIR_STEPS.lettersLeft(file.replace(/\.replaying$/, ''), aside, place),
    ),
  /** Renames the file of the remaining letters, which then no longer count as dead letters. */
  lettersLeft: (file: string, aside: string, place: InstallationKind) =>
    `${place === 'pi' ? 'sudo ' : ''}mv ${shellQuoted(file)} ${shellQuoted(aside)}`,
  /** For a spool that was copied by root. The bridge runs as another user, and needs no restart. */
  spoolOfOthers: (folder: string) =>
    `sudo sh -c ${shellQuoted(`chown --reference=${shellQuoted(folder)} ${shellQuoted(folder)}/* && chmod u+rw ${shellQuoted(folder)}/*`)}`,
  /** Removing a lock file is safe: nobody reads its content, only the open handle matters. */
  lock: (path: string) => `rm ${shellQuoted(path)}`,
  /** @param start the command that creates a new key */
  key: (path: string, start: string) => steps(`rm ${shellQuoted(path)}`, start),
  /** For an unhealthy process that still locks its data folder. */
  running: (pid: string, start: string) => steps(`kill ${pid}, which takes some seconds`, start),
  /** For the key of archives: the next backup creates a new key. */
  archiveKey: (path: string, aside: string) =>
    `restore it from a copy; without a copy, ${steps(`mv ${shellQuoted(path)} ${shellQuoted(aside)}`, 'note the new name that the next backup prints')}`,
  /** For a restore that was interrupted. */
  restore: (archive: string, options: string) => `npm run restore -- ${archive}${options}`,
  /** The certificate of the package's own authority is created again from its key. */
  caFile: (path: string, place: InstallationKind) =>
    place === 'pi' && path === '/etc/cps-bridge/ca.crt'
      ? steps('sudo cps-bridge certificate renew', 'sudo systemctl restart bridge')
      : `set it to the certificate of the broker's certificate authority, or restore the file: ls -l ${shellQuoted(path)}`,
  settings: (place: InstallationKind) =>
    place === 'pi' ? 'sudo cps-setup, which asks for missing values' : 'docs/configuration.md lists them',
  /** firmware-bridge/debian/certificates prints the same two texts; a test compares them. */
  certificate: 'sudo cps-bridge certificate renew',
  authority: (certificate: string) =>
    `restore it from a copy; without a copy, ${steps(`sudo mv ${certificate} ${certificate}.lost`, 'sudo cps-bridge certificate renew', "each board's program again: sudo cps-board add <plant>")}`,
  clock: (place: InstallationKind) =>
    place === 'pi'
      ? steps('sudo timedatectl set-ntp true', 'date, which shows whether it is right')
      : 'date shows it; let the system set its clock by the network',
  broker: (place: InstallationKind) =>
    place === 'pi'
      ? 'sudo systemctl restart mosquitto'
      : 'check that MQTT_URL is right, and that the broker runs',
  bridge: (place: InstallationKind) => (place === 'pi' ? 'sudo systemctl restart bridge' : 'start it again'),
  log: (place: InstallationKind) => (place === 'pi' ? 'journalctl -u bridge -n 50' : 'read its output'),
  newer: (version: string) => `git checkout v${version} && npm ci`,
  answers: (path: string) => steps(`rm ${shellQuoted(path)}`, 'npm run deploy'),
  rights: (path: string, place: InstallationKind) =>
    `${place === 'pi' ? 'sudo cp /usr/share/cps-bridge/acl' : 'cp firmware-bridge/mosquitto/acl'} ${shellQuoted(path)}`,
} as const;

/** Alerts of a spool that accepts nothing: for the page 시스템 상태, and for the table in docs/operations.md. */
export const SPOOL_ALERTS = {
  full: {
    step: 'df -h /var/lib/cps-bridge 명령으로 가득 찬 디스크를 찾아 필요 없는 파일을 지우세요. 보관 파일은 지우면 안 됩니다.',
    first: '`df -h /var/lib/cps-bridge`, then free space on that disk; never delete the spool itself',
  },
  readonly: {
    step: 'SD 카드가 고장 났을 수 있습니다. dmesg로 확인하고 보관 파일을 복사한 뒤 카드를 바꾸세요.',
    first: '`dmesg`; copy the spool away, then replace the card',
  },
  corrupt: {
    step: '브리지의 로그(journalctl -u bridge)에 나온 명령대로 보관 파일을 옮기고 브리지를 다시 시작하세요. 디스크도 확인하세요.',
    first:
      '`journalctl -u bridge` on the Pi prints the commands that move the file away (no archive has it); then check the disk',
  },
  failed: {
    step: 'journalctl -u bridge 명령으로 이유를 확인하세요. 파일의 소유자와 권한이 바뀌었을 수 있습니다.',
    first: '`journalctl -u bridge` on the Pi; then check owner and rights of the file',
  },
} as const;
