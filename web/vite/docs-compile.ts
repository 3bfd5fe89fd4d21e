import type { Locale } from '#contract/locale';
import { createHash } from 'node:crypto';
import { bundleMDX } from 'mdx-bundler';
import rehypeSanitize, { type Options as Schema } from 'rehype-sanitize';
import type { PluggableList } from 'unified';
import type { VFile } from 'vfile';
import {
  firstParagraphText,
  markdownTree,
  rehypePlugins,
  rehypePluginsWith,
  remarkPlugins,
  headingText,
  toHtml,
} from '../src/features/docs/markdown-plugins.ts';

type ProcessorOptions = ReturnType<NonNullable<Parameters<typeof bundleMDX>[0]['mdxOptions']>>;

export type DocTexts = { ko: string; en?: string };

/** Options for plain Markdown, without JSX, expressions or raw HTML. */
const markdown = (locale: Locale): ProcessorOptions => ({
  format: 'md',
  mdExtensions: ['.md', '.mdx'],
  mdxExtensions: [],
  remarkPlugins,
  rehypePlugins: rehypePlugins(locale),
});
const mdx = (locale: Locale): ProcessorOptions => ({
  remarkPlugins: [...remarkPlugins, onlyKnownComponents],
  rehypePlugins: rehypePluginsWith(locale, sanitizeMdx),
});

/**
 * Compiles a document to a script that returns `{ default: component }`, given `React` and `_jsx_runtime`; as
 * MDX if the document contains a component of ours.
 */
export async function compileDoc(source: string, locale: Locale): Promise<string> {
  const { code } = await bundleMDX({
    source,
    // Errors are thrown, and the build prints them.
    esbuildOptions: (options) => ({ ...options, logLevel: 'silent' }),
    mdxOptions: (options) => ({
      ...options,
      ...(hasDocComponent(source) ? mdx : markdown)(locale),
      remarkRehypeOptions: toHtml(locale),
    }),
    // gray-matter inspects every file first and would execute front matter declared as JavaScript.
    grayMatterOptions: () => ({ engines: { javascript: refuseToRun } }),
  });
  return code;
}

function refuseToRun(): never {
  throw new Error('a document must not contain code that runs in the build');
}

/** mdx-bundler's own client evaluates a string. The same code as a module satisfies a CSP without eval. */
export async function docModule(name: string, { ko, en }: DocTexts): Promise<string> {
  const texts = [await textModule(name, ko, 'ko'), en === undefined ? '' : await textModule(name, en, 'en')];
  return `import * as React from 'react';
import * as _jsx_runtime from 'react/jsx-runtime';
${texts.join('\n')}`;
}

async function textModule(name: string, source: string, locale: Locale): Promise<string> {
  const digest = createHash('sha256').update(source).digest('hex');
  const { title } = docHeadOf(name, source, locale);
  return `export const ${locale} = {
  ...${JSON.stringify({ locale, title, digest })},
  Content: (() => { ${await compileDoc(source, locale)} })().default,
};`;
}

export function docHeadOf(
  name: string,
  source: string,
  locale: Locale,
): { title: string; description: string } {
  const tree = markdownTree(source, locale);
  const title = headingText(tree) ?? name;
  return { title, description: firstParagraphText(tree) ?? title };
}

/** Components that a document may contain; `src/features/docs/screen.tsx` implements them. */
const DOC_COMPONENTS: ReadonlySet<string> = new Set(['TryReading', 'PrivacyOfficer', 'PrivacyVersions']);

/**
 * Whether a document contains a component such as `<TryReading />` on a line of its own. Such a document is
 * compiled as MDX.
 */
const hasDocComponent = (source: string) =>
  [...DOC_COMPONENTS].some((name) => new RegExp(`^<${name} />$`, 'm').test(source));

/** A node of the Markdown tree or of the HTML tree, into which MDX copies JSX elements unchanged. */
type Node = {
  type: string;
  name?: string | null;
  tagName?: string;
  properties?: object;
  attributes?: unknown[];
  children?: Node[];
  position?: Parameters<VFile['fail']>[1];
};

/**
 * Allows only known components without attributes, each on its own line: a document must contain no code.
 * @throws VFileMessage with the position of an expression, an import, HTML or an unknown component
 */
function onlyKnownComponents() {
  return (tree: Node, file: VFile) => look(tree, file);
}

function look(node: Node, file: VFile): void {
  if (node.type.startsWith('mdx') && !isComponent(node)) {
    file.fail(
      `a document may contain ${[...DOC_COMPONENTS].join(', ')}, and no other code or HTML`,
      node.position,
    );
  }
  for (const child of node.children ?? []) look(child, file);
}

const isComponent = ({ type, name, attributes = [], children = [] }: Node) =>
  type === 'mdxJsxFlowElement' &&
  DOC_COMPONENTS.has(name ?? '') &&
  attributes.length === 0 &&
  children.length === 0;

const PLACE = 'doc-component';

/** The sanitiser would remove components, so an empty element replaces each component while it runs. */
function sanitizeMdx(schema: Schema): PluggableList {
  const components: Node[] = [];
  const exchange = (node: Node, of: (child: Node) => Node): void => {
    if (node.children === undefined) return;
    node.children = node.children.map((child) => of(child));
    for (const child of node.children) exchange(child, of);
  };
  const takeOut = () => (tree: Node) => {
    exchange(tree, (child) => {
      if (!isComponent(child)) return child;
      components.push(child);
      return { type: 'element', tagName: PLACE, properties: {}, children: [] };
    });
  };
  const putBack = () => (tree: Node) => {
    exchange(tree, (child) => (child.tagName === PLACE ? (components.shift() ?? child) : child));
  };
  const allowed = { ...schema, tagNames: [...(schema.tagNames ?? []), PLACE] };
  return [takeOut, [rehypeSanitize, allowed], putBack];
}
