import * as z from 'zod';
import { COURSE_YEAR_MAX, COURSE_YEAR_MIN } from './course-target.ts';
import type { ImportRecord } from './imports.ts';
import type { Term } from './terms.ts';
import { textSchema } from './texts.ts';
import { versionSchema } from './errors.ts';

/** Student numbers are text: leading zeros matter, and nothing is trimmed. */
export const studentIdSchema = z.string().regex(/^[0-9A-Za-z-]{4,20}$/, '학번이 올바르지 않습니다');

/** A text of one line: line breaks become blanks. */
const lineSchema = (max: number) =>
  textSchema(max).overwrite((text) => text.replace(/\s*[\t\n\v\f\r\u0085\u2028\u2029]\s*/g, ' '));

/**
 * One row of a pasted roster. Serial number, school year and status belong to the enrolment, all other fields
 * to the person.
 */
export const rosterRowSchema = z.object({
  no: z.int().min(0).max(100_000),
  id: studentIdSchema,
  name: lineSchema(100).min(1, '이름을 입력하세요'),
  department: lineSchema(100),
  year: z.int().min(0).max(20),
  type: lineSchema(50),
  tel: lineSchema(50),
  email: lineSchema(200),
});
export type RosterRow = z.infer<typeof rosterRowSchema>;

export const rosterYearSchema = z
  .int('연도를 올바르게 입력하세요')
  .min(COURSE_YEAR_MIN, '연도를 올바르게 입력하세요')
  .max(COURSE_YEAR_MAX, '연도를 올바르게 입력하세요');
/** 1 or 2, as the university counts; courses count four semesters instead. */
const rosterSemesterSchema = z.literal([1, 2], '학기를 올바르게 입력하세요');

export const ROSTER_ROWS_MAX = 5000;

const courseKeySchema = z.object({
  year: rosterYearSchema,
  semester: rosterSemesterSchema,
  subject: textSchema(200).min(1, '데이터를 입력하세요'),
});
/** A class: one course in one term. */
export type ClassKey = z.infer<typeof courseKeySchema>;

/** Body of POST /api/students/. The import is atomic: one bad row rejects all of it. */
export const rosterImportSchema = z.object({
  ...courseKeySchema.shape,
  data: z.array(rosterRowSchema).min(1, '분석된 데이터 없음').max(ROSTER_ROWS_MAX),
  /** Students whose enrolment in this course ends. */
  remove: z.array(studentIdSchema).max(ROSTER_ROWS_MAX).optional(),
});
export type RosterImport = z.infer<typeof rosterImportSchema>;

/**
 * Body of POST /api/students/{id}, which adds a student, and of PUT, which corrects the student if it still
 * has the given `version`. `enrolment` is the enrolment in one class; without it no class is changed.
 * `number` in PUT is the new student number; all stored data moves to that number.
 */
export const studentFormSchema = z.object({
  ...rosterRowSchema.pick({ name: true, department: true, tel: true, email: true }).shape,
  enrolment: z
    .object({ course: courseKeySchema, ...rosterRowSchema.pick({ no: true, year: true, type: true }).shape })
    .optional(),
  version: versionSchema.optional(),
  number: studentIdSchema.optional(),
});
export type StudentForm = z.infer<typeof studentFormSchema>;
export const studentPathSchema = z.object({ id: studentIdSchema });

/** Response of POST and PUT, and `current` of their 409. `enrolment` is null if the body had no class. */
export const studentRecordSchema = z.object({
  id: studentIdSchema,
  ...studentFormSchema.omit({ enrolment: true, number: true }).shape,
  enrolment: rosterRowSchema.pick({ no: true, year: true, type: true }).nullable(),
  version: versionSchema,
});
export type StudentRecord = z.infer<typeof studentRecordSchema>;

/** Row counts. A new enrolment of a known student counts as `changed`. */
export type RosterImportResult = { added: number; changed: number; unchanged: number };

type PersonFields = Pick<RosterRow, 'name' | 'department' | 'tel' | 'email'>;

/** Response of POST /api/students/preview: what the import would do. Nothing is stored. */
export type RosterPreview = {
  /** One item for each pasted row. */
  rows: {
    id: string;
    /** The stored person; null for a new person. */
    before: PersonFields | null;
    after: PersonFields;
    /** The stored values of the enrolment, which the import replaces; null for a new enrolment. */
    enrolment: Pick<RosterRow, 'no' | 'year' | 'type'> | null;
    /** Fields of the person whose stored values somebody set by hand. */
    by_hand: (keyof PersonFields)[];
    /** Whether an import listed the student in the course, and the student was taken out of it later. */
    dropped: boolean;
    /** The person's newest term if it is after the import's term: the import then replaces no stored data. */
    newer: Term | null;
  }[];
  /**
   * Unknown numbers that probably belong to a stored student. Either name or email are the same, and the
   * number differs only in hyphens and leading zeros or was the student's before a correction; or name and a
   * contact are the same, and the table does not list the student.
   */
  alike: { id: string; stored: string; name: string; corrected: boolean }[];
  /** Enrolments of the course that are not in the pasted table. */
  missing: RosterRow[];
  /** The version of the roster that the rows were compared with. */
  version: string;
};

/**
 * Header of POST /api/students/: the preview's version, in quotes. If the roster has changed since, the
 * response is 409 with this name as its field and nothing is stored. Without the header, all rows are stored.
 */
export const IF_MATCH_HEADER = 'If-Match';

/**
 * A student as listed by GET /api/students: number, year and status in the newest term or in the requested
 * class, and the names of all courses.
 */
export type Student = {
  id: string;
  name: string;
  department: string;
  tel: string;
  email: string;
  year: number | null;
  type: string;
  no: number | null;
  subjects: string[];
  picture: boolean;
  /** Rises with every change of the person or of an enrolment. */
  version: number;
};

/** A number in its canonical spelling, for paths and queries. */
const inAddress = (message: string) =>
  z
    .string(message)
    .regex(/^[1-9][0-9]{0,3}$/, message)
    .transform(Number);

/** One class in a path or query. */
export const courseKeyQuerySchema = z.object({
  year: inAddress('연도를 올바르게 입력하세요').pipe(rosterYearSchema),
  semester: inAddress('학기를 올바르게 입력하세요').pipe(rosterSemesterSchema),
  subject: courseKeySchema.shape.subject,
});

/** Query of GET /api/students: all three fields for one class, none for all students. */
export const studentsQuerySchema = courseKeyQuerySchema.partial().transform((query, context) => {
  const { year, semester, subject } = query;
  if (year === undefined && semester === undefined && subject === undefined) return { course: undefined };
  if (year !== undefined && semester !== undefined && subject !== undefined)
    return { course: { year, semester, subject } };
  const missing = year === undefined ? 'year' : semester === undefined ? 'semester' : 'subject';
  context.addIssue({ code: 'custom', path: [missing], message: '연도, 학기, 과목을 함께 보내세요' });
  return z.NEVER;
});

/** Response of GET /api/students/courses: every course with enrolments, newest first. */
export type RosterCourse = ClassKey & { students: number };

/** One item of GET /api/students/imports: an import that can still be undone. */
export type StoredRosterImport = ImportRecord & {
  year: number;
  semester: number;
  subject: string;
  added: number;
  changed: number;
  /** How many enrolments the import ended. */
  removed: number;
};

/**
 * A student corrected by hand after the import; its undo keeps the corrections. `fields`: fields of a
 * roster's row, `enrolment` (ended or begun), `picture`, or `student` for a deleted student without a name.
 */
export type PreservedCorrection = { id: string; name: string | null; fields: string[] };
/** A student whose data or enrolment an undo changes, with the values before and after. */
export type UndoneChange = {
  id: string;
  name: string;
  /** Whether the student returns to the class or leaves it. */
  enrolment: 'begun' | 'ended' | null;
  /** Changes by field of a roster's row. */
  changes: { field: string; before: string | number; after: string | number }[];
};
/**
 * Response of GET and DELETE /api/students/imports/{id}: the import's counts, and four lists of students.
 * `kept`: students whose values were corrected by hand and stay. `gone`: students whom no other import lists; the undo removes them.
 * `altered`: get other values. `stays`: keep values of the undone import, because a later import kept them.
 */
export type RosterUndoResult = RosterImportResult & {
  kept: PreservedCorrection[];
  gone: { id: string; name: string }[];
  altered: UndoneChange[];
  stays: { id: string; name: string; fields: string[] }[];
};

/** Why personal data is exported (사유); recorded in the access log. */
export const exportReasonSchema = textSchema(200).min(2, '사유를 입력하세요');

/** Bodies of POST /api/students/{id}/export and of …/exports, which only logs an export of the list. */
export const studentExportSchema = z.object({ reason: exportReasonSchema });
export const listExportSchema = z.object({
  reason: exportReasonSchema,
  count: z.int().min(0),
  /** The class to which the list was narrowed. */
  course: courseKeySchema.optional(),
  /** Whether a search narrowed the list. The words are not logged, because they are names. */
  search: z.boolean().default(false),
  /** Whether only email addresses were exported. */
  emails: z.boolean().default(false),
  printed: z.boolean().default(false),
});
export type ListExportForm = z.output<typeof listExportSchema>;

/** Everything stored about one person, as exported. Instants are ISO 8601; `last_term` is like 20261. */
export type StudentExport = {
  student: {
    id: string;
    name: string;
    department: string;
    tel: string;
    email: string;
    last_term: number | null;
    /** JSON: for each field, the last value that somebody set by hand. */
    by_hand: string;
  };
  enrolments: {
    year: number;
    semester: number;
    subject: string;
    no: number;
    school_year: number;
    type: string;
  }[];
  picture: { content_type: string; size: number; uploaded_at: string } | null;
  /** What imports changed about the person and the enrolment, stored as long as an undo can restore it. */
  imports: {
    at: string;
    year: number;
    semester: number;
    subject: string;
    /** Name, department, telephone and email. */
    student_before: (string | number)[] | null;
    student_after: (string | number)[] | null;
    /** The values in the imported table; null if the import ended the enrolment. */
    student_listed: (string | number)[] | null;
    /** The values right after the import. */
    student_shown: (string | number)[] | null;
    /** Serial number, school year and status. */
    enrolment_before: (string | number)[] | null;
    enrolment_after: (string | number)[] | null;
    /** Corrections by hand after the import, recorded once an undo has searched for them. */
    corrected: Record<string, unknown> | null;
  }[];
  log: { at: string; action: string; detail: Record<string, unknown> }[];
};

/**
 * Body of DELETE /api/students/terms/{year}/{semester}: the number of enrolments that the user confirmed; 409
 * if the number has changed meanwhile.
 */
export const termPurgeSchema = z.object({ enrolments: z.int().min(0) });
/**
 * What the purge of a term removes: the term's enrolments, and students whose last term this is and who have
 * no other enrolment. `left` is the number of these students who have left all classes of the term.
 */
export type TermPurgeCount = { enrolments: number; students: number; left: number };
