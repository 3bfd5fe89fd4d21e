import { lab as labEn } from '#content/lab.en';
import { lab as labKo } from '#content/lab.ko';
import { site } from '#content/lab.site';
import { news, type News } from '#content/news';
import { describe, expect, test } from 'vitest';
import { walkXml } from '../../web/src/lib/table-file/sheet.ts';
import { mainPageHead } from '../../web/vite/head.ts';
import { newsFeed } from '../../web/vite/news-feed.ts';

const ATOM = 'http://www.w3.org/2005/Atom';
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(Z|[+-]\d{2}:\d{2})$/;

type Element = { name: string; attributes: Record<string, string>; text: string; children: Element[] };

/** @throws Error where it is not well-formed */
function parse(xml: string): Element {
  const root: Element = { name: '', attributes: {}, text: '', children: [] };
  const open = [root];
  walkXml(new TextEncoder().encode(xml), {
    open(name, attributes) {
      const element: Element = { name, attributes: { ...attributes() }, text: '', children: [] };
      open.at(-1)?.children.push(element);
      open.push(element);
    },
    close(name) {
      if (open.pop()?.name !== name) throw new Error(`${name} ends where it has not begun`);
    },
    text(text) {
      const element = open.at(-1);
      if (element) element.text += text;
    },
  });
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
    ['ko', labKo, '/news.atom'],
    ['en', labEn, '/en/news.atom'],
  ] as const)('PUB-21 is valid Atom in %s, newest first, and the head names it', (locale, lab, path) => {
    const feed = parse(newsFeed(news, lab, locale, site.url));
    isAtom(feed);
    expect(feed.attributes['lang']).toBe(locale);
    const titles = all(feed, 'entry').map((entry) => one(entry, 'title').text);
    expect(titles).toEqual(
      news.toSorted((a, b) => b.date.localeCompare(a.date)).map(({ text }) => text[locale]),
    );
    const self = all(feed, 'link').find(({ attributes }) => attributes['rel'] === 'self');
    expect(self?.attributes['href']).toBe(site.url + path);
    expect(mainPageHead(`/${locale}`, locale).tags.join()).toContain(
      `<link rel="alternate" type="application/atom+xml" title="${lab.name}" href="${path}" />`,
    );
  });

  test('PUB-21 escapes what XML knows, and keeps an id when another entry of the day is added', () => {
    const first: News = {
      date: '2026-03-02',
      text: { ko: '<A> & "B"', en: '<A> & "B"' },
      link: 'https://a.example/?x=1&y=2',
    };
    const second: News = { date: '2026-03-02', text: { ko: '둘째', en: 'Second' } };
    const ids = (items: News[]) => {
      const feed = parse(newsFeed(items, labEn, 'en', site.url));
      isAtom(feed);
      return Object.fromEntries(
        all(feed, 'entry').map((entry) => [one(entry, 'title').text, one(entry, 'id').text]),
      );
    };
    const before = ids([first]);
    expect(Object.keys(before)).toEqual(['<A> & "B"']);
    expect(ids([second, first])).toMatchObject(before);
  });
});
