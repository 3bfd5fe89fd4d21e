import { answerQuestions } from '../ask-worker.ts';
import type { TableQuestion } from './read-table.ts';
import { addDigest, decodeTable } from './decode-table.ts';

answerQuestions(async ({ data: { source, options } }: MessageEvent<TableQuestion>) => {
  const table = await decodeTable(source, options);
  return 'refusal' in table ? table : await addDigest(table);
});
