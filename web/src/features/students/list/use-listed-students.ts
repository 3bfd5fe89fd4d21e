import type { Student } from '#contract/students';
import { skipToken, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { classChoices, studentsOfClass } from '../class-choices.ts';
import { coursesQuery, rosterQuery, studentsQuery } from '../queries.ts';

const everyone = { value: 'all', label: '전체 과목' };
const noCourse = { year: 0, semester: 1, subject: '' } as const;

/** The listed students: all, or those of the selected class. */
export function useListedStudents() {
  const students = useQuery(studentsQuery);
  const courses = useQuery(coursesQuery);
  const [chosen, choose] = useState(everyone.value);
  const choices = useMemo(() => classChoices(courses.data ?? []), [courses.data]);
  const course = choices.find(({ value }) => value === chosen)?.course;
  const asked = rosterQuery(course ?? noCourse);
  const roster = useQuery(course ? asked : { ...asked, queryFn: skipToken });
  const listed = useMemo((): Student[] | undefined => {
    if (!course || !students.data) return students.data;
    return roster.data && studentsOfClass(students.data, roster.data);
  }, [students.data, course, roster.data]);
  return {
    /** Undefined while not loaded. */
    listed,
    hasStudents: students.data !== undefined,
    hasFailed: students.data ? roster.isError : students.isError,
    retry: () => void (students.data ? roster.refetch() : students.refetch()),
    /** Undefined if all classes are listed. */
    course,
    options: [everyone, ...choices],
    chosen: course ? chosen : everyone.value,
    choose,
  };
}
