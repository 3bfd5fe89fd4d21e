/** `npm run bench -- machine`: the local run, a session check, a reading and hostile texts. Compare ratios, never times of different runs. */
import { buildChangedParts } from '../../scripts/build/build.ts';
import { benchGuard } from './guard.ts';
import { benchHostileText } from './hostile-text.ts';
import { benchReading } from './reading.ts';
import { benchStart } from './start.ts';
import { printTable } from './table.ts';

await buildChangedParts();
printTable('The local run', await benchStart());
printTable('The session check', await benchGuard());
printTable('A reading from board to D1', await benchReading());
printTable('Text of 50 KB that is made to be slow', await benchHostileText());
