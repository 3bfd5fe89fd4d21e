import { site } from '#content/lab.site';
import type { Locale } from '#contract/locale';
import type { PublicContent } from '#contract/public-content';
import { plainText, type Publication, type PublicationKind } from '#contract/publications';
import { jsonLd, openGraphTags, shellHead, sitemapXml, type Head } from './head.ts';

/* The pages below the main page: publications, news and projects. An English address begins with `/en`. */

/** Korean addresses of these pages. Empty /publications and /news are built too: the edge may fill them. */
export const subPagePaths = ({ projects }: PublicContent): string[] => [
  ...new Set(['/publications', '/news', ...projects.map(({ path }) => path)]),
];

/** Attribute on the root element of a page that the build rendered without content. */
export const EMPTY_ROOT_ATTRIBUTE = ' data-nothing';

/** Whether the page at a Korean address has any content. */
export function isSubPage(path: string, { publications, news, projects }: PublicContent): boolean {
  if (path === '/publications') return publications.count > 0;
  return path === '/news' ? news.length > 0 : projects.some((project) => project.path === path);
}

/** A site map of the documents in the built site map and of the pages with published content. */
export function publishedSitemap(built: string, content: PublicContent): string {
  const docs = [...built.matchAll(/<loc>[^<]*?((?:\/en)?\/docs\/[^<]+)<\/loc>/g)].map(
    ([, path = '']) => path,
  );
  const pages = subPagePaths(content).filter((path) => isSubPage(path, content));
  return sitemapXml([...docs, ...pages.flatMap((path) => [path, `/en${path}`])]);
}

/** Head of a page below the main page. @param path Korean address @param all all publications */
export function subPageHead(
  path: string,
  locale: Locale,
  content: PublicContent,
  all: readonly Publication[],
): Head {
  const { lab } = content;
  const project = content.projects.find((each) => each.path === path);
  const said =
    path === '/publications'
      ? publicationsSaid(locale, content, all)
      : project
        ? projectSaid(locale, project)
        : newsSaid(locale, content);
  const name = lab.name[locale];
  const title = `${said.title} · ${name}`;
  const own = locale === 'ko' ? path : `/en${path}`;
  return {
    title,
    description: said.description,
    tags: [
      ...shellHead(locale, lab).tags,
      `<link rel="canonical" href="${site.url}${own}" />`,
      `<link rel="alternate" hreflang="ko" href="${site.url}${path}" />`,
      `<link rel="alternate" hreflang="en" href="${site.url}/en${path}" />`,
      `<link rel="alternate" hreflang="x-default" href="${site.url}${path}" />`,
      ...openGraphTags({ title, description: said.description, path: own, locale, name }),
      `<script type="application/ld+json">${jsonLd({ '@context': 'https://schema.org', ...said.data })}</script>`,
    ],
  };
}

/** Content of a head; `data` is structured data for search engines. */
type Said = { title: string; description: string; data: object };

function newsSaid(locale: Locale, { lab, news }: PublicContent): Said {
  const [title, of] = locale === 'ko' ? ['소식', '의 소식'] : ['News', ': news'];
  const description = `${lab.name[locale]}${of}. ${news[0]?.text[locale] ?? ''}`.trim();
  return { title, description, data: { '@type': 'CollectionPage', name: title, inLanguage: locale } };
}

function projectSaid(locale: Locale, { name, text, funder }: PublicContent['projects'][number]): Said {
  const said = { name: name[locale], description: text[locale] };
  const data = {
    '@type': 'ResearchProject',
    ...said,
    funder: { '@type': 'Organization', name: funder[locale] },
  };
  return { title: said.name, description: said.description, data };
}

function publicationsSaid(
  locale: Locale,
  { lab }: PublicContent,
  publications: readonly Publication[],
): Said {
  const years = publications.map(({ year }) => year);
  const span = years.length > 0 ? ` (${Math.min(...years)}–${Math.max(...years)})` : '';
  const [name, affiliation] = [lab.name[locale], lab.affiliation[locale]];
  const count = publications.length;
  return {
    title: locale === 'ko' ? '논문' : 'Publications',
    description:
      locale === 'ko'
        ? `${affiliation} ${name}의 논문 ${count}편${span}. DOI, PDF, 코드와 BibTeX가 있습니다.`
        : `${count} publications${span} of the ${name}, ${affiliation}, with DOI, PDF, code and BibTeX.`,
    data: publicationsData(publications),
  };
}

/** Maps kinds of publications to types of https://schema.org/ */
const types: Partial<Record<PublicationKind, string>> = {
  incollection: 'Chapter',
  book: 'Book',
  phdthesis: 'Thesis',
  mastersthesis: 'Thesis',
  techreport: 'Report',
  patent: 'CreativeWork',
  other: 'CreativeWork',
};

function publicationsData(publications: readonly Publication[]): object {
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
  return { '@graph': graph };
}
