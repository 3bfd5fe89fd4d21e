import { spawnSync } from 'node:child_process';
import * as z from 'zod';
import { openLocalD1 } from './local-d1.ts';
import { commandVariables, settings } from './variables.ts';

/** Statements of an operator's command: what to change, all or nothing, and what to read afterwards. */
export type Change = { write: string[]; read: string };

/** wrangler takes no parameters, so the text is quoted as SQLite wants it. */
export const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;

/**
 * Makes the change in the local database, also while the product runs, or in the deployed one.
 * @returns the rows that were read
 * @throws Error with the database's own words when it refuses
 */
export function applyChange(change: Change, where: 'local' | 'remote'): unknown {
  return where === 'remote' ? applyRemotely(change) : applyLocally(change);
}

function applyLocally({ write, read }: Change): unknown {
  const db = openLocalD1(settings(commandVariables).DATA_DIR);
  try {
    db.exec('BEGIN IMMEDIATE');
    for (const statement of write) db.exec(statement);
    db.exec('COMMIT');
    return db.prepare(read).all();
  } finally {
    db.close();
  }
}

const failureSchema = z.object({ error: z.object({ text: z.string() }) });
const answerSchema = z.array(z.object({ results: z.array(z.unknown()) }));

function applyRemotely({ write, read }: Change): unknown {
  const args = [
    'd1',
    'execute',
    'cps-lab',
    '--remote',
    '--yes',
    '--json',
    '--command',
    [...write, read].join(';\n'),
  ];
  const done = spawnSync('wrangler', args, {
    encoding: 'utf8',
    env: { ...process.env, WRANGLER_SEND_METRICS: 'false' },
  });
  if (done.error) throw done.error;
  if (done.status !== 0) throw new Error(failureSchema.parse(JSON.parse(done.stdout)).error.text);
  return answerSchema.parse(JSON.parse(done.stdout)).at(-1)?.results;
}
