import { currentLocale } from '../../lib/locale.ts';
import type * as parts from './components/drawn-parts.tsx';

export type Parts = typeof parts;

/** What components/drawn.tsx draws. A page that is drawn stays as it is until there is a connection. */
export async function loadParts(): Promise<Parts> {
  try {
    return await import('./components/drawn-parts.tsx');
  } catch (error) {
    if (!isDrawn()) throw error;
    await new Promise((resolve) => addEventListener('online', resolve, { once: true }));
    return await loadParts();
  }
}

/** For a page that the build has not drawn: it comes whole, so that nothing in it moves. */
export async function loadPartsAhead(): Promise<void> {
  // What fails is told where it belongs.
  if (!isDrawn()) await loadParts().catch(() => undefined);
}

/** Whether the page came from the server in the language that is shown. */
function isDrawn(): boolean {
  if (import.meta.env.SSR) return false;
  const { path, locale } = document.getElementById('root')?.dataset ?? {};
  return path === location.pathname && locale === currentLocale();
}
