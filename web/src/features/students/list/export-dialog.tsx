import type { ClassKey, Student } from '#contract/students';
import { ReasonDialog } from '../../../components/reason-dialog.tsx';
import { courseName } from '../../../lib/chosen-class.ts';
import { copyTextWithToast } from '../../../lib/copy-text.ts';
import { saveFile } from '../../../lib/save-file.ts';
import { showToast } from '../../../lib/toast-queue.ts';
import { emailList, studentsCsv, studentsTsv } from './student-table.ts';

type Props = {
  way: ListExport['way'];
  /** The students in the rows on screen. */
  students: readonly Student[];
  onSubmit: (reason: string) => void;
  onClose: () => void;
  returnFocusTo: HTMLElement | null;
};

const submitLabels = { csv: '저장', tsv: '복사', print: '인쇄' };

/** Asks for the reason of an export, and lists students whom an e-mail would not reach. */
export function ExportDialog({ way, students, ...rest }: Props) {
  if (way !== 'emails') {
    return (
      <ReasonDialog
        title={`학생 ${students.length}명의 목록을 ${way === 'print' ? '인쇄합니다' : '내보냅니다'}`}
        submitLabel={submitLabels[way]}
        {...rest}
      />
    );
  }
  const { addresses, without } = emailList(students);
  return (
    <ReasonDialog title={`이메일 ${addresses.length}개를 복사합니다`} submitLabel="복사" {...rest}>
      {without.length > 0 && (
        <p className="mb-2 text-notice wrap-anywhere">
          이메일이 없거나 잘못된 학생 {without.length}명: {namesOf(without)}
        </p>
      )}
      <p>숨은 참조(BCC)에 붙여넣으면 받는 사람끼리 주소를 볼 수 없습니다.</p>
    </ReasonDialog>
  );
}

const SHOWN = 10;

function namesOf(students: readonly Student[]): string {
  const names = students.slice(0, SHOWN).map(({ name }) => name);
  return names.join(', ') + (students.length > SHOWN ? ' …' : '');
}

export type ListExport = {
  way: 'csv' | 'tsv' | 'emails' | 'print';
  rows: Student[];
  course: ClassKey | undefined;
};

/** Saves the list as a file, prints it, or copies it as a table or as a list of e-mail addresses. */
export async function exportStudents(
  { way, rows, course }: ListExport,
  printWhole: () => void,
): Promise<void> {
  if (way === 'csv') {
    saveFile(exportFileName(course), 'text/csv;charset=utf-8', studentsCsv(rows));
    showToast('내보내기 완료');
    return;
  }
  if (way === 'print') return printWhole();
  const text = way === 'tsv' ? studentsTsv(rows) : emailList(rows).addresses.join(', ');
  await copyTextWithToast(text);
}

/** A file name with the class, without characters that are invalid in file names. */
export function exportFileName(course: ClassKey | undefined): string {
  const name = course ? courseName(course) : '전체';
  return `학생 명단 ${name.replace(/[\p{Cc}\p{Cf}"*/:<>?\\|]+/gu, ' ')}.csv`.replace(/\s+/g, ' ');
}
