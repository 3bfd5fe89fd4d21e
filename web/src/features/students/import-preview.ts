import type { RosterRow, Student } from '#contract/students';
import { fieldNames } from './roster-paste.ts';

export type Change = { field: string; from: string; to: string };

/** A row of the paste and what importing it would do. A known student who is new to the course is `changed`. */
export type PreviewRow = { row: RosterRow; kind: 'new' | 'changed' | 'unchanged'; changes: Change[] };

export type Preview = {
  rows: PreviewRow[];
  /** Enrolments that are stored but not in the paste. */
  missing: RosterRow[];
  counts: Record<PreviewRow['kind'], number>;
};

const ofEnrolment = ['no', 'year', 'type'] as const;
const ofPerson = ['name', 'department', 'tel', 'email'] as const;

/** What the rows are compared with. */
type Known = {
  /** The course as it is stored. */
  stored: readonly RosterRow[];
  /** Everyone who is stored. */
  students: readonly Pick<Student, 'id' | 'name' | 'department' | 'tel' | 'email' | 'subjects'>[];
  /** Names of courses of later terms. */
  newerSubjects: ReadonlySet<string>;
  /** Ids of rows that cannot be imported: their enrolments are not missing. */
  badIds: ReadonlySet<string>;
};

/** Says before anything is sent what the server would do with each row; the server's own counts come afterwards. */
export function previewImport(
  rows: readonly RosterRow[],
  { stored, students, newerSubjects, badIds }: Known,
): Preview {
  const enrolled = new Map(stored.map((row) => [row.id, row]));
  const known = new Map(students.map((student) => [student.id, student]));
  const preview = rows.map((row): PreviewRow => {
    const person = known.get(row.id);
    if (!person) return { row, kind: 'new', changes: [] };
    const enrolment = enrolled.get(row.id);
    // An empty cell never overwrites what is stored of the person, nor does an older term than the newest.
    const isOlder = person.subjects.some((subject) => newerSubjects.has(subject));
    const changes = ofPerson
      .filter((field) => row[field] !== '' && row[field] !== person[field])
      .filter((field) => !isOlder || person[field] === '')
      .map((field) => ({ field: fieldNames[field], from: person[field], to: row[field] }));
    if (!enrolment)
      return { row, kind: 'changed', changes: [{ field: '수강', from: '', to: '추가' }, ...changes] };
    for (const field of ofEnrolment) {
      if (row[field] === enrolment[field]) continue;
      changes.push({ field: fieldNames[field], from: String(enrolment[field]), to: String(row[field]) });
    }
    return { row, kind: changes.length > 0 ? 'changed' : 'unchanged', changes };
  });
  const pasted = new Set(rows.map(({ id }) => id));
  const counts = { new: 0, changed: 0, unchanged: 0 };
  for (const { kind } of preview) counts[kind] += 1;
  return {
    rows: preview,
    missing: stored.filter(({ id }) => !pasted.has(id) && !badIds.has(id)),
    counts,
  };
}
