/** Class sheets, as text to paste. */
import { gradeStudents, studentsInTable } from '../../web/src/features/scores/grading/graded-class.ts';
import type { Work } from '../../web/src/features/scores/work.ts';

/** A student's cells, each under the label of its column. */
export type Line = Readonly<Record<string, string>>;

const line = (name: string, id: string, midterm: string, final: string, total: string, absent: string) => ({
  이름: name,
  성명: name,
  학번: id,
  과제: midterm,
  중간: midterm,
  기말: final,
  총점: total,
  점수: total,
  결석: absent,
  출석: absent,
});

export const people: readonly Line[] = [
  line('김가람', '202600001', '52', '31', '83', '0'),
  line('이나린', '202600002', '10', '40', '50', '9'),
  line('박다온', '202600003', '70', '20', '90', '2'),
  line('최라온', '202600004', '33', '30', '63', '1'),
];

/** One line of a sheet with these columns. */
export const lineOf = (labels: readonly string[], cells: Line) =>
  labels.map((label) => cells[label] ?? '').join('\t');

/** The lines of a sheet with these columns, without its header. */
export const bare = (labels: readonly string[], lines: readonly Line[] = people) =>
  lines.map((cells) => lineOf(labels, cells));

/** The lines of a sheet with these columns, the header first. */
export const sheet = (labels: readonly string[], lines: readonly Line[] = people) => [
  labels.join('\t'),
  ...bare(labels, lines),
];

/** Ten students with scores from 61 to 95, not sorted by score. The last column is absences. */
export const ten = sheet(
  ['성명', '학번', '총점', '결석'],
  [
    ['김가람', '77', '0'],
    ['이나린', '95', '1'],
    ['박다온', '91', '0'],
    ['최라온', '88', '9'],
    ['정마루', '84', '0'],
    ['강바다', '80', '2'],
    ['조사랑', '73', '0'],
    ['윤아라', '70', '0'],
    ['장자람', '66', '0'],
    ['임차온', '61', '0'],
  ].map(([name = '', total = '', absent = ''], at) =>
    line(name, String(202_600_001 + at), '', '', total, absent),
  ),
).join('\n');

/** The grades of `ten` by the relative method, in the same order. */
export const relative = ['B', 'A+', 'A', 'A', 'B+', 'B+', 'B', 'C+', 'C', 'C'];

export const graded = (work: Work) => gradeStudents(studentsInTable(work), work);
