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

/** `person`: the member of the lab who is this author, if visitors may see the name. */
export type Author = { name: string; person?: Bilingual };

/** An entry of content/publications.bib as the site shows it. */
export type Publication = {
  key: string;
  kind: PublicationKind;
  year: number;
  title: MarkedText;
  authors: Author[];
  /** The journal or conference, with volume and pages. */
  venue: string;
  doi?: string;
  /** Only for a publication without a DOI. */
  url?: string;
  pdf?: string;
  code?: string;
  preprints?: string[];
  abstract?: MarkedText;
  award?: string;
  /** The laboratory's research topics that are among the keywords. */
  topics?: Bilingual[];
};

/** The id of an entry's element on the publications page, for links. */
export const paperElementId = (key: string) => `paper-${key}`;

export type Publications = {
  /** All publications, newest first; a preprint is listed with its article. */
  all: Publication[];
  /** The publications on the main page. */
  selected: Publication[];
  /** All shown entries as plain BibTeX. */
  bibtex: string;
};

export function plainText(text: MarkedText): string {
  if (typeof text === 'string') return text;
  return text.map((part) => (typeof part === 'string' ? part : plainText(part.content))).join('');
}
