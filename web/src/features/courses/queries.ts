import type { Course, CourseForm } from '#contract/courses';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { ApiError } from '../../lib/api-error.ts';
import { showToast } from '../../lib/toast.ts';

// The main page's list has a key that begins alike: both are out of date after a change.
const coursesKey = ['courses'];

export const staffCoursesQuery = queryOptions({
  queryKey: [...coursesKey, 'staff'],
  queryFn: async ({ signal }) => {
    const response = await api.courses2.$get({}, { init: { signal } });
    return await response.json();
  },
  retryOnMount: true,
});

export async function saveCourse(form: CourseForm): Promise<Course> {
  const response = await api.courses.$post({ json: form });
  return await response.json();
}

/** Reads the lists again after a change. */
export function useReloadCourses(): () => Promise<void> {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: coursesKey });
}

export function useSaveCourse() {
  const reload = useReloadCourses();
  return useMutation({
    mutationFn: saveCourse,
    onSuccess: async (_course, { id }) => {
      showToast(id === null ? '추가 완료' : '변경 완료');
      await reload();
    },
    onError: (error) => reloadIfGone(error, reload),
  });
}

export function useDeleteCourse() {
  const reload = useReloadCourses();
  return useMutation({
    mutationFn: async (id: number) => {
      await api.courses[':id'].$delete({ param: { id: String(id) } });
    },
    onSuccess: async () => {
      showToast('삭제 완료');
      await reload();
    },
    onError: (error) => reloadIfGone(error, reload),
  });
}

/** Somebody else has deleted the course meanwhile. */
async function reloadIfGone(error: Error, reload: () => Promise<void>): Promise<void> {
  if (error instanceof ApiError && error.status === 404) await reload();
}
