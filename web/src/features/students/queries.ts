import { queryOptions } from '@tanstack/react-query';
import {
  readCourses,
  readLastImport,
  readRosterRows,
  readStudents,
  readTerms,
  type CourseKey,
} from './api.ts';

// All read personal data, which the access log counts: only what somebody asked for is fetched.
const onlyWhenAsked = { refetchOnWindowFocus: false, refetchOnReconnect: false, retryOnMount: true } as const;

/** Beginning of every key here: one change can alter them all. */
export const studentsKey = ['students'] as const;

export const studentsQuery = queryOptions({
  queryKey: [...studentsKey, 'list'],
  queryFn: ({ signal }) => readStudents(signal),
  ...onlyWhenAsked,
});

export const coursesQuery = queryOptions({
  queryKey: [...studentsKey, 'courses'],
  queryFn: ({ signal }) => readCourses(signal),
  ...onlyWhenAsked,
});

export const termsQuery = queryOptions({
  queryKey: [...studentsKey, 'terms'],
  queryFn: ({ signal }) => readTerms(signal),
  ...onlyWhenAsked,
});

export const lastImportQuery = queryOptions({
  queryKey: [...studentsKey, 'last-import'],
  queryFn: ({ signal }) => readLastImport(signal),
  ...onlyWhenAsked,
});

export const rosterQuery = (course: CourseKey) =>
  queryOptions({
    queryKey: [...studentsKey, 'roster', course],
    queryFn: ({ signal }) => readRosterRows(course, signal),
    ...onlyWhenAsked,
  });
