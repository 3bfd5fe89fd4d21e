import type { Locale } from '#contract/locale';
import { toJsxRuntime } from 'hast-util-to-jsx-runtime';
import { getMDXComponent } from 'mdx-bundler/client';
import { readdirSync, readFileSync } from 'node:fs';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { Fragment, jsx, jsxs } from 'react/jsx-runtime';
import { describe, expect, test } from 'vitest';
import { docPath } from '../../web/src/features/docs/doc-name.ts';
import {
  htmlElementsBelow,
  type HtmlTree,
  firstParagraphText,
  markdownTree,
  headingText,
} from '../../web/src/features/docs/markdown-plugins.ts';
import { isDocWithinLimits } from '../../web/src/features/docs/parse-doc.ts';
import { compileDoc } from '../../web/vite/docs-compile.ts';
import { hostileMarkdown } from './docs-hostile.ts';

const inBrowser = (source: string, locale: Locale = 'ko') =>
  renderToStaticMarkup(toJsxRuntime(markdownTree(source, locale), { Fragment, jsx, jsxs }));
const nothing = () => null;
const built = async (source: string, locale: Locale = 'ko') =>
  renderToStaticMarkup(
    createElement(getMDXComponent(await compileDoc(source, locale)), {
      components: { TryReading: nothing, PrivacyOfficer: nothing, PrivacyVersions: nothing },
    }),
  );

/** Where raw HTML was taken out, the two leave different space. */
const withoutSpace = (html: string) => html.replaceAll(/\s+/g, '');

const folder = new URL('../../web/public/markdown/', import.meta.url);
const ownDocs = readdirSync(folder).map((file) => {
  const locale: Locale = file.endsWith('.en.md') ? 'en' : 'ko';
  const source = readFileSync(new URL(file, folder), 'utf8');
  return [docPath(file.replace(/(\.en)?\.md$/, ''), locale), source, locale] as const;
});

/** What stands in an element that could make a browser run, load or send something it should not. */
function dangersIn(tree: HtmlTree): string[] {
  return htmlElementsBelow(tree).flatMap(({ tagName, properties }) => {
    const element = allowedElements.has(tagName) ? [] : [`<${tagName}>`];
    return element.concat(
      Object.entries(properties)
        .filter(([name, value]) => isDangerous(name, String(value)))
        .map(([name]) => `${tagName} ${name}`),
    );
  });
}

function isDangerous(property: string, value: string): boolean {
  if (property.toLowerCase().startsWith('on') || forbiddenProperties.has(property)) return true;
  if (property !== 'href' && property !== 'src') return false;
  return !allowedSchemes[property].has(new URL(value, 'https://site.test/docs/x').protocol);
}

const allowedElements = new Set(
  'a blockquote br code del div em h1 h2 h3 h4 h5 h6 hr img input li nav ol p pre section span strong sup table tbody td th thead tr ul'.split(
    ' ',
  ),
);
const forbiddenProperties = new Set(['style', 'srcDoc', 'srcSet', 'action', 'formAction', 'name', 'target']);
const allowedSchemes = { href: new Set(['https:', 'http:', 'mailto:']), src: new Set(['https:']) };

describe('hostile markdown', () => {
  test.each(hostileMarkdown)('SEC-36 gives nothing that runs: %j', async (source) => {
    expect(dangersIn(markdownTree(source, 'ko'))).toEqual([]);
    expect(withoutSpace(await built(source))).toBe(withoutSpace(inBrowser(source)));
  });

  test('SEC-36 the check itself sees what is dangerous', () => {
    const dangerOf = (tagName: string, properties: Record<string, string>) =>
      dangersIn({ type: 'root', children: [{ type: 'element', tagName, properties, children: [] }] });
    expect(dangerOf('a', { href: ' JavaScript:alert(1)' })).toEqual(['a href']);
    expect(dangerOf('img', { src: 'data:image/svg+xml,x' })).toEqual(['img src']);
    expect(dangerOf('img', { onError: 'alert(1)' })).toEqual(['img onError']);
    expect(dangerOf('iframe', { srcDoc: 'x' })).toEqual(['<iframe>', 'iframe srcDoc']);
  });

  test('SEC-36 links and pictures lose a bad address and keep a good one', () => {
    expect(inBrowser('[a](javascript:alert(1))')).toBe('<p><a>a</a></p>');
    expect(inBrowser('![a](data:image/svg+xml,x)')).toBe('<p><img alt="a"/></p>');
    expect(inBrowser('[a](mailto:a@x.test) ![b](/icon.svg)')).toContain(
      '<p><a href="mailto:a@x.test">a</a> <img src="/icon.svg" alt="b"/></p>',
    );
  });

  test('SEC-36 a front matter that says it is JavaScript fails the build instead of running in it', async () => {
    await expect(compileDoc('---js\nprocess.exit(9)\n---\n# a', 'ko')).rejects.toThrow('code that runs');
  });

  test.each([
    ...hostileMarkdown,
    '{1 + 1}',
    'export const a = 1',
    '<TryReading onClick={alert} />',
    '<Other />',
  ])(
    'SEC-36 beside a component of ours it gives nothing that runs, or no page at all: %j',
    async (source) => {
      const page = await built(`${source}\n\n<TryReading />\n`).catch(() => '');
      expect(withoutSpace(page)).toBe(page === '' ? '' : withoutSpace(inBrowser(source)));
    },
  );

  test('SEC-29 what is too long or too deep is not parsed', () => {
    expect(isDocWithinLimits('>'.repeat(50_000))).toBe(false);
    expect(isDocWithinLimits('> '.repeat(25_000))).toBe(false);
    expect(isDocWithinLimits('- '.repeat(60))).toBe(false);
    expect(isDocWithinLimits('a'.repeat(70_000))).toBe(false);
    for (const [, source] of ownDocs) expect(isDocWithinLimits(source)).toBe(true);
  });
});

describe('both ways of rendering', () => {
  test.each(ownDocs)('NAV-9 give the same HTML: %s', async (_path, source, locale) => {
    expect(withoutSpace(await built(source, locale))).toBe(withoutSpace(inBrowser(source, locale)));
  });

  test('NAV-9 give headings that can be linked to, in Korean too', async () => {
    const html = await built('# 제목\n\n## 보관 기간\n\n## 보관 기간\n\n## QoS 1\n\n[여기](#보관-기간)');
    expect(html).toContain('<h1 id="doc-제목">제목</h1>');
    expect(html).toContain('<h2 id="doc-보관-기간"><a href="#doc-보관-기간">보관 기간</a></h2>');
    expect(html).toContain('<h2 id="doc-보관-기간-1">');
    expect(html).toContain('<h2 id="doc-qos-1"><a href="#doc-qos-1">QoS 1</a></h2>');
    expect(html).toContain(`<a href="#doc-${encodeURI('보관-기간')}">여기</a>`);
    expect(html).toBe(inBrowser('# 제목\n\n## 보관 기간\n\n## 보관 기간\n\n## QoS 1\n\n[여기](#보관-기간)'));
  });

  test('NAV-9 begin with the sections of a long document, of a short one with none', () => {
    const html = inBrowser('# 제목\n\n## 가 `나`\n\n## 다\n\n## 라\n\n## 마');
    expect(html).toContain(
      '<h1 id="doc-제목">제목</h1><nav class="doc-contents" aria-label="차례"><ul><li><a href="#doc-가-나">가 나</a></li>',
    );
    expect(inBrowser('# 제목\n\n## 가\n\n## 나\n\n## 다')).not.toContain('<nav');
  });

  test('SEC-36 no heading takes an id of the page itself', () => {
    const html = inBrowser('# main\n\n## root\n\n## prerendered\n\n본문[^1]\n\n[^1]: 각주');
    for (const [, id = ''] of html.matchAll(/ id="([^"]*)"/g)) expect(id).toMatch(/^doc-/);
    for (const [, to = ''] of html.matchAll(/ href="#([^"]*)"/g)) expect(html).toContain(` id="${to}"`);
  });

  test('NAV-9 a heading with a link in it is not wrapped in another', () => {
    expect(inBrowser('## [a](/docs/b)')).toBe('<h2 id="doc-a"><a href="/docs/b">a</a></h2>');
  });

  test('NAV-9 give tables that scroll by themselves, task lists, strikethrough and footnotes', () => {
    expect(inBrowser('|a|b|\n|-|-:|\n|1|2|')).toMatch(
      /^<div class="doc-table" role="group" aria-label="표" tabindex="0"><table>.*<td style="text-align:right">2<\/td>/s,
    );
    expect(inBrowser('> |a|\n> |-|')).toContain('<div class="doc-table"');
    const tasks = inBrowser('- [x] a\n- [ ] b');
    expect(tasks).toMatch(/<input(?=[^>]* disabled="")(?=[^>]* checked="")(?=[^>]* aria-label="완료")/);
    expect(tasks).toMatch(/<input(?=[^>]* disabled="")(?=[^>]* aria-label="미완료")/);
    expect(inBrowser('~~a~~')).toBe('<p><del>a</del></p>');
    expect(inBrowser('a[^1]\n\n[^1]: b')).toContain('aria-label="본문의 각주 1 자리로 돌아가기"');
  });

  test('PUB-13 NAV-9 an English text has nothing Korean around its tables, tasks and footnotes', async () => {
    const source = '|a|\n|-|\n|1|\n\n- [x] a\n- [ ] b\n\na[^1]\n\n[^1]: b';
    const html = inBrowser(source, 'en');
    for (const label of ['Table', 'Done', 'To do', 'Back to note 1 in the text'])
      expect(html).toContain(`aria-label="${label}"`);
    expect(html).not.toMatch(/[가-힣]/);
    expect(withoutSpace(await built(source, 'en'))).toBe(withoutSpace(html));
  });

  test('NAV-9 colour code at build time and leave code of no known language alone', () => {
    const json = inBrowser('```json\n{ "a": 1 }\n```');
    expect(json).toContain('<code class="hljs language-json">');
    expect(json).toContain('<span class="hljs-attr">&quot;a&quot;</span>');
    expect(json).toContain('<span class="hljs-number">1</span>');
    expect(inBrowser('```nosuch\n<b>\n```')).toBe(
      '<pre><code class="hljs language-nosuch">&lt;b&gt;\n</code></pre>',
    );
    expect(inBrowser('```\n512\n```')).toBe('<pre><code>512\n</code></pre>');
  });

  test('NAV-9 links to other sites bear rel=noopener, links to a section of a document its prefix', () => {
    expect(inBrowser('https://x.test')).toContain('<a href="https://x.test" rel="noopener">');
    expect(inBrowser('[a](//x.test)')).toContain('rel="noopener"');
    expect(inBrowser('[a](/docs/b#c)')).toBe('<p><a href="/docs/b#doc-c">a</a></p>');
    expect(inBrowser('[a](/docs/b#doc-c)')).toBe('<p><a href="/docs/b#doc-c">a</a></p>');
    expect(inBrowser('[a](/en/docs/b#c)')).toBe('<p><a href="/en/docs/b#doc-c">a</a></p>');
    expect(inBrowser('[a](/other#c)')).toBe('<p><a href="/other#c">a</a></p>');
  });
});

test('NAV-9 the title is the first heading, the description the first paragraph', () => {
  const tree = markdownTree('앞말 `코드`\n\n# 제목 *강조*\n\n뒷말', 'ko');
  expect(headingText(tree)).toBe('제목 강조');
  expect(firstParagraphText(tree)).toBe('앞말 코드');
  expect(headingText(markdownTree('말', 'ko'))).toBeUndefined();
});

test('NAV-9 every link from one of our documents to another leads to a heading that is there', () => {
  const pages = new Map(ownDocs.map(([path, source, locale]) => [path, inBrowser(source, locale)]));
  const links = [...pages].flatMap(([path, html]) =>
    [...html.matchAll(/href="((?:\/en)?\/docs\/[a-z-]+)?(?:#([^"]+))?"/g)].map(
      ([, page = path, section = '']) => [page, decodeURI(section)] as const,
    ),
  );
  expect(links.length).toBeGreaterThan(20);
  for (const [page, section] of links) expect(pages.get(page)).toContain(section && ` id="${section}"`);
});
