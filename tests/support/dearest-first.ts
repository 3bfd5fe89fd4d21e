import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { knownTimes } from './times.ts';

/**
 * The order of projects in one queue: what waits most comes first, and small files that compute fill the end. Vitest
 * keeps a process only while the next file in the queue is of the same project.
 */
const PROJECTS = ['e2e', 'bridge', 'worker', 'ingest', 'unit'];

/** Seconds of the files that take longest, for where nothing has run yet; `npm test -- --times` prints them anew. */
const SECONDS: Record<string, number> = {
  'tests/local/start.test.ts': 52,
  'tests/e2e/content.test.ts': 43,
  'tests/e2e/bridges.test.ts': 42,
  'tests/e2e/plants.test.ts': 39,
  'tests/e2e/accessibility.test.ts': 38,
  'tests/e2e/signed-out.test.ts': 38,
  'tests/e2e/navigation.test.ts': 34,
  'tests/e2e/public-site.test.ts': 34,
  'tests/local/running.test.ts': 33,
  'tests/local/backup-command.test.ts': 31,
  'tests/e2e/students.test.ts': 28,
  'tests/e2e/ledger-import.test.ts': 27,
  'tests/e2e/docs.test.ts': 22,
  'tests/e2e/office-work.test.ts': 21,
  'tests/e2e/users.test.ts': 20,
  'tests/e2e/scores-work.test.ts': 19,
  'tests/e2e/shell.test.ts': 19,
  'tests/firmware-bridge/faults/broker-fails.test.ts': 19,
  'tests/e2e/ledger-books.test.ts': 17,
  'tests/e2e/unsaved.test.ts': 17,
  'tests/e2e/third-parties.test.ts': 16,
  'tests/e2e/ledger.test.ts': 14,
  'tests/firmware-bridge/commands.test.ts': 14,
  'tests/firmware-bridge/faults/readings-misbehave.test.ts': 14,
  'tests/firmware/board.test.ts': 14,
  'tests/e2e/scores.test.ts': 13,
  'tests/firmware-bridge/answers.test.ts': 13,
  'tests/firmware-bridge/faults/ingest-fails.test.ts': 13,
  'tests/local/first-start.test.ts': 13,
  'tests/deploy/remote-backup.test.ts': 12,
  'tests/e2e/oldest-browsers.test.ts': 12,
  'tests/local/first-steps.test.ts': 12,
};

/** Starts the dearest files of each project first, so that none of them is alone in the end. */
export default class DearestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const known = knownTimes().files;
    const ordered = files.map((spec) => {
      const file = relative(this.ctx.config.root, spec.moduleId);
      const seconds = known[file]?.seconds ?? SECONDS[file] ?? 0;
      return { spec, file, place: PROJECTS.indexOf(spec.project.name), seconds };
    });
    return ordered
      .toSorted(
        (one, other) =>
          one.place - other.place || other.seconds - one.seconds || (one.file < other.file ? -1 : 1),
      )
      .map(({ spec }) => spec);
  }
}
