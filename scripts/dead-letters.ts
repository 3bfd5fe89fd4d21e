/**
 * `npm run dead-letters -- list|export|replay …`: the dead letters of the local run, or those of SPOOL_FILE. Where readings
 * wait in a queue, what is refused behind it is a dead letter of the database: of the local one, or with --remote of the
 * deployed one.
 */
import { join } from 'node:path';
import { visible, visibleJson } from '#contract/visible-text';
import * as z from 'zod';
import { noMore, WrongUse } from '../firmware-bridge/src/command-line.ts';
import { deadLetterCommand } from '../firmware-bridge/src/dead-letter-command.ts';
import { DEAD_LETTERS_HELP } from '../firmware-bridge/src/dead-letter-order.ts';
import { applyChange } from './operator-d1.ts';
import { command, runCommand } from './terminal.ts';
import { world } from './world.ts';
import { commandVariables, settings } from './variables.ts';

/** As it comes, and no faster than it is taken: there may be many. */
const printLine = async (text: string) => await world().out(text);

const refusedSchema = z.array(
  z.object({
    reading: z.string().transform((text) => readingSchema.parse(JSON.parse(text))),
    reason: z.string(),
    refused_at: z.int().transform((at) => new Date(at).toISOString()),
  }),
);
const database = 'PLANTS_DB';
const tableSchema = z.array(z.unknown());
const readingSchema = z.looseObject({ plant: z.string(), soil_moisture: z.number() });

async function printRefused(action: string | undefined, where: 'local' | 'remote'): Promise<void> {
  // A database from before this version gets the table with its next start or deployment.
  const table = "SELECT name FROM sqlite_master WHERE name = 'refused_readings'";
  if (tableSchema.parse(await applyChange({ database, write: [], read: table }, where)).length === 0) return;
  const read = 'SELECT reading, reason, refused_at FROM refused_readings ORDER BY refused_at, reading';
  for (const letter of refusedSchema.parse(await applyChange({ database, write: [], read }, where))) {
    const { reading, reason, refused_at } = letter;
    await printLine(
      action === 'export'
        ? visibleJson(letter)
        : ['database', refused_at, visible(reading.plant), visible(reason), reading.soil_moisture].join('\t'),
    );
  }
}

const HELP = {
  ...DEAD_LETTERS_HELP,
  command: 'npm run dead-letters --',
  ways: [
    ...DEAD_LETTERS_HELP.ways,
    ['list --remote', 'what was refused behind a queue, in the deployed database; export --remote too'],
  ],
  options: {
    ...DEAD_LETTERS_HELP.options,
    remote: { type: 'boolean', tells: 'with list or export: of the deployed database' },
  },
  notes: 'SPOOL_FILE names the spool; without it that of DATA_DIR, and its database besides.',
  example: 'npm run dead-letters -- replay 4 7',
} as const;

export const deadLetters = command(HELP, async ({ values: { remote = false, all = false }, words }) => {
  const [action, ...rest] = words;
  const isRead = action === 'list' || action === 'export';
  if (remote) {
    if (!isRead)
      throw new WrongUse('--remote goes with list or export alone: what is refused there is kept there');
    noMore(rest);
    await printRefused(action, 'remote');
    return 0;
  }
  const { DATA_DIR, SPOOL_FILE } = settings(commandVariables);
  const file = SPOOL_FILE ?? join(DATA_DIR, 'spool.sqlite');
  const args = [...(all ? ['--all'] : []), '--', ...words];
  const status = await deadLetterCommand(args, { SPOOL_FILE: file }, printLine);
  if (isRead && rest.length === 0 && SPOOL_FILE === undefined && status === 0)
    await printRefused(action, 'local');
  return status;
});

if (import.meta.main) await runCommand(deadLetters);
