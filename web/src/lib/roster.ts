/** Queries for classes and students, shared by all screens that work with a class. */
import { queryOptions } from '@tanstack/react-query';
import { readJson, api, manualRefetch } from './api.ts';
import type { ChosenClass } from './chosen-class.ts';

const { students } = api;

/** All query keys here and on the students screen begin with this, because one change can affect all data. */
export const studentsKey = ['students'] as const;

export const studentsQuery = (chosen: ChosenClass) =>
  queryOptions({
    queryKey: [...studentsKey, 'list', chosen],
    queryFn: ({ signal }) => {
      const query =
        chosen === 'all' ? {} : { ...chosen, year: String(chosen.year), semester: String(chosen.semester) };
      return readJson(students.$get({ query }, { init: { signal } }));
    },
    ...manualRefetch,
  });

/** Every class with students. */
export const rosterCoursesQuery = queryOptions({
  queryKey: [...studentsKey, 'courses'],
  queryFn: ({ signal }) => readJson(students.courses.$get({}, { init: { signal } })),
  ...manualRefetch,
});
