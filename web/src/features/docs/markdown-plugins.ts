import rehypeAutolinkHeadings from 'rehype-autolink-headings';
import rehypeHighlight from 'rehype-highlight';
import rehypeSanitize, { defaultSchema, type Options as Schema } from 'rehype-sanitize';
import rehypeSlug from 'rehype-slug';
import remarkGfm from 'remark-gfm';
import type { Options as ToHtml } from 'remark-rehype';
import { type PluggableList, unified } from 'unified';
import type { Locale } from '#contract/locale';
import remarkParse from 'remark-parse';
import remarkRehype from 'remark-rehype';

/** HTML as a tree (hast). */
export type HtmlTree = Parameters<ReturnType<typeof rehypeSlug>>[0];
type Child = HtmlTree['children'][number];
type HtmlElement = Extract<Child, { type: 'element' }>;

/** Prefix of every id in a document: a heading `main` or `root` would clash with the app's ids. */
const ID_PREFIX = 'doc-';

/* These plugins are shared by mdx-bundler at build time and parse-doc.worker.ts in the browser. */

export const remarkPlugins: PluggableList = [remarkGfm];

const words = {
  ko: {
    contents: '차례',
    table: '표',
    done: '완료',
    toDo: '미완료',
    footnotes: '각주',
    backTo: (note: string) => `본문의 각주 ${note} 자리로 돌아가기`,
  },
  en: {
    contents: 'Contents',
    table: 'Table',
    done: 'Done',
    toDo: 'To do',
    footnotes: 'Notes',
    backTo: (note: string) => `Back to note ${note} in the text`,
  },
};

export const toHtml = (locale: Locale): ToHtml => ({
  // No prefix here, because all ids get ID_PREFIX below, footnotes included.
  clobberPrefix: '',
  footnoteLabel: words[locale].footnotes,
  footnoteLabelProperties: {},
  footnoteBackLabel: (reference, repetition) =>
    words[locale].backTo(`${reference + 1}${repetition > 1 ? `-${repetition}` : ''}`),
});

/** GitHub's schema, with the highlighter's classes and fewer URL schemes. */
const schema: Schema = {
  ...defaultSchema,
  clobberPrefix: ID_PREFIX,
  attributes: {
    ...defaultSchema.attributes,
    code: [['className', 'hljs', /^language-./]],
    span: [['className', /^hljs-/]],
  },
  protocols: { ...defaultSchema.protocols, href: ['http', 'https', 'mailto'], src: ['https'] },
};

/** @param sanitised returns the plugin that removes everything that the schema does not allow */
export const rehypePluginsWith = (
  locale: Locale,
  sanitised: (schema: Schema) => PluggableList,
): PluggableList => [
  rehypeSlug,
  [rehypeAutolinkHeadings, { behavior: 'wrap', test: mayBeLink }],
  rehypeHighlight,
  // The sanitiser runs after every plugin that uses the author's text. `finish` adds only fixed text.
  ...sanitised(schema),
  [finish, locale],
];

export const rehypePlugins = (locale: Locale) =>
  rehypePluginsWith(locale, (allowed) => [[rehypeSanitize, allowed]]);

/** The title needs no link to itself, and a heading that contains a link cannot be a link. */
function mayBeLink(heading: HtmlElement): boolean {
  return heading.tagName !== 'h1' && !htmlElementsBelow(heading).some(({ tagName }) => tagName === 'a');
}

/** Returns every element below a node, each element before the elements inside. */
export function htmlElementsBelow(node: HtmlTree | HtmlElement): HtmlElement[] {
  return node.children.flatMap((child) =>
    child.type === 'element' ? [child, ...htmlElementsBelow(child)] : [],
  );
}

function finish(locale: Locale) {
  const { contents, table, done, toDo } = words[locale];
  return (tree: HtmlTree) => {
    for (const element of htmlElementsBelow(tree)) {
      if (element.tagName === 'a') finishLink(element);
      if (element.tagName === 'th') element.properties['scope'] = 'col';
      if (element.tagName === 'input') {
        element.properties['ariaLabel'] = element.properties['checked'] === true ? done : toDo;
      }
      element.children = element.children.map((child) => scrollingTable(child, table));
    }
    tree.children = tree.children.map((child) => scrollingTable(child, table));
    const headings = tree.children.filter((child) => child.type === 'element' && child.tagName === 'h2');
    const title = tree.children.findIndex((child) => child.type === 'element' && child.tagName === 'h1');
    if (headings.length > 3) tree.children.splice(title + 1, 0, contentsOf(headings, contents));
  };
}

/** Builds the table of contents of a long document. */
function contentsOf(headings: Child[], label: string): HtmlElement {
  const entries = headings.flatMap((heading) => {
    if (heading.type !== 'element') return [];
    const href = `#${String(heading.properties['id'])}`;
    return element('li', {}, [element('a', { href }, [{ type: 'text', value: textOf(heading) }])]);
  });
  return element('nav', { className: ['doc-contents'], ariaLabel: label }, [element('ul', {}, entries)]);
}

const element = (
  tagName: string,
  properties: HtmlElement['properties'],
  children: HtmlElement['children'],
): HtmlElement => ({ type: 'element', tagName, properties, children });

function finishLink({ properties }: HtmlElement): void {
  const { href } = properties;
  if (typeof href !== 'string') return;
  if (/^([a-z]+:)?\/\//i.test(href)) properties['rel'] = ['noopener'];
  else properties['href'] = withIdPrefix(href);
}

/** Adds the prefix to a section's address: `#접속`, `/docs/sensor-protocol#접속`, `/en/docs/privacy#access-log`. */
function withIdPrefix(href: string): string {
  const [, page, section] = /^(|(?:\/en)?\/docs\/[^#]*)#(.+)$/.exec(href) ?? [];
  if (page === undefined || section === undefined || section.startsWith(ID_PREFIX)) return href;
  return `${page}#${ID_PREFIX}${section}`;
}

/** Wraps a table, so that a narrow screen scrolls only the table; the keyboard can scroll the table too. */
function scrollingTable<Node extends Child | HtmlElement['children'][number]>(
  node: Node,
  label: string,
): Node | HtmlElement {
  if (node.type !== 'element' || node.tagName !== 'table') return node;
  return element('div', { className: ['doc-table'], role: 'group', ariaLabel: label, tabIndex: 0 }, [node]);
}

const processorIn = (locale: Locale) =>
  unified()
    .use(remarkParse)
    .use(remarkPlugins)
    .use(remarkRehype, toHtml(locale))
    .use(rehypePlugins(locale))
    .freeze();
const processors = { ko: processorIn('ko'), en: processorIn('en') };

/** Markdown as a tree of sanitised HTML. */
export function markdownTree(text: string, locale: Locale): HtmlTree {
  const processor = processors[locale];
  return processor.runSync(processor.parse(text));
}

export function headingText(tree: HtmlTree): string | undefined {
  return textOfFirst(tree, /^h[1-6]$/);
}

export function firstParagraphText(tree: HtmlTree): string | undefined {
  return textOfFirst(tree, /^p$/);
}

function textOfFirst(tree: HtmlTree, tagName: RegExp): string | undefined {
  const element = htmlElementsBelow(tree).find((each) => tagName.test(each.tagName));
  return element && (textOf(element).replaceAll(/\s+/g, ' ').trim() || undefined);
}

type Node = ReturnType<typeof htmlElementsBelow>[number]['children'][number];

function textOf(node: Node): string {
  if (node.type === 'text') return node.value;
  return node.type === 'element' ? node.children.map(textOf).join('') : '';
}
