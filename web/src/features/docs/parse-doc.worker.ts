import { answerQuestions } from '../../lib/ask-worker.ts';
import { markdownTree, headingText } from './markdown-plugins.ts';
import type { DocSource, ParsedDoc } from './parse-doc.ts';

answerQuestions(({ data: { text, locale } }: MessageEvent<DocSource>): ParsedDoc => {
  const tree = markdownTree(text, locale);
  return { tree, title: headingText(tree) };
});
