import { DAY_MS } from '#contract/time';
import { SYSTEM_ADDRESS } from '#contract/access-log';
import { UNDO_DAYS } from '#contract/imports';
import { BIN_DAYS } from '#contract/ledger';
import { SESSION_LIFE_MS } from '#contract/session';
import { database, type Database } from '#db/client';
import { logRemovedCount, removeLogBefore } from './access-log/data.ts';
import { removeReviewsBefore } from './access-log/reviews-data.ts';
import { removeOldClaims } from './claims/data.ts';
import { removeOrphanPhotographs } from './content/pictures-data.ts';
import { emptyBinBefore } from './ledger/bin-data.ts';
import { removeDeletedUserNames } from './ledger/dues-data.ts';
import { removeLedgerImportsBefore } from './ledger/imports-data.ts';
import { removeOrphanReceipts } from './ledger/receipts-data.ts';
import type { Actor } from './lib/app-env.ts';
import { readConfig, type Env } from './lib/config.ts';
import { removeOrphanPictures, removePictures } from './pictures/data.ts';
import { deleteRemovedPlantData, removeReadingsBefore } from './plants/lifecycle-data.ts';
import { removeSessionsBefore, removeUsedTokens } from './session/data.ts';
import { removeRosterImportsBefore } from './students/import-data.ts';
import {
  countTermPurge,
  termRetentionEnd,
  listTerms,
  purgeTerm,
  recordCurrentTerm,
} from './students/purge-data.ts';
import { removeTimetableImportsBefore } from './subjects/data.ts';
import {
  NORMALIZED_PLANT_COLUMNS,
  normalizeTexts,
  NORMALIZED_COLUMNS,
} from './tasks/normalize-texts-data.ts';
import type { TaskRun } from './tasks/run-task.ts';

/**
 * The daily task: removes everything whose retention period has passed, and normalizes texts that an earlier
 * version stored. The access log records the counts, with the system as the actor.
 * @returns the same counts, how many texts were normalized, and how many rows were removed as duplicates
 */
export async function applyRetention(
  env: Env,
  { id, now }: Pick<TaskRun, 'id' | 'now'>,
): Promise<Record<string, number>> {
  const db = database(env.DB);
  const plants = database(env.PLANTS_DB);
  const config = readConfig(env);
  const by: Actor = { id: null, address: SYSTEM_ADDRESS, requestId: id };
  const sessions = await removeSessionsBefore(db, by, now - SESSION_LIFE_MS);
  const tokens = await removeUsedTokens(db, now);
  const claims = await removeOldClaims(db, now);
  const logEntries = await removeLogBefore(db, by, now - config.ACCESS_LOG_DAYS * DAY_MS);
  const reviews = await removeReviewsBefore(db, now - config.ACCESS_LOG_DAYS * DAY_MS);
  const undoable = now - UNDO_DAYS * DAY_MS;
  const imports = await removeRosterImportsBefore(db, by, undoable);
  await removeTimetableImportsBefore(db, undoable);
  await removeLedgerImportsBefore(db, undoable);
  const rosters = await removeRosters(db, by, env.FILES, config.ROSTER_YEARS, now);
  const names = await removeDeletedUserNames(db, by, now - config.DELETED_USERS_DAYS * DAY_MS);
  const pictures = await removeOrphanPictures(db, env.FILES);
  await logRemovedCount(db, by, 'picture', 'files', pictures);
  const binned = await emptyBinBefore(db, env.FILES, by, now - BIN_DAYS * DAY_MS);
  const receipts = await removeOrphanReceipts(db, env.FILES);
  await logRemovedCount(db, by, 'receipt', 'files', receipts);
  const photographs = await removeOrphanPhotographs(db, env.FILES);
  await logRemovedCount(db, by, 'content', 'files', photographs);
  const days = config.PLANT_READINGS_DAYS;
  const readings = days === undefined ? 0 : await removeReadingsBefore(plants, now - days * DAY_MS);
  await logRemovedCount(db, by, 'plant', 'readings', readings);
  // Not logged again: the log has an entry of each plant's removal.
  const removedReadings = await deleteRemovedPlantData(plants);
  const { spelled, merged } = await normalizeTexts(db, by, NORMALIZED_COLUMNS);
  const ofPlants = await normalizeTexts(plants, by, NORMALIZED_PLANT_COLUMNS);
  return {
    sessions,
    tokens,
    claims,
    logEntries,
    reviews,
    imports,
    ...rosters,
    names,
    pictures,
    binned,
    receipts,
    readings,
    removedReadings,
    spelled: spelled + ofPlants.spelled,
    merged,
  };
}

/** Removes terms past their retention period, with the students who have no later term. */
async function removeRosters(
  db: Database,
  by: Actor,
  files: R2Bucket,
  years: number | undefined,
  now: number,
): Promise<{ enrolments: number; students: number }> {
  const removed = { enrolments: 0, students: 0 };
  await recordCurrentTerm(db, now);
  if (years === undefined) return removed;
  for (const term of await listTerms(db)) {
    if (termRetentionEnd(term, years) > now) continue;
    const { year, semester } = term;
    const { enrolments } = await countTermPurge(db, year, semester);
    const purged = await purgeTerm(db, by, year, semester, enrolments);
    // Somebody has just changed the term; the next day's run removes the term.
    if (!purged) continue;
    await removePictures(files, purged.pictures);
    removed.enrolments += purged.count.enrolments;
    removed.students += purged.count.students;
  }
  return removed;
}
