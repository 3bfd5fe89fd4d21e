/** `npm run dead-letters -- list|export|replay …`: works on the local run's spool, or on another spool. */
import { join } from 'node:path';
import {
  deadLetterCommand,
  DEAD_LETTERS_HELP,
} from '../../firmware-bridge/src/commands/dead-letters-command.ts';
import { defineCommand, printToStderr, runAsProgram } from '../terminal.ts';
import { commandEnvironment } from '../command-environment.ts';
import { commandEnvSchema, parseSettings } from '../variables.ts';

/** Waits until the line is written. Otherwise many lines would wait in memory. */
const printLine = async (text: string) => await commandEnvironment().out(text);

const HELP = {
  ...DEAD_LETTERS_HELP,
  command: 'npm run dead-letters --',
  options: {
    ...DEAD_LETTERS_HELP.options,
    spool: { type: 'string', takes: '<file>', tells: 'file of the spool, instead of the one in DATA_DIR' },
  },
  notes: 'Without --spool it reads the spool of the local run.',
  example: 'npm run dead-letters -- replay 4 7',
} as const;

export const deadLettersCommand = defineCommand(HELP, async ({ values: { all = false, spool }, words }) => {
  const { DATA_DIR } = parseSettings(commandEnvSchema);
  const args = [...(all ? ['--all'] : []), '--', ...words];
  const SPOOL_FILE = spool ?? join(DATA_DIR, 'spool.sqlite');
  return await deadLetterCommand(args, { SPOOL_FILE }, printLine, printToStderr);
});

if (import.meta.main) await runAsProgram(deadLettersCommand);
