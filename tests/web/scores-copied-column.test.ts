import * as fc from 'fast-check';
import { toTsv } from '../../web/src/lib/csv.ts';
import { decodeTable } from '../../web/src/lib/table-file/decode-table.ts';
import { xlsx } from '../support/xlsx.ts';
import { propertyRuns } from '../support/counts.ts';
import { graded, ten } from '../support/score-tables.ts';
import { expect, test } from 'vitest';
import { rowsInOrder } from '../../web/src/features/scores/grading/table-order.ts';
import { withTable } from '../../web/src/features/scores/paste/earlier-decisions.ts';
import {
  columnInPastedOrder,
  filledForm,
  idsAndGrades,
  columnInShownOrder,
} from '../../web/src/features/scores/print/copied-column.ts';
import { EMPTY_WORK, withExclusion } from '../../web/src/features/scores/work.ts';

const work = withExclusion(withTable(EMPTY_WORK, ten), 2, true);
const { rows } = graded(work);
const fill = (list: string) => filledForm(list, rows, 'grades', work.style);
const lines = (text: string) => text.split('\r\n');

test('SCO-16 IMP-6 a row that the sheet hides keeps an empty line, so that each grade stays beside its student', async () => {
  const rowsOf = ten.split('\n').map((line) => line.split('\t'));
  const bytes = xlsx([{ name: '성적', rows: rowsOf, hiddenRows: [3, 4] }]);
  const read = await decodeTable({ file: new File([bytes], '성적.xlsx') }, { keepEmptyRows: true });
  if ('refusal' in read) throw new Error(read.refusal);
  const shown = graded(withTable(EMPTY_WORK, toTsv(read.rows))).rows;
  const copied = lines(columnInPastedOrder('grades', shown, work.style));
  expect(copied).toHaveLength(rowsOf.length - 1);
  expect(copied.flatMap((line, at) => (line === '' ? at : []))).toEqual([2, 3]);
});

test.each([
  ['one row', ['이름\t학번\t중간\t총점']],
  ['two rows', ['이름\t학번\t시험\t', '\t\t중간\t총점']],
])('SCO-16 below a header of %s each grade stays beside its student', (_, header) => {
  const students = Array.from(
    { length: 10 },
    (_, at) => `김${'가나다라마바사아자차'[at]}솔\t20260000${at}\t${at}\t${95 - at * 3}`,
  );
  const merged = withTable(EMPTY_WORK, [...header, ...students].join('\n'));
  const shown = graded(merged).rows;
  const copied = lines(columnInPastedOrder('grades', shown, merged.style));
  expect(copied).toHaveLength(10);
  expect(copied).toEqual(shown.filter(({ id }) => id !== '').map(({ grade }) => grade));
});

test('SCO-16 student numbers are copied beside their grades, without those who have none', () => {
  const copied = lines(idsAndGrades(rows, work.style));
  expect(copied).toHaveLength(9);
  expect(copied[0]).toBe(`202600001\t${rows[0]?.grade}`);
  expect(copied.some((line) => line.startsWith('202600002'))).toBe(false);
});

test('SCO-16 the order that is looked at is copied as it stands', () => {
  const viewed = rowsInOrder(rows, { key: 'score', direction: 'descending' });
  expect(viewed.map(({ score }) => score)).toEqual([95, 91, 88, 84, 80, 77, 73, 70, 66, 61]);
  expect(lines(columnInShownOrder('grades', viewed, work.style))).toEqual(
    viewed.map(({ grade }) => grade ?? ''),
  );
  expect(rowsInOrder(rows, undefined)).toBe(rows);
});

test("SCO-16 a university's list gets its grades line by line, and who is missing on either side is named", () => {
  const byId = new Map(rows.map(({ id, grade }) => [id, grade]));
  const form = fill('번호\t학번\n1\t202600010\n\n2\t202600001\n3\t209999999\n4\t202600002');
  expect(lines(form.text)).toEqual(['', byId.get('202600010'), '', byId.get('202600001'), '', '']);
  expect(form.filled).toBe(2);
  expect(form.unknown).toEqual(['209999999', '202600002']);
  expect(form.left).toEqual(
    rows.flatMap(({ id }) => (['202600010', '202600001', '202600002'].includes(id) ? [] : id)),
  );
});

test('SCO-16 numbers are known as other programs write them; one that is there twice stays empty', () => {
  expect(fill('２０２６００００１\n202600003.0\n2026-00004\n000202600005')).toMatchObject({
    filled: 4,
    unknown: [],
  });
  const twice = fill('202600001\n202600003\n202600001');
  expect(lines(twice.text)).toEqual(['', rows[2]?.grade, '']);
  expect(twice).toMatchObject({ filled: 1, repeated: ['202600001'] });
  const same = graded(withTable(EMPTY_WORK, ten.replace('202600003', '202600001'))).rows;
  expect(filledForm('202600001', same, 'grades', work.style)).toMatchObject({
    filled: 0,
    repeated: ['202600001'],
  });
});

test('SCO-16 a number beside the name of another student is told', () => {
  const [first, second] = rows;
  const form = fill(`학번\t이름\n${first?.id}\t${second?.name}\n${second?.id}\t${second?.name}`);
  expect(form.misnamed).toEqual([`${first?.id} ${second?.name}`]);
  expect(form.filled).toBe(1);
});

test('SCO-16 any order of any of the numbers gets the grade of each number', () => {
  const byId = new Map(rows.map(({ id, grade }) => [id, grade]));
  const known = fc.constantFrom(...byId.keys());
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.oneof(known, fc.integer({ min: 300_000_000, max: 300_000_050 }).map(String)), {
        minLength: 1,
      }),
      (ids) => {
        const form = fill(ids.join('\n'));
        expect(lines(form.text)).toEqual(ids.map((id) => byId.get(id) ?? ''));
        expect([...form.unknown, ...form.left].toSorted()).toEqual(
          [...byId]
            .flatMap(([id, grade]) => (grade !== undefined && !ids.includes(id) ? [id] : []))
            .concat(ids.filter((id) => byId.get(id) === undefined))
            .toSorted(),
        );
      },
    ),
    propertyRuns(),
  );
});
