import { site } from '#content/lab.site';
import { localize, localizePhone, type Content } from '#contract/content';
import type { PublicContent } from '#contract/public-content';
import type { Locale } from '#contract/locale';
import { FEEDS } from '../feeds/news-feed.ts';
import { escapeHtml } from './escaped.ts';

export type Head = { title: string; description: string; tags: string[] };

type Lab = Content['lab'];

const openGraphLocales = { ko: 'ko_KR', en: 'en_US' };

/** Fixed names of generated files in the site's root. */
export const SHARE_PICTURES = { ko: 'share.png', en: 'share-en.png' };
export const MANIFEST_FILE = 'manifest.webmanifest';

const common = [
  '<meta name="theme-color" content="#fafbf8" media="(prefers-color-scheme: light)" />',
  '<meta name="theme-color" content="#101512" media="(prefers-color-scheme: dark)" />',
  '<link rel="apple-touch-icon" href="/apple-touch-icon.png" />',
  `<link rel="manifest" href="/${MANIFEST_FILE}" />`,
];

export function mainPageHead(path: string, locale: Locale, { lab, news }: PublicContent): Head {
  const { name, affiliation, lead } = localize(lab, locale);
  const title = `${name} · ${affiliation}`;
  return {
    title,
    description: lead,
    tags: [
      ...common,
      `<link rel="canonical" href="${site.url}${path}" />`,
      `<link rel="alternate" hreflang="ko" href="${site.url}/ko" />`,
      `<link rel="alternate" hreflang="en" href="${site.url}/en" />`,
      `<link rel="alternate" hreflang="x-default" href="${site.url}/" />`,
      ...(news.length > 0
        ? [
            `<link rel="alternate" type="application/atom+xml" title="${escapeHtml(name)}" href="${FEEDS[locale]}" />`,
          ]
        : []),
      ...openGraphTags({ title, description: lead, path, locale, name }),
      `<script type="application/ld+json">${jsonLd(organisation(lab, locale))}</script>`,
    ],
  };
}

/** The laboratory as schema.org describes it, without the email address, which no page has in plain text. */
function organisation(lab: Lab, locale: Locale): object {
  const { name, affiliation, lead, address, phone, place } = localize(lab, locale);
  return {
    '@context': 'https://schema.org',
    '@type': 'ResearchOrganization',
    '@id': `${site.url}/#lab`,
    name,
    alternateName: lab.name[locale === 'ko' ? 'en' : 'ko'],
    description: lead,
    url: site.url,
    logo: `${site.url}/icon-512.png`,
    ...(phone !== '' && { telephone: localizePhone(phone, locale) }),
    parentOrganization: { '@type': 'CollegeOrUniversity', name: affiliation },
    address: { '@type': 'PostalAddress', streetAddress: address.join(', '), addressCountry: 'KR' },
    location: {
      '@type': 'Place',
      name: place.name,
      geo: { '@type': 'GeoCoordinates', latitude: place.latitude, longitude: place.longitude },
    },
  };
}

/** JSON for a script element: it cannot contain the closing tag. */
export const jsonLd = (value: object) => JSON.stringify(value).replaceAll('<', '\\u003c');

export const titleWithLab = (title: string, locale: Locale, { name }: Lab) => `${title} · ${name[locale]}`;

/** Head of the HTML file that is served for all addresses of the app without a file of their own. */
export const shellHead = (locale: Locale, { name, lead }: Lab): Head => ({
  title: name[locale],
  description: lead[locale],
  tags: common,
});

export const loginHead = (locale: Locale, lab: Lab): Head => ({
  ...shellHead(locale, lab),
  title: titleWithLab('Login', locale, lab),
});

const notFoundTitles = { ko: '해당 페이지를 찾을 수 없습니다', en: 'Page not found' };

export const notFoundHead = (locale: Locale, lab: Lab): Head => ({
  ...shellHead(locale, lab),
  title: titleWithLab(notFoundTitles[locale], locale, lab),
  tags: [...common, '<meta name="robots" content="noindex" />'],
});

export function webManifest({ name, lead }: Lab): string {
  return JSON.stringify({
    name: name.ko,
    short_name: name.ko,
    description: lead.ko,
    lang: 'ko',
    start_url: '/',
    display: 'browser',
    background_color: '#fafbf8',
    theme_color: '#fafbf8',
    icons: [
      { src: '/icon.svg', sizes: 'any', type: 'image/svg+xml' },
      { src: '/icon-192.png', sizes: '192x192', type: 'image/png' },
      { src: '/icon-512.png', sizes: '512x512', type: 'image/png' },
      { src: '/icon-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
    ],
  });
}

export function robotsTxt(): string {
  return `User-agent: *\nAllow: /\nDisallow: /api/\n\nSitemap: ${site.url}/sitemap.xml\n`;
}

/** @param others addresses of all pages except the main page */
export function sitemapXml(others: string[]): string {
  const languages = ['ko', 'en', 'x-default'].map(
    (language) =>
      `<xhtml:link rel="alternate" hreflang="${language}" href="${site.url}/${language === 'x-default' ? '' : language}"/>`,
  );
  const main = ['/', '/ko', '/en'].map(
    (path) => `  <url><loc>${site.url}${path}</loc>${languages.join('')}</url>`,
  );
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">',
    ...main,
    ...others.map((path) => `  <url><loc>${site.url}${path}</loc></url>`),
    '</urlset>\n',
  ].join('\n');
}

/** Metadata that messengers and social networks show for a page. */
export function openGraphTags(of: {
  title: string;
  description: string;
  path: string;
  locale: Locale;
  /** Name of the laboratory. */
  name: string;
}): string[] {
  const { title, description, path, locale, name } = of;
  const properties = {
    type: 'website',
    site_name: name,
    title,
    description,
    url: site.url + path,
    locale: openGraphLocales[locale],
    'locale:alternate': openGraphLocales[locale === 'ko' ? 'en' : 'ko'],
    image: `${site.url}/${SHARE_PICTURES[locale]}`,
    'image:width': '1200',
    'image:height': '630',
    'image:alt': title,
  };
  return [
    ...Object.entries(properties).map(
      ([property, content]) => `<meta property="og:${property}" content="${escapeHtml(content)}" />`,
    ),
    '<meta name="twitter:card" content="summary_large_image" />',
  ];
}
