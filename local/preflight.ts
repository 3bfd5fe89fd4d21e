import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { REPAIR_STEPS } from '#contract/first-steps';
import { damagedFilePath, explainError } from '../firmware-bridge/src/system-error.ts';
import { archivesIn, newestArchive } from '../scripts/backup/prune.ts';
import { DEFAULT_ARCHIVE_FOLDER } from '../scripts/backup/archive-keys.ts';
import { claimDataDir, refuseNewerData } from '../scripts/database/data-dir.ts';
import { LOCAL } from '../scripts/deployment-name.ts';
import { miniflareCachesIn, findDamagedDatabase, databaseDamage } from '../scripts/database/local-d1.ts';
import { refuseUnreleasedFolder } from '../scripts/database/migrate.ts';
import { refuseUnfinishedRestore } from '../scripts/database/unfinished-restore.ts';
import { requireFreePort } from './free-port.ts';
import { refuseDamagedKeys } from './stored-keys.ts';
import { startCommand, type Settings } from './settings.ts';

/** A larger file is only opened: it takes minutes to check every page of millions of readings. */
const CHECK_UP_TO_BYTES = 64 * 1024 * 1024;

/**
 * Checks that the local run can start.
 * @param archives the folder to search for an archive that a first step can name
 * @param lanPort the port for boards from the network
 * @throws Error with one line that says what prevents the start
 */
export async function preflight(
  settings: Settings,
  archives = DEFAULT_ARCHIVE_FOLDER,
  lanPort?: number,
): Promise<void> {
  const ports: [string, number][] = [
    ['PORT', settings.PORT],
    ['INGEST_PORT', settings.INGEST_PORT],
    ['BRIDGE_PORT', settings.BRIDGE_PORT],
  ];
  if (settings.MQTT_URL === undefined) ports.push(['MQTT_PORT', settings.MQTT_PORT]);
  // Do this first: if another run uses the folder, the message must say so, not that a port is in use.
  await claimDataDir(settings.DATA_DIR);
  const start = startCommand(settings, lanPort !== undefined);
  try {
    refuseUnfinishedRestore(settings.DATA_DIR, LOCAL);
    refuseNewerData(settings.DATA_DIR);
    refuseDamagedStore(settings.DATA_DIR, start, archives);
    refuseDamagedSpool(join(settings.DATA_DIR, 'spool.sqlite'), settings.DATA_DIR);
    refuseDamagedKeys(settings.DATA_DIR, start);
    renewDamagedCaches(settings.DATA_DIR);
    refuseUnreleasedFolder(settings.DATA_DIR);
  } catch (error) {
    const isOfSystem = error instanceof Error && ('syscall' in error || 'errcode' in error);
    if (!isOfSystem) throw error;
    throw new Error(`the data folder ${settings.DATA_DIR} cannot be used: ${explainError(error)}`, {
      cause: error,
    });
  }
  await Promise.all(ports.map(([name, port]) => requireFreePort(`${name}=<port>`, port)));
  if (lanPort !== undefined)
    await requireFreePort('BOARDS_MQTT_URL=mqtts://<address>:<port>', lanPort, '0.0.0.0');
}

const damaged = (dataDir: string, what: string, damage: string, step: string) =>
  new Error(`the data folder ${dataDir} is damaged: ${what}: ${damage}. First step: ${step}`);

/**
 * @param start the `npm start` command as it was typed
 * @param archives the folder to search for an archive that a first step can name
 * @throws Error naming the damaged database and the first step, if a database is damaged
 */
export function refuseDamagedStore(dataDir: string, start: string, archives = DEFAULT_ARCHIVE_FOLDER): void {
  const store = findDamagedDatabase(dataDir, CHECK_UP_TO_BYTES);
  if (store !== undefined)
    throw damaged(
      dataDir,
      `${store.name}, ${store.file}`,
      store.damage,
      stepOfStore(dataDir, start, archives),
    );
}

function refuseDamagedSpool(spool: string, dataDir: string): void {
  const damage = existsSync(spool) ? databaseDamage(spool, CHECK_UP_TO_BYTES) : undefined;
  if (damage !== undefined)
    throw damaged(
      dataDir,
      `the unsent readings, ${spool}`,
      damage,
      REPAIR_STEPS.spool(spool, damagedFilePath(spool), 'clone'),
    );
}

/** The first step for a damaged database. If the folder has archives, the step names the newest one. */
function stepOfStore(dataDir: string, start: string, folder: string): string {
  const archives = existsSync(folder) ? archivesIn(folder) : [];
  const newest = newestArchive(archives.filter(({ store }) => store === LOCAL));
  return newest === undefined
    ? REPAIR_STEPS.storeWithoutArchive(dataDir, damagedFilePath(join(dataDir, 'v3')), start)
    : REPAIR_STEPS.store(dataDir, join(folder, newest.name));
}

/** Deletes damaged caches. Miniflare creates them again. */
function renewDamagedCaches(dataDir: string): void {
  for (const file of miniflareCachesIn(dataDir)) {
    const damage = databaseDamage(file, CHECK_UP_TO_BYTES);
    if (damage === undefined) continue;
    for (const each of [file, `${file}-wal`, `${file}-shm`]) rmSync(each, { force: true });
    console.log(`start  the cache ${file} was damaged and will be made again; no data are lost`);
  }
}
