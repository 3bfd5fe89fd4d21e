import { phoneText } from '#contract/phone';
import type { Student } from '#contract/students';
import { toCsv, toTsv } from '../../../lib/csv.ts';
import { isEmail } from '../../../lib/form-problems.ts';

/** The same columns as in the import, so that an export can be imported. */
const header = ['순번', '학번', '성명', '학과', '학년', '학적상태', '연락처', '이메일'];

/** Student numbers stay text, because they may begin with zeros. `no` and `year` are 0 if unknown. */
function cellsOf({ no, id, name, department, year, type, tel, email }: Student) {
  return [no || '', id, name, department, year || '', type, phoneText(tel), email];
}

export function studentsCsv(students: readonly Student[]): string {
  return toCsv([header, ...students.map(cellsOf)]);
}

export function studentsTsv(students: readonly Student[]): string {
  return toTsv([header, ...students.map(cellsOf)]);
}

/** The distinct e-mail addresses for one mail to all students, and the students without a usable address. */
export function emailList(students: readonly Student[]): { addresses: string[]; without: Student[] } {
  const addresses = new Map<string, string>();
  const without: Student[] = [];
  for (const student of students) {
    if (isEmail(student.email)) addresses.set(student.email.toLowerCase(), student.email);
    else without.push(student);
  }
  return { addresses: [...addresses.values()], without };
}
