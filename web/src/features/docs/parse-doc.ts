import { askWorker } from '../../lib/ask-worker.ts';
import type { Locale } from '#contract/locale';
import type { HtmlTree } from './markdown-plugins.ts';

export type DocSource = { text: string; locale: Locale };
export type ParsedDoc = { tree: HtmlTree; title: string | undefined };

const LENGTH_MAX = 65_536;
/** Rendering a line with this many nested quotes and lists would overflow the stack. */
const TOO_DEEP = /^(?:[ \t]*(?:>|[-+*]|\d+[.)])){40}/m;
const TIME_MAX_MS = 3000;

/** Whether a text is short and simple enough to be rendered. Real documents are far below the limits. */
export function isDocWithinLimits(text: string): boolean {
  return text.length <= LENGTH_MAX && !TOO_DEEP.test(text);
}

/**
 * Parses Markdown in a worker, so that the page stays responsive for any text.
 * @returns undefined if parsing takes too long
 */
export async function parseDoc(source: DocSource): Promise<ParsedDoc | undefined> {
  if (!isDocWithinLimits(source.text)) return undefined;
  const worker = new Worker(new URL('./parse-doc.worker.ts', import.meta.url), { type: 'module' });
  try {
    return await askWorker<ParsedDoc>(worker, source, AbortSignal.timeout(TIME_MAX_MS));
  } catch (error) {
    if (error instanceof DOMException && error.name === 'TimeoutError') return undefined;
    throw error;
  } finally {
    worker.terminate();
  }
}
