import { memo, type ComponentType } from 'react';
import { lazyPart } from '../../../components/layout/lazy-part.tsx';
import { loadParts, type Parts } from '../load-parts.ts';

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
export const People = drawn(({ People }) => People);
