/* Loaded before an operator's command, on any Node: Node's own error for missing packages is not clear. */
import { existsSync } from 'node:fs';

if (!existsSync('node_modules/.package-lock.json')) {
  console.error('the npm packages of the portal are not installed: run npm ci first');
  process.exit(1);
}
