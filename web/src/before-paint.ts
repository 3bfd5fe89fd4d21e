/*
 * Stands in the head of every page and runs before anything is painted: the language that somebody reads, then the app,
 * once it holds up nothing any more. The build writes it in and allows it by its digest (web/vite/before-paint.ts). The
 * attributes of its element say what the page is; localStorage `locale` and `loginState` are those of lib/.
 */

/** Who looks on for so long sees what changes. */
const STAYED_MS = 20_000;
const TOUCHES = ['pointerdown', 'keydown', 'wheel'];
const QUIETLY = { capture: true, passive: true };

const html = document.documentElement;
const page = document.currentScript?.dataset ?? {};
let stored: string | null = null;
let isMember: boolean | undefined;
try {
  stored = localStorage.getItem('locale');
  if (localStorage.getItem('sideBar') === 'folded') html.dataset['sideBar'] = 'folded';
  isMember = localStorage.getItem('loginState')?.includes('"isLoggedIn":true');
} catch {
  // Storage is blocked.
}
/** The screens of the staff are in Korean alone (lib/locale.ts). */
const isStaffScreen = /^\/(manage_|settings)/.test(location.pathname);
const reads = stored === 'ko' || stored === 'en' ? stored : undefined;

if (reads === 'en' && page['english']) {
  html.hidden = true;
  location.replace(page['english'] + location.search + location.hash);
} else if (page['reader'] !== undefined && !isStaffScreen) {
  html.lang = reads ?? html.lang;
  if (reads === 'en' && page['title']) document.title = page['title'];
} else if (html.lang === 'en' && reads === undefined) {
  remember('en');
}

/** What is no language of ours is read as none. */
function remember(locale: string): void {
  try {
    localStorage.setItem('locale', locale);
  } catch {
    // Storage is blocked.
  }
}

/** Who lands at the top is shown that first: the sections below are laid out one a frame after it (base.css). */
function layOutInSteps(): void {
  const [arrival] = performance.getEntriesByType('navigation');
  if (location.hash || !arrival || !('type' in arrival) || arrival.type !== 'navigate') return;
  html.classList.add('in-steps');
  const layOutNext = () => {
    const next = document.querySelector('.in-steps section ~ section ~ section:not(.laid-out)');
    if (!next) html.classList.remove('in-steps');
    next?.classList.add('laid-out');
    if (next) requestAnimationFrame(layOutNext);
  };
  addEventListener('load', () => requestAnimationFrame(layOutNext));
  for (const type of TOUCHES)
    addEventListener(type, () => html.classList.remove('in-steps'), { ...QUIETLY, once: true });
}

if (page['wake'] === 'stayed') layOutInSteps();

let isLoading: boolean | undefined;
let hasFailed: boolean | undefined;

/**
 * The app's tags wait in a template. What fails is asked for again at the next touch, or with a connection. Firefox and
 * Safari remember a module that failed, so a page that fails twice is loaded anew once the file can be had.
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

/** Where the pointer was first: a page that is painted under a resting one is told of a move, too. */
let restedAt: string | undefined;

function onMove({ clientX, clientY }: PointerEvent): void {
  const at = `${clientX} ${clientY}`;
  restedAt ??= at;
  if (at !== restedAt) loadApp();
}

addEventListener('pointermove', onMove, QUIETLY);
for (const type of [...TOUCHES, 'focusin']) addEventListener(type, loadApp, QUIETLY);
if (page['wake'] === 'stayed') addEventListener('load', () => setTimeout(loadApp, STAYED_MS));
if (page['wake'] === 'painted' || isMember) {
  new PerformanceObserver((list, observer) => {
    if (!list.getEntriesByName('first-contentful-paint')[0]) return;
    observer.disconnect();
    if (document.readyState === 'complete') loadApp();
    else addEventListener('load', loadApp);
  }).observe({ type: 'paint', buffered: true });
}

/** The last button pressed until the app is awake, and did nothing by itself. */
let pressed: HTMLElement | false | null;

let note: HTMLElement | undefined;

/** In place of the browser's own page, which would take this one away. The app says it too (top-bar.tsx). */
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
  const dialog = document.getElementById(button?.getAttribute('commandfor') ?? '');
  pressed = !dialog && button;
  // What a newer browser does by itself.
  if (dialog instanceof HTMLDialogElement && button && !('commandForElement' in button)) {
    if (button === dialog.querySelector('button')) dialog.close();
    else if (!dialog.open) dialog.showModal();
  }
  const language = target.closest<HTMLAnchorElement>('a[hreflang]')?.hreflang;
  if (language) remember(language);
  if (target.closest('a')) target.closest('dialog')?.close();
}

addEventListener('click', onClick);
addEventListener(
  'awake',
  () => {
    removeEventListener('click', onClick);
    if (pressed) pressed.click();
  },
  { once: true },
);
