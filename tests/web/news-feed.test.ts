import { site } from '#content/lab.site';
import type { PublicContent } from '#contract/public-content';
import { describe, expect, test } from 'vitest';
import { mainPageHead } from '../../web/src/head/head.ts';
import { newsFeed } from '../../web/src/feeds/news-feed.ts';
import { builtContent } from '../../web/vite/content-plugin.ts';

type News = PublicContent['news'][number];
const content = builtContent();
const { news, lab } = content;

const ATOM = 'http://www.w3.org/2005/Atom';
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(Z|[+-]\d{2}:\d{2})$/;

type Element = { name: string; attributes: Record<string, string>; text: string; children: Element[] };

const TOKEN = /<\?xml[^>]*\?>\s*|<(\/?)([\w:]+)((?:\s+[\w:]+="[^"<]*")*)\s*(\/?)>|([^<]+)/y;
const ENTITY: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const unescaped = (text: string) =>
  text.replace(/&(\w*);?/g, (whole, name: string) => {
    const character = ENTITY[name];
    if (character === undefined) throw new Error(`${whole} is no entity`);
    return character;
  });

/** @throws Error where it is not well-formed */
function parse(xml: string): Element {
  const root: Element = { name: '', attributes: {}, text: '', children: [] };
  const open = [root];
  for (TOKEN.lastIndex = 0; TOKEN.lastIndex < xml.length;) {
    const [token, isEnd, name, attributes = '', isEmpty, text] = TOKEN.exec(xml) ?? [];
    if (token === undefined) throw new Error('it is no XML');
    const parent = open.at(-1);
    if (text !== undefined && parent) parent.text += unescaped(text);
    if (name === undefined) continue;
    if (isEnd === '/') {
      if (open.pop()?.name !== name) throw new Error(`${name} ends where it has not begun`);
      continue;
    }
    const pairs = Array.from(attributes.matchAll(/([\w:]+)="([^"]*)"/g), ([, key = '', value = '']) => [
      key,
      unescaped(value),
    ]);
    const element: Element = { name, attributes: Object.fromEntries(pairs), text: '', children: [] };
    parent?.children.push(element);
    if (isEmpty !== '/') open.push(element);
  }
  if (open.length > 1) throw new Error(`${open.at(-1)?.name} does not end`);
  const [feed] = root.children;
  if (!feed || root.children.length !== 1) throw new Error('one element is the document');
  return feed;
}

const all = ({ children }: Element, name: string) => children.filter((child) => child.name === name);
const one = (element: Element, name: string): Element => {
  const [found, ...more] = all(element, name);
  if (!found || more.length > 0) throw new Error(`${element.name} needs one ${name}`);
  return found;
};

/** What RFC 4287 asks for in 4.1.1 and 4.1.2, with the author of the feed and entries without content. */
function isAtom(feed: Element): void {
  expect([feed.name, feed.attributes['xmlns']]).toEqual(['feed', ATOM]);
  const entries = all(feed, 'entry');
  for (const element of [feed, ...entries]) {
    expect(URL.canParse(one(element, 'id').text)).toBe(true);
    expect(one(element, 'title').text).not.toBe('');
    expect(one(element, 'updated').text).toMatch(INSTANT);
    const links = all(element, 'link').map(({ attributes }) => attributes);
    expect(links.filter(({ rel }) => rel === 'alternate')).toHaveLength(1);
    for (const { href } of links) expect(URL.canParse(href ?? '')).toBe(true);
  }
  expect(one(one(feed, 'author'), 'name').text).not.toBe('');
  expect(new Set(entries.map((entry) => one(entry, 'id').text)).size).toBe(entries.length);
}

describe('the feed of the news', () => {
  test.each([
    ['ko', '/news.atom'],
    ['en', '/en/news.atom'],
  ] as const)('PUB-21 is valid Atom in %s, newest first, and the head names it', (locale, path) => {
    const feed = parse(newsFeed(content, locale, site.url));
    isAtom(feed);
    expect(feed.attributes['xml:lang']).toBe(locale);
    const titles = all(feed, 'entry').map((entry) => one(entry, 'title').text);
    expect(titles).toEqual(
      news.toSorted((a, b) => b.date.localeCompare(a.date)).map(({ text }) => text[locale]),
    );
    const self = all(feed, 'link').find(({ attributes }) => attributes['rel'] === 'self');
    expect(self?.attributes['href']).toBe(site.url + path);
    expect(mainPageHead(`/${locale}`, locale, content).tags.join()).toContain(
      `<link rel="alternate" type="application/atom+xml" title="${lab.name[locale]}" href="${path}" />`,
    );
  });

  test('PUB-21 escapes what XML knows, and keeps an id when another entry of the day is added', () => {
    const first: News = {
      date: '2026-03-02',
      text: { ko: '<A> & "B" ]]>', en: '<A> & "B" ]]>' },
      link: 'https://a.example/?x=1&y=2',
    };
    const second: News = { date: '2026-03-02', text: { ko: '둘째', en: 'Second' }, link: '' };
    const ids = (items: News[]) => {
      const feed = parse(newsFeed({ news: items, lab }, 'en', site.url));
      isAtom(feed);
      return Object.fromEntries(
        all(feed, 'entry').map((entry) => [one(entry, 'title').text, one(entry, 'id').text]),
      );
    };
    const before = ids([first]);
    expect(Object.keys(before)).toEqual(['<A> & "B" ]]>']);
    expect(ids([second, first])).toMatchObject(before);
    // It ends a part of XML that is not read.
    expect(newsFeed({ news: [first], lab }, 'en', site.url)).not.toContain(']]>');
  });
});
