import * as z from 'zod';
import { COURSE_YEAR_MAX, COURSE_YEAR_MIN, TARGETS } from './course-target.ts';

/** 1 Spring, 2 Summer, 3 Fall, 4 Winter. */
export const semesterSchema = z.literal([1, 2, 3, 4]);
export type Semester = z.infer<typeof semesterSchema>;

export const targetSchema = z.literal(TARGETS);

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
