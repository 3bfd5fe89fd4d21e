import { answerQuestions } from '../ask-worker.ts';
import type { TableQuestion } from './read-table.ts';
import { tableOf } from './table-of.ts';

answerQuestions(({ data: { source, options } }: MessageEvent<TableQuestion>) => tableOf(source, options));
