import type { Course, CourseForm } from '#contract/courses';

/** The fields of a course that a form sends. Add the value of a new field here, for all tests of courses. */
export const courseFields = {
  year: 2026,
  semester: 1,
  subject: '임베디드 시스템',
  subject_en: 'Embedded Systems',
  target: 3,
  target_etc: '',
  target_etc_en: '',
} as const satisfies Omit<CourseForm, 'id'>;

export const course = (id: number, more: Partial<Course> = {}): Course => ({
  ...courseFields,
  id,
  subject: `과목 ${id}`,
  subject_en: `Course ${id}`,
  version: 1,
  ...more,
});
