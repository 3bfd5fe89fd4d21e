import { labContent } from '../../lib/lab-content.ts';
import { useLocale } from '../../lib/locale.ts';
import { usePageTitle } from '../../lib/page-title.ts';
import { Contact } from './components/contact.tsx';
import { Courses } from './components/courses.tsx';
import { About, People } from './components/drawn.tsx';
import { PageFooter } from './components/page-footer.tsx';
import { Title } from './components/title.tsx';

export function LandingScreen() {
  const lab = labContent(useLocale());
  usePageTitle(`${lab.name} · ${lab.affiliation}`);
  return (
    <>
      <Title lab={lab} />
      <About lab={lab} />
      <People />
      <Courses />
      <Contact lab={lab} />
      <PageFooter lab={lab} />
    </>
  );
}
