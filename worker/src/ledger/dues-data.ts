import { hasAccess, LEVELS, MEMBER } from '#contract/access-levels';
import type { Due, DueJoin, DuePayment, DuesList, Payment } from '#contract/dues';
import type { Database } from '#db/client';
import { loggedBy } from '../access-log/data.ts';
import type { Actor } from '../lib/actor.ts';

export type DuesTerm = { year: number; semester: number };

/** The levels of the lab's own people, as SQL. */
const LAB_LEVELS = `(${LEVELS.filter((level) => hasAccess(level, MEMBER)).join(', ')})`;

/** A name that stands for itself. That of a deleted user stands only for what they have paid. */
const TYPED = 'user_id IS NULL AND (entry_id IS NOT NULL OR user_deleted_at IS NULL)';

/** ?1 and ?2 are the term. Somebody who has paid stays on the list when they leave the lab. */
const LIST = `
  SELECT dues.id AS id, users.id AS user_id, users.name AS name, entry_id, 0 AS is_typed
  FROM users LEFT JOIN dues ON user_id = users.id AND year = ?1 AND semester = ?2
  WHERE secure_level IN ${LAB_LEVELS} OR entry_id IS NOT NULL
  UNION ALL
  SELECT id, NULL, name, entry_id, 1 FROM dues WHERE year = ?1 AND semester = ?2 AND ${TYPED}
  ORDER BY is_typed, name, user_id, id`;

const PAYMENTS = `
  SELECT dues.id AS due_id, entry_id, year, semester, coalesce(users.name, dues.name) AS name
  FROM dues LEFT JOIN users ON users.id = user_id WHERE entry_id IS NOT NULL`;

/** D1 binds numbers as REAL. */
const TERM = `json_object('year', CAST(?6 AS INTEGER), 'semester', CAST(?7 AS INTEGER))`;

export async function listDues(db: Database, by: Actor, term: DuesTerm): Promise<DuesList> {
  const [, ...list] = await db.$client.batch<Due & Payment>([
    loggedTerm(db, by, 'read', term, `'count', (SELECT count(*) FROM (${numbered(LIST)}))`),
    ...selectList(db, term),
  ]);
  return listOf(list);
}

/** Adds people who are no users, each name once a semester. The log, from which nothing can be deleted, counts them. */
export async function addDueNames(
  db: Database,
  by: Actor,
  term: DuesTerm,
  names: string[],
): Promise<DuesList> {
  const json = JSON.stringify(names);
  const isKnown = `SELECT name FROM dues WHERE ${TYPED} AND year = ?1 AND semester = ?2`;
  const added = `SELECT DISTINCT value FROM json_each(?3) WHERE value NOT IN (${isKnown})`;
  const [, , ...list] = await db.$client.batch<Due & Payment>([
    loggedBy(
      db,
      by,
      { action: 'create', subject: 'due' },
      `SELECT NULL AS subject_id, json_object('filter', ${TERM}, 'added', count(*)) AS detail
       FROM (${numbered(added)}) HAVING count(*) > 0`,
      term.year,
      term.semester,
      json,
    ),
    db.$client
      .prepare(`INSERT INTO dues (year, semester, name) SELECT ?1, ?2, value FROM (${added})`)
      .bind(term.year, term.semester, json),
    ...selectList(db, term),
  ]);
  return listOf(list);
}

/**
 * Writes down by which deposit somebody has paid; null takes it back. Whether the deposit is free is asked by the
 * statement that takes it, so of two requests at once one gets it.
 * @returns 'unknown' when nobody of this id owes dues in the term, 'no-deposit' when the entry is none, and what it has
 *   paid when it is taken
 */
export async function payDue(
  db: Database,
  by: Actor,
  term: DuesTerm,
  payment: DuePayment,
): Promise<DuesList | Payment | 'unknown' | 'no-deposit'> {
  const { $client } = db;
  const { year, semester } = term;
  const isUser = 'user_id' in payment;
  const id = isUser ? payment.user_id : payment.id;
  const entryId = payment.entry_id;
  // ?1 and ?2 are the term, ?3 the person, ?4 the entry.
  const isDeposit = '(?4 IS NULL OR EXISTS (SELECT 1 FROM ledger_entries WHERE id = ?4 AND amount > 0))';
  const whom = isUser ? 'user_id = ?3' : `${TYPED} AND id = ?3`;
  const isOwn = isUser ? 'year = ?1 AND semester = ?2 AND user_id IS ?3' : 'dues.id = ?3';
  const taken = `${PAYMENTS} AND entry_id = ?4 AND NOT (${isOwn})`;
  const isFree = `NOT EXISTS (${taken})`;
  const [, written, others, entry, ...list] = await $client.batch<Due & Payment>([
    loggedBy(
      db,
      by,
      { action: 'change', subject: 'due' },
      `SELECT CAST(user_id AS TEXT) AS subject_id, json_object('filter', ${TERM}, ${isUser ? '' : "'due', id,"}
         'entry', json_array(entry_id, CAST(?9 AS INTEGER))) AS detail
       FROM (${numbered(LIST)}) WHERE ${numbered(isUser ? whom : 'user_id IS NULL AND id = ?3')}
         AND ${numbered(isDeposit)} AND ${numbered(isFree)}`,
      year,
      semester,
      id,
      entryId,
    ),
    $client
      .prepare(
        isUser
          ? `INSERT INTO dues (year, semester, user_id, name, entry_id)
             SELECT ?1, ?2, user_id, name, ?4 FROM (${LIST}) WHERE ${whom} AND ${isDeposit} AND ${isFree}
             ON CONFLICT (year, semester, user_id) DO UPDATE SET entry_id = excluded.entry_id RETURNING id`
          : `UPDATE dues SET entry_id = ?4 WHERE year = ?1 AND semester = ?2 AND ${whom} AND ${isDeposit}
             AND ${isFree} RETURNING id`,
      )
      .bind(year, semester, id, entryId),
    $client.prepare(taken).bind(year, semester, id, entryId),
    $client.prepare('SELECT id FROM ledger_entries WHERE id = ? AND amount > 0').bind(entryId),
    ...selectList(db, term),
  ]);
  if (written?.results.length === 1) return listOf(list);
  if (entryId !== null && entry?.results.length === 0) return 'no-deposit';
  return others?.results[0] ?? 'unknown';
}

/**
 * Makes one row of a user's and of the same name without a user: typed before they came, or left behind when they were
 * deleted. What one of the two has paid is the user's.
 * @returns 'unknown' when one of them is not on the list, 'different' when both have paid or their names differ
 */
export async function joinDue(
  db: Database,
  by: Actor,
  term: DuesTerm,
  { id, user_id: userId }: DueJoin,
): Promise<DuesList | 'unknown' | 'different'> {
  const { $client } = db;
  const { year, semester } = term;
  // ?1 and ?2 are the term, ?3 the row of the name, ?4 the user.
  const pair = `
    SELECT named.id, named.entry_id, own.id AS own_id, own.entry_id AS own_entry_id
    FROM (${LIST}) AS named JOIN (${LIST}) AS own ON own.name = named.name AND own.user_id = ?4
    WHERE named.id = ?3 AND named.user_id IS NULL AND (named.entry_id IS NULL OR own.entry_id IS NULL)`;
  const [, dropped, joined, both, ...list] = await $client.batch<Due & Payment>([
    loggedBy(
      db,
      by,
      { action: 'change', subject: 'due' },
      `SELECT CAST(CAST(?9 AS INTEGER) AS TEXT) AS subject_id, json_object('filter', ${TERM}, 'due', id,
         'entry', json_array(own_entry_id, coalesce(own_entry_id, entry_id))) AS detail FROM (${numbered(pair)})`,
      year,
      semester,
      id,
      userId,
    ),
    // The one of the two rows that is unpaid; the user may have none.
    $client
      .prepare(
        `DELETE FROM dues WHERE id = (SELECT iif(entry_id IS NULL, id, own_id) FROM (${pair})) RETURNING id`,
      )
      .bind(year, semester, id, userId),
    $client
      .prepare(
        `UPDATE dues SET user_id = ?4, user_deleted_at = NULL WHERE id = (SELECT id FROM (${pair})) RETURNING id`,
      )
      .bind(year, semester, id, userId),
    $client
      .prepare(`SELECT 1 FROM (${LIST}) WHERE (id = ?3 AND user_id IS NULL) OR user_id = ?4`)
      .bind(year, semester, id, userId),
    ...selectList(db, term),
  ]);
  if (dropped?.results.length === 1 || joined?.results.length === 1) return listOf(list);
  return both?.results.length === 2 ? 'different' : 'unknown';
}

/** Takes a typed name off its semester; false when there is none of this id. */
export async function deleteDueName(db: Database, by: Actor, id: number): Promise<boolean> {
  const [, deleted] = await db.$client.batch([
    loggedBy(
      db,
      by,
      { action: 'delete', subject: 'due' },
      `SELECT NULL AS subject_id, json_object('filter', json_object('year', year, 'semester', semester), 'due', id,
         'entry', json_array(entry_id, NULL)) AS detail
       FROM dues WHERE id = ?6 AND ${TYPED}`,
      id,
    ),
    db.$client.prepare(`DELETE FROM dues WHERE id = ? AND ${TYPED} RETURNING id`).bind(id),
  ]);
  return deleted?.results.length === 1;
}

/** Writes down that the list which somebody sees has left the system. */
export async function logDuesExport(db: Database, by: Actor, term: DuesTerm, reason: string): Promise<void> {
  await loggedTerm(db, by, 'export', term, "'reason', ?8", reason).run();
}

function loggedTerm(
  db: Database,
  by: Actor,
  action: 'read' | 'export',
  { year, semester }: DuesTerm,
  more: string,
  ...parameters: string[]
): D1PreparedStatement {
  const select = `SELECT NULL AS subject_id, json_object('filter', ${TERM}, ${more}) AS detail`;
  return loggedBy(db, by, { action, subject: 'due' }, select, year, semester, ...parameters);
}

/** SQL whose parameters are numbered from ?1, for `loggedBy`, whose own come first. */
const numbered = (text: string) =>
  text.replaceAll(/\?(\d)/g, (_, number: string) => `?${Number(number) + 5}`);

/** The statements whose answers `listOf` takes. */
const selectList = ({ $client }: Database, { year, semester }: DuesTerm) => [
  $client.prepare(LIST).bind(year, semester),
  $client.prepare(PAYMENTS),
];

const listOf = ([dues, payments]: D1Result<Due & Payment>[]): DuesList => ({
  dues: (dues?.results ?? []).map(({ id, user_id, name, entry_id }) => ({ id, user_id, name, entry_id })),
  payments: payments?.results ?? [],
});

/**
 * Takes the names of users who were deleted before `limit` (milliseconds since 1970) off the dues. That somebody has
 * paid stays.
 * @returns how many stood there
 */
export async function forgetDeletedUsers(db: Database, by: Actor, limit: number): Promise<number> {
  const [, dropped, forgotten] = await db.$client.batch([
    loggedBy(
      db,
      by,
      { action: 'delete', subject: 'due' },
      `SELECT NULL AS subject_id, json_object('names', count(*)) AS detail
       FROM dues WHERE user_deleted_at < ?6 HAVING count(*) > 0`,
      limit,
    ),
    db.$client.prepare('DELETE FROM dues WHERE user_deleted_at < ? AND entry_id IS NULL').bind(limit),
    db.$client
      .prepare('UPDATE dues SET name = ?2, user_deleted_at = NULL WHERE user_deleted_at < ?1')
      .bind(limit, NOBODY),
  ]);
  return (dropped?.meta.changes ?? 0) + (forgotten?.meta.changes ?? 0);
}

/** In place of a name that is kept no longer. */
const NOBODY = '삭제된 사용자';
