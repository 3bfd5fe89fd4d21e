/** `npm run doctor`: checks each part of the local run, also when it is stopped, and prints first steps. */
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { healthSchema } from '#contract/health';
import { REPAIR_STEPS } from '#contract/first-steps';
import { VERSION } from '#contract/release';
import { refuseExtraArguments } from '../firmware-bridge/src/commands/command-line.ts';
import {
  withFirstStep,
  checkDiskFirst,
  checkParts,
  checkBroker,
  checkDisk,
  checkDeadLetterFiles,
  checkSpool,
  failedFinding,
  type Finding,
} from '../firmware-bridge/src/commands/doctor.ts';
import { explainError, errorFirstStep, withErrorPath } from '../firmware-bridge/src/system-error.ts';
import { ownKeyFingerprint } from '../scripts/backup/author.ts';
import { processUsingDataDir, refuseNewerData } from '../scripts/database/data-dir.ts';
import { refuseUnfinishedRestore } from '../scripts/database/unfinished-restore.ts';
import { LOCAL } from '../scripts/deployment-name.ts';
import { defineCommand, print, runAsProgram } from '../scripts/terminal.ts';
import { commandEnvironment } from '../scripts/command-environment.ts';
import { refuseDamagedKeys } from './stored-keys.ts';
import { hasLan, isPemValid } from './lan.ts';
import { refuseDamagedStore } from './preflight.ts';
import { readLastStart, readSettings, startCommand, type Settings } from './settings.ts';

const HELP = {
  command: 'npm run doctor --',
  does: 'checks each part of the local run, and prints a first step for each red part. It changes nothing.',
  ways: [['', 'prints a line for each part; exits with 1 if a part is red']],
  options: {},
  notes:
    'It checks DATA_DIR (.data), with the ports of its last start. On the Raspberry Pi: sudo cps-bridge doctor.',
  example: 'npm run doctor',
  page: 'docs/operations.md#monday-morning',
} as const;

const DAY_MS = 86_400_000;

/** Needs no time server: if a file was changed later than the clock's present time, the clock is behind. */
function lookAtClock(): Finding {
  const made = statSync('package.json').mtimeMs;
  const said = new Date().toISOString().slice(0, 16).replace('T', ' ');
  return made > Date.now() + DAY_MS
    ? failedFinding(`wrong: ${said} is earlier than this copy of the repository`, REPAIR_STEPS.clock('clone'))
    : { said: `${said} UTC` };
}

async function lookAtParts({ origin }: Settings, start: string): Promise<Finding> {
  const answer = await fetch(`${origin}/api/health`, { signal: AbortSignal.timeout(10_000) });
  const { parts } = healthSchema.parse(await answer.json());
  const silent = Object.entries(parts).flatMap(([name, stands]) => (stands ? [] : [name]));
  return silent.length === 0
    ? { said: `answers from ${Object.keys(parts).join(', ')}` }
    : failedFinding(`no answer from: ${silent.join(', ')}`, start);
}

function lookAtRights(place: string): Finding {
  withErrorPath(place, () => accessSync(place, constants.W_OK));
  return { said: `${place} can be written` };
}

/** @param first changes the first step in an error that the check throws */
const stepped = (first: (step: string) => string, look: () => Finding) => () => {
  try {
    return look();
  } catch (error) {
    const { said, step = '' } = failedFinding(explainError(error), '');
    return { said, step: first(step) };
  }
};

const whole = (look: () => void, said: string) => () => {
  look();
  return { said };
};

export const doctorCommand = defineCommand(HELP, async ({ words }) => {
  refuseExtraArguments(words);
  const { env } = commandEnvironment();
  const { DATA_DIR: dataDir } = readSettings(env);
  const noted = readLastStart(dataDir);
  const settings = readSettings({ ...noted?.given, ...env });
  const place = existsSync(dataDir) ? dataDir : '.';
  const stopped = startCommand(settings, noted?.hasLan ?? hasLan(dataDir));
  const running = processUsingDataDir(dataDir);
  const afterStop = (step: string) => (running === undefined ? step : REPAIR_STEPS.running(running, step));
  const start = afterStop(stopped);
  const { exitCode, text } = await checkParts({
    clock: [lookAtClock, REPAIR_STEPS.clock('clone')],
    versions: [
      whole(() => refuseNewerData(dataDir), `this is ${VERSION} on Node ${process.versions.node}`),
      start,
    ],
    rights: [() => lookAtRights(place), errorFirstStep('EACCES', dataDir) ?? start],
    disk: [() => checkDisk(place), start],
    restore: [whole(() => refuseUnfinishedRestore(dataDir, LOCAL), 'no restore was interrupted'), start],
    keys: [whole(() => refuseDamagedKeys(dataDir, start), 'not damaged, or not made yet'), start],
    'archive key': [whole(() => ownKeyFingerprint(dataDir), 'not damaged, or not made yet'), start],
    certificate: [
      () => {
        if (!(noted?.hasLan ?? hasLan(dataDir))) return { said: 'not needed without --lan' };
        const lan = join(dataDir, 'lan');
        if (isPemValid(lan) && hasLan(dataDir)) return { said: "not damaged, and boards' passwords exist" };
        const gone = hasLan(dataDir) ? 'valid certificate' : 'passwords, so boards are refused';
        return failedFinding(`${lan} has no ${gone}`, afterStop(startCommand(settings, true)));
      },
      start,
    ],
    store: [
      checkDiskFirst(
        place,
        stepped(
          afterStop,
          whole(() => refuseDamagedStore(dataDir, stopped), 'databases and files are not damaged'),
        ),
      ),
      start,
    ],
    spool: [checkDiskFirst(place, () => checkSpool(join(dataDir, 'spool.sqlite'))), start],
    'dead letters': [() => checkDeadLetterFiles(place), start],
    broker: [withFirstStep(start, () => checkBroker({ url: settings.brokerUrl })), start],
    worker: [
      checkDiskFirst(
        place,
        withFirstStep(start, () => lookAtParts(settings, start)),
      ),
      start,
    ],
  });
  print(text);
  return exitCode;
});

if (import.meta.main) await runAsProgram(doctorCommand);
