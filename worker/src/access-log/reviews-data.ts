import { SYSTEM_ADDRESS } from '#contract/access-log';
import {
  type ActorSummary,
  KNOWN_ADDRESS_DAYS,
  type LogMonth,
  type LogReport,
  addMonths,
  monthSpan,
  NIGHT_END_HOUR,
  seoulMonth,
  type UnusualAccess,
  UNUSUAL_RECORDS_MIN,
  USUAL_DAYS_MIN,
  UNUSUAL_RECORDS_FACTOR,
} from '#contract/log-reviews';
import { DAY_MS, HOUR_MS, SEOUL_OFFSET_MS } from '#contract/time';
import { statement, type Database } from '#db/client';
import { accessLog, logReviews } from '#db/access-log';
import { users } from '#db/users';
import { insertFrom, jsonObject } from '#db/sql';
import { and, asc, desc, eq, gte, isNull, lt, lte, min, notExists, or, sql } from 'drizzle-orm';
import type { Actor } from '../lib/app-env.ts';
import { logEntryFromRow, logAction, logPerRow, selectLogEntries, maskStoredPeople } from './data.ts';

/** Every month of the log, newest first, and who signed the month off. */
export async function listLogMonths(db: Database, by: Actor, now: number): Promise<LogMonth[]> {
  const [[log], reviews] = await db.commit([
    selectFirst(db),
    selectReviews(db),
    logAction(db, by, { action: 'read', subject: 'access_log', detail: '{"reviews":true}' }),
  ]);
  return monthsOf(log?.first ?? now, now).map((month) => monthOf(month, reviews, now));
}

/** How many past months nobody has signed off. Returns counts only, because the menu asks for them. */
export async function countUnreviewedMonths(db: Database, now: number): Promise<number> {
  const [[log], reviews] = await db.batch([
    selectFirst(db),
    db.select({ month: logReviews.month }).from(logReviews),
  ]);
  const signed = new Set(reviews.map(({ month }) => month));
  return monthsOf(log?.first ?? now, now).filter((month) => isOver(month, now) && !signed.has(month)).length;
}

const selectFirst = (db: Database) => db.select({ first: min(accessLog.at) }).from(accessLog);

const isOver = (month: string, now: number) => monthSpan(month).to <= now;

/** The months from the current month back to the month of the first entry. */
function monthsOf(first: number, now: number): string[] {
  const months: string[] = [];
  for (let month = seoulMonth(now); month >= seoulMonth(first); month = addMonths(month, -1))
    months.push(month);
  return months;
}

const selectReviews = (db: Database) =>
  db
    .select({
      month: logReviews.month,
      at: logReviews.at,
      remark: logReviews.remark,
      reviewer: { id: logReviews.reviewer_id, name: users.name, email: users.email },
    })
    .from(logReviews)
    .leftJoin(users, eq(users.id, logReviews.reviewer_id));
type Review = Awaited<ReturnType<typeof selectReviews>>[number];

function monthOf(month: string, reviews: Review[], now: number): LogMonth {
  const review = reviews.find((each) => each.month === month);
  return {
    month,
    isOver: isOver(month, now),
    review: review
      ? { at: new Date(review.at).toISOString(), reviewer: review.reviewer, remark: review.remark }
      : null,
  };
}

/** A month's report: who did how much, exports with reasons, unusual access. Reading it is logged too. */
export async function readLogReport(db: Database, by: Actor, month: string, now: number): Promise<LogReport> {
  const { from, to } = monthSpan(month);
  const inMonth = and(gte(accessLog.at, from), lt(accessLog.at, to));
  const [actors, days, addresses, exports, restores, reviews, people] = await db.commit([
    selectActors(db, inMonth),
    selectDays(db, from, to),
    selectNewAddresses(db, from, to),
    selectLogEntries(db, and(inMonth, eq(accessLog.action, 'export'))).orderBy(asc(accessLog.id)),
    selectLogEntries(db, isRestoreOf(month)).orderBy(asc(accessLog.id)),
    selectReviews(db),
    db.select({ id: users.id, name: users.name, email: users.email }).from(users),
    logAction(db, by, { action: 'read', subject: 'access_log', detail: JSON.stringify({ month }) }),
  ]);
  const known = new Map(people.map((person) => [person.id, person]));
  const personOf = (id: number) => known.get(id) ?? { id, name: null, email: null };
  const actorOf = (id: number | null) => (id === null ? null : personOf(id));
  return {
    ...monthOf(month, reviews, now),
    entries: actors.reduce((sum, { entries }) => sum + entries, 0),
    actors: actors.map(({ actorId, address, ...counts }): ActorSummary =>
      Object.assign(counts, {
        actor: actorOf(actorId),
        address: actorId === null ? address : null,
      }),
    ),
    exports: exports.map(logEntryFromRow),
    restores: restores.map(logEntryFromRow),
    unusual: [
      ...busyDays(days).map(({ actorId, day, entries, handled, usual }): UnusualAccess => ({
        kind: 'number',
        actor: actorOf(actorId),
        day,
        entries,
        handled,
        usual,
      })),
      ...days
        .filter(({ nightly }) => nightly > 0)
        .map(({ actorId, day, nightly }): UnusualAccess => ({
          kind: 'hour',
          actor: actorOf(actorId),
          day,
          entries: nightly,
        })),
      ...addresses.map(({ actorId, day, address, entries }): UnusualAccess => ({
        kind: 'address',
        actor: personOf(actorId),
        day,
        address,
        entries,
      })),
    ],
  };
}

const counted = (condition: ReturnType<typeof sql>) => sql<number>`count(*) FILTER (WHERE ${condition})`;

/**
 * How many records a row of the log is about. An import and its undo count each record; reading a list counts
 * as one, because opening a page again must not count as much as exporting everybody's data.
 */
function recordsIn() {
  const { action, detail, subject_id } = accessLog;
  const at = (path: string) => sql`${detail} ->> ${sql.raw(`'$.${path}'`)}`;
  const imported = (path = '') =>
    sql`${at(`${path}added`)} + coalesce(${at(`${path}changed`)}, 0)
      + coalesce(${at(`${path}unchanged`)}, 0) + coalesce(${at(`${path}removed`)}, 0)`;
  return sql`iif(${action} = 'read', 1, coalesce(${at('count')}, ${imported()}, ${imported('undone.')}, ${at('enrolments')}, ${subject_id} IS NOT NULL))`;
}

function selectActors(db: Database, inMonth: ReturnType<typeof and>) {
  const { actor_id, address, action } = accessLog;
  // An operator's command and the system's tasks have no actor id; the address distinguishes them.
  const place = sql<string>`iif(${actor_id} IS NULL, ${address}, '')`;
  return db
    .select({
      actorId: actor_id,
      address: place.as('place'),
      entries: sql<number>`count(*)`.as('entries'),
      reads: counted(sql`${action} = 'read'`).as('reads'),
      changes: counted(sql`${action} IN ('create', 'change', 'delete')`).as('changes'),
      exports: counted(sql`${action} = 'export'`).as('exports'),
      records: sql<number>`total(${recordsIn()})`.as('records'),
      addresses: sql<number>`count(DISTINCT ${address})`.as('addresses'),
    })
    .from(accessLog)
    .where(inMonth)
    .groupBy(actor_id, sql`place`)
    .orderBy(desc(sql`entries`), actor_id);
}

const DAY = sql<string>`strftime('%Y-%m-%d', (${accessLog.at} + ${sql.raw(String(SEOUL_OFFSET_MS))}) / 1000, 'unixepoch')`;
const HOUR = sql`(${accessLog.at} + ${sql.raw(String(SEOUL_OFFSET_MS))}) % ${sql.raw(String(DAY_MS))} / ${sql.raw(String(HOUR_MS))}`;

/** What people and the operator did on each day; not the system, whose tasks run at night. */
function selectDays(db: Database, from: number, to: number) {
  return statement<ActorDay>(
    db,
    sql`SELECT ${accessLog.actor_id} AS actorId, ${DAY} AS day, count(*) AS entries, total(${recordsIn()}) AS records,
        count(*) FILTER (WHERE ${HOUR} < ${NIGHT_END_HOUR}) AS nightly
      FROM ${accessLog} WHERE ${accessLog.at} >= ${from} AND ${accessLog.at} < ${to}
        AND (${accessLog.actor_id} IS NOT NULL OR ${accessLog.address} <> ${SYSTEM_ADDRESS})
      GROUP BY actorId, day ORDER BY day, actorId`,
  );
}

/** Whether a row logs a restore that removed log rows of the month, or the month's sign-off. */
function isRestoreOf(month: string) {
  const { from, to } = monthSpan(month);
  const { at, actor_id, action, subject, detail } = accessLog;
  return and(
    gte(at, from),
    eq(subject, 'access_log'),
    eq(action, 'change'),
    isNull(actor_id),
    sql`json_type(${detail}, '$.restored') IS 'object'`,
    or(
      sql`coalesce(${detail} ->> '$.restored.since', 0) < ${to}`,
      sql`EXISTS (SELECT 1 FROM json_each(${detail}, '$.restored.months') WHERE value = ${month})`,
    ),
  );
}

/** Addresses that are new for a user whom the log knows from other addresses. */
function selectNewAddresses(db: Database, from: number, to: number) {
  const since = from - KNOWN_ADDRESS_DAYS * DAY_MS;
  return statement<{ actorId: number; address: string; day: string; entries: number }>(
    db,
    sql`WITH familiar AS (SELECT DISTINCT actor_id, address FROM ${accessLog} WHERE at >= ${since} AND at < ${from})
      SELECT ${accessLog.actor_id} AS actorId, ${accessLog.address} AS address, min(${DAY}) AS day, count(*) AS entries
      FROM ${accessLog} WHERE ${accessLog.at} >= ${from} AND ${accessLog.at} < ${to}
        AND ${accessLog.actor_id} IN (SELECT actor_id FROM familiar)
        AND (${accessLog.actor_id}, ${accessLog.address}) NOT IN (SELECT actor_id, address FROM familiar WHERE actor_id IS NOT NULL)
      GROUP BY actorId, ${accessLog.address} ORDER BY day, actorId`,
  );
}

/**
 * Signs a month off. If two admins do so at the same time, only one succeeds.
 * @returns 'signed' if somebody has already signed the month off
 */
export async function signOffMonth(
  db: Database,
  by: Actor & { id: number },
  month: string,
  remark: string,
  now: number,
): Promise<'done' | 'signed'> {
  const said = await maskStoredPeople(db, remark);
  const isOpen = notExists(
    db.select({ id: logReviews.id }).from(logReviews).where(eq(logReviews.month, month)),
  );
  const row = { month, at: now, reviewer_id: by.id, remark: said };
  const detail = jsonObject({ reviewed: sql`${month}` });
  const [, written] = await db.commit([
    logPerRow(db, by, { action: 'create', subject: 'access_log', detail }, sql`WHERE ${isOpen}`),
    statement<{ id: number }>(db, sql`${insertFrom(logReviews, row, sql`WHERE ${isOpen}`)} RETURNING id`),
  ]);
  return written.length === 1 ? 'done' : 'signed';
}

/** Logs the export of a report. The report contains names of staff, so this is an export of personal data. */
export async function logReportExport(db: Database, by: Actor, month: string, reason: string): Promise<void> {
  const detail = JSON.stringify({ month, reason: await maskStoredPeople(db, reason) });
  await db.commit([logAction(db, by, { action: 'export', subject: 'access_log', detail })]);
}

/** Removes sign-offs before `limit`, as the log's own rows are removed. @returns their number */
export async function removeReviewsBefore(db: Database, limit: number): Promise<number> {
  const [{ meta }] = await db.commit([db.delete(logReviews).where(lte(logReviews.at, limit))]);
  return meta.changes;
}

/** One day's actions of one person, or of the operator (null); `records` as in `ActorSummary`. */
type ActorDay = {
  actorId: number | null;
  day: string;
  entries: number;
  records: number;
  nightly: number;
};

/** How many records were handled; an entry about nobody counts as one record. */
const handledOn = ({ entries, records }: ActorDay) => Math.max(entries, records);

/** Days on which somebody handled far more than on their other days, whose median is `usual`. */
export function busyDays(days: readonly ActorDay[]): (ActorDay & { handled: number; usual: number })[] {
  const byActor = Map.groupBy(days, ({ actorId }) => actorId);
  return days.flatMap((day) => {
    const others = (byActor.get(day.actorId) ?? []).filter((each) => each !== day);
    const usual = others.length < USUAL_DAYS_MIN ? 0 : median(others.map(handledOn));
    const handled = handledOn(day);
    const isUnusual = handled >= Math.max(UNUSUAL_RECORDS_MIN, usual * UNUSUAL_RECORDS_FACTOR);
    return isUnusual ? [{ ...day, handled, usual }] : [];
  });
}

function median(numbers: number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2;
}
