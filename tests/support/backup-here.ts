import { runBackupJob } from '../../scripts/backup/backup-jobs.ts';
import { createBackupCommand } from '../../scripts/backup/backup.ts';

/** `npm run backup`, with its work in this process. */
export const backupHere = createBackupCommand((job) => runBackupJob(job, () => undefined));
