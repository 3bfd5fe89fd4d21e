import { database } from '#db/client';
import { removeLogBefore } from './access-log/data.ts';
import { readConfig, type Env } from './lib/config.ts';
import { removeSessionsBefore } from './session/data.ts';
import { SESSION_LIFE_MS } from './session/expiry.ts';

const DAY_MS = 86_400_000;

/** The daily task: removes what has been kept for as long as it should be. */
export async function removeWhatIsOverdue(env: Env): Promise<void> {
  const db = database(env.DB);
  const now = Date.now();
  const sessions = await removeSessionsBefore(db, now - SESSION_LIFE_MS);
  const logEntries = await removeLogBefore(db, now - readConfig(env).ACCESS_LOG_DAYS * DAY_MS);
  console.log(JSON.stringify({ event: 'removed what is overdue', sessions, logEntries }));
}
