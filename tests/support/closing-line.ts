import type { Reporter, TestModule } from 'vitest/node';

/** Prints skipped and flaky tests at the end of a run, and then one line with the number of tests. */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const count = { passed: 0, failed: 0, skipped: 0 };
    const skipped: string[] = [];
    const unsteady: string[] = [];
    for (const module of modules) {
      // A file that could not be loaded counts as one failed test.
      if (module.errors().length > 0) count.failed += 1;
      for (const test of module.children.allTests()) {
        const { state, errors } = test.result();
        if (state === 'passed' || state === 'failed') count[state] += 1;
        else {
          count.skipped += 1;
          skipped.push(test.fullName);
        }
        if (test.diagnostic()?.flaky) {
          unsteady.push(`${module.relativeModuleId}: ${test.fullName}\n  ${errors?.[0]?.message ?? ''}`);
        }
      }
    }
    for (const { provide } of modules.slice(0, 1).map(({ project }) => project.config))
      if (provide.isFull === false)
        console.log(
          `share ${provide.share} of the long lists; another with SHARE=${(provide.share ?? 0) + 1}`,
        );
    for (const name of skipped) console.log(`skipped: ${name}`);
    for (const name of unsteady) console.log(`passed only at the second try: ${name}`);
    const again = unsteady.length === 0 ? '' : `, ${unsteady.length} of them at the second try`;
    console.log(`\n${count.passed} passed${again}, ${count.failed} failed, ${count.skipped} skipped`);
  }
}
