import type { PictureType } from '#contract/pictures';
import type { Department, SubjectSemester } from '#contract/subjects';
import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey, real, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { users } from './users.ts';

/* Students, enrolments, pictures, imports and timetables. The conventions of users.ts apply. */

/** The roster: present and former students of the lab's courses. */
export const students = sqliteTable(
  'students',
  {
    /** The student number, as text because leading zeros matter. */
    id: text().primaryKey(),
    name: text().notNull(),
    department: text().notNull().default(''),
    tel: text().notNull().default(''),
    email: text().notNull().default(''),
    /** JSON: each field's last value set by hand. A field that still has this value is corrected by hand. */
    by_hand: text().notNull().default('{}'),
    /**
     * The newest term of the student's enrolments as year * 10 + semester. It stays when the last enrolment
     * is deleted, because the retention period begins with this term. Maintained by triggers.
     */
    last_term: integer(),
    /** Raised by triggers with every change of the student and of their enrolments. */
    version: integer().notNull().default(1),
  },
  () => [
    check('students_id', sql`length(id) BETWEEN 4 AND 20 AND id NOT GLOB '*[^0-9A-Za-z-]*'`),
    check('students_name', sql`name <> ''`),
  ],
);

/** Who took which course in which term, with the values that can differ between terms. */
export const enrolments = sqliteTable(
  'enrolments',
  {
    student_id: text()
      .notNull()
      .references(() => students.id, { onDelete: 'cascade' }),
    year: integer().notNull(),
    /** The university's semester number. */
    semester: integer().$type<1 | 2>().notNull(),
    subject: text().notNull(),
    no: integer().notNull(),
    school_year: integer().notNull(),
    type: text().notNull(),
    /** Id of the import that last wrote this row; within a term the higher id is newer. 0 if unknown. */
    last_import: integer().notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.student_id, table.year, table.semester, table.subject] }),
    index('enrolments_by_course').on(table.year, table.semester, table.subject),
    check('enrolments_year', sql`year BETWEEN 2021 AND 2050`),
    check('enrolments_semester', sql`semester BETWEEN 1 AND 2`),
    check('enrolments_subject', sql`subject <> ''`),
  ],
);

/** Pictures in R2 as `pictures/{studentId}/{etag}`, each with its own key (worker/src/pictures/data.ts). */
export const pictures = sqliteTable(
  'pictures',
  {
    student_id: text()
      .primaryKey()
      .references(() => students.id, { onDelete: 'cascade' }),
    content_type: text().$type<PictureType>().notNull(),
    size: integer().notNull(),
    etag: text().notNull(),
    width: integer().notNull(),
    height: integer().notNull(),
    uploaded_at: integer().notNull(),
  },
  () => [check('pictures_content_type', sql`content_type IN ('image/jpeg', 'image/png', 'image/webp')`)],
);

/** A single row whose `tag` changes with everything in the list of students. Maintained by triggers. */
export const rosterVersion = sqliteTable(
  'roster_version',
  {
    id: integer().primaryKey(),
    tag: text().notNull(),
    students: integer().notNull(),
  },
  () => [check('roster_version_id', sql`id = 1`)],
);

/** Who made an import; NULL after the user has been deleted, and for imports by earlier versions. */
const importer = () => integer().references(() => users.id, { onDelete: 'set null' });

/** Roster imports, until they can no longer be undone. */
export const imports = sqliteTable(
  'imports',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    at: integer().notNull(),
    user_id: importer(),
    year: integer().notNull(),
    semester: integer().notNull(),
    subject: text().notNull(),
    /** Row counts; `removed` counts the enrolments that the import ended. */
    added: integer().notNull(),
    changed: integer().notNull(),
    unchanged: integer().notNull(),
    removed: integer().notNull(),
  },
  (table) => [index('imports_by_user').on(table.user_id)],
);

/**
 * What an import listed and ended, with the values before and after, each as a JSON array or NULL for "did
 * not exist". Inserting a row makes the change: a trigger applies it to students and enrolments, so every
 * change has its undo, which replays the remaining rows (worker/src/students/roster-replay.ts).
 */
export const importRows = sqliteTable(
  'import_rows',
  {
    import_id: integer()
      .notNull()
      .references(() => imports.id, { onDelete: 'cascade' }),
    student_id: text().notNull(),
    /** Name, department, tel, email. */
    student_before: text(),
    student_after: text().notNull(),
    /** The person's cells in the imported table; NULL if the import ended the enrolment. */
    student_listed: text(),
    /** The cells right after the import; a replay overwrites `student_after`, but not these cells. */
    student_shown: text(),
    /** Serial number, school year, status; in `after`, empty cells (0 and '') keep what is stored. */
    enrolment_before: text(),
    enrolment_after: text(),
    /** The enrolment's last_import and the student's last_term before the import. */
    last_import_before: integer(),
    last_term_before: integer(),
    /** Corrections by hand between this import and the next, recorded once an undo has searched for them. */
    corrected: text(),
  },
  (table) => [
    primaryKey({ columns: [table.import_id, table.student_id] }),
    index('import_rows_by_student').on(table.student_id),
  ],
);

/** The departments' timetables, each term as an admin last saved it. */
export const subjects = sqliteTable(
  'subjects',
  {
    department: text().$type<Department>().notNull(),
    year: integer().notNull(),
    semester: text().$type<SubjectSemester>().notNull(),
    id: text().notNull(),
    name: text().notNull(),
    /** School year; 0 for graduate courses. */
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

/**
 * The changes of the terms' timetables. A trigger stores the subjects that a change replaces. Only the last
 * change of a term can be undone, then the change before it.
 */
export const subjectImports = sqliteTable(
  'subject_imports',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    at: integer().notNull(),
    user_id: importer(),
    department: text().$type<Department>().notNull(),
    year: integer().notNull(),
    semester: text().$type<SubjectSemester>().notNull(),
  },
  (table) => [
    index('subject_imports_by_term').on(table.department, table.year, table.semester),
    index('subject_imports_by_user').on(table.user_id),
  ],
);

/** The subjects that a change of the timetable replaced. */
export const replacedSubjects = sqliteTable(
  'replaced_subjects',
  {
    import_id: integer()
      .notNull()
      .references(() => subjectImports.id, { onDelete: 'cascade' }),
    id: text().notNull(),
    name: text().notNull(),
    grade: integer().notNull(),
    type: text().notNull(),
    score: real().notNull(),
    prof: text().notNull(),
    time: text().notNull(),
    classroom: text().notNull(),
    etc: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.import_id, table.id] })],
);
