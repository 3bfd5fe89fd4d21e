import { useEffect } from 'react';
import { labContent } from './lab-content.ts';
import { useLocale } from './locale.ts';

/** Sets the document's title. @param after what follows it, by default the lab's name */
export function usePageTitle(title: string, after?: string): void {
  const { name } = labContent(useLocale());
  const whole = `${title} · ${after ?? name}`;
  useEffect(() => {
    document.title = whole;
  }, [whole]);
}
