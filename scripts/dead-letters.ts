/** `npm run dead-letters -- list|export|replay …`: the dead letters of the local run, or those of SPOOL_FILE. */
import { join } from 'node:path';
import { deadLetterCommand } from '../firmware-bridge/src/dead-letter-command.ts';

const SPOOL_FILE = process.env.SPOOL_FILE ?? join(process.env.DATA_DIR ?? '.data', 'spool.sqlite');
process.exitCode = deadLetterCommand(process.argv.slice(2), { SPOOL_FILE }, (line) => {
  console.log(line);
});
