import { toJsxRuntime } from 'hast-util-to-jsx-runtime';
import { useMemo } from 'react';
import { Fragment, jsx, jsxs } from 'react/jsx-runtime';
import { usePageTitle } from '../../lib/page-title.ts';
import { DocLink } from './doc-link.tsx';
import type { FiledDoc } from './queries.ts';

/** Draws a document that is not what the build compiled; a chunk of its own. What cannot be parsed is shown as its text. */
export default function RenderedDoc({ name, doc: { text, parsed } }: { name: string; doc: FiledDoc }) {
  usePageTitle(parsed?.title ?? name);
  return useMemo(
    () => (parsed ? toJsxRuntime(parsed.tree, { Fragment, jsx, jsxs, components }) : <pre>{text}</pre>),
    [parsed, text],
  );
}

const components = { a: DocLink };
