import { startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { keepPress } from './lib/keep-press.ts';
import { currentLocale, enterPath } from './lib/locale.ts';
import { loginState } from './lib/login-state.ts';
import { untilIdle } from './lib/until-idle.ts';
import { createApp } from './router.tsx';
import './styles.css';

/** Wakes the page that the build drew, or draws it where that is another page or in another language. */
async function start(root: HTMLElement): Promise<void> {
  const { path, locale } = root.dataset;
  if (path !== location.pathname || locale !== currentLocale()) {
    createRoot(root).render(<App {...createApp()} />);
    return;
  }
  const pressAgain = keepPress(root);
  // The visitor reads already: the page is woken between what the browser has to do, not before it.
  await untilIdle();
  const app = createApp();
  // The router then builds the same tree as where the page was drawn.
  app.router.ssr = { manifest: undefined };
  await app.router.load();
  await untilIdle();
  startTransition(() => {
    hydrateRoot(root, <App {...app} />);
  });
  // React wakes what is pressed at once.
  pressAgain();
}

/** A page that the build drew has in it the styles that it needs; those of the screens that follow come now. */
function loadStyles({ dataset }: HTMLElement): void {
  if (dataset.styles === undefined) return;
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = dataset.styles;
  document.head.append(link);
}

enterPath(location.pathname);
// The router would take it for an old page and reload by itself, also without a connection: then the page would be gone.
addEventListener('vite:preloadError', ({ payload }) => {
  payload.message = `not loaded: ${payload.message}`;
});
// Open pages ask the server only when somebody seems to be signed in; guarded ones always ask.
if (loginState().isLoggedIn) {
  const check = async () => (await import('./lib/session.ts')).checkLoginOnce();
  void import('./signed-in.ts').then(check, check);
}

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
start(root)
  .then(() => untilIdle())
  .then(() => loadStyles(root))
  .catch(reportError);
