import type { Course } from '#contract/courses';
import { useEffect, useState } from 'react';

type CourseTerm = Pick<Course, 'year' | 'semester'>;

/**
 * The running term at an instant. The calendar is loaded afterwards, because the first script has no room for what only
 * marks a line; where that fails, nothing is marked.
 */
export function useRunningSemester(at: number | undefined): CourseTerm | undefined {
  const [running, setRunning] = useState<CourseTerm>();
  useEffect(() => {
    if (at === undefined) return;
    void import('#contract/terms').then(
      ({ runningSemester }) => setRunning(runningSemester(at)),
      () => undefined,
    );
  }, [at]);
  return running;
}
