import { memo, type ComponentType } from 'react';
import { lazyPart } from '../../../components/layout/lazy-part.tsx';
import { currentLocale } from '../../../lib/locale.ts';
import { loginState } from '../../../lib/login-state.ts';
import { loadPublishedContent } from '../../../lib/published.ts';
import type * as parts from './prerendered-parts.tsx';
import { setPartsLoader, requestParts, waitForPartsRequest } from '../queries.ts';

export type PrerenderedParts = typeof parts;

const importParts = async () => {
  const [parts, news] = await Promise.all([import('./prerendered-parts.tsx'), loadPublishedContent()]);
  if (news) parts.setShownContent(news.content);
  return parts;
};
setPartsLoader(importParts);

/** Loads the static parts. A prerendered page loads them only before a change, and retries when online. */
export async function loadPrerenderedParts(): Promise<PrerenderedParts> {
  // Signed-in users need the parts at once, because they see more people than the prerendered page has.
  if (isPrerendered() && !loginState().isLoggedIn) await waitForPartsRequest();
  return await loadPartsWhenOnline();
}

async function loadPartsWhenOnline(): Promise<PrerenderedParts> {
  try {
    return await importParts();
  } catch (error) {
    if (!isPrerendered()) throw error;
    await new Promise((resolve) => addEventListener('online', resolve, { once: true }));
    return await loadPartsWhenOnline();
  }
}

let isFirst = true;

/** The main page's loader: a page that is not prerendered loads all parts first, so that nothing moves. */
export async function preloadUnlessPrerendered({ cause }: { cause: string }): Promise<void> {
  // Only the section in the address changes, so no parts are needed.
  if (cause === 'stay') return;
  const isDrawnNow = isFirst && isPrerendered();
  isFirst = false;
  if (isDrawnNow) return;
  await requestParts();
  // If this throws, the screen shows the failure and the language does not change.
  await importParts();
}

/** Whether the server delivered this page as HTML in the current language. */
function isPrerendered(): boolean {
  if (import.meta.env.SSR) return false;
  const { path, locale } = document.getElementById('root')?.dataset ?? {};
  return path === location.pathname && locale === currentLocale();
}

/**
 * Static parts, prerendered at build time. To keep the first script small, their code loads only when it is
 * needed, for example for a change of language. Until then React keeps the prerendered HTML. Without `memo`,
 * an earlier re-render would remove the HTML.
 */
const prerendered = <Props extends object>(pick: (parts: PrerenderedParts) => ComponentType<Props>) =>
  memo(lazyPart(async () => pick(await loadPrerenderedParts())));

export const About = prerendered(({ About }) => About);
export const Highlights = prerendered(({ Highlights }) => Highlights);
export const HardwareDrawing = prerendered(({ HardwareDrawing }) => HardwareDrawing);
export const OpenPositionsLink = prerendered(({ OpenPositionsLink }) => OpenPositionsLink);
export const JoinUs = prerendered(({ JoinUs }) => JoinUs);
export const Directions = prerendered(({ Directions }) => Directions);
export const People = prerendered(({ People }) => People);
