import type { Department, Subject, SubjectSemester } from '#contract/subjects';
import { SEASON_LABELS } from '#contract/terms';

export const DEPARTMENTS = ['aics', 'cs', 'ai', 'sw', 'csg', 'swg'] as const;

export const departmentLabels: Record<Department, string> = {
  aics: '인공지능컴퓨터과학과',
  cs: '컴퓨터과학과',
  ai: '인공지능학과',
  sw: '소프트웨어학과',
  csg: '대학원 컴퓨터과학과',
  swg: '대학원 소프트웨어학과',
};

export function isGraduate(department: Department): boolean {
  return department === 'csg' || department === 'swg';
}

const SEMESTERS = ['spring', 'fall', 'summer', 'winter'] as const;
export const semesterOptions = SEMESTERS.map((value) => ({ value, label: SEASON_LABELS[value] }));

export type TimetableField = keyof Subject | 'section' | 'department' | 'cancelled' | 'status';
/** A subject and the text in the table's department column; empty without such a column. */
export type TimetableRow = { subject: Subject; department: string };

export type SubjectTerm = { year: number; semester: SubjectSemester };

/** The grade in words; 0 is the graduate level. */
export function gradeText(year: number): string {
  return year === 0 ? '대학원' : `${year}학년`;
}
