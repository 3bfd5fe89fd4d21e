import { runBackupJob } from '../../scripts/backup/backup-jobs.ts';
import { createBackupCommand } from '../../scripts/backup/backup.ts';

/** `npm run backup`, its work too without a process of its own. */
export const backupHere = createBackupCommand((job) => runBackupJob(job, () => undefined));
