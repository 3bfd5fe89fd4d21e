import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { columnValues } from '../../web/src/lib/column-values.ts';
import { unreadColumns } from '../../web/src/features/scores/columns/unread-columns.tsx';
import { withTable } from '../../web/src/features/scores/paste/earlier-decisions.ts';
import { EMPTY_WORK, withExclusion, withExclusions } from '../../web/src/features/scores/work.ts';
import { propertyRuns } from '../support/counts.ts';

const told = (cells: readonly string[]) => {
  const table = cells.map((cell) => [cell]);
  const [column] = columnValues(table, [{ at: 0, label: '열' }], [...cells.keys()]);
  return column?.values.map(({ text, lines }) => `${text} ${lines.length}`);
};
const rows = (...counts: readonly [text: string, count: number][]) =>
  counts.flatMap(([text, count]) => Array.from({ length: count }, () => text));

test('IMP-2 a column that nobody reads is told with its values, the most frequent first', () => {
  expect(told(rows(['취소', 2], ['정상', 28]))).toEqual(['정상 28', '취소 2']);
  expect(told(rows(['KRW', 30]))).toEqual(['KRW 30']);
  expect(told(['Y', 'N'])).toEqual(['Y 1', 'N 1']);
  expect(told([...rows(['', 20]), '이월', '착오', '휴학', '1회', '2회', '3회', '4회'])?.length).toBe(8);
});

test('IMP-2 remarks are all told however many differ, as long as a cell is empty', () => {
  const remarks = Array.from('가나다라마바사아자차카타파하갸', (letter) => `사유${letter}`);
  expect(told([...remarks, ...rows(['', 15])])?.length).toBe(16);
  expect(told([...remarks, ''])?.length).toBe(16);
  expect(told(remarks)).toBeUndefined();
  expect(told([...remarks.map((text) => `${text}@lab.test`), ''])).toEqual(['적힌 칸 15', ' 1']);
});

test('IMP-2 texts among the numbers of a column are told, and sentences however many differ', () => {
  const numbers = Array.from({ length: 20 }, (_, at) => `${60 + at}.5`);
  expect(told([...numbers, '결시', '부정행위', '결시'])).toEqual(['숫자 20', '결시 2', '부정행위 1']);
  expect(told(numbers)).toBeUndefined();
  const sentences = numbers.map((number) => `재시험 ${number}점으로 정정`);
  expect(told(sentences)?.length).toBe(20);
});

test('IMP-2 values of a short list are told, and statuses even if they all differ', () => {
  expect(told(['', '수강취소', '', '청강', 'W'])).toEqual([' 2', '수강취소 1', '청강 1', 'W 1']);
  expect(told(['지급완료', '임시저장', '가승인'])?.length).toBe(3);
  const statuses = ['재학', '휴학', '복학', '제적', '수료', '자퇴', '졸업', '유예'];
  expect(told(statuses)).toBeUndefined();
  const table = statuses.map((cell) => [cell]);
  const column = { at: 0, label: '학적상태', isStatus: true };
  expect(columnValues(table, [column], [...table.keys()])[0]?.values.length).toBe(8);
});

test('IMP-2 texts that differ by a number alone count as one value', () => {
  const approved = Array.from({ length: 19 }, (_, at) => `승인 ${88_000 + at}`);
  expect(told([...approved, '거절(한도초과) 88049'])).toEqual(['승인 # 19', '거절(한도초과) # 1']);
  expect(told(approved)).toBeUndefined();
  expect(told(approved.map((text) => `${text.slice(3)}@lab.test`))).toBeUndefined();
  expect(told(approved.map((text) => `010-1234-${text.slice(4)}`))).toBeUndefined();
});

test('IMP-2 of a list, a few empty cells and zeros are told', () => {
  const numbers = Array.from({ length: 19 }, (_, at) => `${88_000 + at}`);
  expect(told([...numbers, ''])).toEqual(['적힌 칸 19', ' 1']);
  expect(told([...numbers, '0', '0'])).toEqual(['적힌 칸 19', '0 2']);
});

test('IMP-2 columns in which a value is rare come first', () => {
  const table = Array.from({ length: 20 }, (_, at) => [
    at % 2 === 0 ? '가' : '나',
    at === 7 ? '무효' : '정상',
    '서울',
  ]);
  const columns = ['분반', '상태', '캠퍼스'].map((label, at) => ({ at, label }));
  expect(columnValues(table, columns, [...table.keys()]).map(({ label }) => label)).toEqual([
    '상태',
    '분반',
    '캠퍼스',
  ]);
});

test('IMP-2 lists of names, amounts and addresses are not told, nor is an empty column', () => {
  expect(told(Array.from({ length: 30 }, (_, at) => `${at}000`))).toBeUndefined();
  expect(told(Array.from({ length: 30 }, (_, at) => String(1 + (at % 7))))).toBeUndefined();
  expect(told(['101', '102', '103', '104'])).toBeUndefined();
  expect(told(rows(['', 30]))).toBeUndefined();
  expect(told(Array.from({ length: 30 }, (_, at) => String(at)))).toBeUndefined();
});

test('IMP-2 every counted line has exactly one value of a told column', () => {
  const cells = fc.array(fc.constantFrom('', 'Y', 'N', '취소', '정상\n'), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(cells, fc.nat(3), (texts, offset) => {
      const table = [...Array.from({ length: offset }, () => ['머리글']), ...texts.map((cell) => [cell])];
      const lines = texts.flatMap((_, at) => (at % 5 === 4 ? [] : at));
      const columns = columnValues(table, [{ at: 0, label: '열' }], lines, offset);
      const isEmpty = lines.every((line) => texts[line] === '');
      expect(isEmpty && columns.length > 0).toBe(false);
      for (const { values } of columns) {
        expect(values.flatMap((value) => value.lines).toSorted((a, b) => a - b)).toEqual(lines);
        for (const { text, lines: own } of values)
          for (const line of own) expect(texts[line]?.trim()).toBe(text.trim());
      }
    }),
    propertyRuns(300, 10_000),
  );
});

const pasted = withTable(
  EMPTY_WORK,
  [
    '학번\t이름\t총점\t재수강\t분반',
    ...Array.from(
      { length: 12 },
      (_, at) =>
        `20261${String(at).padStart(4, '0')}\t김${'가나다라마바사아자차카타'[at]}\t${60 + at * 3}\t${at < 2 ? 'Y' : ''}\t${at % 2 === 0 ? '01' : '02'}`,
    ),
  ].join('\n'),
);

test('SCO-15 a column without a part in the grades is told, and one value of it excludes its students', () => {
  const columns = columnValues(
    pasted.table,
    unreadColumns(pasted),
    Array.from({ length: 12 }, (_, at) => at + 1),
  );
  expect(
    columns.map(({ label, values }) => [label, values.map(({ text, lines }) => [text, lines.length])]),
  ).toEqual([
    [
      '재수강',
      [
        ['', 10],
        ['Y', 2],
      ],
    ],
    [
      '분반',
      [
        ['01', 6],
        ['02', 6],
      ],
    ],
  ]);
  const lines = columns[0]?.values[1]?.lines ?? [];
  const without = withExclusions(pasted, lines, true);
  expect(without).toEqual(withExclusion(withExclusion(pasted, 1, true), 2, true));
  expect(withExclusions(without, lines, false)).toEqual(pasted);
});
