import { answerQuestions } from '../../lib/ask-worker.ts';
import { markdownTree, titleOf } from './markdown-tree.ts';
import type { ParsedDoc } from './parse-doc.ts';

answerQuestions(({ data }: MessageEvent<string>): ParsedDoc => {
  const tree = markdownTree(data);
  return { tree, title: titleOf(tree) };
});
