import type { RosterImport } from '#contract/students';
import { fetchOrThrow } from '../../lib/api-error.ts';
import { api } from '../../lib/api.ts';

export type CourseKey = { year: number; semester: 1 | 2; subject: string };
export type Term = { year: number; semester: number };

const { students } = api;

export async function readStudents(signal: AbortSignal) {
  const response = await students.$get({}, { init: { signal } });
  return await response.json();
}

export async function readCourses(signal: AbortSignal) {
  const response = await students.courses.$get({}, { init: { signal } });
  return await response.json();
}

export async function readTerms(signal: AbortSignal) {
  const response = await students.terms.$get({}, { init: { signal } });
  return await response.json();
}

export async function readLastImport(signal: AbortSignal) {
  const response = await students.imports.last.$get({}, { init: { signal } });
  return await response.json();
}

export async function readRosterRows({ year, semester, subject }: CourseKey, signal: AbortSignal) {
  const query = { year: String(year), semester: String(semester), subject };
  const response = await students.roster.$get({ query }, { init: { signal } });
  return await response.json();
}

export async function readPurgeCount(term: Term) {
  const response = await students.terms[':year'][':semester'].$get({ param: paramOf(term) });
  return await response.json();
}

export async function previewRoster(roster: RosterImport) {
  const response = await students.preview.$post({ json: roster });
  return await response.json();
}

export async function importRoster(roster: RosterImport) {
  // The specified address ends in a slash, which the typed client would leave out.
  const fetch: typeof fetchOrThrow = (_address, init) => fetchOrThrow('/api/students/', init);
  const response = await students.$post({ json: roster }, { fetch });
  return await response.json();
}

export async function undoImport(): Promise<void> {
  await students.imports.last.$delete();
}

export async function deleteStudent(id: string): Promise<void> {
  await students[':id'].$delete({ param: { id } });
}

export async function exportStudent(id: string, reason: string) {
  const response = await students[':id'].export.$post({ param: { id }, json: { reason } });
  return await response.json();
}

export async function logListExport(json: { reason: string; count: number; filter: string }): Promise<void> {
  await students.exports.$post({ json });
}

/** @param enrolments how many were confirmed */
export async function purgeTerm(term: Term, enrolments: number): Promise<void> {
  await students.terms[':year'][':semester'].$delete({ param: paramOf(term), json: { enrolments } });
}

function paramOf({ year, semester }: Term) {
  return { year: String(year), semester: String(semester) };
}
