import type { Locale } from '#contract/locale';
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { renderToString } from 'react-dom/server';
import { prerender } from 'react-dom/static';
import { App, createApp } from './router.tsx';
import { ScreenPending } from './components/layout/lazy-part.tsx';
import { PageFrame } from './components/layout/page-frame.tsx';
import { LoginFrame } from './features/login/login-frame.tsx';
import { applyLocaleOfPath } from './lib/locale.ts';
import mainPageStyles from './main-page.css?inline';
import publicationsPageStyles from './publications-page.css?inline';
import { m } from './paraglide/messages.js';

export { mainPageStyles, publicationsPageStyles };

/** Renders the HTML of an address as an anonymous visitor sees it. Runs at build time. */
export async function renderPage(path: string, locale: Locale): Promise<string> {
  applyLocaleOfPath(`/${locale}`);
  const app = createApp(createMemoryHistory({ initialEntries: [path] }));
  await app.router.load();
  // Waits for lazy parts, and renders every part in its place.
  const { prelude } = await prerender(<App {...app} />, { progressiveChunkSize: Infinity });
  return await new Response(prelude).text();
}

const needsScript = (
  <noscript>
    <p>이 페이지를 보려면 JavaScript가 필요합니다. This page needs JavaScript.</p>
  </noscript>
);

/** Renders the frame around a screen that is loading: the frame of the sign-in or of all other screens. */
export async function renderFrame(locale: Locale, path: string): Promise<string> {
  applyLocaleOfPath(`/${locale}`);
  const isLogin = path === '/login';
  const component = () => (
    <PageFrame>
      {isLogin ? (
        <LoginFrame>
          {needsScript}
          <output className="block min-h-12 text-ink-soft noscript:hidden">{m.loading()}</output>
        </LoginFrame>
      ) : (
        <>
          <div className="page-column">{needsScript}</div>
          <ScreenPending />
        </>
      )}
    </PageFrame>
  );
  const history = createMemoryHistory({ initialEntries: [isLogin ? path : '/settings'] });
  const router = createRouter({ routeTree: createRootRoute({ component }), history });
  await router.load();
  return renderToString(<RouterProvider router={router} />);
}
