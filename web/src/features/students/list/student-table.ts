import { phoneText } from '#contract/phone';
import type { CourseKey, Student } from '#contract/students';
import { toCsv, toTsv } from '../../../lib/csv.ts';
import { courseName } from '../term.ts';

/** Exactly the columns of the import, so that an export can be imported. */
const header = ['순번', '학번', '성명', '학과', '학년', '학적상태', '연락처', '이메일'];

/** Student numbers are text, because leading zeros matter. A number that nobody gave is 0 and shows as nothing. */
function cellsOf({ no, id, name, department, year, type, tel, email }: Student) {
  return [no || '', id, name, department, year || '', type, phoneText(tel), email];
}

export function studentsCsv(students: readonly Student[]): string {
  return toCsv([header, ...students.map(cellsOf)]);
}

export function studentsTsv(students: readonly Student[]): string {
  return toTsv([header, ...students.map(cellsOf)]);
}

/** Named after the class, without characters that are invalid in file names. */
export function exportName(course: CourseKey | undefined): string {
  const name = course ? courseName(course) : '전체';
  return `학생 명단 ${name.replace(/[\p{Cc}\p{Cf}"*/:<>?\\|]+/gu, ' ')}.csv`.replace(/\s+/g, ' ');
}
