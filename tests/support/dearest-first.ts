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
  'tests/e2e/signed-out.test.ts': 110,
  'tests/local/start.test.ts': 105,
  'tests/e2e/accessibility.test.ts': 102,
  'tests/e2e/public-site.test.ts': 96,
  'tests/e2e/plants.test.ts': 95,
  'tests/local/running.test.ts': 95,
  'tests/e2e/office-work.test.ts': 86,
  'tests/e2e/users.test.ts': 85,
  'tests/e2e/students.test.ts': 85,
  'tests/e2e/navigation.test.ts': 85,
  'tests/local/plants-database-trouble.test.ts': 85,
  'tests/e2e/map.test.ts': 75,
  'tests/e2e/plants-live.test.ts': 74,
  'tests/local/unfinished-restore.test.ts': 73,
  'tests/e2e/unsaved.test.ts': 73,
  'tests/e2e/ledger.test.ts': 73,
  'tests/worker/receivers.test.ts': 71,
  'tests/local/pages.test.ts': 66,
  'tests/e2e/ledger-import.test.ts': 66,
  'tests/e2e/docs.test.ts': 65,
  'tests/local/first-start.test.ts': 60,
  'tests/e2e/scores-work.test.ts': 54,
  'tests/local/backup-command.test.ts': 46,
  'tests/e2e/headers.test.ts': 45,
  'tests/worker/matrix.test.ts': 43,
  'tests/e2e/students-pictures.test.ts': 43,
  'tests/deploy/deploy.test.ts': 40,
  'tests/e2e/addresses.test.ts': 38,
  'tests/e2e/ledger-books.test.ts': 37,
  'tests/e2e/shell.test.ts': 36,
  'tests/e2e/scores.test.ts': 36,
  'tests/e2e/functions-orders.test.ts': 36,
  'tests/deploy/table-rebuild.test.ts': 36,
  'tests/e2e/refused.test.ts': 35,
  'tests/firmware/board.test.ts': 32,
  'tests/worker/watch.test.ts': 31,
  'tests/local/drill.test.ts': 31,
  'tests/e2e/old-tab.test.ts': 31,
  'tests/local/archive-exact.test.ts': 30,
  'tests/firmware-bridge/faults/full-disk.test.ts': 30,
  'tests/local/person-plants.test.ts': 30,
  'tests/local/operator.test.ts': 29,
  'tests/firmware-bridge/faults/readings-misbehave.test.ts': 28,
  'tests/firmware-bridge/process.test.ts': 28,
  'tests/worker/log.test.ts': 28,
  'tests/e2e/newcomer.test.ts': 28,
  'tests/firmware-bridge/faults/broker-fails.test.ts': 26,
  'tests/local/backup.test.ts': 26,
  'tests/e2e/courses.test.ts': 25,
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
