import { targetText, type Target } from '#contract/course-target';
import { courseFormSchema, type Course, type CourseForm, type Semester } from '#contract/courses';
import { courseTerm } from '#contract/terms';
import { formProblems, numberIn } from '../../lib/form-problems.ts';
import type { MergeField } from '../../lib/merge.ts';
import { semesterLabel } from './labels.ts';

export type CourseDraft = {
  year: string;
  semester: Semester;
  subject: string;
  subject_en: string;
  target: Target;
  target_etc: string;
  target_etc_en: string;
  /** Version of the course that the draft was made from. */
  version?: number;
};

/** The fields that can be merged, with their values in words. */
export const courseMergeFields: readonly MergeField<CourseDraft>[] = [
  { names: ['year'], label: '연도', text: ({ year }) => year },
  { names: ['semester'], label: '학기', text: ({ semester }) => semesterLabel(semester) },
  { names: ['subject'], label: '과목명', text: ({ subject }) => subject },
  { names: ['subject_en'], label: '영문 과목명', text: (draft) => draft.subject_en },
  { names: ['target', 'target_etc', 'target_etc_en'], label: '대상', text: (draft) => targetText(draft) },
];

export function emptyDraft(now: number): CourseDraft {
  const { year, semester } = courseTerm(now);
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

export function draftOf(course: Course): CourseDraft {
  const { id: _, year, ...fields } = course;
  return { ...fields, year: String(year) };
}

export const draftProblems = (draft: CourseDraft): Record<string, string> =>
  formProblems(courseFormSchema, courseFormOf(draft, null));

/** The draft as the API expects it. A custom target is only sent if the target is 'other'. */
export function courseFormOf(draft: CourseDraft, id: number | null): CourseForm {
  return {
    id,
    year: numberIn(draft.year),
    semester: draft.semester,
    subject: draft.subject.trim(),
    subject_en: draft.subject_en.trim(),
    target: draft.target,
    target_etc: draft.target === 0 ? draft.target_etc.trim() : '',
    target_etc_en: draft.target === 0 ? draft.target_etc_en.trim() : '',
    ...(draft.version !== undefined && { version: draft.version }),
  };
}
