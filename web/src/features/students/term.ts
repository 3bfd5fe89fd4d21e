import { COURSE_YEAR_MAX, COURSE_YEAR_MIN } from '#contract/courses';

/** The term that is taught on a day of Seoul's calendar: March to August is the first, all else the second. */
export function termOf(time: number): { year: number; semester: 1 | 2 } {
  const seoul = new Date(time + 9 * 3_600_000);
  const month = seoul.getUTCMonth() + 1;
  const year = Math.min(Math.max(seoul.getUTCFullYear(), COURSE_YEAR_MIN), COURSE_YEAR_MAX);
  return { year, semester: month >= 3 && month <= 8 ? 1 : 2 };
}

export const semesterOptions = [
  { value: 1, label: '1학기' },
  { value: 2, label: '2학기' },
] as const;

export function courseName({ year, semester, subject }: { year: number; semester: number; subject: string }) {
  return `${year}년 ${semester}학기 ${subject}`;
}
