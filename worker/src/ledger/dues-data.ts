import { hasAccess, MEMBER, secureLevelSchema } from '#contract/access-levels';
import type { Due, DuePayment } from '#contract/dues';
import type { Database } from '#db/client';
import { loggedBy } from '../access-log/data.ts';
import type { Actor } from '../lib/actor.ts';

export type DuesTerm = { year: number; semester: number };

/** The levels of the lab's own people, as SQL. */
const LAB_LEVELS = `(${[...secureLevelSchema.values].filter((level) => hasAccess(level, MEMBER)).join(', ')})`;

/** ?1 and ?2 are the term. Somebody who has paid stays on the list when they leave the lab. */
const LIST = `
  SELECT dues.id AS id, users.id AS user_id, users.name AS name, entry_id, 0 AS is_typed
  FROM users LEFT JOIN dues ON user_id = users.id AND year = ?1 AND semester = ?2
  WHERE secure_level IN ${LAB_LEVELS} OR entry_id IS NOT NULL
  UNION ALL
  SELECT id, NULL, name, entry_id, 1 FROM dues WHERE year = ?1 AND semester = ?2 AND user_id IS NULL
  ORDER BY is_typed, name, user_id, id`;

/** D1 binds numbers as REAL. */
const TERM = `json_object('year', CAST(?6 AS INTEGER), 'semester', CAST(?7 AS INTEGER))`;

export async function listDues(db: Database, by: Actor, term: DuesTerm): Promise<Due[]> {
  const [, list] = await db.$client.batch<Due>([
    loggedTerm(db, by, 'read', term, `'count', (SELECT count(*) FROM (${numbered(LIST)}))`),
    selectDues(db, term),
  ]);
  return withoutOrder(list);
}

/** Adds people who are no users, each name once a semester. The log, from which nothing can be deleted, counts them. */
export async function addDueNames(db: Database, by: Actor, term: DuesTerm, names: string[]): Promise<Due[]> {
  const json = JSON.stringify(names);
  const isKnown = 'SELECT name FROM dues WHERE user_id IS NULL AND year = ?1 AND semester = ?2';
  const added = `SELECT DISTINCT value FROM json_each(?3) WHERE value NOT IN (${isKnown})`;
  const [, , list] = await db.$client.batch<Due>([
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
    selectDues(db, term),
  ]);
  return withoutOrder(list);
}

/**
 * Writes down by which deposit somebody has paid; null takes it back.
 * @returns 'unknown' when nobody of this id owes dues in the term, 'no-deposit' when the entry is none
 */
export async function payDue(
  db: Database,
  by: Actor,
  term: DuesTerm,
  payment: DuePayment,
): Promise<Due[] | 'unknown' | 'no-deposit'> {
  const { $client } = db;
  const { year, semester } = term;
  const isUser = 'user_id' in payment;
  const id = isUser ? payment.user_id : payment.id;
  const entryId = payment.entry_id;
  // ?1 and ?2 are the term, ?3 the person, ?4 the entry.
  const isDeposit = '(?4 IS NULL OR EXISTS (SELECT 1 FROM ledger_entries WHERE id = ?4 AND amount > 0))';
  const whom = `${isUser ? 'user_id' : 'user_id IS NULL AND id'} = ?3`;
  const [, written, entry, list] = await $client.batch<Due>([
    loggedBy(
      db,
      by,
      { action: 'change', subject: 'due' },
      `SELECT CAST(user_id AS TEXT) AS subject_id, json_object('filter', ${TERM}, ${isUser ? '' : "'due', id,"}
         'entry', json_array(entry_id, CAST(?9 AS INTEGER))) AS detail
       FROM (${numbered(LIST)}) WHERE ${numbered(whom)} AND ${numbered(isDeposit)}`,
      year,
      semester,
      id,
      entryId,
    ),
    $client
      .prepare(
        isUser
          ? `INSERT INTO dues (year, semester, user_id, name, entry_id)
             SELECT ?1, ?2, user_id, name, ?4 FROM (${LIST}) WHERE ${whom} AND ${isDeposit}
             ON CONFLICT (year, semester, user_id) DO UPDATE SET entry_id = excluded.entry_id RETURNING id`
          : `UPDATE dues SET entry_id = ?4 WHERE year = ?1 AND semester = ?2 AND ${whom} AND ${isDeposit}
             RETURNING id`,
      )
      .bind(year, semester, id, entryId),
    $client.prepare('SELECT id FROM ledger_entries WHERE id = ? AND amount > 0').bind(entryId),
    selectDues(db, term),
  ]);
  if (written?.results.length === 1) return withoutOrder(list);
  return entryId !== null && entry?.results.length === 0 ? 'no-deposit' : 'unknown';
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
       FROM dues WHERE id = ?6 AND user_id IS NULL`,
      id,
    ),
    db.$client.prepare('DELETE FROM dues WHERE id = ? AND user_id IS NULL RETURNING id').bind(id),
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

const selectDues = ({ $client }: Database, { year, semester }: DuesTerm) =>
  $client.prepare(LIST).bind(year, semester);

const withoutOrder = (list: D1Result<Due> | undefined) =>
  (list?.results ?? []).map(({ id, user_id, name, entry_id }) => ({ id, user_id, name, entry_id }));

/**
 * Takes the names of users who were deleted before `limit` (milliseconds since 1970) off the lists of dues. That
 * somebody has paid stays.
 * @returns how many stood there
 */
export async function forgetDeletedUsers(db: Database, by: Actor, limit: number): Promise<number> {
  const [, forgotten] = await db.$client.batch([
    loggedBy(
      db,
      by,
      { action: 'delete', subject: 'due' },
      `SELECT NULL AS subject_id, json_object('names', count(*)) AS detail
       FROM dues WHERE user_deleted_at < ?6 HAVING count(*) > 0`,
      limit,
    ),
    db.$client
      .prepare('UPDATE dues SET name = ?2, user_deleted_at = NULL WHERE user_deleted_at < ?1')
      .bind(limit, NOBODY),
  ]);
  return forgotten?.meta.changes ?? 0;
}

/** In place of a name that is kept no longer. */
const NOBODY = '삭제된 사용자';
