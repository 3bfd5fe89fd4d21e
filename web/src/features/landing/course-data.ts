import { labContent } from '../../lib/lab-content.ts';
import { site } from '#content/lab.site';
import { englishTarget, isKoreanTarget, targetText } from '#contract/course-target';
import type { Course } from '#contract/courses';
import type { Locale } from '#contract/locale';

/** What search engines are told: every subject once, as schema.org's Course, with the years in which it was taught. */
export function courseData(courses: Course[], locale: Locale): object {
  const isKorean = locale === 'ko';
  const { name, affiliation } = labContent(locale);
  const provider = { '@type': 'ResearchOrganization', name: `${name}, ${affiliation}`, url: `${site.url}/` };
  const subjects = Map.groupBy(courses, ({ subject, subject_en }) => (isKorean ? subject : subject_en));
  return {
    '@context': 'https://schema.org',
    '@graph': [...subjects].map(([subject, taught]) => {
      const target = taught[0] && targetOf(taught[0], isKorean);
      const years = [...new Set(taught.map(({ year }) => (isKorean ? `${year}년` : year)))].join(', ');
      return {
        '@type': 'Course',
        name: subject,
        inLanguage: locale,
        description: [target, years].filter(Boolean).join(' · '),
        educationalLevel: target === '' ? undefined : target,
        provider,
      };
    }),
  };
}

const targetOf = (course: Course, isKorean: boolean) =>
  isKorean || !isKoreanTarget(course.target) ? targetText(course) : englishTarget(course);
