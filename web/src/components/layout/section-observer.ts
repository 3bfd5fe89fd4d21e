import { useEffect } from 'react';
import { setCurrentSection } from './menu-list.tsx';
import { sectionItems } from './visitor-menu.ts';

/** Observes which section of the main page is visible. The sections must be rendered already. */
export function CurrentSectionObserver() {
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { isIntersecting, target } of entries) {
          if (isIntersecting)
            setCurrentSection(sectionItems.find(({ section }) => section === target.id)?.section);
        }
      },
      { rootMargin: '-50% 0px' },
    );
    for (const { section } of sectionItems) {
      const element = document.getElementById(section);
      if (element) observer.observe(element);
    }
    return () => {
      observer.disconnect();
      setCurrentSection(undefined);
    };
  }, []);
  return null;
}
