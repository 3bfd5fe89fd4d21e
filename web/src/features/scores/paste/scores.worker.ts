import { answerQuestions } from '../../../lib/ask-worker.ts';
import type { ReadTable, Refusal, TableQuestion } from '../../../lib/table-file/read-table.ts';
import { tableOf } from '../../../lib/table-file/decode-table.ts';
import { detectColumns, profilesOf, type KnownProfiles } from '../columns/columns.ts';
import { studentsOf, type Student } from '../grading/graded-class.ts';
import type { Work } from '../work.ts';

/** A table of scores with everything computed from it alone, which is slow for a large class. */
export type ReadScores = Omit<ReadTable, 'rows'> &
  Pick<Work, 'table' | 'mapping'> & { profiles: KnownProfiles; students: Student[] };

answerQuestions(
  async ({ data: { source, options } }: MessageEvent<TableQuestion>): Promise<ReadScores | Refusal> => {
    const read = await tableOf(source, options);
    if ('refusal' in read) return read;
    const { rows: table, ...rest } = read;
    const mapping = detectColumns(table);
    const students = studentsOf({ table, mapping, weighting: undefined });
    return { ...rest, table, mapping, profiles: profilesOf(table), students };
  },
);
