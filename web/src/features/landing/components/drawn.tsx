import { memo, type ComponentType } from 'react';
import { lazyPart } from '../../../components/layout/lazy-part.tsx';
import { currentLocale } from '../../../lib/locale.ts';
import { loginState } from '../../../lib/login-state.ts';
import { loadPublished } from '../../../lib/published.ts';
import type * as parts from './drawn-parts.tsx';
import { loadPartsBy, needParts, untilNeeded } from '../queries.ts';

export type Parts = typeof parts;

const begin = async () => {
  const [parts, news] = await Promise.all([import('./drawn-parts.tsx'), loadPublished()]);
  if (news) parts.showContent(news.content);
  return parts;
};
loadPartsBy(begin);

/** Loads the static parts. A prerendered page first waits until it must change, and for a connection. */
export async function loadParts(): Promise<Parts> {
  // Members see more people than the prerendered page has.
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

/** The main page's loader: a page that is not prerendered loads all parts first, so that nothing moves. */
export async function loadPartsAhead({ cause }: { cause: string }): Promise<void> {
  // Only the section changes: the content stays as it is, also without a connection.
  if (cause === 'stay') return;
  const isDrawnNow = isFirst && isDrawn();
  isFirst = false;
  if (isDrawnNow) return;
  await needParts();
  // If loading fails, the screen says so and the language does not change.
  await begin();
}

/** Whether the server delivered this page in the current language. */
function isDrawn(): boolean {
  if (import.meta.env.SSR) return false;
  const { path, locale } = document.getElementById('root')?.dataset ?? {};
  return path === location.pathname && locale === currentLocale();
}

/**
 * Static parts, prerendered at build time. Their code is not in the first script but loads after hydration,
 * for a change of language. Until then React keeps the prerendered HTML. Memoised, because a re-render before
 * that would discard the HTML.
 */
const drawn = <Props extends object>(pick: (parts: Parts) => ComponentType<Props>) =>
  memo(lazyPart(async () => pick(await loadParts())));

export const About = drawn(({ About }) => About);
export const Glance = drawn(({ Glance }) => Glance);
export const Hardware = drawn(({ Hardware }) => Hardware);
export const JoinMark = drawn(({ JoinMark }) => JoinMark);
export const JoinUs = drawn(({ JoinUs }) => JoinUs);
export const Ways = drawn(({ Ways }) => Ways);
export const People = drawn(({ People }) => People);
