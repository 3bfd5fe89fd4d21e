import { database } from '#db/client';
import { removeLogBefore } from './access-log/data.ts';
import { removeOrphanReceipts } from './ledger/receipts-data.ts';
import { readConfig, type Env } from './lib/config.ts';
import { removeSessionsBefore } from './session/data.ts';
import { removeOrphans } from './pictures/data.ts';
import { removeReadingsBefore } from './plants/retention-data.ts';
import { SESSION_LIFE_MS } from './session/expiry.ts';
import { removeImportsBefore } from './students/import-data.ts';

const DAY_MS = 86_400_000;
/** How long the last import of a roster can be undone: for so long the contacts that it replaced are kept. */
const UNDO_DAYS = 30;

/** The daily task: removes what has been kept for as long as it should be. */
export async function removeWhatIsOverdue(env: Env): Promise<Record<string, number>> {
  const db = database(env.DB);
  const now = Date.now();
  const sessions = await removeSessionsBefore(db, now - SESSION_LIFE_MS);
  const logEntries = await removeLogBefore(db, now - readConfig(env).ACCESS_LOG_DAYS * DAY_MS);
  const imports = await removeImportsBefore(db, now - UNDO_DAYS * DAY_MS);
  const pictures = await removeOrphans(db, env.FILES);
  const receipts = await removeOrphanReceipts(db, env.FILES);
  const { PLANT_READINGS_DAYS: days } = readConfig(env);
  const readings = days === undefined ? 0 : await removeReadingsBefore(db, now - days * DAY_MS);
  return { sessions, logEntries, imports, pictures, receipts, readings };
}
