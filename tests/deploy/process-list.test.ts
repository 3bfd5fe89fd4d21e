import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runWrangler } from '../../scripts/deploy/run-wrangler.ts';
import { freshFolder } from '../firmware-bridge/support/processes.ts';

/** The command lines of all processes, as any user of the machine reads them. */
const commandLines = () =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        return [readFileSync(`/proc/${pid}/cmdline`, 'utf8')];
      } catch {
        // The process has ended.
        return [];
      }
    });

test.skipIf(process.platform !== 'linux')(
  'SEC-96 an address that an operator looks for stands in no command line, and is found',
  async () => {
    const folder = freshFolder();
    const config = join(folder, 'wrangler.json');
    const database = { binding: 'DB', database_name: 'people', database_id: 'x' };
    writeFileSync(config, JSON.stringify({ name: 'x', d1_databases: [database] }));
    const address = `kim-${process.pid}@lab.test`;
    const seen = new Set<string>();
    const look = setInterval(() => commandLines().forEach((line) => seen.add(line)), 20);
    const answer = await runWrangler(
      [
        'd1',
        'execute',
        'people',
        '--local',
        '--json',
        '--config',
        config,
        '--command',
        `SELECT '${address}'`,
      ],
      { cwd: folder },
    ).finally(() => clearInterval(look));
    expect(answer).toContain(address);
    expect([...seen].filter((line) => line.includes(config)).length).toBeGreaterThan(0);
    expect([...seen].filter((line) => line.includes(address))).toEqual([]);
  },
);
