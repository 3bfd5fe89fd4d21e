import { lazyPart } from '../../components/layout/lazy-part.tsx';
import { useLab } from '../../lib/lab-content.ts';
import { usePageTitle } from '../../lib/page-title.ts';
import { Contact } from './components/contact.tsx';
import { Courses } from './components/courses.tsx';
import { About, JoinUs, People } from './components/prerendered.tsx';
import { HeroSection } from './components/hero-section.tsx';

/** Only marks the current section in the menu, so the page works even if this part cannot be loaded. */
const CurrentSectionObserver = lazyPart(
  async () => (await import('../../components/layout/section-observer.ts')).CurrentSectionObserver,
  { crashClassName: 'hidden' },
);

export function LandingScreen() {
  const lab = useLab();
  usePageTitle(lab.name, lab.affiliation);
  return (
    <>
      <HeroSection lab={lab} />
      <About />
      <People />
      <Courses />
      <JoinUs />
      <Contact lab={lab} />
      <CurrentSectionObserver />
    </>
  );
}
