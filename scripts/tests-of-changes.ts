/** Selects the tests for `npm test -- --changed`: those that import changed files, and those of the same feature. */
import { execFileSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { basename } from 'node:path';

/** Features whose tests begin with words other than the feature's name. */
const words: Record<string, string[]> = {
  'access-log': ['access-log', 'user'],
  errors: ['refused', 'signed-out', 'user-questions'],
  health: ['health', 'watch'],
  landing: ['landing', 'public', 'map', 'navigation'],
  ledger: ['ledger', 'dues', 'receipts'],
  login: ['login', 'newcomer', 'signed-out', 'old-tab'],
  people: ['claims', 'users', 'personal-data'],
  pictures: ['picture', 'student-pictures', 'students-pictures', 'upload'],
  session: ['session', 'login', 'newcomer', 'signed-out'],
  settings: ['navigation', 'newcomer'],
  students: ['student', 'roster', 'claims'],
  subjects: ['subject', 'timetable'],
  tasks: ['watch', 'retention'],
};
/** Parts whose tests have a folder of their own. */
const folders = ['firmware-bridge', 'ingest', 'local'];

const lines = (command: string, args: string[]) =>
  execFileSync(command, args, { encoding: 'utf8' }).split('\n').filter(Boolean);

/** @throws Error when Git or Vitest cannot determine what has changed */
export function testsOfChanges(): string[] {
  const changed = [
    ...lines('git', ['diff', '--name-only', 'HEAD']),
    ...lines('git', ['ls-files', '--others', '--exclude-standard']),
  ];
  if (changed.length === 0) return [];
  // Tests use the built workers and site and do not import their sources.
  const importing = lines('vitest', ['list', '--changed', '--filesOnly', '--passWithNoTests'])
    .map((line) => /tests\/\S+\.test\.ts$/.exec(line)?.[0])
    .filter((file) => file !== undefined);
  return [...new Set([...importing, ...testsAbout(changed), ...globSync('tests/house/*.test.ts')])].sort();
}

/** Test files about the parts that contain these files, matched by name. */
export function testsAbout(changed: string[]): string[] {
  const all = globSync('tests/{contract,web,worker,e2e,firmware-bridge/**,ingest,local}/*.test.ts');
  const named = changed.flatMap((file) => {
    const [, feature] =
      /^(?:web\/src\/features|worker\/src)\/([^/.]+)\//.exec(file) ??
      /^(?:contract|db)\/([^/.]+)\.ts$/.exec(file) ??
      [];
    return feature === undefined ? [] : (words[feature] ?? [feature.replace(/s$/, '')]);
  });
  const whole = folders.filter((folder) => changed.some((file) => file.startsWith(`${folder}/`)));
  return all.filter(
    (test) =>
      named.some((word) => basename(test).startsWith(word)) ||
      whole.some((folder) => test.startsWith(`tests/${folder}/`)),
  );
}
