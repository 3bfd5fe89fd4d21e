import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';
import * as z from 'zod';

/** What the runs here have measured; a part of a run changes its own files alone. */
const FILE = '.cache/test-times.json';

const timesSchema = z.object({
  /** Seconds that a file of tests took when it ran last, loading and hooks included. */
  files: z.record(z.string(), z.object({ project: z.string(), seconds: z.number() })),
  /** How many processes the last run started, by who started them; null when nobody counted. */
  starts: z.object({ vitest: z.int(), tests: z.int(), product: z.int() }).nullable(),
});
type Times = z.infer<typeof timesSchema>;

/** What is known from earlier runs: nothing in a fresh clone. */
export function knownTimes(): Times {
  if (!existsSync(FILE)) return { files: {}, starts: null };
  const read = timesSchema.safeParse(JSON.parse(readFileSync(FILE, 'utf8')));
  return read.success ? read.data : { files: {}, starts: null };
}

/** Processes that have been started until now, as `scripts/test/mark-processes.cjs` notes them. */
function startsUntilNow(): Times['starts'] {
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

/** Notes how long each file took and how many processes were started; `npm test -- --times` prints the dearest. */
export default class TimesReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const measured = modules
      .map((module) => ({
        file: module.relativeModuleId,
        project: module.project.name,
        seconds: secondsOf(module),
      }))
      .toSorted((one, other) => other.seconds - one.seconds);
    const starts = startsUntilNow();
    const files = { ...knownTimes().files };
    for (const { file, project, seconds } of measured) files[file] = { project, seconds };
    mkdirSync(dirname(FILE), { recursive: true });
    writeFileSync(FILE, JSON.stringify({ files, starts } satisfies Times, undefined, 1));
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
