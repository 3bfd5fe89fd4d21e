import { phoneText } from '#contract/phone';
import {
  rosterRowSchema,
  type ClassKey,
  type Student,
  type StudentForm,
  type StudentRecord,
} from '#contract/students';
import { normalizeText } from '#contract/printable-text';
import { formProblems, parseNumber } from '../../../lib/form-problems.ts';
import type { MergeField } from '../../../lib/merge.ts';
import { asciiText, oneLine } from '../../../lib/paste-table.ts';
import { suspiciousContacts } from '../import/roster-kind.ts';

/** A student as the user edits the fields. Serial number, year and type belong to the chosen class. */
export type StudentDraft = {
  id: string;
  name: string;
  department: string;
  tel: string;
  email: string;
  no: string;
  year: string;
  type: string;
  /** The version that the draft was made from; 0 for a new student. */
  version: number;
};

/** A person's fields to merge if two people correct the same student; `text` is the value in words. */
export const personMergeFields: readonly MergeField<StudentDraft>[] = [
  { names: ['id'], label: '학번', text: ({ id }) => id },
  { names: ['name'], label: '이름', text: ({ name }) => name },
  { names: ['department'], label: '학과', text: ({ department }) => department },
  { names: ['tel'], label: '연락처', text: ({ tel }) => tel },
  { names: ['email'], label: '이메일', text: ({ email }) => email },
];

/** The fields to merge of a person and of the person's enrolment in a class. */
export const studentMergeFields: readonly MergeField<StudentDraft>[] = [
  ...personMergeFields,
  { names: ['no'], label: '순번', text: ({ no }) => no },
  { names: ['year'], label: '학년', text: ({ year }) => year },
  { names: ['type'], label: '학적상태', text: ({ type }) => type },
];

/** A number as the text of a field; 0 means empty. */
const numberText = (value: number | null) => (value === null || value === 0 ? '' : String(value));

export function studentDraftOf(student: Pick<Student, keyof StudentDraft>): StudentDraft {
  const { id, name, department, tel, email, no, year, type, version } = student;
  return { id, name, department, tel, email, no: numberText(no), year: numberText(year), type, version };
}

/** A new student's draft; in a class, with the next serial number. */
export function emptyStudentDraft(students: readonly Student[], course: ClassKey | undefined): StudentDraft {
  const no = course ? 1 + Math.max(0, ...students.map((student) => student.no ?? 0)) : null;
  const nobody = { id: '', name: '', department: '', tel: '', email: '', version: 0 };
  return studentDraftOf({ ...nobody, no, year: null, type: '재학' });
}

/** Values that look wrong but can be saved. */
export const studentDraftDoubts = (draft: StudentDraft) => suspiciousContacts(rowOf(draft));

export function studentDraftProblems(draft: StudentDraft): Record<string, string> {
  const { id, no, year, ...problems } = formProblems(rosterRowSchema, rowOf(draft));
  return {
    ...(id !== undefined && { id }),
    ...problems,
    ...(no !== undefined && { no: '0 이상의 숫자를 입력하세요' }),
    ...(year !== undefined && { year: '0에서 20 사이의 숫자를 입력하세요' }),
  };
}

/** The draft as the API's request body. @param known the number of the student who is corrected */
export function studentFormOf(
  draft: StudentDraft,
  course: ClassKey | undefined,
  known?: string,
): StudentForm {
  const { id, no, year, type, ...person } = rowOf(draft);
  return {
    ...person,
    ...(course && { enrolment: { course, no, year, type } }),
    ...(draft.version > 0 && { version: draft.version }),
    ...(known !== undefined && known !== id && { number: id }),
  };
}

/** @param draft supplies the enrolment if the record has none */
export function draftOfRecord({ enrolment, ...person }: StudentRecord, draft: StudentDraft): StudentDraft {
  if (!enrolment) return { ...person, no: draft.no, year: draft.year, type: draft.type };
  const { no, year, type } = enrolment;
  return { ...person, no: numberText(no), year: numberText(year), type };
}

/** The draft as an import row: an empty number is 0. */
function rowOf(draft: StudentDraft) {
  const words = (text: string) => oneLine(normalizeText(text));
  const number = (text: string) => (text.trim() === '' ? 0 : parseNumber(text));
  return {
    no: number(draft.no),
    id: asciiText(draft.id),
    name: words(draft.name),
    department: words(draft.department),
    year: number(draft.year),
    type: words(draft.type),
    tel: phoneText(asciiText(draft.tel)),
    email: asciiText(draft.email),
  };
}

export const studentIdOf = (draft: StudentDraft) => rowOf(draft).id;
