import type { Content } from '#contract/content';
import { publicNames } from '#contract/public-content';
import type { Publications } from '#contract/publications';
import { BibtexError, readPublications } from '#content/bibtex/read-publications';
import { contentProblems, type ContentProblem } from '#content/problems';

/** What is published with a content, or all that keeps it from being published. */
export function judged(content: Content): { papers: Publications } | { problems: ContentProblem[] } {
  const problems = contentProblems(content);
  try {
    const papers = readPublications(content.publications, 'BibTeX', publicNames(content));
    return problems.length > 0 ? { problems } : { papers };
  } catch (error) {
    if (!(error instanceof BibtexError)) throw error;
    const lines = error.problems.map(({ line, text }) => ({ path: `publications.${line}`, message: text }));
    return { problems: [...problems, ...lines] };
  }
}
