import type { PublicContent } from '#contract/public-content';
import type { Publications } from '#contract/publications';

/** Answer of GET /api/content/published; null while the site says what it was built with. */
export type Published = { version: number; content: PublicContent; publications: Publications };

let asked: Promise<Published | null> | undefined;

/**
 * What is published, asked for once. A page that the server drew says in `data-content` of which version it is: of the
 * built one, 0, nothing is asked. Without an answer the site says what it was built with.
 */
export function published(): Promise<Published | null> {
  return (asked ??= ask().catch(() => {
    asked = undefined;
    return null;
  }));
}

async function ask(): Promise<Published | null> {
  if (import.meta.env.SSR) return null;
  const { path, content } = document.getElementById('root')?.dataset ?? {};
  if (content === '0' && path === location.pathname) return null;
  const answer = await fetch('/api/content/published', { cache: 'no-cache' });
  return answer.ok ? await answer.json() : null;
}
