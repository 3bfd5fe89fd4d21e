import { phoneText } from '#contract/phone';
import type { Student } from '#contract/students';
import { toCsv, toTsv } from '../../lib/csv.ts';
import type { CourseKey } from './api.ts';
import { courseName } from './term.ts';

/** The columns of the import, and no more: what was exported can be imported. */
const header = ['순번', '학번', '이름', '학과', '학년', '학적상태', '연락처', '이메일'];

/** A student number is a text, because its leading zeros count. */
function cellsOf({ no, id, name, department, year, type, tel, email }: Student) {
  return [no ?? '', id, name, department, year ?? '', type, phoneText(tel), email];
}

export function studentsCsv(students: readonly Student[]): string {
  return toCsv([header, ...students.map(cellsOf)]);
}

export function studentsTsv(students: readonly Student[]): string {
  return toTsv([header, ...students.map(cellsOf)]);
}

/** Names the class that it holds. What no file system takes in a name is left out of the subject's. */
export function exportName(course: CourseKey | undefined): string {
  const name = course ? courseName(course) : '전체';
  return `학생 명단 ${name.replace(/[\p{Cc}\p{Cf}"*/:<>?\\|]+/gu, ' ')}.csv`.replace(/\s+/g, ' ');
}
