import { englishTargetNote, isKoreanTarget, targetText } from '#contract/course-target';
import type { Course } from '#contract/courses';
import { useLocale } from '../../../lib/locale.ts';
import { m } from '../../../paraglide/messages.js';
import { splitRecentYears, groupCourses, type SemesterGroup, type YearGroup } from '../course-groups.ts';
import type { CourseList as List } from '../queries.ts';

const semesterNames = { 1: m.semester_1, 2: m.semester_2, 3: m.semester_3, 4: m.semester_4 };

type Props = Pick<List, 'running'>;

/** The edge renders this list too, so it requests no data, and its sections unfold without JavaScript. */
export function CourseList({ list: { courses, running } }: { list: List }) {
  useLocale();
  const { recent, older } = splitRecentYears(groupCourses(courses));
  if (courses.length === 0) return <EmptyNote text={m.courses_empty()} />;
  const years = (groups: YearGroup[]) =>
    groups.map((group) => <Year key={group.year} group={group} running={running} />);
  return (
    <>
      {years(recent)}
      {older.length > 0 && (
        <details className="group print:details-content:[content-visibility:visible]">
          <summary className="my-6 flex min-h-11 w-fit cursor-pointer list-none items-center rounded-md border border-line-strong bg-surface px-5 font-semibold hover:border-accent hover:text-accent print:hidden [&::-webkit-details-marker]:hidden">
            <span className="group-open:hidden">{m.courses_all()}</span>
            <span className="hidden group-open:inline">{m.courses_fewer()}</span>
          </summary>
          {years(older)}
        </details>
      )}
    </>
  );
}

function Year({ group, running }: Props & { group: YearGroup }) {
  return (
    <div className="grid gap-x-8 gap-y-4 border-b border-line py-8 first:pt-0 last:border-b-0 print:block md:grid-cols-[7rem_minmax(0,1fr)]">
      <h3 className="text-xl leading-7 font-bold tabular-nums">{m.course_year({ year: group.year })}</h3>
      <div className="space-y-7">
        {group.semesters.map((semester) => (
          <SemesterList
            key={semester.semester}
            group={semester}
            isRunning={running?.year === group.year && running.semester === semester.semester}
          />
        ))}
      </div>
    </div>
  );
}

function SemesterList({ group, isRunning }: { group: SemesterGroup; isRunning: boolean }) {
  const locale = useLocale();
  return (
    <div className="grid gap-x-8 gap-y-2 sm:grid-cols-[6rem_minmax(0,1fr)]">
      <h4 className="text-sm leading-7 font-semibold text-accent">
        {semesterNames[group.semester]()}{' '}
        {isRunning && (
          <span className="ml-1 rounded-sm bg-accent-wash px-1.5 py-0.5 text-xs whitespace-nowrap">
            {m.course_running()}
          </span>
        )}
      </h4>
      <ul className="space-y-2">
        {group.courses.map((course) => (
          <li
            key={course.id}
            className="flex flex-wrap items-baseline gap-x-6 sm:grid sm:grid-cols-[minmax(0,22rem)_minmax(0,1fr)]"
          >
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

/** The course's target in Korean with its English meaning: `4학년 · Year 4`. */
function EnglishTarget({ course }: { course: Course }) {
  const english = englishTargetNote(course);
  return (
    <>
      <span lang="ko">{targetText(course)}</span>
      {english && ` · ${english}`}
    </>
  );
}

function EmptyNote({ text }: { text: string }) {
  return <p className="rounded-md border border-dashed border-line px-5 py-4 text-ink-soft">{text}</p>;
}
