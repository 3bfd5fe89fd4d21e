import { readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { claimDataDir } from '../scripts/database/data-dir.ts';
import { LOCAL } from '../scripts/deployment-name.ts';
import { damageOf, DATABASES, localD1File } from '../scripts/database/local-d1.ts';
import { refuseUnreleasedFolder } from '../scripts/database/migrate.ts';
import { named, processesListeningOn } from '../scripts/processes.ts';
import { refuseUnfinishedRestore } from '../scripts/database/unfinished.ts';
import type { Settings } from './settings.ts';

const PORT_PATIENCE_MS = 2000;
/** Larger files are only opened: checking every page of millions of readings takes minutes. */
const CHECK_UP_TO_BYTES = 64 * 1024 * 1024;

/**
 * Checks that the local run can start.
 * @throws Error with a single line that says what prevents it
 */
export async function preflight(settings: Settings): Promise<void> {
  const ports: [string, number][] = [
    ['PORT', settings.PORT],
    ['INGEST_PORT', settings.INGEST_PORT],
    ['BRIDGE_PORT', settings.BRIDGE_PORT],
  ];
  if (settings.MQTT_URL === undefined) ports.push(['MQTT_PORT', settings.MQTT_PORT]);
  // First, because a port held by a run on this very folder must be reported as that, not avoided by choosing another.
  await claimDataDir(settings.DATA_DIR);
  refuseUnfinishedRestore(settings.DATA_DIR, LOCAL);
  checkDatabases(settings.DATA_DIR);
  refuseUnreleasedFolder(settings.DATA_DIR);
  await Promise.all(ports.map(([name, port]) => requireFreePort(name, port)));
}

function checkDatabases(dataDir: string): void {
  for (const entry of readdirSync(dataDir, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith('.sqlite')) continue;
    const path = join(entry.parentPath, entry.name);
    const damage = damageOf(path, CHECK_UP_TO_BYTES);
    if (damage === undefined) continue;
    const database = DATABASES.find((name) => localD1File(dataDir, name) === path);
    throw new Error(
      `the data folder ${dataDir} is damaged: ${database === undefined ? '' : `${database}, `}${path}: ${damage}; restore it from a backup (npm run restore -- <archive> --overwrite local), or move it away`,
    );
  }
}

async function requireFreePort(name: string, port: number): Promise<void> {
  // What a killed run left behind needs a moment to notice and exit.
  for (const deadline = Date.now() + PORT_PATIENCE_MS; ;) {
    const problem = await tryPort(port);
    if (problem === undefined) return;
    if (problem !== 'EADDRINUSE' || Date.now() > deadline) {
      const reason = problem === 'EADDRINUSE' ? `is taken${byWhom(port)}` : `cannot be used (${problem})`;
      throw new Error(`port ${port} ${reason}; choose another with ${name}=<port>`);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

function byWhom(port: number): string {
  const listeners = processesListeningOn(port);
  return listeners.length === 0 ? '' : ` by ${named(listeners)}`;
}

function tryPort(port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(undefined)));
  });
}
