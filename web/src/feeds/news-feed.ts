import type { PublicContent } from '#contract/public-content';
import type { Locale } from '#contract/locale';
import { localizedPathIfAny } from '../lib/locale.ts';
import { escapeHtml } from '../head/escaped.ts';

/** Addresses of the news feeds by language. */
export const FEEDS = { ko: '/news.atom', en: '/en/news.atom' } as const;

type News = PublicContent['news'][number];

/** Numbers the entries of one day, beginning with the oldest (the last): so a new entry changes no id. */
function entryId(host: string, item: News, news: News[]): string {
  const ofDay = news.filter(({ date }) => date === item.date).toReversed();
  return `tag:${host},${item.date}:news-${ofDay.indexOf(item) + 1}`;
}

/**
 * The news of one language as Atom (RFC 4287).
 * @param url the site's address, without a slash at the end
 */
export function newsFeed(
  { news, lab }: Pick<PublicContent, 'news' | 'lab'>,
  locale: Locale,
  url: string,
): string {
  const { host } = new URL(url);
  const newestFirst = news.toSorted((a, b) => b.date.localeCompare(a.date));
  const entries = newestFirst.map((item) =>
    [
      '  <entry>',
      `    <id>${escapeHtml(entryId(host, item, news))}</id>`,
      `    <title>${escapeHtml(item.text[locale])}</title>`,
      `    <updated>${item.date}T00:00:00+09:00</updated>`,
      `    <link rel="alternate" href="${escapeHtml(new URL(localizedPathIfAny(locale, item.link) || item.link || `/${locale}`, url).href)}"/>`,
      '  </entry>',
    ].join('\n'),
  );
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    `<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${locale}">`,
    `  <id>${url}${FEEDS[locale]}</id>`,
    `  <title>${escapeHtml(lab.name[locale])}</title>`,
    `  <updated>${newestFirst[0]?.date ?? '1970-01-01'}T00:00:00+09:00</updated>`,
    `  <author><name>${escapeHtml(lab.name[locale])}</name></author>`,
    `  <link rel="self" type="application/atom+xml" href="${url}${FEEDS[locale]}"/>`,
    `  <link rel="alternate" type="text/html" hreflang="${locale}" href="${url}/${locale}"/>`,
    ...entries,
    '</feed>\n',
  ].join('\n');
}
