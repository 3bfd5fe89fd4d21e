import * as z from 'zod';
import { COURSE_YEAR_MAX, COURSE_YEAR_MIN } from './course-target.ts';
import type { Term } from './terms.ts';

/** A student number is text: leading zeros count, and nothing is trimmed. */
export const studentIdSchema = z.string().regex(/^[0-9A-Za-z-]{4,20}$/, '학번이 올바르지 않습니다');

/** One row of a pasted roster. Serial number, school year and status belong to the enrolment, the rest to the person. */
export const rosterRowSchema = z.object({
  no: z.int().min(0).max(100_000),
  id: studentIdSchema,
  name: z.string().min(1, '이름을 입력하세요').max(100),
  department: z.string().max(100),
  year: z.int().min(0).max(20),
  type: z.string().max(50),
  tel: z.string().max(50),
  email: z.string().max(200),
});
export type RosterRow = z.infer<typeof rosterRowSchema>;

export const rosterYearSchema = z
  .int('연도를 올바르게 입력하세요')
  .min(COURSE_YEAR_MIN, '연도를 올바르게 입력하세요')
  .max(COURSE_YEAR_MAX, '연도를 올바르게 입력하세요');
/** 1 or 2, as the university counts; not the four codes of courses. */
export const rosterSemesterSchema = z.literal([1, 2], '학기를 올바르게 입력하세요');

/** Most rows in one import. */
export const ROSTER_ROWS = 5000;

const courseKey = {
  year: rosterYearSchema,
  semester: rosterSemesterSchema,
  subject: z.string().min(1, '데이터를 입력하세요').max(200),
};

/** Body of POST /api/students/. One atomic import: one bad row stores none. */
export const rosterImportSchema = z.object({
  ...courseKey,
  data: z.array(rosterRowSchema).min(1, '분석된 데이터 없음').max(ROSTER_ROWS),
  /** Students whose enrolment in this course ends. */
  remove: z.array(studentIdSchema).max(ROSTER_ROWS).optional(),
});
export type RosterImport = z.infer<typeof rosterImportSchema>;

/** Counts of rows. A new enrolment of a known student is `changed`. */
export type RosterImportResult = { added: number; changed: number; unchanged: number };

type PersonFields = Pick<RosterRow, 'name' | 'department' | 'tel' | 'email'>;

/** Answer of POST /api/students/preview: what the same import would do, and nothing is stored. */
export type RosterPreview = {
  /** One for each pasted row. */
  rows: {
    id: string;
    /** The person as stored; null for somebody new. */
    before: PersonFields | null;
    after: PersonFields;
    /** What is stored of the enrolment; null when there is none. Afterwards it is as pasted. */
    enrolment: Pick<RosterRow, 'no' | 'year' | 'type'> | null;
    /** The person's newest term when it is newer than the import's: what is known of them stays then. */
    newer: Term | null;
  }[];
  /** Enrolments of the course that are not in the paste. */
  missing: RosterRow[];
};

/** A student as GET /api/students lists them: number, year and status of the newest term, names of all courses. */
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
  /** Whether a picture is stored. */
  picture: boolean;
};

/** A number as the address writes it, in the one way that there is. */
const inAddress = (message: string) =>
  z
    .string(message)
    .regex(/^[1-9][0-9]{0,3}$/, message)
    .transform(Number);

/** Query of GET /api/students/roster: one course as stored, for the preview of an import and the face roster. */
export const courseKeyQuerySchema = z.object({
  year: inAddress('연도를 올바르게 입력하세요').pipe(rosterYearSchema),
  semester: inAddress('학기를 올바르게 입력하세요').pipe(rosterSemesterSchema),
  subject: courseKey.subject,
});

/** Answer of GET /api/students/courses: every course that has enrolments, newest first. */
export type RosterCourse = { year: number; semester: number; subject: string; students: number };

/** Answer of GET /api/students/imports/last: what an undo would take back; null when there is nothing. */
export type LastImport = {
  id: number;
  at: string;
  year: number;
  semester: number;
  subject: string;
} & RosterImportResult;

/** Why personal data leaves the system (사유): goes into the access log. */
export const reasonSchema = z.string().trim().min(2, '사유를 입력하세요').max(200);

/** Body of POST /api/students/{id}/export and of POST /api/students/exports, which only logs an export of the list. */
export const exportSchema = z.object({ reason: reasonSchema });
export const listExportSchema = z.object({
  reason: reasonSchema,
  count: z.int().min(0),
  filter: z.string().max(500),
});

/** Everything stored of one person, as their export contains it. Instants in ISO 8601, `last_term` as 20261. */
export type StudentExport = {
  student: {
    id: string;
    name: string;
    department: string;
    tel: string;
    email: string;
    last_term: number | null;
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
  log: { at: string; action: string; detail: Record<string, unknown> }[];
};

/** Body of DELETE /api/students/terms/{year}/{semester}: the count that the person confirmed; 409 when it is another. */
export const purgeSchema = z.object({ enrolments: z.int().min(0) });
/** What a purge of a term removes: its enrolments, and the students who have no other and whose last term it was. */
export type PurgeCount = { enrolments: number; students: number };
