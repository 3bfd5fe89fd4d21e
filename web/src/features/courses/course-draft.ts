import { COURSE_YEAR_MAX, COURSE_YEAR_MIN, type Target } from '#contract/course-target';
import type { Course, CourseForm, Semester } from '#contract/courses';
import { courseTerm } from '#contract/terms';

/** A course as the form holds it. */
export type CourseDraft = {
  year: string;
  semester: Semester;
  subject: string;
  subject_en: string;
  target: Target;
  target_etc: string;
  target_etc_en: string;
};

export type DraftField = 'year' | 'subject' | 'subject_en' | 'target_etc' | 'target_etc_en';
export type DraftProblems = Partial<Record<DraftField, string>>;

const NAME_LENGTH_MAX = 200;

/** What the form starts with. */
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

/** The year that a number field holds; undefined when it is none that a course can have. */
export function readYear(text: string): number | undefined {
  const year = Number(text);
  const isCourseYear =
    text.trim() !== '' && Number.isInteger(year) && year >= COURSE_YEAR_MIN && year <= COURSE_YEAR_MAX;
  return isCourseYear ? year : undefined;
}

export const YEAR_PROBLEM = `연도는 ${COURSE_YEAR_MIN}에서 ${COURSE_YEAR_MAX} 사이로 입력하세요.`;

/** What keeps the draft from being saved, by field, in the order of the form. */
export function draftProblems(draft: CourseDraft): DraftProblems {
  return {
    ...(readYear(draft.year) === undefined && { year: YEAR_PROBLEM }),
    ...textProblem('subject', draft.subject, '과목명을 입력하세요.'),
    ...textProblem('subject_en', draft.subject_en, '영문 과목명을 입력하세요.'),
    ...(draft.target === 0 && textProblem('target_etc', draft.target_etc, '대상을 입력하세요.')),
    ...(draft.target === 0 && lengthProblem('target_etc_en', draft.target_etc_en)),
  };
}

function textProblem(field: DraftField, text: string, missing: string): DraftProblems {
  if (text.trim() === '') return { [field]: missing };
  return lengthProblem(field, text);
}

function lengthProblem(field: DraftField, text: string): DraftProblems {
  return text.trim().length > NAME_LENGTH_MAX ? { [field]: `${NAME_LENGTH_MAX}자까지 쓸 수 있습니다.` } : {};
}

/** The draft as the API takes it. Other words for the target go along only where the target is 'other'. */
export function courseFormOf(draft: CourseDraft, id: number | null): CourseForm {
  const year = readYear(draft.year);
  if (year === undefined) throw new Error('a draft with problems has no form');
  return {
    id,
    year,
    semester: draft.semester,
    subject: draft.subject.trim(),
    subject_en: draft.subject_en.trim(),
    target: draft.target,
    target_etc: draft.target === 0 ? draft.target_etc.trim() : '',
    target_etc_en: draft.target === 0 ? draft.target_etc_en.trim() : '',
  };
}
