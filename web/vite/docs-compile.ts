import { createHash } from 'node:crypto';
import { bundleMDX } from 'mdx-bundler';
import {
  rehypePlugins,
  rehypePluginsWith,
  remarkPlugins,
  toHtml,
} from '../src/features/docs/markdown-plugins.ts';
import { descriptionOf, markdownTree, titleOf } from '../src/features/docs/markdown-tree.ts';
import { holdsComponent, onlyKnownComponents, sanitisedAround } from './doc-components.ts';

type ProcessorOptions = ReturnType<NonNullable<Parameters<typeof bundleMDX>[0]['mdxOptions']>>;

/** Without JSX, expressions or raw HTML. */
const markdown: ProcessorOptions = {
  format: 'md',
  mdExtensions: ['.md', '.mdx'],
  mdxExtensions: [],
  remarkPlugins,
  rehypePlugins,
};
const mdx: ProcessorOptions = {
  remarkPlugins: [...remarkPlugins, onlyKnownComponents],
  rehypePlugins: rehypePluginsWith(sanitisedAround),
};

/**
 * Compiles a document to a script that returns `{ default: component }`, given `React` and `_jsx_runtime`; as MDX if it
 * contains a component of ours.
 */
export async function compileDoc(source: string): Promise<string> {
  const { code } = await bundleMDX({
    source,
    // Errors are thrown, and the build prints them.
    esbuildOptions: (options) => ({ ...options, logLevel: 'silent' }),
    mdxOptions: (options) => ({
      ...options,
      ...(holdsComponent(source) ? mdx : markdown),
      remarkRehypeOptions: toHtml,
    }),
    // gray-matter inspects every file first and would execute front matter declared as JavaScript.
    grayMatterOptions: () => ({ engines: { javascript: refuseToRun } }),
  });
  return code;
}

function refuseToRun(): never {
  throw new Error('a document cannot bring code that runs in the build');
}

/** mdx-bundler's own client evaluates a string; wrapped as a module, the same code satisfies a CSP without eval. */
export async function docModule(name: string, source: string): Promise<string> {
  return `import * as React from 'react';
import * as _jsx_runtime from 'react/jsx-runtime';
export const title = ${JSON.stringify(headOf(name, source).title)};
export const digest = '${createHash('sha256').update(source).digest('hex')}';
const compiled = (() => { ${await compileDoc(source)} })();
export default compiled.default;`;
}

/** A document's title and description. */
export function headOf(name: string, source: string): { title: string; description: string } {
  const tree = markdownTree(source);
  const title = titleOf(tree) ?? name;
  return { title, description: descriptionOf(tree) ?? title };
}
