import type { AttendanceRule } from './rules.ts';

/** Absences of one student, lateness included, in sessions; undefined when the cell says nothing. */
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

/** Whether so many absences are the threshold or more. */
export function isAbsentTooOften(absences: number, { sessions, threshold }: AttendanceRule): boolean {
  // Both sides in hundredths of a percent: 7.5 of 30 sessions are a quarter to the last digit.
  return Math.round(absences * 10_000) >= Math.round(threshold * 100) * sessions;
}
