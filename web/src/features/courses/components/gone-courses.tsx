import type { Course } from '#contract/courses';
import { useState } from 'react';
import { GoneDrafts } from '../../../components/draft-note.tsx';
import { serverNow } from '../../../lib/server-time.ts';
import { courseMergeFields, emptyDraft } from '../course-draft.ts';

/** What was being written of courses that are deleted. */
export function GoneCourses({ courses }: { courses: readonly Course[] }) {
  const [model] = useState(() => emptyDraft(serverNow()));
  return (
    <GoneDrafts
      start="courses/"
      what="강의"
      isThere={(name) => !/^\d+$/.test(name) || courses.some(({ id }) => String(id) === name)}
      model={model}
      fields={courseMergeFields}
    />
  );
}
