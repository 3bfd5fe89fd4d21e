import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { BackupJob } from '../../scripts/backup/backup-jobs.ts';
import { createBackupCommand } from '../../scripts/backup/backup.ts';
import { newKeyPair } from '../../scripts/backup/encryption.ts';
import { runCommand } from '../support/run-command.ts';

const folder = 'scripts/backup/schedule';
const read = (name: string) => readFileSync(join(folder, name), 'utf8');
const COMMAND = 'npm run backup -- --remote --to /var/backups/cps-lab --prune';
const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;

test.skipIf(!hasSystemd)(
  'OPS-9 systemd takes the service and the timer as they are, and knows when it is due',
  () => {
    const place = mkdtempSync(join(tmpdir(), 'cps-lab-units-'));
    onTestFinished(() => rmSync(place, { recursive: true }));
    const units = ['cps-backup.service', 'cps-backup.timer'].map((name) => join(place, name));
    for (const unit of units) writeFileSync(unit, read(unit.slice(place.length + 1)));
    const verified = spawnSync('systemd-analyze', ['verify', ...units], { encoding: 'utf8' });
    expect(verified.stdout + verified.stderr).toBe('');
    expect(verified.status).toBe(0);
    const [, due = ''] = /^OnCalendar=(.+)$/m.exec(read('cps-backup.timer')) ?? [];
    const calendar = spawnSync('systemd-analyze', ['calendar', due], { encoding: 'utf8' });
    expect(calendar.stdout).toContain('19:17:00 UTC');
  },
);

test('OPS-9 timer and cron line run one and the same command, which the backup takes', async () => {
  expect(read('cps-backup.service')).toContain(`ExecStart=/usr/bin/env ${COMMAND}\n`);
  const lines = read('cps-backup.cron')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  expect(lines).toEqual([
    `17 4 * * * cps-backup cd /opt/cps-lab-portal && set -a && . /etc/cps-backup.env && ${COMMAND}`,
  ]);
  expect(read('cps-backup.timer')).toContain('04:17:00');
  // cron reads a percent sign as the end of a line.
  expect(lines.join()).not.toContain('%');
  const [, , , , ...options] = COMMAND.split(' ');
  const { recipient } = await newKeyPair();
  let job: BackupJob | undefined;
  const { status } = await runCommand(
    createBackupCommand(async (asked) => void (job = asked)),
    options,
    { DATA_DIR: '/nowhere', BACKUP_RECIPIENT: recipient },
  );
  expect({ status, job }).toMatchObject({
    status: 0,
    job: { kind: 'backup', where: 'cps-lab', to: '/var/backups/cps-lab', prune: true },
  });
});
