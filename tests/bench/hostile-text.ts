import { univIdSchema } from '#contract/users';
import type { Student } from '#contract/students';
import { findPictureOwner } from '#contract/pictures';
import { isDocWithinLimits } from '../../web/src/features/docs/parse-doc.ts';
import { rosterKind } from '../../web/src/features/students/import/roster-kind.ts';
import { findManyStudents, searchEntries } from '../../web/src/features/students/student-search.ts';
import { filterByEveryWord } from '../../web/src/lib/search-text.ts';
import { timetableKind } from '../../web/src/features/subjects/timetable-kind.ts';
import { parsePastedRows } from '../../web/src/lib/paste-table.ts';
import { readImport } from '../support/read-import.ts';
import type { Row } from './table.ts';

const LENGTH = 50_000;
const MOTIFS = [
  '0',
  '20',
  'a',
  ' ',
  '\t',
  '"',
  '""',
  '"\t',
  '\n',
  '\r',
  'ㅎ',
  '가',
  '(',
  '월1,',
  '월1~',
  '-',
  '>',
  '*a_ ',
  '[',
  '`',
];
const texts = MOTIFS.map((motif) => motif.repeat(LENGTH).slice(0, LENGTH));

const student: Student = {
  id: '209900001',
  name: '홍길동',
  department: '컴퓨터공학과',
  tel: '',
  email: '',
  year: 1,
  type: '재학',
  no: 1,
  subjects: ['운영체제'],
  picture: false,
  version: 1,
};

/** What strings of 50 KB, made to be slow, cost whatever reads them. Markdown is parsed in a worker of the browser's. */
export async function benchHostileText(): Promise<Row[]> {
  const entries = searchEntries([student]);
  const readers: Record<string, (text: string) => unknown> = {
    'search of students': (text) => filterByEveryWord(entries, text),
    'search of many at once': (text) => findManyStudents([student], text),
    'a pasted table': parsePastedRows,
    'a pasted roster': (text) => readImport(rosterKind, text),
    'a pasted timetable': (text) => readImport(timetableKind(false), `학수번호\t과목명\t시간\n1\t2\t${text}`),
    'a student number': (text) => univIdSchema.safeParse(text),
    "a picture's file name": (text) => findPictureOwner(text, new Set(['209900001'])),
    'markdown, on the page itself': isDocWithinLimits,
  };
  const rows: Row[] = [];
  for (const [reader, read] of Object.entries(readers)) {
    await read('');
    let slowest = 0;
    for (const text of texts) {
      const started = process.cpuUsage();
      await read(text);
      const { user, system } = process.cpuUsage(started);
      slowest = Math.max(slowest, (user + system) / 1000);
    }
    rows.push({
      figure: `${reader}, the slowest of ${texts.length}`,
      value: `${slowest.toFixed(1)} ms`,
      target: '< 50 ms',
    });
  }
  return rows;
}
