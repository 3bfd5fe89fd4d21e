/**
 * `npm run migration -- <what_it_does>`: writes the next numbered migration from db/schema.ts.
 * drizzle-kit knows neither STRICT nor WITHOUT ROWID, so both are added here: every table is STRICT, and a
 * table keyed by more than one column is stored in the order of that key.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

const name = process.argv[2];
if (!name || !/^[a-z][a-z0-9_]+$/.test(name)) {
  console.error('usage: npm run migration -- <what_it_does>, for example add_receipts_to_ledger');
  process.exit(1);
}
const list = () => new Set(readdirSync('migrations').filter((file) => file.endsWith('.sql')));
const before = list();
const drizzleKit = spawnSync('drizzle-kit', ['generate', '--name', name], { stdio: 'inherit' });
if (drizzleKit.status !== 0) process.exit(drizzleKit.status ?? 1);

for (const file of list()) {
  if (before.has(file)) continue;
  const path = `migrations/${file}`;
  const statements = readFileSync(path, 'utf8').split('--> statement-breakpoint');
  writeFileSync(path, statements.map(strict).join('--> statement-breakpoint'));
  console.log(`${path}: tables are STRICT`);
}

function strict(statement: string): string {
  if (!/^\s*CREATE TABLE/.test(statement)) return statement;
  const options = /\n\tPRIMARY KEY\(/.test(statement) ? 'STRICT, WITHOUT ROWID' : 'STRICT';
  return statement.replace(/\)\s*;(\s*)$/, `) ${options};$1`);
}
