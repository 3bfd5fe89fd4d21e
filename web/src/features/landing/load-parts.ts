import { currentLocale } from '../../lib/locale.ts';
import { loginState } from '../../lib/login-state.ts';
import type * as parts from './components/drawn-parts.tsx';
import { loadPartsBy, needParts, untilNeeded } from './needed-parts.ts';

export type Parts = typeof parts;

const begin = () => import('./components/drawn-parts.tsx');
loadPartsBy(begin);

/** What components/drawn.tsx draws. A page that is drawn stays as it is until it changes, and there is a connection. */
export async function loadParts(): Promise<Parts> {
  // Members see more people than are drawn.
  if (isDrawn() && !loginState().isLoggedIn) await untilNeeded();
  return await partsOrConnection();
}

async function partsOrConnection(): Promise<Parts> {
  try {
    return await begin();
  } catch (error) {
    if (!isDrawn()) throw error;
    await new Promise((resolve) => addEventListener('online', resolve, { once: true }));
    return await partsOrConnection();
  }
}

let isFirst = true;

/** The loader of the main page: unless the build has drawn it, it comes whole, so that nothing in it moves. */
export async function loadPartsAhead({ cause }: { cause: string }): Promise<void> {
  // Only a section is gone to: what stands there stays, also without a connection.
  if (cause === 'stay') return;
  const isDrawnNow = isFirst && isDrawn();
  isFirst = false;
  if (isDrawnNow) return;
  await needParts();
  // Where they could not be loaded the screen says so, and the language stays.
  await begin();
}

/** Whether the page came from the server in the language that is shown. */
function isDrawn(): boolean {
  if (import.meta.env.SSR) return false;
  const { path, locale } = document.getElementById('root')?.dataset ?? {};
  return path === location.pathname && locale === currentLocale();
}
