import type { Publication } from '#contract/publications';
import { publications as built } from 'virtual:publications';
import { showLab } from '../../lib/lab-content.ts';
import { loadPublished } from '../../lib/published.ts';

let current: readonly Publication[] = built;

/** The published publications, or those that the site was built with; newest first. */
export const shownPublications = (): readonly Publication[] => current;

export function showPublications(publications: readonly Publication[]): void {
  current = publications;
}

export async function loadPublications(): Promise<void> {
  const news = await loadPublished();
  if (!news) return;
  showPublications(news.publications.all);
  showLab(news.content.lab);
}
