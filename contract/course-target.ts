// Without a schema, because the main page shows targets too and must not load zod.

export const COURSE_YEAR_MIN = 2021;
export const COURSE_YEAR_MAX = 2050;

/** 0 other (see `target_etc`), 1–4 undergraduate years, 5 Masters, 6 Masters & PhD, 7 PhD. */
export const COURSE_TARGETS = [0, 1, 2, 3, 4, 5, 6, 7] as const;
export type CourseTarget = (typeof COURSE_TARGETS)[number];

type TargetWords = { target: CourseTarget; target_etc: string; target_etc_en: string };

const targetTexts = { 5: 'Masters Course', 6: 'Masters & PhD Course', 7: 'PhD Course' } as const;

/** A course's target in words: `2학년`, `Masters Course`, or the course's own words. */
export function targetText(course: Omit<TargetWords, 'target_etc_en'>): string {
  const { target } = course;
  if (target === 0) return course.target_etc;
  if (target === 5 || target === 6 || target === 7) return targetTexts[target];
  return `${target}학년`;
}

export const isKoreanTarget = (target: CourseTarget) => !(target in targetTexts);

/** What the English page adds to a Korean target; may be empty. */
export function englishTargetNote(course: Omit<TargetWords, 'target_etc'>): string {
  return course.target === 0 ? course.target_etc_en : `Year ${course.target}`;
}
