import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** Holds the digest of the lock file that node_modules was installed from, by whichever command. */
export const INSTALLED = 'node_modules/.installed-lock';

export const lockDigest = () => createHash('sha256').update(readFileSync('package-lock.json')).digest('hex');
