import { plainText, type Publication, type PublicationKind } from '../../src/lib/publication.ts';

/** Types of https://schema.org/ */
const types: Partial<Record<PublicationKind, string>> = {
  incollection: 'Chapter',
  book: 'Book',
  phdthesis: 'Thesis',
  mastersthesis: 'Thesis',
  techreport: 'Report',
  patent: 'CreativeWork',
  other: 'CreativeWork',
};

/** What search engines read of the publications, as an element of the page's head. */
export function publicationsJsonLd(publications: readonly Publication[]): string {
  const graph = publications.map(({ kind, title, authors, year, venue, doi, pdf, abstract }) => ({
    '@type': types[kind] ?? 'ScholarlyArticle',
    name: plainText(title),
    author: authors.map(({ name }) => ({ '@type': 'Person', name })),
    datePublished: String(year),
    ...(venue !== '' && { isPartOf: { '@type': 'CreativeWork', name: venue } }),
    ...(doi !== undefined && { sameAs: `https://doi.org/${doi}` }),
    ...(pdf !== undefined && { url: pdf }),
    ...(abstract !== undefined && { abstract: plainText(abstract) }),
  }));
  const text = JSON.stringify({ '@context': 'https://schema.org', '@graph': graph });
  // Nothing in it can end the element.
  return `<script type="application/ld+json">${text.replaceAll('<', String.raw`\u003c`)}</script>`;
}
