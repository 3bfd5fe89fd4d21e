import type { CourseTarget } from '#contract/course-target';
import type { Semester } from '#contract/courses';
import { sql } from 'drizzle-orm';
import { check, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

export const courses = sqliteTable(
  'courses',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    year: integer().notNull(),
    semester: integer().$type<Semester>().notNull(),
    subject: text().notNull(),
    subject_en: text().notNull(),
    target: integer().$type<CourseTarget>().notNull(),
    target_etc: text().notNull().default(''),
    target_etc_en: text().notNull().default(''),
    /** Raised by a trigger with every change. */
    version: integer().notNull().default(1),
  },
  (table) => [
    index('courses_by_term').on(table.year, table.semester),
    check('courses_year', sql`year BETWEEN 2021 AND 2050`),
    check('courses_semester', sql`semester BETWEEN 1 AND 4`),
    check('courses_subject', sql`subject <> '' AND subject_en <> ''`),
    check('courses_target', sql`target BETWEEN 0 AND 7`),
  ],
);
