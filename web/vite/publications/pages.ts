import { lab as labEn } from '#content/lab.en';
import { lab as labKo } from '#content/lab.ko';
import { site } from '#content/lab.site';
import type { Locale } from '#contract/locale';
import { plainText, type Publication, type PublicationKind } from '#contract/publications';
import type { BeforePaint } from '../before-paint.ts';
import { jsonLd, shellHead } from '../head.ts';
import type { Head } from '../html.ts';

export const PUBLICATIONS = '/publications';
export const PUBLICATIONS_EN = '/en/publications';

type Page = {
  file: string;
  path: string;
  locale: Locale;
  head: Head;
  styles: 'publicationsPageStyles';
  styled: 'until-awake';
  beforePaint: BeforePaint;
};

/** The pages of the publications in both languages; none without publications. */
export function publicationPages(publications: readonly Publication[]): Page[] {
  if (publications.length === 0) return [];
  const described = publicationsJsonLd(publications);
  const years = publications.map(({ year }) => year);
  const span = `${Math.min(...years)}–${Math.max(...years)}`;
  return [
    page(PUBLICATIONS, 'ko', described, {
      title: `논문 · ${labKo.name}`,
      description: `${labKo.affiliation} ${labKo.name}의 논문 ${publications.length}편 (${span}). DOI, PDF, 코드와 BibTeX가 있습니다.`,
    }),
    page(PUBLICATIONS_EN, 'en', described, {
      title: `Publications · ${labEn.name}`,
      description: `${publications.length} publications (${span}) of the ${labEn.name}, ${labEn.affiliation}, with DOI, PDF, code and BibTeX.`,
    }),
  ];
}

function page(path: string, locale: Locale, described: string, texts: Omit<Head, 'tags'>): Page {
  const tags = [
    ...shellHead(locale).tags,
    `<link rel="canonical" href="${site.url}${path}" />`,
    `<link rel="alternate" hreflang="ko" href="${site.url}${PUBLICATIONS}" />`,
    `<link rel="alternate" hreflang="en" href="${site.url}${PUBLICATIONS_EN}" />`,
    `<link rel="alternate" hreflang="x-default" href="${site.url}${PUBLICATIONS}" />`,
    described,
  ];
  return {
    file: `${path.slice(1)}.html`,
    path,
    locale,
    head: { ...texts, tags },
    styles: 'publicationsPageStyles',
    styled: 'until-awake',
    // Nothing of it needs the app before somebody copies or goes on.
    beforePaint: { wake: 'touched', ...(locale === 'ko' && { english: PUBLICATIONS_EN }) },
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
