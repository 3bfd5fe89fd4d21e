import type { Department, Subject } from '#contract/subjects';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { showToast } from '../../lib/toast.ts';
import type { Term } from './subject-words.ts';

type DepartmentTerm = Term & { department: Department };

/** One department's term. */
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

/** Puts these subjects in place of the term's. */
export function useSaveSubjects() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ subjects, ...term }: DepartmentTerm & { subjects: Subject[] }) => {
      const param = { dept: term.department, year: String(term.year), semester: term.semester };
      const response = await api.subjects[':dept'][':year'][':semester'].$put({ param, json: subjects });
      return Object.values(await response.json());
    },
    onSuccess: (stored, term) => {
      queryClient.setQueryData(subjectsQuery(term).queryKey, stored);
      showToast('변경 완료');
    },
  });
}
