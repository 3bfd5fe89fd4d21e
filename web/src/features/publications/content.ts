import type { Publication } from '#contract/publications';
import { publications as built } from 'virtual:publications';
import { setShownLab } from '../../lib/lab-content.ts';
import { loadPublishedContent } from '../../lib/published.ts';

let current: readonly Publication[] = built;

/** The published publications, or those that the site was built with; newest first. */
export const shownPublications = (): readonly Publication[] => current;

export function setShownPublications(publications: readonly Publication[]): void {
  current = publications;
}

export async function loadPublications(): Promise<void> {
  const news = await loadPublishedContent();
  if (!news) return;
  setShownPublications(news.publications.all);
  setShownLab(news.content.lab);
}
