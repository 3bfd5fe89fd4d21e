import { createHash } from 'node:crypto';
import { bundleMDX } from 'mdx-bundler';
import { rehypePlugins, remarkPlugins, toHtml } from '../src/features/docs/markdown-plugins.ts';
import { descriptionOf, markdownTree, titleOf } from '../src/features/docs/markdown-tree.ts';

/** Compiles markdown to a script that returns `{ default: component }`, given `React` and `_jsx_runtime`. */
export async function compileDoc(source: string): Promise<string> {
  const { code } = await bundleMDX({
    source,
    // Markdown alone: no JSX, no expressions, no raw HTML.
    mdxOptions: (options) => ({
      ...options,
      format: 'md',
      mdExtensions: ['.md', '.mdx'],
      mdxExtensions: [],
      remarkPlugins,
      rehypePlugins,
      remarkRehypeOptions: toHtml,
    }),
    // gray-matter, which looks at every file first, would run a front matter that says it is JavaScript.
    grayMatterOptions: () => ({ engines: { javascript: refuseToRun } }),
  });
  return code;
}

function refuseToRun(): never {
  throw new Error('a document cannot bring code that runs in the build');
}

/** mdx-bundler's own client evaluates a string; wrapped as a module the same code passes a CSP without eval. */
export async function docModule(name: string, source: string): Promise<string> {
  return `import * as React from 'react';
import * as _jsx_runtime from 'react/jsx-runtime';
export const title = ${JSON.stringify(headOf(name, source).title)};
export const digest = '${createHash('sha256').update(source).digest('hex')}';
const compiled = (() => { ${await compileDoc(source)} })();
export default compiled.default;`;
}

/** What the page's head says about a document. */
export function headOf(name: string, source: string): { title: string; description: string } {
  const tree = markdownTree(source);
  const title = titleOf(tree) ?? name;
  return { title, description: descriptionOf(tree) ?? title };
}
