import type { Department, Subject } from '#contract/subjects';
import { mutationOptions, queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import type { Term } from './labels.ts';

type DepartmentTerm = Term & { department: Department };

/** One department's subjects in a term. */
export const subjectsQuery = ({ department, year, semester }: DepartmentTerm) =>
  queryOptions({
    queryKey: ['subjects', department, year, semester],
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

/** Replaces the term's subjects. */
export const saveSubjectsMutation = mutationOptions({
  mutationFn: async ({ subjects, ...term }: DepartmentTerm & { subjects: Subject[] }) => {
    const param = { dept: term.department, year: String(term.year), semester: term.semester };
    const response = await api.subjects[':dept'][':year'][':semester'].$put({ param, json: subjects });
    return Object.values(await response.json());
  },
  onSuccess: (stored, term, _result, { client }) => client.setQueryData(subjectsQuery(term).queryKey, stored),
  meta: { done: '변경 완료' },
});
