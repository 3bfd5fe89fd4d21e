import { COURSE_YEAR_MAX, COURSE_YEAR_MIN, targetText, type CourseTarget } from '#contract/course-target';
import { courseSchema, type Course } from '#contract/courses';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { DRAFT_SAVED, showToast } from '../../../lib/toast-queue.ts';
import type { RosterCourse } from '#contract/students';
import { courseName } from '../../../lib/chosen-class.ts';
import { currentRecordOf } from '../../../lib/merge.ts';
import { serverNow } from '../../../lib/server-time.ts';
import { DraftNote } from '../../../components/draft-note.tsx';
import { MergeDialog } from '../../../components/merge-dialog.tsx';
import { TermChoice } from '../../../components/term-offer.tsx';
import { Button } from '../../../components/ui/button.tsx';
import { SelectField } from '../../../components/select-field.tsx';
import { TextField } from '../../../components/text-field.tsx';
import { useDraft } from '../../../components/use-draft.ts';
import type { CoursesSearch } from '../search-params.ts';
import { findDuplicateCourse } from '../copy-flow.ts';
import {
  courseFormOf,
  courseMergeFields,
  courseDraftOf,
  courseDraftProblems,
  emptyCourseDraft,
  semesterOptions,
} from '../course-draft.ts';
import { rosterClassesQuery, saveCourseMutation } from '../queries.ts';
import { courseSemester, seasonText } from '#contract/terms';

const targets = [1, 2, 3, 4, 5, 6, 7, 0] as const;
const targetOptions = targets.map((target) => ({
  value: target,
  label: target === 0 ? '기타 (직접 입력)' : targetText({ target, target_etc: '' }),
}));

type Props = {
  /** The edited course; absent for a new course. */
  course?: Course;
  /** The courses to search for likely duplicates. */
  courses: readonly Course[];
  onMove: (place: CoursesSearch) => void;
};

export function CourseFormTab({ course, courses, onMove }: Props) {
  const { mutateAsync, isPending, error, reset } = useMutation(saveCourseMutation);
  const { draft, base, change, restart, resend, problems, focus, form, field, restored } = useDraft({
    place: `courses/${course?.id ?? 'new'}`,
    start: () => (course ? courseDraftOf(course) : emptyCourseDraft(serverNow())),
    problemsOf: courseDraftProblems,
    send: (each) => mutateAsync(courseFormOf(each, course?.id ?? null)),
    onSaved: (each) => {
      if (course) {
        onMove({});
        return;
      }
      // Year, semester and target stay, because the next course usually belongs to the same term.
      restart({ ...each, subject: '', subject_en: '', target_etc: '', target_etc_en: '' });
      focus('subject');
    },
    isPending,
  });
  const current = course && currentRecordOf(error, courseSchema);
  const isComplete = Object.keys(problems).length === 0;
  const twin = isComplete ? findDuplicateCourse(courseFormOf(draft, course?.id ?? null), courses) : undefined;

  const isChange = course !== undefined;
  const label = isChange ? `${course.subject} 수정` : '강의 추가';
  // Focuses the form, because the button that opened the form is no longer rendered.
  useEffect(() => {
    if (isChange) form.ref.current?.focus();
  }, [isChange, form.ref]);

  return (
    <>
      <form {...form} aria-label={label} tabIndex={-1} className="max-w-2xl space-y-5 outline-none">
        {course && (
          <p className="text-ink-soft">
            <strong className="font-semibold text-ink">{course.subject}</strong> ({seasonText(course)}) 강의를
            수정합니다.
          </p>
        )}
        <DraftNote {...restored} />
        <div className="grid grid-cols-2 gap-4">
          <TextField
            label="연도"
            type="number"
            inputMode="numeric"
            min={COURSE_YEAR_MIN}
            max={COURSE_YEAR_MAX}
            step={1}
            required
            // Without this, the mouse wheel would change the year when the user scrolls the page.
            onWheel={(event) => event.currentTarget.blur()}
            {...field('year')}
          />
          <SelectField
            label="학기"
            options={semesterOptions}
            value={draft.semester}
            onChange={(semester) => change({ semester })}
          />
        </div>
        {!course && (
          <RosterClasses
            courses={courses}
            onChoose={({ year, semester, subject }) => {
              change({ year: String(year), semester: courseSemester(semester), subject });
              focus('subject_en');
            }}
          />
        )}
        {!course && (
          <TermChoice
            onChoose={({ year, semester }) =>
              change({ year: String(year), semester: courseSemester(semester) })
            }
          />
        )}
        <TextField label="과목명" required maxLength={200} autoComplete="off" {...field('subject')} />
        <TextField
          label="영문 과목명"
          lang="en"
          required
          maxLength={200}
          autoComplete="off"
          {...field('subject_en')}
        />
        <div className="grid gap-4 sm:grid-cols-2">
          <SelectField<CourseTarget>
            label="대상"
            options={targetOptions}
            value={draft.target}
            onChange={(target) => change({ target })}
          />

          {draft.target === 0 && (
            <TextField
              label="대상 직접 입력"
              required
              maxLength={200}
              autoComplete="off"
              {...field('target_etc')}
            />
          )}
          {draft.target === 0 && (
            <TextField
              className="sm:col-start-2"
              label="영문 대상 (선택)"
              hint="영어 공개 페이지에서 대상 옆에 보입니다."
              lang="en"
              maxLength={200}
              autoComplete="off"
              {...field('target_etc_en')}
            />
          )}
        </div>
        <output className="block min-h-6 text-sm text-notice">
          {twin && `같은 학기에 이미 비슷한 강의가 있습니다: ${twin.subject} (${twin.subject_en})`}
        </output>
        <div className="flex gap-2">
          <Button type="submit" aria-disabled={isPending}>
            {course ? '저장' : '추가'}
          </Button>
          {course && (
            <Button
              variant="ghost"
              onClick={() => {
                if (draft !== base && !restored.isRefused) showToast(DRAFT_SAVED);
                onMove({});
              }}
            >
              취소
            </Button>
          )}
        </div>
      </form>
      {current && (
        <MergeDialog
          title={`${current.subject} 강의를 다른 사람도 수정했습니다`}
          fields={courseMergeFields}
          base={base}
          mine={draft}
          theirs={courseDraftOf(current)}
          onMerge={(merged) => {
            reset();
            resend(courseDraftOf(current), merged);
          }}
          onClose={reset}
        />
      )}
    </>
  );
}

type RosterProps = { courses: readonly Course[]; onChoose: (chosen: RosterCourse) => void };

/** Classes of the roster that are not public yet: a button fills in the class's year, semester and name. */
function RosterClasses({ courses, onChoose }: RosterProps) {
  const classes = useQuery(rosterClassesQuery).data ?? [];
  const offered = classes
    .filter(({ year, semester, subject }) => {
      const form = { ...courseFormOf(emptyCourseDraft(serverNow()), null), year, subject };
      return !findDuplicateCourse({ ...form, semester: courseSemester(semester), subject_en: '' }, courses);
    })
    .slice(0, 8);
  if (offered.length === 0) return null;
  return (
    <p className="flex flex-wrap items-center gap-2 text-sm text-ink-soft">
      학생 명단의 강의
      {offered.map((each) => (
        <Button
          key={courseName(each)}
          variant="outline"
          size="sm"
          lines="more"
          onClick={() => onChoose(each)}
        >
          {courseName(each)}
        </Button>
      ))}
    </p>
  );
}
