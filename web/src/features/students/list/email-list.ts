import type { Student } from '#contract/students';
import { isEmail } from '../../../lib/form-problems.ts';

/** The addresses for one mail to all of them, each once, and the students who have none that a mail could reach. */
export function emailList(students: readonly Student[]): { addresses: string[]; without: Student[] } {
  const addresses = new Map<string, string>();
  const without: Student[] = [];
  for (const student of students) {
    if (isEmail(student.email)) addresses.set(student.email.toLowerCase(), student.email);
    else without.push(student);
  }
  return { addresses: [...addresses.values()], without };
}
