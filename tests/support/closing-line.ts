import type { Reporter, TestModule } from 'vitest/node';

/** Ends a run with one plain line that counts every test, skipped ones out loud. */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const count = { passed: 0, failed: 0, skipped: 0 };
    const skipped: string[] = [];
    for (const module of modules) {
      // A file that could not be loaded has run none of its tests.
      if (module.errors().length > 0) count.failed += 1;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === 'passed' || state === 'failed') count[state] += 1;
        else {
          count.skipped += 1;
          skipped.push(test.fullName);
        }
      }
    }
    for (const name of skipped) console.log(`skipped: ${name}`);
    console.log(`\n${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`);
  }
}
