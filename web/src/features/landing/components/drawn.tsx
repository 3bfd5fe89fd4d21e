import { memo, type ComponentType } from 'react';
import { lazyPart } from '../../../components/layout/lazy-part.tsx';
import { currentLocale } from '../../../lib/locale.ts';
import { loginState } from '../../../lib/login-state.ts';
import { published } from '../../../lib/published.ts';
import type * as parts from './drawn-parts.tsx';
import { loadPartsBy, needParts, untilNeeded } from '../queries.ts';

export type Parts = typeof parts;

const begin = async () => {
  const [parts, news] = await Promise.all([import('./drawn-parts.tsx'), published()]);
  if (news) parts.showContent(news.content);
  return parts;
};
loadPartsBy(begin);

/** What is drawn below. A page that is drawn stays as it is until it changes, and there is a connection. */
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

/**
 * Parts that the build draws and that only have to be read. Their code is no part of the first script: it comes once
 * the page is awake, for a change of language. Until then React leaves what is drawn as it is. Memoised, because an
 * update would throw it away.
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
