import { englishTarget, isKoreanTarget, targetText } from '#contract/course-target';
import type { Course } from '#contract/courses';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { lazyPart } from '../../../components/layout/lazy-part.tsx';
import { useLocale } from '../../../lib/locale.ts';
import { m } from '../../../paraglide/messages.js';
import { groupCourses, type SemesterGroup, type YearGroup } from '../course-groups.ts';
import { coursesQuery } from '../queries.ts';
import { CoursesPlaceholder } from './courses-placeholder.tsx';
import { CutList } from './cut-list.tsx';
import { EmptyNote } from './empty-note.tsx';
import { Section } from './section.tsx';

const semesterNames = { 1: m.semester_1, 2: m.semester_2, 3: m.semester_3, 4: m.semester_4 };

/** The first script has no room for the calendar; where it cannot be loaded nothing is marked. */
const RunningMark = lazyPart(async () => (await import('./running-mark.tsx')).RunningMark, {
  crashClassName: 'hidden',
});

/** Loaded on demand, because it is hardly ever needed. */
const FailedPart = lazyPart(async () => (await import('../../../components/part-state.tsx')).FailedPart, {
  crashClassName: '',
});

export function Courses() {
  useLocale();
  const { data, isError, refetch } = useQuery(coursesQuery);
  return (
    <Section id="courses" heading={m.menu_courses()}>
      <CutList moreLabel={m.courses_all()}>
        {data?.data.length === 0 && <EmptyNote text={m.courses_empty()} />}
        {data && groupCourses(data.data).map((group) => <Year key={group.year} group={group} at={data.at} />)}
        {!data && isError && <FailedPart text={m.courses_failed()} onRetry={() => void refetch()} />}
        {!data && !isError && <CoursesPlaceholder />}
      </CutList>
    </Section>
  );
}

/** @param at the date of the answer that brought the courses */
function Year({ group, at }: { group: YearGroup; at: string | null }) {
  return (
    <div className="grid gap-x-8 gap-y-4 border-b border-line pb-8 not-first:pt-8 last:border-b-0 md:grid-cols-[7rem_minmax(0,1fr)]">
      <h3 className="text-xl leading-7 font-bold tabular-nums">{m.course_year({ year: group.year })}</h3>
      <div className="space-y-7">
        {group.semesters.map((semester) => (
          <SemesterList
            key={semester.semester}
            group={semester}
            mark={<RunningMark year={group.year} semester={semester.semester} servedAt={at} />}
          />
        ))}
      </div>
    </div>
  );
}

function SemesterList({ group, mark }: { group: SemesterGroup; mark: ReactNode }) {
  const locale = useLocale();
  return (
    <div className="grid gap-x-8 gap-y-2 sm:grid-cols-[6rem_minmax(0,1fr)]">
      <h4 className="text-sm leading-7 font-semibold text-accent">
        {semesterNames[group.semester]()} {mark}
      </h4>
      <ul className="space-y-2">
        {group.courses.map((course) => (
          <li key={course.id} className="flex flex-wrap items-baseline justify-between gap-x-6">
            <span>{locale === 'ko' ? course.subject : course.subject_en}</span>
            <span className="text-sm text-ink-soft">
              {locale === 'en' && isKoreanTarget(course.target) ? (
                <EnglishTarget course={course} />
              ) : (
                targetText(course)
              )}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** `4학년 · Year 4`: the lab's own term and what it means. */
function EnglishTarget({ course }: { course: Course }) {
  const english = englishTarget(course);
  return (
    <>
      <span lang="ko">{targetText(course)}</span>
      {english && ` · ${english}`}
    </>
  );
}
