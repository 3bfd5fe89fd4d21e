import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrateLocal } from '../../scripts/database/migrate.ts';

let made: Promise<string> | undefined;

async function makeOnce(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'cps-lab-as-new-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  migrateLocal(folder);
  return folder;
}

/**
 * Makes the folder a data folder of this version with empty databases. The migrations run once per process;
 * further folders are copies.
 */
export async function makeDataFolder(dataDir: string): Promise<void> {
  made ??= makeOnce();
  cpSync(await made, dataDir, { recursive: true });
}
