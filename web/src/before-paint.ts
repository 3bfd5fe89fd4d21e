/*
 * Runs in every page's head before the first paint: picks the reader's language, then loads the app when
 * loading delays nothing else. The build inlines this script and allows it by its digest
 * (web/vite/before-paint.ts). Attributes of the script element describe the page; lib/ writes `locale` and
 * `loginState`.
 */

/** A visitor who stays this long will see data that changes, so the app is loaded. */
const STAYED_MS = 20_000;
const TOUCHES = ['pointerdown', 'keydown', 'wheel'];
const QUIETLY = { capture: true, passive: true };

const html = document.documentElement;
const page = document.currentScript?.dataset ?? {};
let stored: string | undefined;
let isMember: boolean | undefined;
try {
  const kept: Partial<Record<string, string>> = localStorage;
  stored = kept['locale'];
  if (kept['sideBar'] === 'folded') html.dataset['sideBar'] = 'folded';
  isMember = kept['loginState']?.includes('"isLoggedIn":true');
} catch {
  // Storage is blocked.
}
/** The staff screens exist in Korean only (lib/locale.ts). */
const isStaffScreen = /^\/(manage_|settings)/.test(location.pathname);
const reads = stored === 'ko' || stored === 'en' ? stored : undefined;

if (reads === 'en' && page['english']) {
  html.hidden = true;
  location.replace(page['english'] + location.search + location.hash);
} else if ('reader' in page && !isStaffScreen) {
  html.lang = reads ?? html.lang;
  if (reads === 'en' && page['title']) document.title = page['title'];
} else if (html.lang === 'en' && reads === undefined) {
  // No known language is stored, so the language of this English page is stored.
  try {
    localStorage['locale'] = 'en';
  } catch {
    // Storage is blocked.
  }
}

/** A visitor who arrives at the top sees the top first; then one section per frame is laid out (base.css). */
function layOutInSteps(): void {
  const [arrival] = performance.getEntriesByType('navigation');
  if (location.hash || arrival?.toJSON().type !== 'navigate') return;
  const { classList } = html;
  classList.add('in-steps');
  const layOutNext = () => {
    const next = document.querySelector('.in-steps section ~ section ~ section:not(.laid-out)');
    if (next) {
      next.classList.add('laid-out');
      requestAnimationFrame(layOutNext);
    } else classList.remove('in-steps');
  };
  addEventListener('load', () => requestAnimationFrame(layOutNext));
  for (const type of TOUCHES)
    addEventListener(type, () => classList.remove('in-steps'), { ...QUIETLY, once: true });
}

if (page['wake'] === 'stayed') layOutInSteps();

let isLoading: boolean | undefined;
let hasFailed: boolean | undefined;

/**
 * The app's script tags wait in a template. A failed load is repeated at the next touch or when online again.
 * Firefox and Safari cache a failed module: after a second failure the page reloads once the file exists.
 */
function loadApp(): void {
  const app = document.querySelector<HTMLTemplateElement>('template[data-app]');
  if (isLoading || !app) return;
  isLoading = true;
  const tags = [...document.importNode(app.content, true).children];
  for (const script of tags)
    script.addEventListener('error', () => {
      for (const tag of tags) tag.remove();
      isLoading = false;
      if (pressed?.href) location.href = pressed.href + location.hash;
      addEventListener('online', loadApp, { once: true });
      if (hasFailed && 'src' in script)
        fetch(String(script.src)).then(
          ({ ok }) => ok && location.reload(),
          () => 0,
        );
      hasFailed = true;
    });
  document.head.append(...tags);
}

/** The pointer's first position: at a paint, browsers report a move even if the pointer rests. */
let restedAt: string | undefined;

function onMove({ x, y }: PointerEvent): void {
  const at = `${x} ${y}`;
  restedAt ??= at;
  if (at !== restedAt) loadApp();
}

addEventListener('pointermove', onMove, QUIETLY);
for (const type of [...TOUCHES, 'focusin']) addEventListener(type, loadApp, QUIETLY);
if (page['wake'] === 'stayed') addEventListener('load', () => setTimeout(loadApp, STAYED_MS));
if (page['wake'] === 'painted' || isMember || location.search) {
  new PerformanceObserver((list, observer) => {
    if (!list.getEntriesByName('first-contentful-paint')[0]) return;
    observer.disconnect();
    if (document.readyState === 'complete') loadApp();
    else addEventListener('load', loadApp);
  }).observe({ type: 'paint', buffered: true });
}

/** The last button or language link that was pressed before hydration, when it had no effect yet. */
let pressed: (HTMLElement & { href?: string }) | null | undefined;

let note: HTMLElement | undefined;

/** Says that there is no connection: the browser's offline page would hide this page. See top-bar.tsx. */
function sayOffline(): void {
  note?.remove();
  note = document.createElement('p');
  note.className = 'offline-note';
  note.role = 'alert';
  note.textContent =
    html.lang === 'en' ? 'Please check your internet connection.' : '인터넷 연결을 확인해 주세요.';
  document.body.append(note);
  addEventListener('online', () => note?.remove(), { once: true });
}

addEventListener('unreachable', sayOffline);

/**
 * Also runs after hydration, because React does not handle the links of the static parts (prerendered.tsx).
 * For such links, React stops an event before later listeners get it, so this listener comes first (capture).
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

function onClick(event: MouseEvent): void {
  const { target } = event;
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || !(target instanceof Element)) return;
  const button = target.closest<HTMLElement & { href?: string }>('button,a[hreflang]');
  const dialog = document.getElementById(button?.getAttribute('commandfor') ?? '');
  pressed = dialog ? null : button;
  // Newer browsers support `command` natively.
  if (dialog instanceof HTMLDialogElement && button && !('commandForElement' in button)) {
    if (button === dialog.querySelector('button')) dialog.close();
    else if (!dialog.open) dialog.showModal();
  }
  // The app switches the language in place; the link's page is loaded only if the app cannot be loaded.
  if (button?.href) {
    event.preventDefault();
    button.ariaBusy = 'true';
  }
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
