/*
 * Stands in the head of every page and runs before anything is painted: the language that somebody reads, then the app,
 * once it holds up nothing any more. The build writes it in and allows it by its digest (web/vite/before-paint.ts). The
 * attributes of its element say what the page is; localStorage `locale` and `loginState` are those of lib/.
 */
import type { Locale } from '#contract/locale';

/** Who looks on for so long sees what changes. */
const STAYED_MS = 20_000;

const html = document.documentElement;
const page = document.currentScript?.dataset ?? {};
let stored: string | null = null;
let isMember = false;
try {
  stored = localStorage.getItem('locale');
  isMember = localStorage.getItem('loginState')?.includes('"isLoggedIn":true') ?? false;
} catch {
  // Storage is blocked.
}
const reads = stored === 'ko' || stored === 'en' ? stored : undefined;

if (reads === 'en' && page['english'] !== undefined) {
  html.hidden = true;
  location.replace(page['english'] + location.search + location.hash);
} else if (page['reader'] !== undefined) {
  html.lang = reads ?? html.lang;
  if (reads === 'en' && page['title'] !== undefined) document.title = page['title'];
} else if (html.lang === 'en' && reads === undefined) {
  remember('en');
}

function remember(locale: Locale): void {
  try {
    localStorage.setItem('locale', locale);
  } catch {
    // Storage is blocked.
  }
}

/** Who lands at the top is shown that first: the sections below are laid out one a frame after it (base.css). */
function layOutInSteps(): void {
  const [arrival] = performance.getEntriesByType('navigation');
  if (
    location.hash !== '' ||
    !(arrival instanceof PerformanceNavigationTiming) ||
    arrival.type !== 'navigate'
  )
    return;
  html.classList.add('in-steps');
  const layOutNext = () => {
    const next = document.querySelector('.in-steps section ~ section ~ section:not(.laid-out)');
    if (!next) html.classList.remove('in-steps');
    next?.classList.add('laid-out');
    if (next) requestAnimationFrame(layOutNext);
  };
  addEventListener('load', () => requestAnimationFrame(layOutNext));
  for (const type of ['pointerdown', 'keydown', 'wheel'])
    addEventListener(type, () => html.classList.remove('in-steps'), {
      capture: true,
      passive: true,
      once: true,
    });
}

if (page['wake'] === 'stayed') layOutInSteps();

let isLoading = false;

/** The app's tags wait in a template. What fails is asked for again at the next touch, or with a connection. */
function loadApp(): void {
  const app = document.querySelector<HTMLTemplateElement>('template[data-app]');
  if (isLoading || !app) return;
  isLoading = true;
  const tags = document.importNode(app.content, true);
  for (const script of tags.querySelectorAll('script')) {
    script.addEventListener('error', () => {
      script.remove();
      isLoading = false;
      addEventListener('online', loadApp, { once: true });
    });
  }
  document.head.append(tags);
}

/** Where the pointer was first: a page that is painted under a resting one is told of a move, too. */
let restedAt: string | undefined;

function onMove({ clientX, clientY }: PointerEvent): void {
  const at = `${clientX} ${clientY}`;
  restedAt ??= at;
  if (at !== restedAt) loadApp();
}

addEventListener('pointermove', onMove, { capture: true, passive: true });
for (const type of ['pointerdown', 'keydown', 'focusin', 'wheel'])
  addEventListener(type, loadApp, { capture: true, passive: true });
if (page['wake'] === 'stayed') addEventListener('load', () => setTimeout(loadApp, STAYED_MS));
if (page['wake'] === 'painted' || isMember) {
  new PerformanceObserver((list, observer) => {
    if (list.getEntriesByName('first-contentful-paint').length === 0) return;
    observer.disconnect();
    if (document.readyState === 'complete') loadApp();
    else addEventListener('load', loadApp);
  }).observe({ type: 'paint', buffered: true });
}

/** The last button pressed until the app is awake, and did nothing by itself. */
let pressed: HTMLElement | undefined;

/** In place of the browser's own page, which would take this one away. The app says it too (top-bar.tsx). */
function sayOffline(): void {
  document.querySelector('.offline-note')?.remove();
  const note = document.createElement('p');
  note.className = 'offline-note';
  note.role = 'alert';
  note.textContent =
    html.lang === 'en' ? 'Please check your internet connection.' : '인터넷 연결을 확인해 주세요.';
  document.body.append(note);
  addEventListener('online', () => note.remove(), { once: true });
}

addEventListener('unreachable', sayOffline);

/**
 * Also when the app is awake: the links of what is only drawn (features/landing/components/drawn.tsx) are not React's,
 * which lets no later listener hear of them.
 */
function stay(event: Event): void {
  if (navigator.onLine || !(event.target instanceof Element)) return;
  const link = event.target.closest('a');
  if (!link?.protocol.startsWith('http') || link.getAttribute('href')?.startsWith('#')) return;
  if (Object.keys(link).some((key) => key.startsWith('__react'))) return;
  event.preventDefault();
  sayOffline();
}

addEventListener('click', stay, true);

function onClick({ target, defaultPrevented }: Event): void {
  if (defaultPrevented || !(target instanceof Element)) return;
  const button = target.closest('button');
  pressed = button && !('commandForElement' in button && button.commandForElement) ? button : undefined;
  const language = target.closest<HTMLAnchorElement>('a[hreflang]')?.hreflang;
  if (language === 'ko' || language === 'en') remember(language);
  if (target.closest('a')) target.closest('dialog')?.close();
}

addEventListener('click', onClick);
addEventListener(
  'awake',
  () => {
    removeEventListener('click', onClick);
    pressed?.click();
  },
  { once: true },
);
