import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';
import { readTestTimes, TEST_TIMES_FILE as FILE, type TestTimes } from '../../scripts/test/test-run.ts';

/** How many processes were started until now, by the records of `scripts/test/mark-processes.cjs`. */
function startsUntilNow(): TestTimes['starts'] {
  const noted = process.env['CPS_TEST_STARTS'];
  if (noted === undefined || !existsSync(noted)) return null;
  const starts = { vitest: 0, tests: 0, product: 0 };
  for (const line of readFileSync(noted, 'utf8').split('\n')) {
    const [starter] = line.split('\t');
    if (starter === 'vitest' || starter === 'tests' || starter === 'product') starts[starter] += 1;
  }
  return starts;
}

function secondsOf(module: TestModule): number {
  const { collectDuration, setupDuration, prepareDuration, duration } = module.diagnostic();
  return (collectDuration + setupDuration + prepareDuration + duration) / 1000;
}

/** The routes of a file. If only some tests ran, or one failed, the routes of earlier runs are added. */
function routesOf(module: TestModule, before: string[] | undefined): string[] | undefined {
  const { routes } = module.meta();
  const isWhole = module.state() === 'passed' && !process.argv.includes('-t');
  return isWhole || routes === undefined ? routes : before && [...new Set([...before, ...routes])];
}

/** Records each file's time and the number of processes; `npm test -- --times` prints the slowest files. */
export default class TimesReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const before = readTestTimes().files;
    const measured = modules
      .map((module) => ({
        file: module.relativeModuleId,
        project: module.project.name,
        seconds: secondsOf(module),
        routes: routesOf(module, before[module.relativeModuleId]?.routes),
      }))
      .toSorted((one, other) => other.seconds - one.seconds);
    const starts = startsUntilNow();
    const files = { ...before };
    for (const { file, ...its } of measured) files[file] = its;
    mkdirSync(dirname(FILE), { recursive: true });
    writeFileSync(FILE, JSON.stringify({ files, starts } satisfies TestTimes, undefined, 1));
    if (process.env['CPS_TEST_TIMES'] === undefined) return;
    console.log('\nthe slowest files');
    for (const { file, project, seconds } of measured.slice(0, 20))
      console.log(`${seconds.toFixed(1).padStart(8)} s  ${project.padEnd(8)}${file}`);
    const byProject = Map.groupBy(measured, ({ project }) => project);
    console.log('\nprojects, the files of each one after the other');
    for (const [project, its] of byProject)
      console.log(
        `${its
          .reduce((sum, { seconds }) => sum + seconds, 0)
          .toFixed(1)
          .padStart(8)} s  ${project.padEnd(8)}${its.length} files`,
      );
    if (starts === null) return;
    const { vitest, tests, product } = starts;
    console.log(
      `\n${vitest + tests + product} processes started: ${vitest} by Vitest, ${tests} by tests, ${product} by what these started`,
    );
  }
}
