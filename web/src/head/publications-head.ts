import type { Content } from '#contract/content';
import { site } from '#content/lab.site';
import type { Locale } from '#contract/locale';
import { plainText, type Publication, type PublicationKind } from '#contract/publications';
import { jsonLd, openGraph, shellHead, type Head } from './head.ts';

export const PUBLICATIONS = '/publications';
export const PUBLICATIONS_EN = '/en/publications';

export function publicationsHead(
  locale: Locale,
  { lab }: Pick<Content, 'lab'>,
  publications: readonly Publication[],
): Head {
  const years = publications.map(({ year }) => year);
  const span = years.length > 0 ? ` (${Math.min(...years)}–${Math.max(...years)})` : '';
  const [name, affiliation] = [lab.name[locale], lab.affiliation[locale]];
  const count = publications.length;
  const title = `${locale === 'ko' ? '논문' : 'Publications'} · ${name}`;
  const path = locale === 'ko' ? PUBLICATIONS : PUBLICATIONS_EN;
  const description =
    locale === 'ko'
      ? `${affiliation} ${name}의 논문 ${count}편${span}. DOI, PDF, 코드와 BibTeX가 있습니다.`
      : `${count} publications${span} of the ${name}, ${affiliation}, with DOI, PDF, code and BibTeX.`;
  return {
    title,
    description,
    tags: [
      ...shellHead(locale, lab).tags,
      `<link rel="canonical" href="${site.url}${path}" />`,
      `<link rel="alternate" hreflang="ko" href="${site.url}${PUBLICATIONS}" />`,
      `<link rel="alternate" hreflang="en" href="${site.url}${PUBLICATIONS_EN}" />`,
      `<link rel="alternate" hreflang="x-default" href="${site.url}${PUBLICATIONS}" />`,
      ...openGraph({ title, description, path, locale, name }),
      publicationsJsonLd(publications),
    ],
  };
}

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
function publicationsJsonLd(publications: readonly Publication[]): string {
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
  const value = { '@context': 'https://schema.org', '@graph': graph };
  return `<script type="application/ld+json">${jsonLd(value)}</script>`;
}
