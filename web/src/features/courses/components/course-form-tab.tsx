import { COURSE_YEAR_MAX, COURSE_YEAR_MIN, targetText, type Target } from '#contract/course-target';
import type { Course } from '#contract/courses';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState, type FormEvent } from 'react';
import { serverNow } from '../../../lib/server-time.ts';
import { TermOffer } from '../../../components/term-offer.tsx';
import { Button } from '../../../components/ui/button.tsx';
import { Select } from '../../../components/ui/select.tsx';
import { TextField } from '../../../components/ui/text-field.tsx';
import type { CoursesAddress } from '../address.ts';
import { findTwin } from '../course-copy.ts';
import { courseFormOf, draftOf, draftProblems, emptyDraft, type CourseDraft } from '../course-draft.ts';
import { saveCourseMutation } from '../queries.ts';
import { semesterOptions, termText } from '../semester-words.ts';

const targets = [1, 2, 3, 4, 5, 6, 7, 0] as const;
const targetOptions = targets.map((target) => ({
  value: target,
  label: target === 0 ? '기타 (직접 입력)' : targetText({ target, target_etc: '' }),
}));

type Props = {
  /** The course that is changed; without it a new one is added. */
  course?: Course;
  /** Among which likely repetitions are looked for. */
  courses: readonly Course[];
  onMove: (place: CoursesAddress) => void;
};

export function CourseFormTab({ course, courses, onMove }: Props) {
  const [draft, setDraft] = useState(() => (course ? draftOf(course) : emptyDraft(serverNow())));
  const [isTried, setTried] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const { mutate, isPending } = useMutation(saveCourseMutation);
  const change = (part: Partial<CourseDraft>) => setDraft({ ...draft, ...part });
  const problems = draftProblems(draft);
  const shown = isTried ? problems : {};
  const isComplete = Object.keys(problems).length === 0;
  const twin = isComplete ? findTwin(courseFormOf(draft, course?.id ?? null), courses) : undefined;

  const focus = (name: string) => form.current?.querySelector<HTMLElement>(`[name=${name}]`)?.focus();
  const isChange = course !== undefined;
  // The button that led here is gone.
  useEffect(() => {
    if (isChange) form.current?.querySelector<HTMLElement>('[name=year]')?.focus();
  }, [isChange]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isPending) return;
    const [firstProblem] = Object.keys(problems);
    if (firstProblem !== undefined) {
      setTried(true);
      focus(firstProblem);
      return;
    }
    mutate(courseFormOf(draft, course?.id ?? null), {
      onSuccess: () => {
        if (course) {
          onMove({});
          return;
        }
        // The next course is most often of the same term.
        setDraft({ ...draft, subject: '', subject_en: '', target_etc: '', target_etc_en: '' });
        setTried(false);
        focus('subject');
      },
    });
  };

  return (
    <form ref={form} noValidate onSubmit={submit} className="max-w-2xl space-y-5">
      {course && (
        <p className="text-ink-soft">
          <strong className="font-semibold text-ink">{course.subject}</strong> ({termText(course)}) 강의를
          고칩니다.
        </p>
      )}
      <div className="grid grid-cols-2 gap-4">
        <TextField
          label="연도"
          name="year"
          type="number"
          inputMode="numeric"
          min={COURSE_YEAR_MIN}
          max={COURSE_YEAR_MAX}
          step={1}
          required
          value={draft.year}
          error={shown.year}
          onChange={(event) => change({ year: event.target.value })}
        />
        <Labelled text="학기">
          <Select
            label="학기"
            options={semesterOptions}
            value={draft.semester}
            onChange={(semester) => change({ semester })}
          />
        </Labelled>
      </div>
      {!course && (
        <TermOffer
          onChoose={({ year, semester }) => change({ year: String(year), semester: semester === 1 ? 1 : 3 })}
        />
      )}
      <TextField
        label="과목명"
        name="subject"
        required
        maxLength={200}
        autoComplete="off"
        value={draft.subject}
        error={shown.subject}
        onChange={(event) => change({ subject: event.target.value })}
      />
      <TextField
        label="영문 과목명"
        name="subject_en"
        lang="en"
        required
        maxLength={200}
        autoComplete="off"
        value={draft.subject_en}
        error={shown.subject_en}
        onChange={(event) => change({ subject_en: event.target.value })}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <Labelled text="대상">
          <Select<Target>
            label="대상"
            options={targetOptions}
            value={draft.target}
            onChange={(target) => change({ target })}
          />
        </Labelled>
        {draft.target === 0 && (
          <TextField
            label="대상 직접 입력"
            name="target_etc"
            required
            maxLength={200}
            autoComplete="off"
            value={draft.target_etc}
            error={shown.target_etc}
            onChange={(event) => change({ target_etc: event.target.value })}
          />
        )}
        {draft.target === 0 && (
          <TextField
            className="sm:col-start-2"
            label="영문 대상 (선택)"
            hint="영어 공개 페이지에서 대상 옆에 보입니다."
            name="target_etc_en"
            lang="en"
            maxLength={200}
            autoComplete="off"
            value={draft.target_etc_en}
            error={shown.target_etc_en}
            onChange={(event) => change({ target_etc_en: event.target.value })}
          />
        )}
      </div>
      <output className="block min-h-6 text-sm text-notice">
        {twin && `같은 학기에 이미 비슷한 강의가 있습니다: ${twin.subject} (${twin.subject_en})`}
      </output>
      <div className="flex gap-2">
        <Button type="submit" aria-disabled={isPending}>
          {course ? '변경' : '추가'}
        </Button>
        {course && (
          <Button look="quiet" onClick={() => onMove({})}>
            취소
          </Button>
        )}
      </div>
    </form>
  );
}

function Labelled({ text, children }: { text: string; children: React.ReactNode }) {
  return (
    <div>
      <span aria-hidden className="mb-1.5 block text-sm font-semibold">
        {text}
      </span>
      {children}
    </div>
  );
}
