import type { Course } from '#contract/courses';
import { runningSemester } from '#contract/terms';
import { useState } from 'react';
import { useLocale } from '../../../lib/locale.ts';
import { m } from '../../../paraglide/messages.js';

type Props = Pick<Course, 'year' | 'semester'> & {
  /** The date of the answer that brought the courses; a local run's has none. */
  servedAt: string | null;
};

/** Marks the running term, by the server's clock. */
export function RunningMark({ year, semester, servedAt }: Props) {
  useLocale();
  const [now] = useState(Date.now);
  const running = runningSemester(servedAt === null ? now : Date.parse(servedAt));
  if (running.year !== year || running.semester !== semester) return null;
  return (
    <span className="ml-1 rounded-sm bg-accent-wash px-1.5 py-0.5 text-xs whitespace-nowrap">
      {m.course_running()}
    </span>
  );
}
