import { answerQuestions } from '../../../lib/ask-worker.ts';
import type { ReadTable, ReadRefusal, TableQuestion } from '../../../lib/table-file/read-table.ts';
import { decodeTable } from '../../../lib/table-file/decode-table.ts';
import { detectColumns, cachedColumnProfiles, type ColumnProfiles } from '../columns/columns.ts';
import { studentsInTable, type Student } from '../grading/graded-class.ts';
import type { Work } from '../work.ts';

/** A table of scores with the results that are slow to compute for a large class. */
export type ReadScores = Omit<ReadTable, 'rows'> &
  Pick<Work, 'table' | 'mapping'> & { profiles: ColumnProfiles; students: Student[] };

answerQuestions(
  async ({ data: { source, options } }: MessageEvent<TableQuestion>): Promise<ReadScores | ReadRefusal> => {
    const read = await decodeTable(source, options);
    if ('refusal' in read) return read;
    const { rows: table, ...rest } = read;
    const mapping = detectColumns(table);
    const students = studentsInTable({ table, mapping, weighting: undefined });
    return { ...rest, table, mapping, profiles: cachedColumnProfiles(table), students };
  },
);
