import { Suspense, type ReactNode } from 'react';
import { renderToString } from 'react-dom/server';
import { CourseList } from './features/landing/components/course-list.tsx';
import { WeekLine } from './features/landing/components/week-line.tsx';
import { courseData } from './features/landing/course-data.ts';
import { DELIVERED, type Delivered } from './features/landing/delivered.ts';
import { enterPath, localeOfPath } from './lib/locale.ts';

/** What the edge puts into the main page as the build drew it. */
type Drawn = {
  /** The content of the elements with these names in `data-edge`. */
  parts: Record<string, string>;
  /** Follows the app: what the browser wakes with, and what search engines are told. */
  after: string;
};

/** Draws what the API knows with the components of the browser, so that the page wakes without a difference. */
export function drawPage(pathname: string, delivered: Delivered): Drawn {
  const locale = localeOfPath(pathname) ?? 'ko';
  enterPath(`/${locale}`);
  const { courses, plant } = delivered;
  return {
    parts: {
      ...(courses && { courses: drawn(<CourseList list={courses} />) }),
      ...(plant?.last && { plant: drawn(<WeekLine plant={plant} />) }),
    },
    after:
      dataBlock('application/json', delivered, ` id="${DELIVERED}"`) +
      (courses && courses.courses.length > 0
        ? dataBlock('application/ld+json', courseData(courses.courses, locale))
        : ''),
  };
}

/** In the browser the components come late: a boundary keeps what is there until then. */
const drawn = (part: ReactNode) => renderToString(<Suspense>{part}</Suspense>);

/** Text that a browser does not run, whatever somebody has put into it. */
const dataBlock = (type: string, data: object, attributes = '') =>
  `<script type="${type}"${attributes}>${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>`;
