import {
  ACCESS_LOG_PAGE_SIZE,
  type AccessLogEntry,
  type LogAction,
  type LogSubject,
  maskPeople,
  nameSpellings,
} from '#contract/access-log';
import { statement, type Database, type Statement } from '#db/client';
import type { plantLog } from '#db/plants';
import { accessLog } from '#db/access-log';
import { students } from '#db/roster';
import { users } from '#db/users';
import { insertFrom, jsonObject } from '#db/sql';
import { and, desc, eq, gte, inArray, lt, lte, or, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { alias, type SQLiteTable, union } from 'drizzle-orm/sqlite-core';
import * as z from 'zod';
import type { Actor } from '../lib/app-env.ts';
import { dues } from '#db/ledger';

type LogRow = {
  action: LogAction;
  subject: LogSubject;
  /** The id of the person whose data it was; absent for a list. */
  subject_id?: string;
  /** JSON text of an object, or SQL that produces it. */
  detail?: string | SQL<string>;
};

type LogRowOf = Pick<LogRow, 'action' | 'subject'> & {
  subject_id?: SQLWrapper | string | null;
  detail: SQL | string;
};

/** Writes one row. Run it in the batch of the logged action, so that neither exists without the other. */
export function logAction(db: Database, by: Actor, row: LogRow) {
  return db
    .insert(accessLog)
    .values({ at: Date.now(), actor_id: by.id, address: by.address, request_id: by.requestId, ...row });
}

/**
 * Writes one row for each row that `from` returns; the actor's id, `subject_id` and `detail` may use its
 * columns. @param into a table of another database that has the log's columns
 */
export function logPerRow(
  db: Database,
  by: Omit<Actor, 'id'> & { id: Actor['id'] | SQLWrapper },
  { action, subject, subject_id = null, detail }: LogRowOf,
  from: SQL,
  into: typeof accessLog | typeof plantLog = accessLog,
): Statement {
  const { id: actor_id, address, requestId: request_id } = by;
  const row = { at: Date.now(), actor_id, address, action, subject, subject_id, detail, request_id };
  return statement(db, insertFrom<typeof accessLog | typeof plantLog>(into, row, from));
}

/**
 * Logs a read when a change was refused but its response shows somebody's data, such as a 409's `current`.
 * Must directly follow the statement that logs the change; writes only if that statement wrote nothing.
 * @param from SQL that includes a WHERE
 */
export function logReadUnlessChanged(
  db: Database,
  by: Actor,
  row: Pick<LogRowOf, 'subject' | 'subject_id'> & Partial<LogRowOf>,
  from: SQL,
): Statement {
  return logPerRow(db, by, { detail: '{}', ...row, action: 'read' }, sql`${from} AND changes() = 0`);
}

/** Logs reading a list of imports or of published versions if the list contains its authors' names. */
export function logImportAuthorsRead(db: Database, by: Actor, imports: SQLiteTable, user: SQLWrapper) {
  const importers = sql`count(DISTINCT ${user})`;
  const row = { action: 'read', subject: 'user', detail: jsonObject({ importers }) } as const;
  return logPerRow(db, by, row, sql`FROM ${imports} HAVING ${importers} > 0`);
}

const ABOUT_USERS: LogSubject[] = ['user', 'due'];

type LogFilter = {
  person?: string;
  action?: LogAction;
  /** Milliseconds since 1970; `from` inclusive, `to` exclusive. */
  from?: number;
  to?: number;
  /** Id of an entry; only older entries are returned. */
  before?: number;
};

const actors = alias(users, 'actors');
const people = alias(users, 'people');

/** Entries of the log with the present names of the people in it. */
export function selectLogEntries(db: Database, condition: SQL | undefined) {
  // D1 returns batch rows by column name, so each column needs a unique name.
  return db
    .select({
      id: accessLog.id,
      at: accessLog.at,
      actorId: accessLog.actor_id,
      actorName: sql<string | null>`${actors.name}`.as('actor_name'),
      actorEmail: sql<string | null>`${actors.email}`.as('actor_email'),
      address: accessLog.address,
      action: accessLog.action,
      subject: accessLog.subject,
      personId: accessLog.subject_id,
      personName: sql<string | null>`coalesce(${people.name}, ${students.name})`.as('person_name'),
      personEmail: sql<string | null>`coalesce(${people.email}, ${students.email})`.as('person_email'),
      detail: accessLog.detail,
      requestId: accessLog.request_id,
    })
    .from(accessLog)
    .leftJoin(actors, eq(actors.id, accessLog.actor_id))
    .leftJoin(
      people,
      and(
        inArray(accessLog.subject, ABOUT_USERS),
        eq(people.id, sql`CAST(${accessLog.subject_id} AS INTEGER)`),
      ),
    )
    .leftJoin(
      students,
      and(
        inArray(accessLog.subject, ['student', 'enrolment', 'picture']),
        eq(students.id, accessLog.subject_id),
      ),
    )
    .where(condition);
}

type EntryRow = Awaited<ReturnType<typeof selectLogEntries>>[number];

export function logEntryFromRow(row: EntryRow): AccessLogEntry {
  return {
    id: row.id,
    at: new Date(row.at).toISOString(),
    actor: row.actorId === null ? null : { id: row.actorId, name: row.actorName, email: row.actorEmail },
    address: row.address,
    action: row.action,
    subject: row.subject,
    person:
      row.personId === null
        ? null
        : {
            id: ABOUT_USERS.includes(row.subject) ? Number(row.personId) : row.personId,
            name: row.personName,
            email: row.personEmail,
          },
    detail: detailSchema.parse(JSON.parse(row.detail)),
    request: row.requestId,
  };
}

/** A page of the log, newest first. Reading the log is logged too. */
export async function readAccessLog(db: Database, by: Actor, filter: LogFilter): Promise<AccessLogEntry[]> {
  /** The searched text is composed (NFC), but texts stored by an earlier version may be decomposed. */
  const isIn = (name: SQLWrapper, word: string) =>
    sql`(instr(lower(${name}), lower(${word})) > 0 OR instr(lower(${name}), lower(${word.normalize('NFD')})) > 0)`;
  const about = (table: typeof actors | typeof people, word: string) => [
    isIn(table.name, word),
    sql`instr(lower(${table.email}), lower(${word})) > 0`,
    eq(table.univ_id, word),
  ];
  const { person, action, from, to, before } = filter;
  const isWanted = and(
    person === undefined
      ? undefined
      : or(
          eq(accessLog.subject_id, person),
          // The whole id of the request, or the part of the id that a browser or a bridge knows.
          sql`${person.toLowerCase()} IN (${accessLog.request_id}, substr(${accessLog.request_id}, 10))`,
          isIn(students.name, person),
          ...about(actors, person),
          ...about(people, person),
        ),
    action === undefined ? undefined : eq(accessLog.action, action),
    from === undefined ? undefined : gte(accessLog.at, from),
    to === undefined ? undefined : lt(accessLog.at, to),
    before === undefined ? undefined : lt(accessLog.id, before),
  );
  // The searched name is not logged, because nobody could delete the name from the log.
  const detail = JSON.stringify({ filter: { ...filter, ...(person !== undefined && { person: true }) } });
  const [rows] = await db.commit([
    selectLogEntries(db, isWanted).orderBy(desc(accessLog.id)).limit(ACCESS_LOG_PAGE_SIZE),
    logAction(db, by, { action: 'read', subject: 'access_log', detail }),
  ]);
  return rows.map(logEntryFromRow);
}

const detailSchema = z.record(z.string(), z.unknown());

type Removal = { table: SQLiteTable; condition: SQL; what: string; subject: LogSubject };

/**
 * Deletes the matching rows and logs only their number; logs nothing if there are none.
 * @param what the count's name in the log
 * @returns the number of deleted rows
 */
export async function deleteAndLogCount(
  db: Database,
  by: Actor,
  { table, condition, what, subject }: Removal,
): Promise<number> {
  const detail = jsonObject({ [what]: sql`count(*)` });
  const found = sql`FROM ${table} WHERE ${condition} HAVING count(*) > 0`;
  const [, { meta }] = await db.commit([
    logPerRow(db, by, { action: 'delete', subject, detail }, found),
    db.delete(table).where(condition),
  ]);
  return meta.changes;
}

/**
 * Deletes entries older than `limit` (milliseconds since 1970). The database refuses to delete entries
 * younger than a year.
 */
export function removeLogBefore(db: Database, by: Actor, limit: number): Promise<number> {
  return deleteAndLogCount(db, by, {
    table: accessLog,
    condition: lte(accessLog.at, limit),
    what: 'entries',
    subject: 'access_log',
  });
}

export async function logRemovedCount(
  db: Database,
  by: Actor,
  subject: LogSubject,
  what: string,
  count: number,
) {
  if (count === 0) return;
  await db.commit([
    logAction(db, by, { action: 'delete', subject, detail: JSON.stringify({ [what]: count }) }),
  ]);
}

/** Blanks and signs that a stored name may contain. */
const BETWEEN_LETTERS = [' ', '\u00a0', '\u3000', '.', '-', "'", '·'];

/** The reason for an export as it is logged: without names, numbers and addresses of stored people. */
export async function maskStoredPeople(db: Database, reason: string): Promise<string> {
  const spellings = sql`(SELECT value FROM json_each(${JSON.stringify(nameSpellings(reason))}))`;
  const tight = (word: SQLWrapper) =>
    sql`lower(${BETWEEN_LETTERS.reduce((rest, sign) => sql`replace(${rest}, ${sign}, '')`, sql`${word}`)})`;
  const isSaid = (word: SQLWrapper) =>
    sql`${word} <> '' AND EXISTS (SELECT 1 FROM ${spellings} WHERE instr(lower(value), ${tight(word)}) > 0)`;
  const wordsOf = (table: typeof students | typeof users | typeof dues) =>
    db.select({ word: table.name }).from(table).where(isSaid(table.name));
  const found = await union(
    wordsOf(students),
    wordsOf(users),
    wordsOf(dues),
    db.select({ word: students.id }).from(students).where(isSaid(students.id)),
  );
  return maskPeople(
    reason,
    found.map(({ word }) => word),
  );
}
