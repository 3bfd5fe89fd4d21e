import { Suspense, type ReactNode } from 'react';
import { renderToString } from 'react-dom/server';
import { CourseList } from './features/landing/components/course-list.tsx';
import { WeekLine } from './features/landing/components/week-line.tsx';
import { EMBEDDED_DATA_ID, type EmbeddedData } from './features/landing/embedded-data.ts';
import { daysText } from './features/landing/days.ts';
import { enterPath, localeOfPath } from './lib/locale.ts';
import { site } from '#content/lab.site';
import { englishTarget, isKoreanTarget, targetText } from '#contract/course-target';
import type { Course } from '#contract/courses';
import type { Locale } from '#contract/locale';
import { groupBy } from './lib/collections.ts';

/** What the edge puts into the main page as the build drew it. */
type Drawn = {
  /** The content of the elements with these names in `data-edge`. */
  parts: Record<string, string>;
  /** Follows the app: what the browser wakes with, and what search engines are told. */
  after: string;
};

/** Draws what the API knows with the components of the browser, so that the page wakes without a difference. */
export function drawPage(pathname: string, delivered: EmbeddedData): Drawn {
  const locale = localeOfPath(pathname) ?? 'ko';
  enterPath(`/${locale}`);
  const { courses, plant } = delivered;
  return {
    parts: {
      ...(courses && { courses: drawn(<CourseList list={courses} />) }),
      ...(plant?.last && { plant: drawn(<WeekLine plant={plant} />) }),
    },
    after:
      dataBlock('application/json', delivered, ` id="${EMBEDDED_DATA_ID}"`) +
      (courses && courses.courses.length > 0
        ? dataBlock('application/ld+json', courseData(courses.courses, locale))
        : ''),
  };
}

/** How long ago the day of a `<time data-days>` was, for a page at this address. */
export const daysIn = (pathname: string, since: string) =>
  daysText(since, localeOfPath(pathname) ?? 'ko', Date.now());

/** In the browser the components come late: a boundary keeps what is there until then. */
const drawn = (part: ReactNode) => renderToString(<Suspense>{part}</Suspense>);

/** Text that a browser does not run, whatever somebody has put into it. */
const dataBlock = (type: string, data: object, attributes = '') =>
  `<script type="${type}"${attributes}>${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>`;

/** What search engines are told: every subject once, as schema.org's Course, with the years in which it was taught. */
function courseData(courses: Course[], locale: Locale): object {
  const isKorean = locale === 'ko';
  // The page's head says who that is.
  const provider = { '@id': `${site.url}/#lab` };
  const subjects = groupBy(courses, ({ subject, subject_en }) => (isKorean ? subject : subject_en));
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
