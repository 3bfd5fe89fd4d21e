import { toJsxRuntime } from 'hast-util-to-jsx-runtime';
import { useMemo } from 'react';
import { Fragment, jsx, jsxs } from 'react/jsx-runtime';
import { usePageTitle } from '../../lib/page-title.ts';
import { DocLink } from './doc-link.tsx';
import type { CurrentDoc } from './queries.ts';

/**
 * Renders a document that differs from its prerendered version. This code is a separate chunk. A text that
 * cannot be parsed is shown as plain text.
 */
export default function RenderedDoc({ name, doc: { text, parsed } }: { name: string; doc: CurrentDoc }) {
  usePageTitle(parsed?.title ?? name);
  return useMemo(
    () => (parsed ? toJsxRuntime(parsed.tree, { Fragment, jsx, jsxs, components }) : <pre>{text}</pre>),
    [parsed, text],
  );
}

const components = { a: DocLink };
