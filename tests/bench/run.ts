/** `npm run bench`: figures of this machine, in one run. Compare ratios, never times of different runs. */
import { buildChanged } from '../../scripts/build.ts';
import { benchReading } from './reading.ts';
import { benchStart } from './start.ts';
import { printTable } from './table.ts';

await buildChanged();
printTable('The local run', await benchStart());
printTable('A reading from board to D1', await benchReading());
