/** `npm run dead-letters -- list|export|replay …`: the dead letters of the local run, or those of SPOOL_FILE. */
import { join } from 'node:path';
import { deadLetterCommand } from '../firmware-bridge/src/dead-letter-command.ts';
import { print } from '../firmware-bridge/src/print.ts';
import { commandVariables, settings } from './variables.ts';

const { DATA_DIR, SPOOL_FILE = join(DATA_DIR, 'spool.sqlite') } = settings(commandVariables);
process.exitCode = await deadLetterCommand(process.argv.slice(2), { SPOOL_FILE }, print);
