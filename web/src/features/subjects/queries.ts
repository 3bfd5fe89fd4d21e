import type { Department, StoredTimetableImport, Subject } from '#contract/subjects';
import { mutationOptions, queryOptions } from '@tanstack/react-query';
import { readJson, api } from '../../lib/api.ts';
import type { SubjectTerm } from './labels.ts';

type DepartmentTerm = SubjectTerm & { department: Department };

/** All query keys in this file begin with this key. */
const subjectsKey = ['subjects'] as const;
const importsKey = [...subjectsKey, 'imports'] as const;

export const subjectsQuery = ({ department, year, semester }: DepartmentTerm) =>
  queryOptions({
    queryKey: [...subjectsKey, department, year, semester],
    queryFn: async ({ signal }) => {
      const param = { dept: department, year: String(year), semester };
      const response = await api.subjects[':dept'][':year'][':semester'].$get(
        { param },
        { init: { signal } },
      );
      return Object.values(await response.json());
    },
    retryOnMount: true,
  });

export const saveSubjectsMutation = mutationOptions({
  mutationFn: async ({ subjects, ...term }: DepartmentTerm & { subjects: Subject[] }) => {
    const param = { dept: term.department, year: String(term.year), semester: term.semester };
    const response = await api.subjects[':dept'][':year'][':semester'].$put({ param, json: subjects });
    return Object.values(await response.json());
  },
  onSuccess: (stored, term, _result, { client }) => client.setQueryData(subjectsQuery(term).queryKey, stored),
  meta: { done: '변경 완료', reload: importsKey, reloadElsewhere: subjectsKey },
});

export const timetableImportsQuery = queryOptions({
  queryKey: importsKey,
  queryFn: ({ signal }) => readJson(api.subjects.imports.$get({}, { init: { signal } })),
  retryOnMount: true,
});

export const undoTimetableImportMutation = mutationOptions({
  mutationFn: ({ id }: StoredTimetableImport) =>
    api.subjects.imports[':id'].$delete({ param: { id: String(id) } }),
  meta: { done: '되돌리기 완료', reload: subjectsKey },
});
