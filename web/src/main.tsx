import { startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { App, createApp } from './router.tsx';
import { requestParts, takeEmbeddedData } from './features/landing/queries.ts';
import { NOT_LOADED_PREFIX } from './components/layout/lazy-part.tsx';
import { currentLocale, applyLocaleOfPath } from './lib/locale.ts';
import { hydrateLab } from './lib/lab-content.ts';
import { loginState } from './lib/login-state.ts';
import { untilIdle } from './lib/until-idle.ts';
import './styles.css';

declare global {
  interface Window {
    /** https://www.w3.org/TR/trusted-types/ */
    trustedTypes?: {
      createPolicy: (name: string, rules: Record<string, (text: string) => string | null>) => void;
    };
  }
}

/** Hydrates the prerendered page. If its address or language is not the current one, renders from scratch. */
async function start(root: HTMLElement): Promise<void> {
  const { path, locale } = root.dataset;
  if (path !== location.pathname || locale !== currentLocale()) {
    const app = createApp();
    takeEmbeddedData(app.queryClient);
    // A menu that was opened without the app (top-bar.tsx) must be open again after this render.
    if (root.querySelector('dialog[open]')) root.dataset['menu'] = 'open';
    createRoot(root).render(<App {...app} />);
    sayAwake();
    return;
  }
  // The page is already readable, so hydration waits until the browser is idle.
  await untilIdle();
  const app = createApp(undefined, true);
  takeEmbeddedData(app.queryClient);
  // Makes the router build the same tree as during prerendering.
  app.router.ssr = { manifest: undefined };
  await app.router.load();
  await untilIdle();
  startTransition(() => {
    hydrateRoot(root, <App {...app} />, {
      onRecoverableError: (error) => {
        // Something changed the page before hydration, such as Chrome's translation: React renders it again.
        void requestParts();
        if (!document.documentElement.matches('.translated-ltr')) reportError(error);
      },
    });
  });
  sayAwake();
}

/** Makes before-paint.ts repeat a press from before hydration; React hydrates the pressed part first. */
const sayAwake = () => dispatchEvent(new Event('awake'));

/** A prerendered page contains the styles it needs; this loads the styles of later screens. */
function loadStyles({ dataset }: HTMLElement): void {
  if (dataset.styles === undefined) return;
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = dataset.styles;
  document.head.append(link);
}

const SCRIPTS = [`${location.origin}/`, 'https://accounts.google.com/gsi/'];
/**
 * The default policy for Trusted Types: script addresses may be ours or Google's sign-in, and no text may
 * become a script. HTML is allowed; the content security policy decides which of its scripts run.
 */
window.trustedTypes?.createPolicy('default', {
  createHTML: (html) => html,
  createScriptURL: (address) => {
    const { href } = new URL(address, location.href);
    return SCRIPTS.some((ours) => href.startsWith(ours)) ? address : null;
  },
});

applyLocaleOfPath(location.pathname);
hydrateLab();
// Without this prefix the router would reload the page as outdated; offline, the page would be lost.
addEventListener('vite:preloadError', ({ payload }) => {
  payload.message = `${NOT_LOADED_PREFIX} ${payload.message}`;
});
// Public pages ask the server only if a user seems to be signed in; guarded pages always ask.
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
