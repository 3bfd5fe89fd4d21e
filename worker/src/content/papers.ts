import type { Content } from '#contract/content';
import { knownOf } from '#contract/public-content';
import type { Publications } from '#contract/publications';
import { BibtexError, problemsOf, readPublications } from '#content/bibtex/read-publications';
import { contentProblems, type ContentProblem } from '#content/problems';

function read(content: Content): Publications | BibtexError {
  try {
    return readPublications(content.publications, 'BibTeX', knownOf(content));
  } catch (error) {
    if (error instanceof BibtexError) return error;
    throw error;
  }
}

/** The content's publications; undefined when its BibTeX cannot be read. */
export function papersOf(content: Content): Publications | undefined {
  const papers = read(content);
  return papers instanceof BibtexError ? undefined : papers;
}

/** What is published with a content, or all that keeps it from being published. */
export function judged(content: Content): { papers: Publications } | { problems: ContentProblem[] } {
  const papers = read(content);
  const problems = contentProblems(content);
  if (papers instanceof BibtexError) return { problems: [...problems, ...problemsOf(papers)] };
  return problems.length > 0 ? { problems } : { papers };
}
