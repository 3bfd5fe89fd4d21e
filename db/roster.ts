import type { PictureType } from '#contract/pictures';
import type { Department, SubjectSemester } from '#contract/subjects';
import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey, real, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { students } from './schema.ts';

/* What hangs on the students of schema.ts, and the timetables. The same rules hold here. */

/** Who took what, by term. What may change from one term to the next stands here, the rest with the person. */
export const enrolments = sqliteTable(
  'enrolments',
  {
    studentId: text('student_id')
      .notNull()
      .references(() => students.id, { onDelete: 'cascade' }),
    year: integer().notNull(),
    /** 1 or 2, as the university counts. */
    semester: integer().notNull(),
    subject: text().notNull(),
    no: integer().notNull(),
    schoolYear: integer('school_year').notNull(),
    type: text().notNull(),
    /** Id of the import that last added or changed it: of two in a term the higher is the newer. 0 where nobody knows. */
    lastImport: integer('last_import').notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.studentId, table.year, table.semester, table.subject] }),
    index('enrolments_by_course').on(table.year, table.semester, table.subject),
    check('enrolments_year', sql`year BETWEEN 2021 AND 2050`),
    check('enrolments_semester', sql`semester BETWEEN 1 AND 2`),
    check('enrolments_subject', sql`subject <> ''`),
  ],
);

/** What R2 holds of whom, under `pictures/{studentId}`. Only an object of this very ETag is theirs. */
export const pictures = sqliteTable(
  'pictures',
  {
    studentId: text('student_id')
      .primaryKey()
      .references(() => students.id, { onDelete: 'cascade' }),
    contentType: text('content_type').$type<PictureType>().notNull(),
    size: integer().notNull(),
    etag: text().notNull(),
    width: integer().notNull(),
    height: integer().notNull(),
    uploadedAt: integer('uploaded_at').notNull(),
  },
  () => [check('pictures_content_type', sql`content_type IN ('image/jpeg', 'image/png', 'image/webp')`)],
);

/** One row: `tag` is another after every change that the list of students shows. Kept by triggers. */
export const rosterVersion = sqliteTable(
  'roster_version',
  {
    id: integer().primaryKey(),
    tag: text().notNull(),
    /** How many there are. */
    students: integer().notNull(),
  },
  () => [check('roster_version_id', sql`id = 1`)],
);

/** Imports of a roster. A trigger drops all but the newest one that changed something: only that one can be undone. */
export const imports = sqliteTable('imports', {
  id: integer().primaryKey({ autoIncrement: true }),
  at: integer().notNull(),
  year: integer().notNull(),
  semester: integer().notNull(),
  subject: text().notNull(),
  /** Counts of rows; `removed` of enrolments that it ended. */
  added: integer().notNull(),
  changed: integer().notNull(),
  unchanged: integer().notNull(),
  removed: integer().notNull(),
});

/**
 * What the newest import changed, before and after, each as a JSON array; NULL is "not there". Adding a row is what
 * makes the change: a trigger applies it to students and enrolments, so that nothing can be changed without its undo.
 */
export const importRows = sqliteTable(
  'import_rows',
  {
    importId: integer('import_id')
      .notNull()
      .references(() => imports.id, { onDelete: 'cascade' }),
    studentId: text('student_id').notNull(),
    /** Name, department, tel, email. */
    studentBefore: text('student_before'),
    studentAfter: text('student_after').notNull(),
    /** Serial number, school year, status. */
    enrolmentBefore: text('enrolment_before'),
    enrolmentAfter: text('enrolment_after'),
    /** What the enrolment's last_import and the student's last_term were. */
    lastImportBefore: integer('last_import_before'),
    lastTermBefore: integer('last_term_before'),
  },
  (table) => [
    primaryKey({ columns: [table.importId, table.studentId] }),
    index('import_rows_by_student').on(table.studentId),
  ],
);

/** The departments' timetables, each term as its admin last saved it. */
export const subjects = sqliteTable(
  'subjects',
  {
    department: text().$type<Department>().notNull(),
    year: integer().notNull(),
    semester: text().$type<SubjectSemester>().notNull(),
    id: text().notNull(),
    name: text().notNull(),
    /** The students' year; 0 is the graduate level. */
    grade: integer().notNull(),
    type: text().notNull(),
    score: real().notNull(),
    prof: text().notNull(),
    time: text().notNull(),
    classroom: text().notNull(),
    etc: text().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.department, table.year, table.semester, table.id] }),
    check('subjects_department', sql`department IN ('aics', 'cs', 'ai', 'sw', 'csg', 'swg')`),
    check('subjects_year', sql`year BETWEEN 2021 AND 2050`),
    check('subjects_semester', sql`semester IN ('spring', 'summer', 'fall', 'winter')`),
    check('subjects_id', sql`id <> '' AND name <> ''`),
  ],
);
