import { graded } from '../support/score-tables.ts';
import { expect, test } from 'vitest';
import { columnName } from '../../web/src/features/scores/columns/class-list.ts';
import {
  detectColumns,
  withColumn,
  scoreCandidates,
  readPasted,
} from '../../web/src/features/scores/columns/columns.ts';
import { gradebookFile, gradebookOf } from '../../web/src/lib/gradebook.ts';
import { withTable } from '../../web/src/features/scores/paste/earlier-decisions.ts';
import { suggestedWeighting } from '../../web/src/features/scores/weights/weighting-offer.ts';
import { EMPTY_WORK, withWeighting } from '../../web/src/features/scores/work.ts';
import { toTsv } from '../../web/src/lib/csv.ts';

const canvas = [
  'Student,ID,SIS User ID,SIS Login ID,Section,중간고사 (1101),과제 1 (1102),과제 2 (1103),과제 Current Score,Current Score,Final Score,Notes',
  ',,,,,Manual Posting,,,,,,',
  '    Points Possible,,,,,40,10,10,(read only),(read only),(read only),',
  '"김, 가람",11,00202600001,garam,운영체제 01,32,9,10,95,88.5,88.5,',
  '"이, 나린",12,00202600002,narin,운영체제 01,40,,8,90,94.2,85,"장학, 확인"',
  '"Student, Test",15,,a8f3,운영체제 01,,,,,,,',
  '',
].join('\r\n');

test('SCO-13 a gradebook of Canvas is understood: who is who, full marks, and what is no score', () => {
  const table = readPasted(canvas).table;
  const mapping = detectColumns(table);
  expect(mapping).toMatchObject({ header: 0, columns: { name: 0, id: 2 } });
  expect(mapping.columns.score).toBeUndefined();
  expect(scoreCandidates(table, mapping).map(({ column }) => columnName(table, mapping, column))).toEqual([
    '중간고사 (1101)',
    '과제 1 (1102)',
    '과제 2 (1103)',
    'Current Score',
    'Final Score',
  ]);
  const weighting = suggestedWeighting(table, mapping);
  expect(weighting.parts.map(({ columns, best }) => [columns, best])).toEqual([
    [[{ column: 5, full: 40 }], 1],
    [
      [
        { column: 6, full: 10 },
        { column: 7, full: 10 },
      ],
      2,
    ],
  ]);
  const weighted = withWeighting(withTable(EMPTY_WORK, canvas), {
    ...weighting,
    parts: weighting.parts.map(({ columns, missing, best }, at) => ({
      columns,
      missing,
      best,
      weight: at === 0 ? 60 : 40,
    })),
  });
  const { rows } = graded(weighted);
  expect(rows.map(({ name, id, score, leftOut }) => [name, id, score, leftOut?.kind])).toEqual([
    ['', '', undefined, 'nobody'],
    ['Points Possible', '', 100, 'word'],
    ['김, 가람', '00202600001', 86, undefined],
    ['이, 나린', '00202600002', 76, undefined],
    ['Student, Test', '', undefined, 'word'],
  ]);
});

test('SCO-13 the file of Canvas comes back with one column more, ids and all other cells as they were', () => {
  const table = readPasted(canvas).table;
  const gradebook = gradebookOf(table);
  if (!gradebook) throw new Error('no gradebook');
  const cells = new Map([
    [3, '86'],
    [4, '76'],
  ]);
  const text = gradebookFile(table, gradebook, { name: '최종 점수', full: 100, cells });
  const added = ['최종 점수', '', '100', '86', '76', ''];
  const expected = canvas
    .split('\r\n')
    .slice(0, -1)
    .map((line, row) => `${line},${added[row]}`);
  expect(text.replace('\ufeff', '').split('\r\n').slice(0, -1)).toEqual(expected);
  // What was added is filled again, and nothing is added twice.
  const again = readPasted(text).table;
  const filled = gradebookFile(again, gradebook, {
    name: '최종 점수',
    full: 100,
    cells: new Map([[3, '90']]),
  });
  expect(readPasted(filled).table).toEqual(
    again.map((row, at) => (at === 3 ? row.with(row.length - 1, '90') : row)),
  );
});

const moodle = [
  '"First name","Last name","ID number",Institution,Department,"Email address","Quiz: 퀴즈 1 (Real)","Assignment: 과제 (Real)","Course total (Real)","Last downloaded from this course"',
  '가람,김,00202600001,,컴퓨터공학과,garam@example.com,8.00,56.00,64.00,1764000000',
  'Anne,Able,00202600002,,컴퓨터공학과,anne@example.com,-,75.00,75.00,1764000000',
  '',
].join('\n');

test('SCO-13 a gradebook of Moodle is understood and comes back by number and address', () => {
  const work = withTable(EMPTY_WORK, moodle);
  const table = readPasted(moodle).table;
  expect(work.mapping).toMatchObject({ header: 0, familyName: 1, columns: { name: 0, id: 2 } });
  expect(
    scoreCandidates(table, work.mapping).map(({ column }) => columnName(table, work.mapping, column)),
  ).toEqual(['Quiz: 퀴즈 1 (Real)', 'Assignment: 과제 (Real)', 'Course total (Real)']);
  const { rows } = graded(withColumn(work, 'score', 8));
  expect(rows.map(({ name, id, score }) => [name, id, score])).toEqual([
    ['김가람', '00202600001', 64],
    ['Anne Able', '00202600002', 75],
  ]);
  const gradebook = gradebookOf(table);
  if (!gradebook) throw new Error('no gradebook');
  const text = gradebookFile(table, gradebook, {
    name: '최종 학점',
    full: undefined,
    cells: new Map([
      [1, 'B+'],
      [2, 'A+'],
    ]),
  });
  expect(readPasted(text).table).toEqual(
    table.map((row, at) => row.concat(['최종 학점', 'B+', 'A+'][at] ?? '')),
  );
});

test('SCO-13 a list of students is no gradebook', () => {
  expect(
    gradebookOf(readPasted('이름\t학번\t이메일\t점수\n김가람\t202600001\ta@example.com\t90').table),
  ).toBeUndefined();
  expect(gradebookOf(readPasted('Student\tID\tScore\nKim\t202600001\t90').table)).toBeUndefined();
});

test('IMP-1 SCO-13 a file is graded as its paste is: its cells survive the way through the field', () => {
  for (const text of [canvas, moodle])
    expect(readPasted(toTsv(readPasted(text).table)).table).toEqual(readPasted(text).table);
});
