import * as z from 'zod';
import { WranglerError } from '../deploy/run-wrangler.ts';
import { parseJsonOutput } from '../deploy/wrangler.ts';
import { LOCAL, type DeploymentTarget } from '../deployment-name.ts';
import { withLocalD1, refuseDamagedD1, type DatabaseName } from '../database/local-d1.ts';
import { refuseUnfinishedRestore } from '../database/unfinished-restore.ts';
import { refuseNewerData } from '../database/data-dir.ts';
import { commandEnvSchema, parseSettings } from '../variables.ts';

/** A change by an operator's command: `write` has statements that are all run or none, then `read` is run. */
export type OperatorChange = {
  /** The database to change. By default it is DB. */
  database?: DatabaseName;
  write: string[];
  read: string;
  /** The statements then go through a file for its owner only: a list of processes would show them. */
  isSecret?: true;
};

/** Writes a text as an SQL literal, because wrangler accepts no parameters. */
export const quoteSqlText = (text: string) => `'${text.replaceAll("'", "''")}'`;

/**
 * Applies the change to the local database, even if the product is running, or to the deployed database.
 * @returns the rows that `read` has found
 * @throws Error with the database's message, if the database rejects the change
 */
export async function applyChange(change: OperatorChange, where: DeploymentTarget): Promise<unknown> {
  return where === LOCAL ? applyLocally(change) : await applyRemotely(change, where);
}

function applyLocally({ database = 'DB', write, read }: OperatorChange): unknown {
  const { DATA_DIR } = parseSettings(commandEnvSchema.pick({ DATA_DIR: true }));
  refuseUnfinishedRestore(DATA_DIR, LOCAL);
  refuseNewerData(DATA_DIR);
  refuseDamagedD1(DATA_DIR);
  return withLocalD1(DATA_DIR, { database }, (db) => {
    db.exec('BEGIN IMMEDIATE');
    for (const statement of write) db.exec(statement);
    db.exec('COMMIT');
    return db.prepare(read).all();
  });
}

const failureSchema = z.object({ error: z.object({ text: z.string() }) });
async function applyRemotely(
  { database = 'DB', write, read, isSecret }: OperatorChange,
  name: string,
): Promise<unknown> {
  // Imports this only if it is needed: the module loads wrangler, which takes a second.
  const { remoteSql } = await import('../deploy/remote-database.ts');
  const { rows, run } = await remoteSql(name, database);
  try {
    if (!isSecret) return await rows([...write, read].join(';\n'));
    await run(write);
    return await rows(read);
  } catch (error) {
    const failure = error instanceof WranglerError && failureSchema.safeParse(failureIn(error.message)).data;
    throw failure ? new Error(failure.error.text, { cause: error }) : error;
  }
}

/** The JSON in which wrangler explains why it has failed. */
function failureIn(output: string): unknown {
  try {
    return parseJsonOutput(output);
  } catch {
    // wrangler may have failed before it wrote any JSON.
    return undefined;
  }
}
