import type { Bilingual } from './content.ts';

/** Text with the markup of its BibTeX source. */
export type MarkedText = string | MarkedPart[];
export type MarkedPart = string | { tag: 'i' | 'b' | 'sub' | 'sup'; content: MarkedText };

export type PublicationKind =
  | 'article'
  | 'inproceedings'
  | 'incollection'
  | 'book'
  | 'phdthesis'
  | 'mastersthesis'
  | 'techreport'
  | 'patent'
  | 'preprint'
  | 'other';

/** `person`: who it is of the lab's people whom a visitor may see. */
export type Author = { name: string; person?: Bilingual };

/** An entry of content/publications.bib as the site shows it. */
export type Publication = {
  key: string;
  kind: PublicationKind;
  year: number;
  title: MarkedText;
  authors: Author[];
  /** Where it appeared, with volume and pages. */
  venue: string;
  doi?: string;
  /** Only where there is no DOI. */
  url?: string;
  pdf?: string;
  code?: string;
  /** Addresses of what was published ahead of it. */
  preprints?: string[];
  abstract?: MarkedText;
  /** A prize that it was given. */
  award?: string;
  /** Research topics of the laboratory that are among its keywords. */
  topics?: Bilingual[];
};

/** Where an entry stands on the page of publications. */
export const paperId = (key: string) => `paper-${key}`;

export type Publications = {
  /** Newest first, each preprint with its article. */
  all: Publication[];
  /** Those for the main page. */
  selected: Publication[];
  /** Every entry that is shown, as plain BibTeX. */
  bibtex: string;
};

export function plainText(text: MarkedText): string {
  if (typeof text === 'string') return text;
  return text.map((part) => (typeof part === 'string' ? part : plainText(part.content))).join('');
}
