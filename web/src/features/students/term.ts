import type { Term } from '#contract/terms';

export type CourseKey = Term & { subject: string };

export const semesterOptions = [
  { value: 1, label: '1학기' },
  { value: 2, label: '2학기' },
] as const;

export function courseName({ year, semester, subject }: { year: number; semester: number; subject: string }) {
  return `${year}년 ${semester}학기 ${subject}`;
}
