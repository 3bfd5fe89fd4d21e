/**
 * Runs after each `npm ci`, on whatever Node there is. The package `node` downloads a second copy of its release with
 * 67 MB of C++ headers; what is run is a hard link to the one file of it that counts.
 */
import { existsSync, rmSync } from 'node:fs';

if (existsSync('node_modules/node/bin/node')) {
  rmSync('node_modules/node/node_modules', { recursive: true, force: true });
}
