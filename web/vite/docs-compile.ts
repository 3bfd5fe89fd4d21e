import type { Locale } from '#contract/locale';
import { createHash } from 'node:crypto';
import { bundleMDX } from 'mdx-bundler';
import {
  firstParagraphText,
  markdownTree,
  rehypePlugins,
  rehypePluginsWith,
  remarkPlugins,
  headingText,
  toHtml,
} from '../src/features/docs/markdown-plugins.ts';
import { hasDocComponent, onlyKnownComponents, sanitizeMdx } from './doc-components.ts';

type ProcessorOptions = ReturnType<NonNullable<Parameters<typeof bundleMDX>[0]['mdxOptions']>>;

/** The texts of a document by language. */
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

/** mdx-bundler's own client evaluates a string; as a module, the same code satisfies a CSP without eval. */
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
