import type { CourseKey, Student } from '#contract/students';
import { copyText } from '../../../lib/copy-text.ts';
import { saveFile } from '../../../lib/save-file.ts';
import { showToast } from '../../../lib/toast.ts';
import { emailList } from './email-list.ts';
import { exportName, studentsCsv, studentsTsv } from './student-table.ts';

export type ListExport = {
  way: 'csv' | 'tsv' | 'emails' | 'print';
  rows: Student[];
  course: CourseKey | undefined;
};

/** Saves the list as a file, prints it, or copies it as a table or as the addresses of a mail. */
export async function exportStudents(
  { way, rows, course }: ListExport,
  printWhole: () => void,
): Promise<void> {
  if (way === 'csv') {
    saveFile(exportName(course), 'text/csv;charset=utf-8', studentsCsv(rows));
    showToast('내보내기 완료');
    return;
  }
  if (way === 'print') return printWhole();
  const text = way === 'tsv' ? studentsTsv(rows) : emailList(rows).addresses.join(', ');
  await copyText(text);
}
