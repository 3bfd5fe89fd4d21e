import { phoneText } from '#contract/phone';
import type { Student } from '#contract/students';
import { toCsv, toTsv } from '../../../lib/csv.ts';
import { saveFile } from '../../../lib/save-file.ts';
import { showToast } from '../../../lib/toast.ts';
import { courseName, type CourseKey } from '../term.ts';

export type ListExport = { way: 'csv' | 'tsv'; rows: Student[]; course: CourseKey | undefined };

/** Exactly the columns of the import, so that an export can be imported. */
const header = ['순번', '학번', '이름', '학과', '학년', '학적상태', '연락처', '이메일'];

/** Student numbers are text, because leading zeros matter. */
function cellsOf({ no, id, name, department, year, type, tel, email }: Student) {
  return [no ?? '', id, name, department, year ?? '', type, phoneText(tel), email];
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

/** Saves the list as a file, or copies it as a table. */
export async function exportStudents({ way, rows, course }: ListExport): Promise<void> {
  if (way === 'csv') {
    saveFile(exportName(course), 'text/csv;charset=utf-8', studentsCsv(rows));
    showToast('내보내기 완료');
    return;
  }
  const isCopied = await navigator.clipboard.writeText(studentsTsv(rows)).then(
    () => true,
    () => false,
  );
  showToast(isCopied ? '복사 완료' : '복사하지 못했습니다. 창을 클릭한 뒤 다시 시도하세요.');
}
