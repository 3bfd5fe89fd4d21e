import type { AwaitingCounts, Overview } from '#contract/awaiting';
import { currentSemester } from '#contract/terms';
import type { Database } from '#db/client';
import { bridgeHeartbeats, bridgeKeys, plantStates } from '#db/plants';
import { ledgerEntries } from '#db/ledger';
import { courses } from '#db/courses';
import { students } from '#db/roster';
import { users } from '#db/users';
import { alerts } from '#db/watch';
import { and, asc, count, eq, exists, isNotNull, isNull, lte, ne, sql, sum } from 'drizzle-orm';
import { countUnreviewedMonths } from '../access-log/reviews-data.ts';
import { lastBackups } from '../health/data.ts';

/**
 * Counts for the menu, which asks every few minutes, so the queries are cheap: an index finds the waiting
 * users.
 * @param ofPlants null when PLANTS_DB does not answer
 */
export async function countAwaiting(
  db: Database,
  now: number,
  ofPlants: PlantCounts | null,
): Promise<AwaitingCounts> {
  const [due, [[numbers], [failed]]] = await Promise.all([
    countUnreviewedMonths(db, now),
    db.batch([
      db
        .select({ count: count() })
        .from(users)
        .where(and(isNotNull(users.univ_id), isNull(users.univ_id_verified_at))),
      // Without alerts of dry plants, which have a count of their own.
      db
        .select({ count: count() })
        .from(alerts)
        .where(and(isNull(alerts.over_at), ne(alerts.kind, 'dry'))),
    ]),
  ]);
  return {
    users: { unconfirmed_numbers: numbers?.count ?? 0, due_reviews: due },
    plants: { dry_plants: ofPlants && ofPlants.dry },
    health: { failed_parts: failed?.count ?? 0, dead_letters: ofPlants && ofPlants.dead },
  };
}

type PlantCounts = { dry: number; dead: number };

/** The menu's counts from PLANTS_DB; reads one row for each plant and bridge. */
export async function countPlantsAwaiting(plants: Database): Promise<PlantCounts> {
  const [[dead], dry] = await Promise.all([
    plants
      .select({ count: sum(bridgeHeartbeats.spool_dead).mapWith(Number) })
      .from(bridgeHeartbeats)
      .where(exists(standingKey(plants))),
    plants.$count(plantStates, and(isNotNull(plantStates.alert_since), eq(plantStates.is_hidden, false))),
  ]);
  return { dry, dead: dead?.count ?? 0 };
}

/** A bridge without a valid key is out of use, so nobody needs to handle its dead letters. */
const standingKey = (db: Database) =>
  db
    .select({ id: bridgeKeys.id })
    .from(bridgeKeys)
    .where(and(eq(bridgeKeys.bridge_id, bridgeHeartbeats.bridge_id), isNull(bridgeKeys.revoked_at)));

/** Sums up the entries until today (`2026-03-02`), and those of this month. Planned entries do not count. */
export async function sumLedger(db: Database, today: string): Promise<Overview['account']> {
  const ofMonth = sql`CASE WHEN substr(${ledgerEntries.datetime}, 1, 7) = ${today.slice(0, 7)} THEN ${ledgerEntries.amount} END`;
  const [sums] = await db
    .select({
      balance: sql<number>`total(${ledgerEntries.amount})`,
      deposits: sql<number>`total(max(${ofMonth}, 0))`,
      withdrawals: sql<number>`total(-min(${ofMonth}, 0))`,
    })
    .from(ledgerEntries)
    .where(lte(sql`substr(${ledgerEntries.datetime}, 1, 10)`, today));
  return sums;
}

export async function countManagedRecords(db: Database, now: number): Promise<Overview['lab']> {
  const { year, semester } = currentSemester(now);
  const [[ofUsers], [ofStudents], subjects] = await db.batch([
    db.select({ count: count() }).from(users),
    db.select({ count: count() }).from(students),
    db
      .select({ subject: courses.subject })
      .from(courses)
      .where(and(eq(courses.year, year), eq(courses.semester, semester)))
      .orderBy(asc(courses.id)),
  ]);
  const [backup] = await lastBackups(db);
  return {
    users: ofUsers?.count ?? 0,
    students: ofStudents?.count ?? 0,
    courses: subjects.map(({ subject }) => subject),
    last_backup: backup ? new Date(backup.at).toISOString() : null,
  };
}
