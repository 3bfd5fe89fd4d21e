import type { ContentProblem } from '#content/problems';
import { useEffect, useState } from 'react';

const PAUSE_MS = 400;

/** What is wrong with the BibTeX, by line, a moment after it was typed; the parser is loaded when there is something to read. */
export function useBibtexProblems(text: string): readonly ContentProblem[] {
  const [problems, setProblems] = useState<readonly ContentProblem[]>([]);
  useEffect(() => {
    let isCurrent = true;
    const read = async () => {
      const { bibtexProblems } = await import('#content/bibtex/read-publications');
      if (isCurrent) setProblems(bibtexProblems(text));
    };
    // Without the parser the server says it when the content is to be published.
    const timer = setTimeout(() => void read().catch((error: unknown) => console.warn(error)), PAUSE_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [text]);
  return problems;
}
