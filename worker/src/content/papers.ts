import type { Content } from '#contract/content';
import { knownOf } from '#contract/public-content';
import type { Publications } from '#contract/publications';
import { judgedPublications } from '#content/bibtex/read-publications';
import { contentProblems, type ContentProblem } from '#content/problems';

const read = (content: Content) => judgedPublications(content.publications, knownOf(content));

/** The content's publications; undefined when its BibTeX cannot be read. */
export function papersOf(content: Content): Publications | undefined {
  const papers = read(content);
  return Array.isArray(papers) ? undefined : papers;
}

/** What is published with a content, or all that keeps it from being published. */
export function judged(content: Content): { papers: Publications } | { problems: ContentProblem[] } {
  const papers = read(content);
  const problems = [...contentProblems(content), ...(Array.isArray(papers) ? papers : [])];
  return problems.length > 0 || Array.isArray(papers) ? { problems } : { papers };
}
