import { COURSE_YEAR_MIN } from '#contract/course-target';
import type { Department } from '#contract/subjects';
import type { Term } from './labels.ts';

export type View = 'list' | 'week' | 'input';

/** Grades of the filter chips; 0 is the graduate level. */
export const GRADES = [1, 2, 3, 4, 0] as const;

/** What the screen shows. */
export type Choice = Term & {
  departments: readonly Department[];
  /** Visible grades; empty for all. */
  grades: readonly number[];
  view: View;
};

/** Selectable years, newest first. */
export function yearsUntil(year: number): number[] {
  return Array.from({ length: Math.max(1, year - COURSE_YEAR_MIN + 1) }, (_, back) => year - back);
}
