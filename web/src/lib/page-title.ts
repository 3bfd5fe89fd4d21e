import { useEffect } from 'react';
import { useLab } from './lab-content.ts';

/** Sets the document's title. @param after text after the title, by default the lab's name */
export function usePageTitle(title: string, after?: string): void {
  const { name } = useLab();
  const whole = `${title} · ${after ?? name}`;
  useEffect(() => {
    document.title = whole;
  }, [whole]);
}
