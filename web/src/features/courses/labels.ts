import type { Semester } from '#contract/courses';
import { SEASON_LABELS, seasonOf } from '#contract/terms';

export const semesterLabel = (semester: Semester) => SEASON_LABELS[seasonOf(semester)];

export const semesterOptions = ([1, 2, 3, 4] as const).map((of) => ({ value: of, label: semesterLabel(of) }));
