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

/** `isOurs` marks those of the lab's people whom a visitor may see. */
export type Author = { name: string; isOurs?: true };

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
};

export type Publications = {
  /** Newest first, each preprint with its article. */
  all: Publication[];
  /** Those for the main page. */
  selected: Publication[];
  /** Every entry that is shown, as plain BibTeX. */
  bibtex: string;
};

/** The text without its markup. */
export function plainText(text: MarkedText): string {
  if (typeof text === 'string') return text;
  return text.map((part) => (typeof part === 'string' ? part : plainText(part.content))).join('');
}
