import { site } from '#content/lab.site';
import { describe, expect, test } from 'vitest';
import { mainPageHead, manifest, notFoundHead, robots, sitemap } from '../../web/vite/head.ts';
import { fillShell } from '../../web/vite/html.ts';

const SHELL = `<html lang="ko"><head><title>a</title><meta name="description" content="b" />
<link rel="stylesheet" href="/assets/c.css"></head>
<body><div id="root"></div> <noscript>d</noscript></body></html>`;

describe('the head of the main page', () => {
  test.each([
    ['/', 'ko', 'ko_KR'],
    ['/ko', 'ko', 'ko_KR'],
    ['/en', 'en', 'en_US'],
  ] as const)('PUB-9 at %s names itself and its siblings', (path, locale, openGraph) => {
    const { tags, title, description } = mainPageHead(path, locale);
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
    expect(head).toContain(`<meta property="og:image" content="${site.url}/share.png" />`);
    expect([title, description].every((text) => text.length > 10)).toBe(true);
  });

  test('PUB-9 keeps an address that is no page out of search', () => {
    expect(notFoundHead.tags.join()).toContain('noindex');
  });
});

test('PUB-9 the sitemap lists the main page in its languages and every document', () => {
  const text = sitemap(['/docs/privacy']);
  for (const path of ['/', '/ko', '/en', '/docs/privacy'])
    expect(text).toContain(`<loc>${site.url}${path}</loc>`);
  expect(robots()).toContain(`Sitemap: ${site.url}/sitemap.xml`);
});

test('the manifest is JSON and names icons that a launcher can use', () => {
  expect(JSON.parse(manifest())).toMatchObject({ start_url: '/', icons: expect.any(Array) });
});

describe('filling the shell', () => {
  const head = { title: 'A & B', description: 'say "hi" <now>', tags: ['<meta name="x" />'] };

  test('escapes texts, takes $ as it is, and writes the styles into the page', () => {
    const page = fillShell(SHELL, { head, locale: 'en', body: '<div id="root">$& $1</div>', styles: 'p{}' });
    expect(page).toContain('<html lang="en">');
    expect(page).toContain('<title>A &amp; B</title>');
    expect(page).toContain('content="say &quot;hi&quot; &lt;now>"');
    expect(page).toContain('<div id="root">$& $1</div>');
    expect(page).toContain('<style>p{}</style>');
    expect(page).not.toMatch(/stylesheet|noscript/);
  });

  test('says what is missing when the shell has changed', () => {
    const broken = SHELL.replace('<title>a</title>', '');
    expect(() => fillShell(broken, { head, locale: 'ko', body: '' })).toThrow('title');
  });
});
