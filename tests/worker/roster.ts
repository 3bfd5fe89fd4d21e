import type { RosterImport, RosterRow, StoredRosterImport, Student } from '#contract/students';
import { call } from './client.ts';
import { contents } from './support.ts';

export const row = (at: number, fields: Partial<RosterRow> = {}): RosterRow => ({
  no: at + 1,
  id: String(202_100_000 + at),
  name: `가람${at}`,
  department: '컴퓨터공학부',
  year: 3,
  type: '재학',
  tel: '010-0000-0000',
  email: `s${at}@univ.test`,
  ...fields,
});
export const many = (howMany: number, first = 0) =>
  Array.from({ length: howMany }, (_, at) => row(first + at));
export const course = { year: 2026, semester: 1, subject: '임베디드 시스템' } as const;
export const post = (data: unknown[], fields: Partial<RosterImport> = {}) =>
  call('/students', 'POST', { ...course, data, ...fields });
export const counts = async (data: unknown[], fields: Partial<RosterImport> = {}) =>
  await (await post(data, fields)).json();
export const list = async (): Promise<Student[]> => await (await call('/students')).json();
export const one = async (id: string) => (await list()).find((student) => student.id === id);
export const listed = async (): Promise<StoredRosterImport[]> =>
  await (await call('/students/imports')).json();
export const last = async (): Promise<StoredRosterImport | undefined> => (await listed())[0];
/** Undoes an import; without an id the newest one, if any. */
export async function undo(id?: number): Promise<Response> {
  const asked = id ?? (await last())?.id ?? 1;
  return await call(`/students/imports/${asked}`, 'DELETE');
}

/** What an undo brings back: all that is known of students and enrolments, but no number of changes. */
export async function roster() {
  const { students = [], enrolments } = await contents();
  return {
    students: students.map((student) => Object.assign({}, student, { version: undefined })),
    enrolments,
  };
}
