import type { ContentProblem } from '#content/problems';
import { useEffect, useState } from 'react';

const PAUSE_MS = 400;

/** The errors in the BibTeX text, by line, debounced. The parser is loaded only once the text is not empty. */
export function useBibtexProblems(text: string): readonly ContentProblem[] {
  const [problems, setProblems] = useState<readonly ContentProblem[]>([]);
  useEffect(() => {
    let isCurrent = true;
    const read = async () => {
      const { bibtexProblems } = await import('#content/bibtex/read-publications');
      if (isCurrent) setProblems(bibtexProblems(text));
    };
    // If the parser cannot be loaded, the server reports the errors on publishing.
    const timer = setTimeout(() => void read().catch((error: unknown) => console.warn(error)), PAUSE_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [text]);
  return problems;
}
