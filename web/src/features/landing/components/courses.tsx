import { useQuery } from '@tanstack/react-query';
import { memo } from 'react';
import { lazyPart } from '../../../components/layout/lazy-part.tsx';
import { useLocale } from '../../../lib/locale.ts';
import { m } from '../../../paraglide/messages.js';
import { loadParts } from '../load-parts.ts';
import { coursesQuery } from '../queries.ts';
import { CoursesPlaceholder } from './courses-placeholder.tsx';
import { Section } from './section.tsx';

/** In the first HTML it is drawn already, so its code may come late; memoised as in drawn.tsx. */
const CourseList = memo(
  lazyPart(async () => (await loadParts()).CourseList, {
    pending: <CoursesPlaceholder />,
    crashClassName: '',
  }),
);

/** Loaded on demand, because it is hardly ever needed. */
const FailedPart = lazyPart(async () => (await import('../../../components/part-state.tsx')).FailedPart, {
  crashClassName: '',
});

export function Courses() {
  useLocale();
  const { data, isError, refetch } = useQuery(coursesQuery);
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
