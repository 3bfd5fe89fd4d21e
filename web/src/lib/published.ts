import type { PublishedContent } from '#contract/public-content';

let asked: Promise<PublishedContent | null> | undefined;

/**
 * The published content, requested once. The attribute `data-content` of a page has its version: for version
 * 0, the built content, nothing is requested. Without a response the built content is shown.
 */
export function loadPublishedContent(): Promise<PublishedContent | null> {
  return (asked ??= ask().catch(() => {
    asked = undefined;
    return null;
  }));
}

async function ask(): Promise<PublishedContent | null> {
  if (import.meta.env.SSR) return null;
  const { path, content } = document.getElementById('root')?.dataset ?? {};
  if (content === '0' && path === location.pathname) return null;
  const answer = await fetch('/api/content/published', { cache: 'no-cache' });
  return answer.ok ? await answer.json() : null;
}
