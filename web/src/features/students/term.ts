import { SEASON_LABELS, termText } from '#contract/terms';

export const semesterOptions = [
  { value: 1, label: SEASON_LABELS.spring },
  { value: 2, label: SEASON_LABELS.fall },
] as const;

export const courseName = (course: { year: number; semester: number; subject: string }) =>
  `${termText(course)} ${course.subject}`;
