import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { knownTimes } from './times.ts';

/**
 * The order of projects in one queue: what waits most comes first, and small files that compute fill the end. Vitest
 * keeps a process only while the next file in the queue is of the same project.
 */
const PROJECTS = ['e2e', 'bridge', 'worker', 'ingest', 'unit'];

/** Seconds of the files that take longest, for where nothing has run yet; `npm test -- --times` prints them anew. */
const SECONDS: Record<string, number> = {};

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
