/** Matches the rows of a table with the students on the class's roster. */
import { groupBy } from '../../../lib/collections.ts';
import { bareStudentNumber } from '../../../lib/student-columns.ts';
import { standingOf } from '../../../lib/student-standing.ts';
import type { ClassRow } from '../columns/class-list.ts';

/** `type` is the status, as 재학 or 휴학; null or absent if unknown. */
export type RosterStudent = { id: string; name: string; type?: string | null };
type Row = Pick<ClassRow, 'row' | 'id' | 'name' | 'nonStudent'>;

/** The student on the roster for each row, by number or by a name that is unique in table and roster. */
function matched(rows: readonly Row[], roster: readonly RosterStudent[]): Map<number, RosterStudent> {
  const byId = new Map(roster.map((student) => [bareStudentNumber(student.id), student]));
  const byName = groupBy(roster, ({ name }) => name.normalize('NFC'));
  const unnumbered = groupBy(
    rows.filter(({ id }) => id === ''),
    ({ name }) => name.normalize('NFC'),
  );
  return new Map(
    rows.flatMap(({ row, id, name }) => {
      const [only, second] = byName.get(name.normalize('NFC')) ?? [];
      const isOne = only && !second && unnumbered.get(name.normalize('NFC'))?.length === 1;
      const found = id === '' ? isOne && only : byId.get(bareStudentNumber(id));
      return found ? [[row, found] as const] : [];
    }),
  );
}

/** The rows, with missing numbers or names filled in from the roster. */
export function fillInFromRoster<Each extends Row>(rows: Each[], roster: readonly RosterStudent[]): Each[] {
  const found = matched(rows, roster);
  return rows.map((each) => {
    const known = found.get(each.row);
    return known ? { ...each, id: each.id || known.id, name: each.name || known.name } : each;
  });
}

/** Whether two names belong to different people. A name in Latin letters may be the same as a Korean name. */
export function isOtherName(one: string, other: string): boolean {
  const [a, b] = [one, other].map((name) => name.normalize('NFC').replace(/\s/g, '').toLowerCase());
  const isHangul = (name = '') => /\p{Script=Hangul}/u.test(name);
  return a !== '' && b !== '' && a !== b && isHangul(a) === isHangul(b);
}

/**
 * `missing`: students on the roster without a row. `strangers`: rows without a student on the roster.
 * `misnamed`: rows with a student's number and another name. `away`: students with a row who are 휴학 or 자퇴.
 */
export function rosterMismatches(
  rows: readonly Row[],
  roster: readonly RosterStudent[],
): {
  missing: RosterStudent[];
  strangers: Row[];
  misnamed: { row: Row; known: RosterStudent }[];
  away: RosterStudent[];
} {
  const students = rows.filter(
    ({ nonStudent }) => !nonStudent || nonStudent.kind === 'gone' || nonStudent.kind === 'no number',
  );
  const found = matched(students, roster);
  const here = new Set(found.values());
  return {
    missing: roster.filter((student) => !here.has(student)),
    away: students.flatMap(({ row, nonStudent }) => {
      const known = nonStudent ? undefined : found.get(row);
      return known && standingOf(known.type ?? '') === 'gone' ? [known] : [];
    }),
    strangers: students.filter(({ row, nonStudent }) => !nonStudent && !found.has(row)),
    misnamed: students.flatMap((row) => {
      const known = found.get(row.row);
      return known && isOtherName(row.name, known.name) ? [{ row, known }] : [];
    }),
  };
}
