import {
  IF_MATCH_HEADER,
  type ClassKey,
  type RosterImport,
  type RosterPreview,
  type RosterRow,
  type StoredRosterImport,
  type Student,
  type StudentForm,
} from '#contract/students';
import { mutationOptions, queryOptions } from '@tanstack/react-query';
import { fetchOrThrow } from '../../lib/api-error.ts';
import { readJson, api, manualRefetch } from '../../lib/api.ts';
import { studentsKey } from '../../lib/roster.ts';
import { saveFile } from '../../lib/save-file.ts';
import { showToast } from '../../lib/toast-queue.ts';
import { previewImport, storeUnlessChanged } from './import/roster-preview.ts';
import type { ListExport } from './list/export-dialog.tsx';

const { students } = api;
/** A term with stored data; `semester` may be any stored number. */
export type StoredTerm = { year: number; semester: number };

export const termsQuery = queryOptions({
  queryKey: [...studentsKey, 'terms'],
  queryFn: ({ signal }) => readJson(students.terms.$get({}, { init: { signal } })),
  ...manualRefetch,
});

export const rosterImportsQuery = queryOptions({
  queryKey: [...studentsKey, 'imports'],
  queryFn: ({ signal }) => readJson(students.imports.$get({}, { init: { signal } })),
  ...manualRefetch,
});

/** What undoing an import would do. The server is asked again each time. */
export const previewUndoQuery = (id: number) =>
  queryOptions({
    queryKey: [...studentsKey, 'imports', id],
    queryFn: ({ signal }) =>
      readJson(students.imports[':id'].$get({ param: { id: String(id) } }, { init: { signal } })),
    ...manualRefetch,
    gcTime: 0,
  });

const previewRoster = (roster: RosterImport) => readJson(students.preview.$post({ json: roster }));

/** What importing these rows would do, according to the server. */
export const compareRosterMutation = mutationOptions({
  mutationFn: async (roster: RosterImport) => {
    const answer = await previewRoster(roster);
    return { rows: roster.data, preview: previewImport(roster.data, answer), answer };
  },
});

/** `rows`: all compared rows. `roster`: the rows to store. */
type ComparedRoster = {
  roster: RosterImport;
  rows: readonly RosterRow[];
  seen: RosterPreview;
};

export const importRosterMutation = mutationOptions({
  mutationFn: async ({ roster, rows, seen }: ComparedRoster) => {
    // The API's path ends in a slash, which the typed client would omit.
    const fetch: typeof fetchOrThrow = (_address, init) => fetchOrThrow('/api/students/', init);
    await storeUnlessChanged(
      seen,
      (version) =>
        students.$post({ json: roster }, { fetch, headers: { [IF_MATCH_HEADER]: `"${version}"` } }),
      () => previewRoster({ ...roster, data: [...rows] }),
    );
  },
  meta: { reload: studentsKey },
});

export const undoRosterImportMutation = mutationOptions({
  mutationFn: ({ id }: StoredRosterImport) =>
    readJson(students.imports[':id'].$delete({ param: { id: String(id) } })),
  meta: { done: '되돌리기 완료', reload: studentsKey },
});

type SavedStudent = { id: string; form: StudentForm };

/** Corrects a student with a version; adds a student without a version. */
export const saveStudentMutation = mutationOptions({
  mutationFn: async ({ id, form }: SavedStudent) => {
    const one = students[':id'];
    const isKnown = form.version !== undefined;
    await (isKnown ? one.$put({ param: { id }, json: form }) : one.$post({ param: { id }, json: form }));
    showToast(isKnown ? '변경 완료' : '추가 완료');
  },
  meta: { reload: studentsKey },
});

export const deleteStudentMutation = mutationOptions({
  mutationFn: ({ id }: Student) => students[':id'].$delete({ param: { id } }),
  meta: { done: '삭제 완료', reload: studentsKey },
});

/** Ends the enrolment in one class; the student stays. */
export const deleteEnrolmentMutation = mutationOptions({
  mutationFn: ({ student: { id }, course }: { student: Student; course: ClassKey }) =>
    students[':id'].enrolment.$delete({
      param: { id },
      query: { ...course, ...paramOf(course) },
    }),
  meta: { done: '삭제 완료', reload: studentsKey },
});

/** Counts what deleting the term would remove, and loads all courses. `from` is the pressed button. */
export const countTermMutation = mutationOptions({
  mutationFn: async ({ term }: { term: StoredTerm; from: HTMLElement }) => {
    const [count, courses] = await Promise.all([
      readJson(students.terms[':year'][':semester'].$get({ param: paramOf(term) })),
      readJson(students.courses.$get()),
    ]);
    return { ...count, courses };
  },
});

export const purgeTermMutation = mutationOptions({
  /** `enrolments` is the number of enrolments that the user has confirmed. */
  mutationFn: ({ term, enrolments }: { term: StoredTerm; enrolments: number }) =>
    students.terms[':year'][':semester'].$delete({ param: paramOf(term), json: { enrolments } }),
  meta: { done: '삭제 완료', reload: studentsKey },
});

export const exportStudentMutation = mutationOptions({
  mutationFn: ({ student: { id }, reason }: { student: Student; reason: string }) =>
    readJson(students[':id'].export.$post({ param: { id }, json: { reason } })),
  onSuccess: (answer, { student }) =>
    saveFile(`${student.id}.json`, 'application/json', JSON.stringify(answer, null, 2)),
  meta: { done: '내보내기 완료', reloadIfOutdated: studentsKey },
});

/** Logs the reason before the data is exported. */
export const exportListMutation = mutationOptions({
  // Logs that there was a search term, but not the term itself, because it is a name.
  mutationFn: ({
    way,
    rows,
    course,
    isSearch,
    reason,
  }: ListExport & { isSearch: boolean; reason: string }) => {
    const emails = way === 'emails';
    const printed = way === 'print';
    const json = { reason, count: rows.length, search: isSearch, emails, printed, ...(course && { course }) };
    return students.exports.$post({ json });
  },
});

function paramOf({ year, semester }: StoredTerm) {
  return { year: String(year), semester: String(semester) };
}
