/** `npm run restore`: restores an archive. Sessions end, and keys that were revoked later stay revoked. */
import { printable } from '#contract/printable-text';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { readStoreState, applyLaterChanges } from './after-restore.ts';
import { verifyTables, sha256, type Manifest } from './archive.ts';
import {
  confirmAuthor,
  confirmDataLoss,
  openArchiveOfRelease,
  moveDamagedDataAside,
  restoreOptionsText,
  type RestoreOptions,
} from './confirm.ts';
import { withDiskFullError, withWorkFolder } from './work-folder.ts';
import { openLocalStore } from './local-store.ts';
import { isEncryptedArchive } from './encryption.ts';
import { operatorPrompt, findArchiveKeys } from './archive-keys.ts';
import { dataDirOf, type Store } from './store.ts';
import { refuseExtraArguments, UsageError } from '../../firmware-bridge/src/commands/command-line.ts';
import { withErrorPath } from '../../firmware-bridge/src/system-error.ts';
import { LOCAL, nameOption, deploymentTarget } from '../deployment-name.ts';
import { defineCommand, print, runAsProgram } from '../terminal.ts';
import { commandEnvSchema, parseSettings } from '../variables.ts';

/**
 * Verifies the archive, replaces the store's content, and verifies the store. After an interrupted restore
 * the store cannot be used until a restore has succeeded.
 * @throws Error before anything is changed, if the archive is damaged or the store may not be overwritten
 */
export function restoreArchive(store: Store, options: RestoreOptions): Promise<Manifest> {
  return withWorkFolder(store.workplace, (workplace) =>
    withDiskFullError(workplace, async () => {
      const work: Work = { workplace, isNew: await store.isEmpty(), isTouched: store.isUnfinished() };
      try {
        const manifest = await restoreIn(work, store, options);
        store.endRestore();
        return manifest;
      } catch (error) {
        if (!work.isTouched) store.endRestore();
        throw error;
      }
    }),
  );
}

type Work = {
  workplace: string;
  isNew: boolean;
  /** Whether this restore, or an earlier one that was interrupted, has changed anything in the store. */
  isTouched: boolean;
};

async function restoreIn(work: Work, store: Store, options: RestoreOptions): Promise<Manifest> {
  const { workplace } = work;
  const { archive, reviveKeys = false, keepReceivers = false, say, sayWithheld = say } = options;
  // Marks a new folder before anything else: otherwise `npm start` could fill it with other data meanwhile.
  if (work.isNew && !work.isTouched) store.beginRestore(archive, restoreOptionsText(options));
  const file = join(workplace, 'archive');
  const whole = await openArchiveOfRelease(file, options);
  const { tables, objects } = whole.manifest;
  say(
    `archive of ${printable(whole.manifest.source)} at ${whole.manifest.madeAt} is verified: ${rowsOf(tables)} rows, ${objects.count} files`,
  );
  const words = restoreOptionsText(await confirmAuthor(store.name, dataDirOf(store), whole.author, options));
  if (!work.isNew && !work.isTouched) await confirmDataLoss(store, whole.manifest, options);
  const db = new DatabaseSync(file);
  try {
    const known = await readStoreState(store, db);
    const { manifest, lines } = applyLaterChanges(db, whole.manifest, { known, reviveKeys, keepReceivers });
    store.beginRestore(archive, words);
    work.isTouched = true;
    // Files come first: after an interrupted restore, a file without a row does less harm than the opposite.
    const { count } = manifest.objects;
    const step = Math.max(1, Math.ceil(count / 10));
    for (const [index, { key, type, content }] of objectsIn(db)) {
      await store.writeObject({ key, type, content });
      if ((index + 1) % step === 0 || index + 1 === count) say(`restored ${index + 1} of ${count} files`);
    }
    await store.replaceDatabases(db, file, manifest.plants);
    say(`databases: ${rowsOf(manifest.tables)} rows in ${Object.keys(manifest.tables).length} tables`);
    await removeOtherObjects(store, db);
    await proveStore(store, db, manifest, join(workplace, 'proof'));
    sayWithheld('every table and file is as in the archive, with these exceptions:');
    for (const line of lines) sayWithheld(line);
    for (const name of await store.migrate()) say(`migrated ${name}`);
    return manifest;
  } finally {
    db.close();
  }
}

const rowsOf = (tables: Manifest['tables']) => Object.values(tables).reduce((sum, { rows }) => sum + rows, 0);

function* objectsIn(db: DatabaseSync) {
  let index = 0;
  for (const { key, type, content } of db
    .prepare('SELECT key, type, content FROM backup_objects')
    .iterate()) {
    if (!(content instanceof Uint8Array))
      throw new Error(`the file ${printable(String(key))} has no content`);
    yield [index++, { key: String(key), type: String(type), content }] as const;
  }
}

async function removeOtherObjects(store: Store, db: DatabaseSync): Promise<void> {
  const isArchived = db.prepare('SELECT 1 FROM backup_objects WHERE key = ?');
  for (const key of await store.objectKeys()) if (!isArchived.get(key)) await store.deleteObject(key);
}

async function proveStore(store: Store, db: DatabaseSync, manifest: Manifest, file: string): Promise<void> {
  await store.copyDatabases(file);
  const copy = new DatabaseSync(file, { readOnly: true });
  try {
    verifyTables(copy, manifest);
  } finally {
    copy.close();
  }
  for (const { key, sha256: expected } of db.prepare('SELECT key, sha256 FROM backup_objects').iterate()) {
    const object = await store.readObject(String(key));
    if (!object || sha256(object.content) !== expected)
      throw new Error(`the file ${printable(String(key))} was not restored`);
  }
}

const HELP = {
  command: 'npm run restore --',
  does: 'restores an archive of npm run backup, encrypted or not: verifies it, replaces all data, then verifies the result.',
  ways: [
    ['<archive>', 'into an empty DATA_DIR, while the product is stopped'],
    ['<archive> --remote --overwrite <name> [--discard-newer]', 'replaces the deployed data'],
  ],
  options: {
    remote: {
      type: 'boolean',
      default: false,
      tells: 'into the deployed product instead of DATA_DIR',
    },
    name: nameOption,
    overwrite: {
      type: 'string',
      takes: '<name>',
      tells: 'replaces all data of the store with this name (local)',
    },
    'discard-newer': {
      type: 'boolean',
      default: false,
      tells: 'accepts the loss of all changes since the archive was made',
    },
    'revive-keys': {
      type: 'boolean',
      default: false,
      tells: 'restores also bridge keys that were revoked after the archive was made',
    },
    author: {
      type: 'string',
      takes: '<name>',
      tells: 'accepts an archive of another installation, by the name that its backup printed',
    },
    'keep-receivers': {
      type: 'boolean',
      default: false,
      tells: 'restores receivers of alerts into an empty store, too',
    },
  },
  notes:
    'BACKUP_IDENTITY_FILE or BACKUP_PASSPHRASE_FILE decrypts an archive. At a terminal the command asks for what is missing.',
  example: 'npm run restore -- backups/local-….sqlite.gz --overwrite local',
  page: 'docs/operations.md#backup-and-restore',
} as const;

const ROOM_FOR_WRANGLER = '--max-old-space-size=256';

/**
 * Restarts this process with more memory. A restore into the deployed product needs wrangler, which uses 82
 * MB; package.json allows less, because a local restore needs less.
 */
function withRoomForWrangler(): void {
  if (process.execArgv.includes(ROOM_FOR_WRANGLER)) return;
  const words = [...process.execArgv, ROOM_FOR_WRANGLER, ...process.argv.slice(1)];
  process.execve?.(process.execPath, [process.execPath, ...words], process.env);
}

export const restoreCommand = defineCommand(HELP, async ({ values, words: [archive, ...more] }) => {
  if (archive === undefined) throw new UsageError('the archive is missing: give its file');
  refuseExtraArguments(more);
  const where = deploymentTarget(values);
  if (where !== LOCAL && import.meta.main) withRoomForWrangler();
  const keys = withErrorPath(archive, () => isEncryptedArchive(archive)) ? await findArchiveKeys() : {};
  let options = {
    archive,
    keys,
    overwrite: values.overwrite,
    discardNewer: values['discard-newer'],
    reviveKeys: values['revive-keys'],
    keepReceivers: values['keep-receivers'],
    author: values.author,
    ask: operatorPrompt(),
    say: (line: string) => print(`restore ${line}`),
  };
  const { DATA_DIR } = parseSettings(commandEnvSchema);
  const store =
    where !== LOCAL
      ? // Imported only if needed, because the module loads wrangler.
        await (await import('./remote-store.ts')).openRemoteStore(where)
      : await openLocalStore(DATA_DIR, {
          claim: true,
          setAside: async (folder, damage) => {
            options = await moveDamagedDataAside(DATA_DIR, folder, damage, options);
          },
        });
  try {
    await restoreArchive(store, options);
  } finally {
    await store.close();
  }
});

if (import.meta.main) await runAsProgram(restoreCommand);
