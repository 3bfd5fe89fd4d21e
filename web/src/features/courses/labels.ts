import type { Semester } from '#contract/courses';
import { SEASON_LABELS } from '#contract/terms';

const SEMESTERS = [1, 2, 3, 4] as const;

export const semesterLabels: Record<Semester, string> = {
  1: SEASON_LABELS.spring,
  2: SEASON_LABELS.summer,
  3: SEASON_LABELS.fall,
  4: SEASON_LABELS.winter,
};

export const semesterOptions = SEMESTERS.map((semester) => ({
  value: semester,
  label: semesterLabels[semester],
}));

export function termText({ year, semester }: { year: number; semester: Semester }): string {
  return `${year}년 ${semesterLabels[semester]}`;
}
