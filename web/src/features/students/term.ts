import { SEASON_LABELS, termText, type Term } from '#contract/terms';

export type CourseKey = Term & { subject: string };

export const semesterOptions = [
  { value: 1, label: SEASON_LABELS.spring },
  { value: 2, label: SEASON_LABELS.fall },
] as const;

export const courseName = (course: { year: number; semester: number; subject: string }) =>
  `${termText(course)} ${course.subject}`;
