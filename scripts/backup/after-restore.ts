import type { DatabaseSync } from 'node:sqlite';
import { hasAccess } from '#contract/access-levels';
import * as z from 'zod';
import { keyLine, keyRowsSchema, type KeyRow } from '../operator/bridge-key.ts';
import { DATABASES, type DatabaseName } from '../database/local-d1.ts';
import { tableDigest, sortCounters, type Manifest } from './archive.ts';
import { quoteId } from './cells.ts';
import {
  IS_RESTORE_LOG_SQL,
  readStoreLog,
  newestLogEntry,
  logRestore,
  type StoreLogState,
} from './restored-access-log.ts';
import type { Store } from './store.ts';

/*
 * A restore must not undo these changes: sessions that were ended, keys that were revoked, and addresses and
 * ID tokens that were used. The operator gets a list of users whose level was lowered.
 */

const columnsSchema = z.array(z.object({ table: z.string(), column: z.string() }));
const newestSchema = z.tuple([z.object({ newest: z.number().nullable() })]);

/**
 * When data was last stored; undefined if unknown. It reads the plants' states instead of the readings,
 * because there are millions of readings. Records of restore drills do not count.
 */
export async function lastStoreChange(store: Store): Promise<Date | undefined> {
  const times = [];
  for (const database of DATABASES) times.push(await lastChangeIn(store, database));
  const last = Math.max(...times);
  return last === 0 ? undefined : new Date(last);
}

/** When the database was last changed, in milliseconds since 1970; 0 if unknown. */
async function lastChangeIn(store: Store, database: DatabaseName): Promise<number> {
  const columns = columnsSchema.parse(
    await store.rows(
      `SELECT tables.name AS "table", info.name AS "column" FROM sqlite_schema AS tables, pragma_table_info(tables.name) AS info
       WHERE tables.type = 'table' AND NOT tables.name GLOB '_cf_*' AND NOT tables.name GLOB 'sqlite_*'
         AND tables.name NOT IN ('plant_readings', 'drills') AND info.type = 'INTEGER' AND (info.name = 'at' OR info.name GLOB '*_at')`,
      database,
    ),
  );
  const times = [];
  for (const { table, column } of columns) {
    // A time in the future says when something expires, not when something has changed.
    const newest = `SELECT max(${quoteId(column)}) AS newest FROM ${quoteId(table)} WHERE ${quoteId(column)} BETWEEN 1 AND ${Date.now()}`;
    // Rows that a restore has written do not count, because a restore does not lose them.
    const but = table === 'access_log' ? ` AND NOT (${IS_RESTORE_LOG_SQL})` : '';
    times.push(newestSchema.parse(await store.rows(newest + but, database))[0].newest ?? 0);
  }
  return Math.max(0, ...times);
}

/** The query returns JSON, because node:sqlite throws on integers that are too large for a number. */
const KEYS = `SELECT json_object('id', id, 'bridge_id', bridge_id, 'key', key, 'plants', plants,
  'created_at', created_at, 'revoked_at', revoked_at) AS "row" FROM bridge_keys ORDER BY id`;
const keySchema = keyRowsSchema.element.extend({ key: z.string() });
const rowsSchema = z.array(z.object({ row: z.string() }));
type Key = z.infer<typeof keySchema>;

const keysOf = (rows: unknown[]): Key[] =>
  rowsSchema.parse(rows).map(({ row }) => keySchema.parse(JSON.parse(row)));

/** Tables of email addresses and ID tokens that were used once and must not be used again. */
const MARKS = { first_admins: 'email', used_tokens: 'token_hash, expires_at' };
const MARK_NAMES = ['first_admins', 'used_tokens'] as const;
/** The other tables that a restore changes. */
const CHANGED = [
  'sessions',
  'bridge_keys',
  'access_log',
  'outbox',
  'receivers',
  'receiver_topics',
  'sqlite_sequence',
];
const markSchema = z.array(z.union([z.string(), z.number()]));

/** The identity provider knows the person by `sub`, which is never printed. */
const USERS = `SELECT json_object('id', id, 'sub', sub, 'level', secure_level) AS "row" FROM users ORDER BY id`;
const userSchema = z.object({ id: z.number(), sub: z.string(), level: z.number() });
type User = z.infer<typeof userSchema>;

const usersOf = (rows: unknown[]): User[] =>
  rowsSchema.parse(rows).map(({ row }) => userSchema.parse(JSON.parse(row)));

const RECEIVERS = `SELECT json_object('id', id, 'kind', kind, 'address', address) AS "row" FROM receivers ORDER BY id`;
const receiverSchema = z.object({ id: z.number(), kind: z.string(), address: z.string() });
type Receiver = z.infer<typeof receiverSchema>;

const receiversOf = (rows: unknown[]): Receiver[] =>
  rowsSchema.parse(rows).map(({ row }) => receiverSchema.parse(JSON.parse(row)));

type Known = {
  keys: Key[];
  users: User[];
  /** The ids and addresses of the people and channels that get alerts. */
  receivers: Receiver[];
  marks: Record<(typeof MARK_NAMES)[number], (string | number)[][]>;
  log: StoreLogState;
};

/** Reads the state of the store before the archive replaces it. */
export async function readStoreState(store: Store, archive: DatabaseSync): Promise<Known> {
  const rowsOf = async (table: string, select: string) => {
    const rows = [];
    for (const database of DATABASES) {
      const [found] = await store.rows(`SELECT 1 FROM sqlite_schema WHERE name = '${table}'`, database);
      if (found) rows.push(...(await store.rows(select, database)));
    }
    return rows;
  };
  const marksOf = async (table: keyof typeof MARKS) =>
    rowsSchema
      .parse(await rowsOf(table, `SELECT json_array(${MARKS[table]}) AS "row" FROM ${table}`))
      .map(({ row }) => markSchema.parse(JSON.parse(row)));
  return {
    keys: keysOf(await rowsOf('bridge_keys', KEYS)),
    receivers: receiversOf(await rowsOf('receivers', RECEIVERS)),
    users: usersOf(await rowsOf('users', USERS)),
    marks: { first_admins: await marksOf('first_admins'), used_tokens: await marksOf('used_tokens') },
    log: await readStoreLog(store, newestLogEntry(archive)),
  };
}

/**
 * Deletes from an unpacked archive the sessions and, without `keepReceivers`, the receivers that the store
 * did not have. Revokes keys that were revoked after the archive was made, except with `reviveKeys`. Adds
 * addresses and tokens that were used later, and the access log's row about the restore.
 * @returns the manifest of the changed archive, and lines about what is removed and whose level is back
 */
export function applyLaterChanges(
  db: DatabaseSync,
  manifest: Manifest,
  { known, reviveKeys, keepReceivers }: { known: Known; reviveKeys: boolean; keepReceivers: boolean },
): { manifest: Manifest; lines: string[] } {
  const { changes: ended } = db.prepare('DELETE FROM sessions').run();
  for (const name of MARK_NAMES) addMarks(db, name, known.marks[name]);
  const { madeAt } = manifest;
  const lines = [
    `sessions ended: ${ended}. Everybody has to sign in again`,
    withholdReceivers(db, known.receivers, keepReceivers),
    ...withholdKeys(db, known.keys, reviveKeys),
    ...strongerUsers(db, known.users),
    ...logRestore(db, known.log, { madeAt, newest: newestLogEntry(db), now: Date.now() }),
  ];
  sortCounters(db, manifest.plants);
  const contents = Object.fromEntries(
    [...CHANGED, ...MARK_NAMES].map((name) => [name, tableDigest(db, name)]),
  );
  return { manifest: { ...manifest, tables: { ...manifest.tables, ...contents } }, lines };
}

/**
 * Removes receivers that the store did not have: a copy must not send alerts to another installation's
 * receivers. The other receivers stay, but messages that were not sent yet are dropped.
 */
function withholdReceivers(db: DatabaseSync, known: Receiver[], keepAll: boolean): string {
  const archived = receiversOf(db.prepare(RECEIVERS).all());
  const isKnown = (a: Receiver) => known.some((b) => a.kind === b.kind && a.address === b.address);
  const gone = keepAll ? [] : archived.filter((receiver) => !isKnown(receiver));
  for (const { id } of gone) {
    for (const table of ['outbox', 'receiver_topics'])
      db.prepare(`DELETE FROM ${table} WHERE receiver_id = ?`).run(id);
    db.prepare('DELETE FROM receivers WHERE id = ?').run(id);
  }
  db.exec(`DELETE FROM outbox WHERE over_at IS NOT NULL;
    UPDATE outbox SET told_at = coalesce(told_at, since), next_at = NULL, tries = 0, failure = NULL, dropped_at = NULL`);
  return `receivers of alerts that stay: ${archived.length - gone.length}, without their unsent messages; not restored: ${gone.length}${
    gone.length === 0
      ? ''
      : ', because they were not receivers here (--keep-receivers restores them; or add them on 시스템 상태)'
  }`;
}

function withholdKeys(db: DatabaseSync, known: Key[], reviveKeys: boolean): string[] {
  const archived = keysOf(db.prepare(KEYS).all());
  const same = (a: Key) => (b: Key) => a.bridge_id === b.bridge_id && a.key === b.key;
  const revoked = archived.flatMap((key) => {
    const now = known.find(same(key));
    return key.revoked_at === null && now && now.revoked_at !== null
      ? [{ ...key, revoked_at: now.revoked_at }]
      : [];
  });
  if (!reviveKeys) {
    const revoke = db.prepare('UPDATE bridge_keys SET revoked_at = ? WHERE bridge_id = ? AND key = ?');
    for (const { bridge_id, key, revoked_at } of revoked) revoke.run(revoked_at, bridge_id, key);
  }
  const lost = known.filter((key) => !archived.some(same(key)));
  const working = keysOf(db.prepare(KEYS).all()).filter(({ revoked_at }) => revoked_at === null);
  const list = (title: string, keys: KeyRow[]) =>
    keys.length === 0 ? [] : [title, ...keys.map((key) => `  ${keyLine(key)}`)];
  return [
    ...list(
      reviveKeys
        ? 'bridge keys that were revoked after the archive was made and work again, because of --revive-keys:'
        : 'bridge keys that were revoked after the archive was made and stay revoked (--revive-keys restores them):',
      revoked,
    ),
    ...list(
      'bridge keys that are not in the archive and are lost; a bridge that used one needs a new key (npm run bridge -- key add):',
      lost,
    ),
    ...list('bridge keys that work; revoke unwanted ones, replace those that others may have seen:', working),
  ];
}

function addMarks(db: DatabaseSync, table: keyof typeof MARKS, marks: (string | number)[][]): void {
  for (const mark of marks) {
    const places = mark.map(() => '?').join(', ');
    db.prepare(`INSERT OR IGNORE INTO ${table} (${MARKS[table]}) VALUES (${places})`).run(...mark);
  }
}

/** Lists the users who get back a level that was lowered, or an account that was deleted, meanwhile. */
function strongerUsers(db: DatabaseSync, known: User[]): string[] {
  if (known.length === 0) return [];
  const now = new Map(known.map(({ sub, level }) => [sub, level]));
  const stronger = usersOf(db.prepare(USERS).all()).flatMap(({ id, sub, level }) => {
    const was = now.get(sub);
    if (was !== undefined && hasAccess(was, level)) return [];
    return [
      `  user ${id}: level ${level}, ${was === undefined ? 'deleted later' : `later lowered to level ${was}`}`,
    ];
  });
  return stronger.length === 0
    ? []
    : [
        'users who have a level again that was taken from them after the archive was made; npm run person -- grant --id <id> <level> changes it:',
        ...stronger,
      ];
}
