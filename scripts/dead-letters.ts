/**
 * `npm run dead-letters -- list|export|replay …`: the dead letters of the local run, or those of SPOOL_FILE. Where readings
 * wait in a queue, what is refused behind it is a dead letter of the database: of the local one, or with --remote of the
 * deployed one.
 */
import { join } from 'node:path';
import { visible, visibleJson } from '#contract/visible-text';
import * as z from 'zod';
import { deadLetterCommand } from '../firmware-bridge/src/dead-letter-command.ts';
import { print } from '../firmware-bridge/src/print.ts';
import { applyChange } from './operator-d1.ts';
import { printError } from './terminal.ts';
import { commandVariables, settings } from './variables.ts';

const refusedSchema = z.array(
  z.object({
    reading: z.string().transform((text) => readingSchema.parse(JSON.parse(text))),
    reason: z.string(),
    refused_at: z.int().transform((at) => new Date(at).toISOString()),
  }),
);
const tableSchema = z.array(z.unknown());
const readingSchema = z.looseObject({ plant: z.string(), soil_moisture: z.number() });

async function printRefused(action: string | undefined, where: 'local' | 'remote'): Promise<void> {
  // A database from before this version gets the table with its next start or deployment.
  const table = "SELECT name FROM sqlite_master WHERE name = 'refused_readings'";
  if (tableSchema.parse(await applyChange({ write: [], read: table }, where)).length === 0) return;
  const read = 'SELECT reading, reason, refused_at FROM refused_readings ORDER BY refused_at, reading';
  for (const letter of refusedSchema.parse(await applyChange({ write: [], read }, where))) {
    const { reading, reason, refused_at } = letter;
    await print(
      action === 'export'
        ? visibleJson(letter)
        : ['database', refused_at, visible(reading.plant), visible(reason), reading.soil_moisture].join('\t'),
    );
  }
}

const args = process.argv.slice(2);
const [action, ...rest] = args;
const isRead = action === 'list' || action === 'export';
try {
  if (isRead && rest.length === 1 && rest[0] === '--remote') {
    await printRefused(action, 'remote');
  } else {
    const { DATA_DIR, SPOOL_FILE } = settings(commandVariables);
    const file = SPOOL_FILE ?? join(DATA_DIR, 'spool.sqlite');
    process.exitCode = await deadLetterCommand(args, { SPOOL_FILE: file }, print);
    if (isRead && rest.length === 0 && SPOOL_FILE === undefined && process.exitCode === 0)
      await printRefused(action, 'local');
  }
} catch (error) {
  printError(error);
  process.exitCode = 1;
}
