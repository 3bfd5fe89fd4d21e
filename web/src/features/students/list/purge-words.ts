import type { RosterCourse } from '#contract/students';
import type { StoredTerm } from '../queries.ts';
import type { ChosenClass } from '../../../lib/chosen-class.ts';

/** Which classes go with a term, by name, and that it is more than the chosen one. */
export function purgeWords(
  courses: readonly RosterCourse[],
  { year, semester }: StoredTerm,
  chosen: ChosenClass | undefined,
): string[] {
  const going = courses.filter((course) => course.year === year && course.semester === semester);
  const isChosen = (subject: string) =>
    typeof chosen === 'object' &&
    chosen.year === year &&
    chosen.semester === semester &&
    chosen.subject === subject;
  const others = going.filter(({ subject }) => !isChosen(subject)).length;
  const names = going.map(({ subject, students }) => `${subject} ${students}명`).join(', ');
  return [
    ...(others > 0 && others < going.length
      ? [`선택한 강의만이 아니라 이 학기의 강의 ${going.length}개가 모두 삭제됩니다.`]
      : []),
    ...(names === '' ? [] : [`삭제되는 강의: ${names}`]),
  ];
}
