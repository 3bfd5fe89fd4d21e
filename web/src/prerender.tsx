import { createMemoryHistory } from '@tanstack/react-router';
import { prerender } from 'react-dom/static';
import { App } from './app.tsx';
import { enterPath } from './lib/locale.ts';
import mainPageStyles from './main-page.css?inline';
import publicationsPageStyles from './publications-page.css?inline';
import { createApp } from './router.tsx';

export { mainPageStyles, publicationsPageStyles };

/** The HTML of an address for an anonymous visitor. Runs at build time. */
export async function renderPage(path: string): Promise<string> {
  enterPath(path);
  const app = createApp(createMemoryHistory({ initialEntries: [path] }));
  await app.router.load();
  // Waits for the parts whose code comes later in the browser, and writes every one in its place.
  const { prelude } = await prerender(<App {...app} />, { progressiveChunkSize: Infinity });
  return await new Response(prelude).text();
}
