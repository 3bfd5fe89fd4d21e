import { toJsxRuntime } from 'hast-util-to-jsx-runtime';
import { useMemo } from 'react';
import { Fragment, jsx, jsxs } from 'react/jsx-runtime';
import { usePageTitle } from '../../lib/page-title.ts';
import { DocLink } from './doc-link.tsx';
import { isBearable, markdownTree, titleOf } from './markdown-tree.ts';

/** Renders markdown in the browser; a chunk of its own, loaded for documents that the build did not know. */
export default function RenderedDoc({ name, text }: { name: string; text: string }) {
  const { title, body } = useMemo(() => {
    if (!isBearable(text)) return { title: undefined, body: <pre>{text}</pre> };
    const tree = markdownTree(text);
    return { title: titleOf(tree), body: toJsxRuntime(tree, { Fragment, jsx, jsxs, components }) };
  }, [text]);
  usePageTitle(title ?? name);
  return body;
}

const components = { a: DocLink };
