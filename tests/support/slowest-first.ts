import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { readTestTimes } from '../../scripts/test/test-run.ts';

/**
 * The order of the projects: tests that mostly wait come first, and small files that compute come last.
 * Vitest keeps a process only if the next file is of the same project.
 */
const PROJECTS = ['e2e', 'bridge', 'worker', 'ingest', 'unit'];

/** Starts the slowest files of each project first, so that no slow file runs alone at the end. */
export default class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const known = readTestTimes().files;
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
