import type { AttendanceRule } from './rules.ts';

/** A student's absences in sessions, including lateness; undefined if the cell is unreadable. */
export function absencesOf(
  attendance: number | undefined,
  late: number | undefined,
  { meaning, sessions, latesPerAbsence }: AttendanceRule,
): number | undefined {
  if (meaning === 'off' || attendance === undefined) return undefined;
  const fromLate = Math.floor((late ?? 0) / latesPerAbsence);
  if (meaning === 'absences') return attendance + fromLate;
  if (meaning === 'attended') return sessions - attendance + fromLate;
  return (sessions * (100 - attendance)) / 100 + fromLate;
}

/** Whether the absences reach the threshold. */
export function isAbsentTooOften(absences: number, { sessions, threshold }: AttendanceRule): boolean {
  // Both sides in hundredths of a percent, so that 7.5 of 30 sessions are exactly a quarter.
  return Math.round(absences * 10_000) >= Math.round(threshold * 100) * sessions;
}
