import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { jsonIn, wrangler, WranglerError } from './deploy/wrangler.ts';
import { openLocalD1 } from './local-d1.ts';
import { commandVariables, settings } from './variables.ts';

/** Statements of an operator's command: what to change, all or nothing, and what to read afterwards. */
export type Change = {
  write: string[];
  read: string;
  /** What is written must be in no list of processes: it goes by a file of its owner's only. */
  isSecret?: true;
};

/** wrangler takes no parameters, so the text is quoted as SQLite wants it. */
export const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;

/**
 * Makes the change in the local database, also while the product runs, or in the deployed one.
 * @returns the rows that were read
 * @throws Error with the database's own words when it refuses
 */
export async function applyChange(change: Change, where: 'local' | 'remote'): Promise<unknown> {
  return where === 'remote' ? await applyRemotely(change) : applyLocally(change);
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

async function applyRemotely({ write, read, isSecret }: Change): Promise<unknown> {
  // It brings wrangler with it, which takes a second to load.
  const { remoteDatabase } = await import('./deploy/remote-database.ts');
  const { config, name } = await remoteDatabase();
  const execute = (what: string[]) =>
    wrangler(['d1', 'execute', name, '--remote', '--yes', '--json', '--config', config, ...what]);
  try {
    if (isSecret) {
      await inFile(write.join(';\n'), (file) => execute(['--file', file]));
      return answerSchema.parse(jsonIn(await execute(['--command', read]))).at(-1)?.results;
    }
    return answerSchema.parse(jsonIn(await execute(['--command', [...write, read].join(';\n')]))).at(-1)
      ?.results;
  } catch (error) {
    const failure = error instanceof WranglerError && failureSchema.safeParse(failureIn(error.message)).data;
    throw failure ? new Error(failure.error.text, { cause: error }) : error;
  }
}

async function inFile(sql: string, use: (file: string) => Promise<unknown>): Promise<void> {
  const place = mkdtempSync(join(tmpdir(), 'cps-lab-change-'));
  try {
    const file = join(place, 'change.sql');
    writeFileSync(file, `${sql};\n`, { mode: 0o600 });
    await use(file);
  } finally {
    rmSync(place, { recursive: true });
  }
}

/** The JSON in which wrangler says why it failed. */
function failureIn(output: string): unknown {
  try {
    return jsonIn(output);
  } catch {
    // It may have failed before it came to speak JSON.
    return undefined;
  }
}
