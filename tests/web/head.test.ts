import { localize } from '#contract/content';
import { site } from '#content/lab.site';
import { describe, expect, test } from 'vitest';
import {
  jsonLd,
  mainPageHead,
  webManifest,
  notFoundHead,
  robotsTxt,
  sitemapXml,
} from '../../web/src/head/head.ts';
import { publishedSitemap } from '../../web/src/head/sub-page-head.ts';
import { builtContent } from '../../web/vite/content-plugin.ts';
import { fillShell } from '../../web/vite/html.ts';

const content = builtContent();
const lab = localize(content.lab, 'en');

const SHELL = `<html lang="ko"><head><title>a</title><meta name="description" content="b" />
<script type="module" crossorigin src="/assets/a.js"></script>
<link rel="modulepreload" crossorigin href="/assets/b.js">
<link rel="stylesheet" href="/assets/c.css"></head>
<body><div id="root"></div> <noscript>d</noscript></body></html>`;

describe('the head of the main page', () => {
  test.each([
    ['/', 'ko', 'ko_KR'],
    ['/ko', 'ko', 'ko_KR'],
    ['/en', 'en', 'en_US'],
  ] as const)('PUB-9 at %s names itself and its siblings', (path, locale, openGraph) => {
    const { tags, title, description } = mainPageHead(path, locale, content);
    const head = tags.join('\n');
    expect(head).toContain(`<link rel="canonical" href="${site.url}${path}" />`);
    for (const [language, address] of [
      ['ko', '/ko'],
      ['en', '/en'],
      ['x-default', '/'],
    ]) {
      expect(head).toContain(`hreflang="${language}" href="${site.url}${address}"`);
    }
    expect(head).toContain(`<meta property="og:locale" content="${openGraph}" />`);
    const picture = locale === 'ko' ? 'share.png' : 'share-en.png';
    expect(head).toContain(`<meta property="og:image" content="${site.url}/${picture}" />`);
    expect([title, description].every((text) => text.length > 10)).toBe(true);
  });

  test('PUB-18 says as JSON-LD what the laboratory is, without its email', () => {
    const tag = mainPageHead('/en', 'en', content).tags.find((each) => each.includes('ld+json')) ?? '';
    const data: unknown = JSON.parse(tag.replaceAll(/<[^>]*>/g, ''));
    expect(data).toMatchObject({ '@type': 'ResearchOrganization', name: lab.name, url: site.url });
    expect(tag).not.toContain(lab.email);
    expect(jsonLd({ name: '</script>' })).not.toContain('<');
  });

  test('PUB-9 keeps an address that is no page out of search', () => {
    expect(notFoundHead('ko', content.lab).tags.join()).toContain('noindex');
  });
});

test('PUB-9 the sitemap lists the main page in its languages and every document', () => {
  const text = sitemapXml(['/docs/privacy']);
  for (const path of ['/', '/ko', '/en', '/docs/privacy'])
    expect(text).toContain(`<loc>${site.url}${path}</loc>`);
  // What is published first in the portal is in it, and goes from it.
  const listed = publishedSitemap(text, { ...content, projects: [] });
  expect(listed).toBe(
    sitemapXml(['/docs/privacy', '/publications', '/en/publications', '/news', '/en/news']),
  );
  const none = { ...content, projects: [], news: [], publications: { ...content.publications, count: 0 } };
  expect(publishedSitemap(listed, none)).toBe(text);
  expect(robotsTxt()).toContain(`Sitemap: ${site.url}/sitemap.xml`);
});

test('the manifest is JSON and names icons that a launcher can use', () => {
  expect(JSON.parse(webManifest(content.lab))).toMatchObject({ start_url: '/', icons: expect.any(Array) });
});

describe('filling the shell', () => {
  const head = { title: 'A & B', description: 'say "hi" <now>', tags: ['<meta name="x" />'] };

  test('escapes texts, takes $ as it is, and writes the styles into the page', () => {
    const page = fillShell(SHELL, { head, locale: 'en', body: '<div id="root">$& $1</div>', styles: 'p{}' });
    expect(page).toContain('<html lang="en">');
    expect(page).toContain('<title>A &amp; B</title>');
    expect(page).toContain('content="say &quot;hi&quot; &lt;now&gt;"');
    expect(page).toContain('<div id="root">$& $1</div>');
    expect(page).toContain('<style>p{}</style>');
    expect(page).not.toMatch(/stylesheet|noscript/);
  });

  test('PUB-12 keeps the app in a template where a page loads it later, and says what the page is', () => {
    const beforePaint = { wake: 'painted', english: '/en' } as const;
    const page = fillShell(SHELL, { head, locale: 'ko', body: '', beforePaint });
    expect(page.split('</head>')[0]).not.toContain('/assets/a.js');
    expect(page).toContain(
      '<template data-app><script type="module" crossorigin src="/assets/a.js"></script>' +
        '<link rel="modulepreload" crossorigin href="/assets/b.js"></template>',
    );
    expect(page).toContain('<script data-wake="painted" data-english="/en">');
    const atOnce = fillShell(SHELL, { head, locale: 'ko', body: '' });
    expect(atOnce.split('</head>')[0]).toContain('/assets/a.js');
  });

  test('says what is missing when the shell has changed', () => {
    const broken = SHELL.replace('<title>a</title>', '');
    expect(() => fillShell(broken, { head, locale: 'ko', body: '' })).toThrow('title');
  });
});
