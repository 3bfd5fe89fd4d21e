import { createMemoryHistory } from '@tanstack/react-router';
import { renderToString } from 'react-dom/server';
import { App } from './app.tsx';
import { enterPath } from './lib/locale.ts';
import mainPageStyles from './main-page.css?inline';
import { createApp } from './router.tsx';

export { mainPageStyles };

/** The HTML of an address for an anonymous visitor. Runs at build time. */
export async function renderPage(path: string): Promise<string> {
  enterPath(path);
  const app = createApp(createMemoryHistory({ initialEntries: [path] }));
  await app.router.load();
  return renderToString(<App {...app} />);
}
