/**
 * A small test run. It starts a program, which starts another program with its own environment and ends. With
 * the argument `waits` it runs until it is killed; otherwise it prints the remaining processes, and ends.
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
