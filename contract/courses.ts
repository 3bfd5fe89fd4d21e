import * as z from 'zod';

export const COURSE_YEAR_MIN = 2021;
export const COURSE_YEAR_MAX = 2050;

/** 1 Spring, 2 Summer, 3 Fall, 4 Winter. */
export const semesterSchema = z.literal([1, 2, 3, 4]);
export type Semester = z.infer<typeof semesterSchema>;

/** 0 other (see `target_etc`), 1–4 undergraduate years, 5 Masters, 6 Masters & PhD, 7 PhD. */
export const targetSchema = z.literal([0, 1, 2, 3, 4, 5, 6, 7]);
export type Target = z.infer<typeof targetSchema>;

export const courseSchema = z.object({
  id: z.int(),
  year: z.int().min(COURSE_YEAR_MIN).max(COURSE_YEAR_MAX),
  semester: semesterSchema,
  subject: z.string().min(1).max(200),
  subject_en: z.string().min(1).max(200),
  target: targetSchema,
  target_etc: z.string().max(200),
  /** `target_etc` on the English page; '' where it has none. */
  target_etc_en: z.string().max(200),
});
export type Course = z.infer<typeof courseSchema>;

const targetTexts = { 5: 'Masters Course', 6: 'Masters & PhD Course', 7: 'PhD Course' } as const;

/** Text of a course's target, in Korean as far as it is: `2학년`, `Masters Course`, or its own words. */
export function targetText(course: Pick<Course, 'target' | 'target_etc'>): string {
  const { target } = course;
  if (target === 0) return course.target_etc;
  if (target === 5 || target === 6 || target === 7) return targetTexts[target];
  return `${target}학년`;
}

/** Whether a target's text is Korean, as far as the product knows. */
export const isKoreanTarget = (target: Target) => !(target in targetTexts);

/** What the English page says beside a Korean target, if there is anything. */
export function englishTarget(course: Pick<Course, 'target' | 'target_etc_en'>): string {
  return course.target === 0 ? course.target_etc_en : `Year ${course.target}`;
}

/** Body of POST /api/courses: `id` null, absent or below 1 creates, an existing id replaces that course. */
export const courseFormSchema = z
  .object({
    ...courseSchema.omit({ id: true }).shape,
    // Only some courses have it.
    target_etc: courseSchema.shape.target_etc.default(''),
    target_etc_en: courseSchema.shape.target_etc_en.default(''),
    id: z.int().nullable().optional(),
  })
  .refine((course) => course.target !== 0 || course.target_etc !== '', {
    path: ['target_etc'],
    error: '대상을 입력하세요',
  });
export type CourseForm = z.infer<typeof courseFormSchema>;
