import { carryOut } from '../../scripts/backup/backup-work.ts';
import { backupBy } from '../../scripts/backup/backup.ts';

/** `npm run backup`, its work too without a process of its own. */
export const backupHere = backupBy((job) => carryOut(job, () => undefined));
