import { Suspense, type ReactNode } from 'react';
import { renderToString } from 'react-dom/server';
import { CourseList } from './features/landing/components/course-list.tsx';
import { WeekLine } from './features/landing/components/week-line.tsx';
import { EMBEDDED_DATA_ID, type EmbeddedData } from './features/landing/embedded-data.ts';
import { daysText } from './features/landing/days.ts';
import { enterPath, localeOfPath } from './lib/locale.ts';
import { site } from '#content/lab.site';
import { englishTargetNote, isKoreanTarget, targetText } from '#contract/course-target';
import type { Course } from '#contract/courses';
import type { Locale } from '#contract/locale';
import { groupBy } from './lib/collections.ts';

/** The parts that the edge inserts into the prerendered main page. */
type RenderedParts = {
  /** For each name in `data-edge`: the content to put into that element. */
  parts: Record<string, string>;
  /** Inserted after the app: the data for hydration, and structured data for search engines. */
  after: string;
};

/** Renders the API's data with the browser's components, so that hydration finds the same HTML. */
export function renderPageParts(pathname: string, delivered: EmbeddedData): RenderedParts {
  const locale = localeOfPath(pathname) ?? 'ko';
  enterPath(`/${locale}`);
  const { courses, plant } = delivered;
  return {
    parts: {
      ...(courses && { courses: renderPart(<CourseList list={courses} />) }),
      ...(plant?.last && { plant: renderPart(<WeekLine plant={plant} />) }),
    },
    after:
      dataBlock('application/json', delivered, ` id="${EMBEDDED_DATA_ID}"`) +
      (courses && courses.courses.length > 0
        ? dataBlock('application/ld+json', courseData(courses.courses, locale))
        : ''),
  };
}

/** How many days ago the date of a `<time data-days>` was, in the language of the page's address. */
export const daysTextIn = (pathname: string, since: string) =>
  daysText(since, localeOfPath(pathname) ?? 'ko', Date.now());

/** In the browser the components load later: a Suspense boundary keeps the rendered HTML until then. */
const renderPart = (part: ReactNode) => renderToString(<Suspense>{part}</Suspense>);

/** A data block that the browser does not execute, whatever text it contains. */
const dataBlock = (type: string, data: object, attributes = '') =>
  `<script type="${type}"${attributes}>${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>`;

/** Structured data: every subject once, as a Course of schema.org, with the years in which it was taught. */
function courseData(courses: Course[], locale: Locale): object {
  const isKorean = locale === 'ko';
  // The page's head describes this organisation.
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
  isKorean || !isKoreanTarget(course.target) ? targetText(course) : englishTargetNote(course);
