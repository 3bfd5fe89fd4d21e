import type { Semester } from '#contract/courses';
import { SEASON_LABELS, seasonOf } from '#contract/terms';

const SEMESTERS = [1, 2, 3, 4] as const;

export const semesterLabel = (semester: Semester) => SEASON_LABELS[seasonOf(semester)];

export const semesterOptions = SEMESTERS.map((semester) => ({
  value: semester,
  label: semesterLabel(semester),
}));
