import type { Student } from '#contract/students';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../../lib/api-error.ts';
import { saveFile } from '../../lib/save-file.ts';
import { showToast } from '../../lib/toast.ts';
import { deleteStudent, exportStudent, logListExport, purgeTerm, type CourseKey, type Term } from './api.ts';
import { exportName, studentsCsv, studentsTsv } from './list-export.ts';
import { studentsKey } from './queries.ts';
import { courseName } from './term.ts';

/** What is stored may have changed meanwhile: then the screen reads it again. */
function useReload() {
  const queryClient = useQueryClient();
  const reload = () => queryClient.invalidateQueries({ queryKey: studentsKey });
  const reloadIfOutdated = async (error: Error) => {
    if (error instanceof ApiError && (error.status === 404 || error.status === 409)) await reload();
  };
  return { reload, reloadIfOutdated };
}

export function useDeleteStudent() {
  const { reload, reloadIfOutdated } = useReload();
  return useMutation({
    mutationFn: ({ id }: Student) => deleteStudent(id),
    onSuccess: async () => {
      showToast('삭제 완료');
      await reload();
    },
    onError: reloadIfOutdated,
  });
}

export function usePurgeTerm() {
  const { reload, reloadIfOutdated } = useReload();
  return useMutation({
    mutationFn: ({ term, enrolments }: { term: Term; enrolments: number }) => purgeTerm(term, enrolments),
    onSuccess: async () => {
      showToast('삭제 완료');
      await reload();
    },
    onError: reloadIfOutdated,
  });
}

export function useExportStudent() {
  const { reloadIfOutdated } = useReload();
  return useMutation({
    mutationFn: ({ student, reason }: { student: Student; reason: string }) =>
      exportStudent(student.id, reason),
    onSuccess: (answer, { student }) => {
      saveFile(`${student.id}.json`, 'application/json', JSON.stringify(answer, null, 2));
      showToast('내보내기 완료');
    },
    onError: reloadIfOutdated,
  });
}

type ListExport = {
  way: 'csv' | 'tsv';
  students: Student[];
  course: CourseKey | undefined;
  isSearch: boolean;
  reason: string;
};

/** The data leaves only when the log has taken the reason. */
export function useExportList() {
  return useMutation({
    // The log tells that words were searched for, not which: they are names.
    mutationFn: ({ students, course, isSearch, reason }: ListExport) => {
      const filter = [...(course ? [courseName(course)] : []), ...(isSearch ? ['검색'] : [])].join(', ');
      return logListExport({ reason, count: students.length, filter });
    },
    onSuccess: async (_answer, { way, students, course }) => {
      if (way === 'csv') {
        saveFile(exportName(course), 'text/csv;charset=utf-8', studentsCsv(students));
        showToast('내보내기 완료');
        return;
      }
      const isCopied = await navigator.clipboard.writeText(studentsTsv(students)).then(
        () => true,
        () => false,
      );
      showToast(isCopied ? '복사 완료' : '복사하지 못했습니다. 창을 클릭한 뒤 다시 시도하세요.');
    },
  });
}
