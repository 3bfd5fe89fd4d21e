import rehypeAutolinkHeadings from 'rehype-autolink-headings';
import rehypeHighlight from 'rehype-highlight';
import rehypeSanitize, { defaultSchema, type Options as Schema } from 'rehype-sanitize';
import rehypeSlug from 'rehype-slug';
import remarkGfm from 'remark-gfm';
import type { Options as ToHtml } from 'remark-rehype';
import type { PluggableList } from 'unified';

/** HTML as a tree (hast). */
export type HtmlTree = Parameters<ReturnType<typeof rehypeSlug>>[0];
type Child = HtmlTree['children'][number];
type HtmlElement = Extract<Child, { type: 'element' }>;

/** In front of every id of a document, so that a heading named `main` or `root` takes nothing from the app. */
const ID_PREFIX = 'doc-';

/*
 * The one list: mdx-bundler compiles with it at build time, parse-doc.worker.ts parses with it in the browser.
 */

export const remarkPlugins: PluggableList = [remarkGfm];

export const toHtml: ToHtml = {
  // Ids get ID_PREFIX below, those of footnotes like all others.
  clobberPrefix: '',
  footnoteLabel: '각주',
  footnoteLabelProperties: {},
  footnoteBackLabel: (reference, repetition) =>
    `본문의 각주 ${reference + 1}${repetition > 1 ? `-${repetition}` : ''} 자리로 돌아가기`,
};

/** GitHub's, with what the highlighter adds and with fewer schemes. */
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

/** @param sanitised what takes out whatever is not in its schema */
export const rehypePluginsWith = (sanitised: (schema: Schema) => PluggableList): PluggableList => [
  rehypeSlug,
  [rehypeAutolinkHeadings, { behavior: 'wrap', test: mayBeLink }],
  rehypeHighlight,
  // After everything that looks at what the author wrote; `finish` adds fixed words alone.
  ...sanitised(schema),
  finish,
];

export const rehypePlugins = rehypePluginsWith((allowed) => [[rehypeSanitize, allowed]]);

/** The title needs no link to itself, and a link cannot hold another. */
function mayBeLink(heading: HtmlElement): boolean {
  return heading.tagName !== 'h1' && !elementsOf(heading).some(({ tagName }) => tagName === 'a');
}

/** Every element below a node, outermost first. */
export function elementsOf(node: HtmlTree | HtmlElement): HtmlElement[] {
  return node.children.flatMap((child) => (child.type === 'element' ? [child, ...elementsOf(child)] : []));
}

function finish() {
  return (tree: HtmlTree) => {
    for (const element of elementsOf(tree)) {
      if (element.tagName === 'a') finishLink(element);
      if (element.tagName === 'input') {
        element.properties['ariaLabel'] = element.properties['checked'] === true ? '완료' : '미완료';
      }
      element.children = element.children.map(scrollingTable);
    }
    tree.children = tree.children.map(scrollingTable);
  };
}

function finishLink({ properties }: HtmlElement): void {
  const { href } = properties;
  if (typeof href !== 'string') return;
  if (/^([a-z]+:)?\/\//i.test(href)) properties['rel'] = ['noopener'];
  else properties['href'] = withIdPrefix(href);
}

/** A section is named in markdown as its heading reads: `#접속`, `/docs/sensor-protocol#접속`. */
function withIdPrefix(href: string): string {
  const [, page, section] = /^(|\/docs\/[^#]*)#(.+)$/.exec(href) ?? [];
  if (page === undefined || section === undefined || section.startsWith(ID_PREFIX)) return href;
  return `${page}#${ID_PREFIX}${section}`;
}

/** On a narrow screen a table scrolls by itself, by keyboard too. */
function scrollingTable<Node extends Child | HtmlElement['children'][number]>(
  node: Node,
): Node | HtmlElement {
  if (node.type !== 'element' || node.tagName !== 'table') return node;
  return {
    type: 'element',
    tagName: 'div',
    properties: { className: ['doc-table'], role: 'group', ariaLabel: '표', tabIndex: 0 },
    children: [node],
  };
}
