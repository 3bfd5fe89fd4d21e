import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { jsonIn, wrangler, WranglerError } from './deploy/wrangler.ts';
import { openLocalD1 } from './local-d1.ts';
import { commandVariables, settings } from './variables.ts';

/** An operator's command: statements to `write` atomically, and a query to `read` afterwards. */
export type Change = {
  write: string[];
  read: string;
  /** Passes the statements in a file readable only by its owner, to keep them out of process lists. */
  isSecret?: true;
};

/** Quotes text as an SQL literal, because wrangler accepts no parameters. */
export const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;

/**
 * Applies the change to the local database, even while the product runs, or to the deployed one.
 * @returns the rows that were read
 * @throws Error with the database's message when it rejects the change
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
  // Imported lazily: it loads wrangler, which takes a second.
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

/** The JSON with which wrangler explains a failure. */
function failureIn(output: string): unknown {
  try {
    return jsonIn(output);
  } catch {
    // It may have failed before it could write JSON.
    return undefined;
  }
}
