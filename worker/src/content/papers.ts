import type { Content } from '#contract/content';
import { publicNames } from '#contract/public-content';
import type { Publications } from '#contract/publications';
import { BibtexError, bibtexProblems, readPublications } from '#content/bibtex/read-publications';
import { contentProblems, type ContentProblem } from '#content/problems';

/** The content's publications; undefined when its BibTeX cannot be read. */
export function papersOf(content: Content): Publications | undefined {
  try {
    return readPublications(content.publications, 'BibTeX', publicNames(content));
  } catch (error) {
    if (error instanceof BibtexError) return undefined;
    throw error;
  }
}

/** What is published with a content, or all that keeps it from being published. */
export function judged(content: Content): { papers: Publications } | { problems: ContentProblem[] } {
  const problems = [...contentProblems(content), ...bibtexProblems(content.publications)];
  if (problems.length > 0) return { problems };
  return { papers: readPublications(content.publications, 'BibTeX', publicNames(content)) };
}
