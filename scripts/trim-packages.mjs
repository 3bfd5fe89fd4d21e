/** Drops what nothing uses, and notes what was installed. Runs after each `npm ci`, on whatever Node is installed. */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { INSTALLED, lockDigest } from './installed.mjs';

// Journal names and a language model that the BibTeX parser brings and does not import: 12 MB.
for (const unused of [
  '@retorquere/bibtex-parser/dist/data/unabbrev.json',
  'wink-eng-lite-web-model',
  'wink-nlp',
]) {
  rmSync(`node_modules/${unused}`, { recursive: true, force: true });
}

// The package `node` downloads a second copy of its release with 67 MB of C++ headers; only one file is used, through a
// hard link.
if (existsSync('node_modules/node/bin/node')) {
  rmSync('node_modules/node/node_modules', { recursive: true, force: true });
}

const { npm_config_dry_run: isDryRun, npm_config_omit: left } = process.env;
if (isDryRun !== 'true' && !left && existsSync('node_modules/node')) writeFileSync(INSTALLED, lockDigest());
