import type { Course, CourseForm } from '#contract/courses';
import { mutationOptions, queryOptions } from '@tanstack/react-query';
import { readJson, api } from '../../lib/api.ts';
import { showToast } from '../../lib/toast-queue.ts';

// The main page's query has the same prefix, because a change makes the data of both screens stale.
export const coursesKey = ['courses'];

export const staffCoursesQuery = queryOptions({
  queryKey: [...coursesKey, 'staff'],
  queryFn: ({ signal }) => readJson(api.courses2.$get({}, { init: { signal } })),
  retryOnMount: true,
});

/** The classes of the roster, which the course form offers to fill in. */
export const rosterClassesQuery = queryOptions({
  queryKey: ['students', 'courses'],
  queryFn: ({ signal }) => readJson(api.students.courses.$get({}, { init: { signal } })),
});

export async function saveCourse(form: CourseForm): Promise<Course> {
  return await readJson(api.courses.$post({ json: form }));
}

export const saveCourseMutation = mutationOptions({
  mutationFn: saveCourse,
  onSuccess: (_course, { id }) => showToast(id === null ? '추가 완료' : '변경 완료'),
  meta: { reload: coursesKey },
});

export const deleteCourseMutation = mutationOptions({
  mutationFn: (id: number) => api.courses[':id'].$delete({ param: { id: String(id) } }),
  meta: { done: '삭제 완료', reload: coursesKey },
});
