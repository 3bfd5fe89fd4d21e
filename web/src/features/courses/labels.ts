import type { Semester } from '#contract/courses';

export const SEMESTERS = [1, 2, 3, 4] as const;

export const semesterLabels: Record<Semester, string> = {
  1: '1학기',
  2: '여름학기',
  3: '2학기',
  4: '겨울학기',
};

export const semesterOptions = SEMESTERS.map((semester) => ({
  value: semester,
  label: semesterLabels[semester],
}));

export function termText({ year, semester }: { year: number; semester: Semester }): string {
  return `${year}년 ${semesterLabels[semester]}`;
}
