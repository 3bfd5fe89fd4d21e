import { targetText, type CourseTarget } from '#contract/course-target';
import { courseFormSchema, type Course, type CourseForm, type Semester } from '#contract/courses';
import { defaultCourseTerm, SEASON_LABELS, seasonOf } from '#contract/terms';
import { formProblems, parseNumber } from '../../lib/form-problems.ts';
import type { MergeField } from '../../lib/merge.ts';

export const semesterLabel = (semester: Semester) => SEASON_LABELS[seasonOf(semester)];

export const semesterOptions = ([1, 2, 3, 4] as const).map((of) => ({ value: of, label: semesterLabel(of) }));

export type CourseDraft = {
  year: string;
  semester: Semester;
  subject: string;
  subject_en: string;
  target: CourseTarget;
  target_etc: string;
  target_etc_en: string;
  /** The course's version at the time when the user began the draft. */
  version?: number;
};

/** The fields that a merge compares; `text` returns a field's value in words. */
export const courseMergeFields: readonly MergeField<CourseDraft>[] = [
  { names: ['year'], label: '연도', text: ({ year }) => year },
  { names: ['semester'], label: '학기', text: ({ semester }) => semesterLabel(semester) },
  { names: ['subject'], label: '과목명', text: ({ subject }) => subject },
  { names: ['subject_en'], label: '영문 과목명', text: (draft) => draft.subject_en },
  { names: ['target', 'target_etc', 'target_etc_en'], label: '대상', text: (draft) => targetText(draft) },
];

export function emptyCourseDraft(now: number): CourseDraft {
  const { year, semester } = defaultCourseTerm(now);
  return {
    year: String(year),
    semester,
    subject: '',
    subject_en: '',
    target: 1,
    target_etc: '',
    target_etc_en: '',
  };
}

export function courseDraftOf(course: Course): CourseDraft {
  const { id: _, year, ...fields } = course;
  return { ...fields, year: String(year) };
}

export const courseDraftProblems = (draft: CourseDraft): Record<string, string> =>
  formProblems(courseFormSchema, courseFormOf(draft, null));

/** The draft as the API expects it. A custom target is only sent if the target is 'other'. */
export function courseFormOf(draft: CourseDraft, id: number | null): CourseForm {
  return {
    id,
    year: parseNumber(draft.year),
    semester: draft.semester,
    subject: draft.subject.trim(),
    subject_en: draft.subject_en.trim(),
    target: draft.target,
    target_etc: draft.target === 0 ? draft.target_etc.trim() : '',
    target_etc_en: draft.target === 0 ? draft.target_etc_en.trim() : '',
    ...(draft.version !== undefined && { version: draft.version }),
  };
}
