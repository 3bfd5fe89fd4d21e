import type {
  LastImport,
  PurgeCount,
  RosterCourse,
  RosterImport,
  RosterImportResult,
  RosterRow,
  Student,
  StudentExport,
} from '#contract/students';
import { fetchOrThrow } from '../../lib/api-error.ts';

export type CourseKey = { year: number; semester: 1 | 2; subject: string };
export type Term = { year: number; semester: number };

const base = '/api/students';

async function read<Answer>(path: string, signal?: AbortSignal): Promise<Answer> {
  const response = await fetchOrThrow(`${base}${path}`, signal && { signal });
  return await response.json();
}

async function send<Answer>(method: 'POST' | 'DELETE', path: string, body?: unknown): Promise<Answer> {
  const response = await fetchOrThrow(`${base}${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return await response.json();
}

const id = encodeURIComponent;

export const readStudents = (signal: AbortSignal) => read<Student[]>('', signal);
export const readCourses = (signal: AbortSignal) => read<RosterCourse[]>('/courses', signal);
export const readLastImport = (signal: AbortSignal) => read<LastImport | null>('/imports/last', signal);
export const readRosterRows = ({ year, semester, subject }: CourseKey, signal?: AbortSignal) =>
  read<RosterRow[]>(
    `/roster?${new URLSearchParams({ year: `${year}`, semester: `${semester}`, subject })}`,
    signal,
  );
export const readPurgeCount = (term: Term) => read<PurgeCount>(`/terms/${term.year}/${term.semester}`);

export const importRoster = (roster: RosterImport) => send<RosterImportResult>('POST', '/', roster);
export const undoImport = () => send<unknown>('DELETE', '/imports/last');
export const deleteStudent = (student: string) => send<unknown>('DELETE', `/${id(student)}`);
export const exportStudent = (student: string, reason: string) =>
  send<StudentExport>('POST', `/${id(student)}/export`, { reason });
export const logListExport = (body: { reason: string; count: number; filter: string }) =>
  send<unknown>('POST', '/exports', body);
export const purgeTerm = (term: Term, enrolments: number) =>
  send<unknown>('DELETE', `/terms/${term.year}/${term.semester}`, { enrolments });

export function pictureUrl({ id: student, name }: { id: string; name: string }): string {
  return `${base}/pictures/${id(student)}?${new URLSearchParams({ name })}`;
}
