import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { knownTimes } from '../../scripts/test/test-run.ts';

/**
 * The order of projects in one queue: what waits most comes first, and small files that compute fill the end. Vitest
 * keeps a process only while the next file in the queue is of the same project.
 */
const PROJECTS = ['e2e', 'bridge', 'worker', 'ingest', 'unit'];

/** Starts the files of each project first that took longest, where they ran before, so that none is alone in the end. */
export default class DearestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const known = knownTimes().files;
    const ordered = files.map((spec) => {
      const file = relative(this.ctx.config.root, spec.moduleId);
      const seconds = known[file]?.seconds ?? 0;
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
