import * as z from 'zod';
import { versionSchema } from './errors.ts';
import { textSchema } from './texts.ts';
import { COURSE_YEAR_MAX, COURSE_YEAR_MIN, COURSE_TARGETS } from './course-target.ts';

/** 1 Spring, 2 Summer, 3 Fall, 4 Winter. */
const semesterSchema = z.literal([1, 2, 3, 4]);
export type Semester = z.infer<typeof semesterSchema>;

const targetSchema = z.literal(COURSE_TARGETS);

const WRONG_YEAR = `연도는 ${COURSE_YEAR_MIN}에서 ${COURSE_YEAR_MAX} 사이로 입력하세요`;
/** Not `z.int`: if it fails, zod skips the form's other checks, and reports an empty target only later. */
export const courseYearSchema = z
  .number(WRONG_YEAR)
  .multipleOf(1, WRONG_YEAR)
  .min(COURSE_YEAR_MIN, WRONG_YEAR)
  .max(COURSE_YEAR_MAX, WRONG_YEAR);
const wordsSchema = textSchema(200, '200자까지 쓸 수 있습니다');

export const courseSchema = z.object({
  id: z.int(),
  year: courseYearSchema,
  semester: semesterSchema,
  subject: wordsSchema.min(1, '과목명을 입력하세요'),
  subject_en: wordsSchema.min(1, '영문 과목명을 입력하세요'),
  target: targetSchema,
  target_etc: wordsSchema,
  /** `target_etc` for the English page; '' if there is none. */
  target_etc_en: wordsSchema,
  version: versionSchema,
});
const targetWordsSchema = courseSchema.pick({ target: true, target_etc: true }).partial({ target_etc: true });
export type Course = z.infer<typeof courseSchema>;

/**
 * Body of POST /api/courses. Without `id`, or if `id` is null or below 1, the body creates a course. With the
 * id of a course, the body replaces that course, if the course still has the given `version`.
 */
export const courseFormSchema = z
  .object({
    ...courseSchema.omit({ id: true }).shape,
    // Optional without a default: an older client does not send these fields, and a default would empty them.
    target_etc: courseSchema.shape.target_etc.optional(),
    target_etc_en: courseSchema.shape.target_etc_en.optional(),
    id: z.int().nullable().optional(),
    version: versionSchema.optional(),
  })
  .refine((course) => course.target !== 0 || Boolean(course.target_etc), {
    path: ['target_etc'],
    error: '대상을 입력하세요',
    // Without `when`, the target's words would not be checked while another field is invalid.
    when: ({ value }) => targetWordsSchema.safeParse(value).success,
  });
export type CourseBody = z.infer<typeof courseFormSchema>;
/** The body as our own site sends it. */
export type CourseForm = Omit<Course, 'id' | 'version'> & Pick<CourseBody, 'id' | 'version'>;
