import { phoneText } from '#contract/phone';
import type { Student } from '#contract/students';
import { toCsv, toTsv } from '../../lib/csv.ts';

const header = ['이름', '학번', '학과', '연락처', '이메일', '과목'];

/** The list as a table of texts: a student number is a text too, because leading zeros count. */
function cellsOf({ name, id, department, tel, email, subjects }: Student): string[] {
  return [name, id, department, phoneText(tel), email, subjects.join(', ')];
}

export function studentsCsv(students: readonly Student[]): string {
  return toCsv([header, ...students.map(cellsOf)]);
}

export function studentsTsv(students: readonly Student[]): string {
  return toTsv([header, ...students.map(cellsOf)]);
}
