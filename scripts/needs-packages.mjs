/* Loaded before an operator's command, on whatever Node there is: without packages it could not even say what is missing. */
import { existsSync } from 'node:fs';

if (!existsSync('node_modules/.package-lock.json')) {
  console.error('the packages of the portal are not installed here: run npm ci first');
  process.exit(1);
}
