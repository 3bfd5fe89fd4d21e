import * as z from 'zod';
import { COURSE_YEAR_MAX, COURSE_YEAR_MIN } from './course-target.ts';
import type { ImportRecord } from './imports.ts';
import { textSchema } from './texts.ts';

/** aics, cs, ai and sw teach undergraduates; csg and swg are graduate schools. */
const departmentSchema = z.literal(['aics', 'cs', 'ai', 'sw', 'csg', 'swg']);
export type Department = z.infer<typeof departmentSchema>;

const subjectSemesterSchema = z.literal(['spring', 'summer', 'fall', 'winter']);
export type SubjectSemester = z.infer<typeof subjectSemesterSchema>;

/** One row of a department's timetable. `year` 0 is the graduate level, `score` the credits, 0 if unknown. */
export const subjectSchema = z.object({
  id: textSchema(50).min(1),
  name: textSchema(200).min(1),
  year: z.int().min(0).max(6),
  type: textSchema(50),
  score: z.number().min(0).max(30),
  prof: textSchema(100),
  /** In the university's notation: 월1,2,3 · 화(10:00-11:50). Shown as plain text if it cannot be parsed. */
  time: textSchema(300),
  classroom: textSchema(300),
  etc: textSchema(500),
});
export type Subject = z.infer<typeof subjectSchema>;

/** Body of PUT /api/subjects/{dept}/{year}/{semester}, which replaces the term. Ids must be unique. */
export const subjectListSchema = z.array(subjectSchema).max(5000);

/** Response of GET and PUT: subjects by id. */
export type SubjectsById = Record<string, Subject>;

/** Path parameters of GET and PUT. */
export const subjectTermSchema = z.object({
  dept: departmentSchema,
  year: z
    .string()
    .regex(/^[0-9]{4}$/)
    .transform(Number)
    .pipe(z.int().min(COURSE_YEAR_MIN).max(COURSE_YEAR_MAX)),
  semester: subjectSemesterSchema,
});

/**
 * One item of GET /api/subjects/imports: the last change of a term's timetable. Its undo restores the
 * subjects that the change replaced; then the change before can be undone.
 */
export type StoredTimetableImport = ImportRecord & {
  department: Department;
  year: number;
  semester: SubjectSemester;
  /** The number of subjects now, and before the import. */
  subjects: number;
  before: number;
};
