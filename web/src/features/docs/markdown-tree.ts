import remarkParse from 'remark-parse';
import remarkRehype from 'remark-rehype';
import { unified } from 'unified';
import type { Locale } from '#contract/locale';
import { elementsOf, rehypePlugins, remarkPlugins, toHtml, type HtmlTree } from './markdown-plugins.ts';

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

/** Text of the first heading. */
export function titleOf(tree: HtmlTree): string | undefined {
  return textOfFirst(tree, /^h[1-6]$/);
}

/** Text of the first paragraph. */
export function descriptionOf(tree: HtmlTree): string | undefined {
  return textOfFirst(tree, /^p$/);
}

function textOfFirst(tree: HtmlTree, tagName: RegExp): string | undefined {
  const element = elementsOf(tree).find((each) => tagName.test(each.tagName));
  return element && (textOf(element).replaceAll(/\s+/g, ' ').trim() || undefined);
}

type Node = ReturnType<typeof elementsOf>[number]['children'][number];

function textOf(node: Node): string {
  if (node.type === 'text') return node.value;
  return node.type === 'element' ? node.children.map(textOf).join('') : '';
}
