import { askWorker } from '../../lib/ask-worker.ts';
import type { HtmlTree } from './markdown-plugins.ts';

export type ParsedDoc = { tree: HtmlTree; title: string | undefined };

const LENGTH_MAX = 65_536;
/** A line that opens this many quotes and lists in one another: drawing it takes the whole stack. */
const TOO_DEEP = /^(?:[ \t]*(?:>|[-+*]|\d+[.)])){40}/m;
const TIME_MAX_MS = 3000;

/** Whether a text can be drawn, whoever wrote it. Every document of people's is far within. */
export function isBearable(text: string): boolean {
  return text.length <= LENGTH_MAX && !TOO_DEEP.test(text);
}

/**
 * Parses markdown in a thread of its own: whatever it holds, the page stays quick.
 * @returns undefined for what cannot be parsed in a bearable time
 */
export async function parseDoc(text: string): Promise<ParsedDoc | undefined> {
  if (!isBearable(text)) return undefined;
  const worker = new Worker(new URL('./parse-doc.worker.ts', import.meta.url), { type: 'module' });
  try {
    return await askWorker<ParsedDoc>(worker, text, AbortSignal.timeout(TIME_MAX_MS));
  } catch (error) {
    if (error instanceof DOMException && error.name === 'TimeoutError') return undefined;
    throw error;
  } finally {
    worker.terminate();
  }
}
