import type { CourseForm, Course, Semester } from '#contract/courses';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { showToast } from '../../lib/toast-queue.ts';
import { coursesKey, saveCourse } from './queries.ts';
import { plainWords } from '../../lib/search-text.ts';
import { groupBy } from '../../lib/collections.ts';

/**
 * Adds the courses one at a time, so that the progress is accurate. After a failure or a stop, the list is
 * loaded again and marks the courses that were added, so that a second run adds only the other courses.
 */
export function useCourseCopying(onCopied: () => void) {
  const [progress, setProgress] = useState({ done: 0, total: 0 });
  const isStopped = useRef(false);
  // Leaving the screen stops the copying, because nobody would see its outcome.
  useEffect(() => {
    isStopped.current = false;
    return () => {
      isStopped.current = true;
    };
  }, []);
  const { mutate, isPending } = useMutation({
    mutationFn: async (forms: CourseForm[]) => {
      for (const [index, form] of forms.entries()) {
        if (isStopped.current) return false;
        await saveCourse(form);
        setProgress({ done: index + 1, total: forms.length });
      }
      return true;
    },
    onSuccess: (isComplete) => {
      if (!isComplete) return;
      showToast('추가 완료');
      onCopied();
    },
    meta: { reload: coursesKey, isPartial: true },
  });
  return {
    ...progress,
    isPending,
    start: (forms: CourseForm[]) => {
      isStopped.current = false;
      setProgress({ done: 0, total: forms.length });
      mutate(forms);
    },
    stop: () => {
      isStopped.current = true;
    },
  };
}

type Term = Pick<Course, 'year' | 'semester'>;

/** A planned copy: `form` is the request body, `twin` the existing course that the copy would duplicate. */
export type PlannedCopy = { source: Course; form: CourseForm; twin: Course | undefined };

export function termKey({ year, semester }: Term): string {
  return `${year}-${semester}`;
}

/** The terms that have courses, newest first. */
export function termsWithCourses(
  courses: readonly Course[],
): { year: number; semester: Semester; count: number }[] {
  return [...groupBy(courses, termKey).values()]
    .flatMap((group) => {
      const [first] = group;
      return first ? [{ year: first.year, semester: first.semester, count: group.length }] : [];
    })
    .sort((a, b) => b.year - a.year || b.semester - a.semester);
}

export function planCopies(
  sources: readonly Course[],
  year: number,
  courses: readonly Course[],
): PlannedCopy[] {
  return sources.map((source) => {
    const { id: _, version: __, ...fields } = source;
    const form = { ...fields, year, id: null };
    return { source, form, twin: findDuplicateCourse(form, courses) };
  });
}

/** Finds a course of the same term with the same Korean or English name: probably the same course. */
export function findDuplicateCourse(
  { id, year, semester, subject, subject_en }: CourseForm,
  courses: readonly Course[],
): Course | undefined {
  return courses.find(
    (course) =>
      course.id !== id &&
      course.year === year &&
      course.semester === semester &&
      (isSameName(course.subject, subject) || isSameName(course.subject_en, subject_en)),
  );
}

function isSameName(a: string, b: string): boolean {
  const name = plainWords(a);
  return name !== '' && name === plainWords(b);
}
