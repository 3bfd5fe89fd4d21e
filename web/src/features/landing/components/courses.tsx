import { useQuery } from '@tanstack/react-query';
import { memo } from 'react';
import { lazyPart } from '../../../components/layout/lazy-part.tsx';
import { useLocale } from '../../../lib/locale.ts';
import { m } from '../../../paraglide/messages.js';
import { loadPrerenderedParts } from './prerendered.tsx';
import { publicCoursesQuery } from '../queries.ts';
import { Section } from './section.tsx';

/** The first HTML contains the list, so the list's code may load later. For `memo` see prerendered.tsx. */
const CourseList = memo(
  lazyPart(async () => (await loadPrerenderedParts()).CourseList, {
    pending: <CoursesPlaceholder />,
    crashClassName: '',
  }),
);

/** The code loads on demand, because it is rarely needed. */
const FailedPart = lazyPart(async () => (await import('../../../components/part-state.tsx')).FailedPart, {
  crashClassName: '',
});

export function Courses() {
  useLocale();
  const { data, isError, refetch } = useQuery(publicCoursesQuery);
  return (
    <Section id="courses" heading={m.menu_courses()}>
      <div data-edge="courses">
        {data && <CourseList list={data} />}
        {!data && isError && <FailedPart text={m.courses_failed()} onRetry={() => void refetch()} />}
        {!data && !isError && <CoursesPlaceholder />}
      </div>
    </Section>
  );
}

/** Grey bars stand for two years of courses. Their widths differ, because the names of courses differ too. */
const YEARS = ['newest', 'before'];
const ROWS = ['w-40', 'w-28', 'w-52', 'w-36', 'w-44'];

/** Shown while the courses are unknown. Without JavaScript, a sentence says that courses are missing. */
function CoursesPlaceholder() {
  useLocale();
  return (
    <>
      <p className="hidden text-ink-soft noscript:block">{m.courses_need_script()}</p>
      <output className="sr-only noscript:hidden">{m.loading()}</output>
      <div aria-hidden className="animate-pulse noscript:hidden">
        {YEARS.map((year) => (
          <div
            key={year}
            className="grid gap-x-8 gap-y-5 border-b border-line pb-8 not-first:pt-8 last:border-b-0 md:grid-cols-[7rem_minmax(0,1fr)]"
          >
            <div className="h-7 w-20 rounded-md bg-sunken" />
            <div className="space-y-4">
              {ROWS.map((width) => (
                <div key={width} className="flex h-5 justify-between gap-6">
                  <div className={`max-w-[60%] rounded-md bg-sunken ${width}`} />
                  <div className="w-14 rounded-md bg-sunken" />
                </div>
              ))}
            </div>
          </div>
        ))}
      </div>
    </>
  );
}
