/** `npm test`: types, lint and format, the build, then every test; `--long` runs the full counts. */
import { spawnSync } from 'node:child_process';

const [...args] = process.argv.slice(2);
const isLong = args.includes('--long');
const filters = args.filter((arg) => arg !== '--long');

const steps = [
  { name: 'generate', command: ['node', 'web/generate.ts'] },
  { name: 'check', command: ['npm', 'run', '--silent', 'check'] },
  { name: 'build', command: ['node', 'scripts/build.ts'] },
  { name: 'test', command: ['vitest', 'run', ...filters] },
];

for (const { name, command } of steps) {
  const started = Date.now();
  console.log(`${name}  ${command.join(' ')}`);
  const [program = '', ...rest] = command;
  const done = spawnSync(program, rest, {
    stdio: 'inherit',
    env: {
      ...process.env,
      WRANGLER_SEND_METRICS: 'false',
      CLOUDFLARE_CF_FETCH_ENABLED: 'false',
      ...(isLong && { FULL: '1' }),
    },
  });
  if (done.error) console.error(done.error.message);
  if (done.status !== 0) {
    console.error(`${name}  failed after ${seconds(started)}`);
    process.exit(done.status ?? 1);
  }
  if (name !== 'test') console.log(`${name}  done (${seconds(started)})`);
}

function seconds(since: number): string {
  return `${((Date.now() - since) / 1000).toFixed(1)} s`;
}
