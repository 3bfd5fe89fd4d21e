/**
 * Runs after each `npm ci`, on whatever Node is installed. The package `node` downloads a second copy of its release
 * with 67 MB of C++ headers; only one file is used, through a hard link.
 */
import { existsSync, rmSync } from 'node:fs';

if (existsSync('node_modules/node/bin/node')) {
  rmSync('node_modules/node/node_modules', { recursive: true, force: true });
}
