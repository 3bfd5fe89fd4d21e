import { spawnSync } from 'node:child_process';
import { startStack } from '../support/stack.ts';
import { median, type Row } from './table.ts';

const RUNS = 3;

/** Time from `npm start` to its ready line and from SIGTERM to the end, installed and built already. */
export async function benchStart(): Promise<Row[]> {
  const ready: number[] = [];
  const ended: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    const started = performance.now();
    const stack = await startStack();
    ready.push(performance.now() - started);
    const asked = performance.now();
    await stack.stop();
    ended.push(performance.now() - asked);
  }
  const size = spawnSync('du', ['-sm', 'node_modules'], { encoding: 'utf8' }).stdout.split('\t')[0];
  return [
    {
      figure: 'start to ready, fresh data folder',
      value: `${(median(ready) / 1000).toFixed(2)} s`,
      target: '≤ 8 s',
    },
    { figure: 'SIGTERM to the end', value: `${(median(ended) / 1000).toFixed(2)} s`, target: '≤ 5 s' },
    { figure: 'node_modules', value: `${size} MB`, target: '≤ 800 MB' },
  ];
}
