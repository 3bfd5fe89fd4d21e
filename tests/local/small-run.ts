/**
 * A run of tests in small: it starts a program, which starts another one with an environment of its own and ends. Given
 * `waits` it goes on until it is ended; otherwise it says what is left over, and ends.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { startTestRun } from '../../scripts/test/test-run.ts';

const { marking, leftOver } = startTestRun();
const sleeper =
  "require('node:child_process').spawn('sleep', ['1000'], { env: {}, detached: true, stdio: 'ignore' }).unref()";
const child = spawn(process.execPath, ['-e', sleeper], {
  env: { ...process.env, ...marking },
  stdio: 'inherit',
});
await once(child, 'exit');
if (process.argv.includes('waits')) setInterval(() => undefined, 1000);
else console.log(await leftOver(0));
