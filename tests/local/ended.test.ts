import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { killProcessesWithVariable, processesWithVariable } from '../../scripts/processes.ts';

const isLinux = process.platform === 'linux';
/** Long enough for a busy machine, where the check of all processes takes longer, too. */
const PATIENCE = { timeout: 110_000, interval: 100 };
const SMALL_RUN = 'tests/local/small-run.ts';

/** Starts a script in a shell, as npm does, with another mark. */
function started(script: string, ...args: string[]) {
  const mark = `CPS_TEST_OUTER_${randomUUID().replaceAll('-', '')}`;
  const shell = spawn('sh', ['-c', '"$@" & wait', 'sh', process.execPath, script, ...args], {
    env: { ...process.env, [mark]: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [shell.stdout, shell.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const running = () => processesWithVariable(mark).map(({ name }) => name);
  return {
    shell,
    output: () => output,
    running,
    /** Resolves when all of these processes run. */
    untilRunning: (...names: RegExp[]) =>
      vi.waitFor(() => {
        for (const name of names) expect(running(), output).toContainEqual(expect.stringMatching(name));
      }, PATIENCE),
    pidOf: (script: string) =>
      processesWithVariable(mark).find(({ name }) => name.startsWith('node') && name.endsWith(script))?.pid ??
      0,
    untilNothingRuns: async () => {
      try {
        await vi.waitFor(() => expect(running()).toEqual([]), PATIENCE);
      } finally {
        killProcessesWithVariable(mark);
      }
    },
  };
}

const ways: [how: string, end: (run: ReturnType<typeof started>) => void][] = [
  ['SIGTERM', ({ pidOf }) => process.kill(pidOf(SMALL_RUN), 'SIGTERM')],
  ['SIGINT', ({ pidOf }) => process.kill(pidOf(SMALL_RUN), 'SIGINT')],
  ['the end of its parent', ({ shell }) => shell.kill('SIGKILL')],
];

test.runIf(isLinux).each(ways)(
  'OPS-18 a run that %s ends leaves nothing of what it started, in whatever environment and with its parent gone',
  async (_, end) => {
    const run = started(SMALL_RUN, 'waits');
    const { untilRunning, untilNothingRuns } = run;
    await untilRunning(/^sleep/, /small-run/);
    end(run);
    await untilNothingRuns();
  },
);

test.runIf(isLinux)('OPS-18 what is left over when a run ends by itself is named, and ended', async () => {
  const { output, untilNothingRuns } = started(SMALL_RUN);
  await vi.waitFor(() => expect(output()).toMatch(/^process \d+ \(sleep\)$/m), PATIENCE);
  await untilNothingRuns();
});

test.runIf(isLinux && existsSync('/usr/sbin/mosquitto'))(
  'OPS-18 npm test that is ended in the middle leaves no broker, no bridge and no worker',
  async () => {
    const run = started('scripts/test/test.ts', 'tests/firmware-bridge/faults/bridge-dies.test.ts');
    await run.untilRunning(/^mosquitto/, /bridge\.mjs/, /^workerd/);
    process.kill(run.pidOf('scripts/test/test.ts'), 'SIGTERM');
    await run.untilNothingRuns();
    expect(run.output()).not.toContain('defect');
  },
);
