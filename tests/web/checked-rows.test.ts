import { expect, test } from 'vitest';
import { sheetsLine } from '../../web/src/components/import/table-remarks.tsx';
import { rosterKind } from '../../web/src/features/students/import/roster-kind.ts';
import { readImport } from '../support/read-import.ts';

test('IMP-7 a mark that stands alone in a cell is flagged there, because it may mean what stands above', async () => {
  const rows = [
    ['순번', '학번', '이름', '학과', '학년', '학적상태', '연락처', '이메일'],
    ['1', '202600001', '나람', '모형학과', '1', '재학', '', ''],
    ['2', '202600002', '"', '〃', '1', '재학', '', ''],
    ['3', '202600003', '다"람', '모형학과', '1', '재학', '', ''],
  ];
  const { rows: checked } = await readImport(rosterKind, { rows, doubtful: [] });
  const marked = checked.map(({ doubts }) =>
    doubts.filter(({ reason }) => reason.includes('따옴표')).map(({ field }) => field),
  );
  expect(marked).toEqual([[], ['name', 'department'], []]);
});

test('IMP-3 a name that was broken in two, or by an encoding, is flagged', async () => {
  const rows = [
    ['순번', '학번', '이름', '학과', '학년', '학적상태', '연락처', '이메일'],
    ['1', '202600001', '나\n람', '모형\n학과', '1', '재학', '', ''],
    ['2', '202600002', 'M?ller', '모형학과', '1', '재학', '', ''],
    ['3', '202600003', '다람', '모형학과', '1', '재학', '', ''],
    ['4', '202600004', '라람', '모형학\ufffd', '1', '재학', '', ''],
  ];
  const { rows: checked } = await readImport(rosterKind, { rows, doubtful: [] });
  expect(checked.map(({ doubts }) => doubts.map(({ field }) => field))).toEqual([
    ['name', 'name'],
    ['name'],
    [],
    ['department'],
  ]);
});

test('IMP-6 of several sheets the one that is read is named, and those that are not', () => {
  expect(sheetsLine(['1반', '2반', '3반'], 1, false).text).toBe(
    '이 파일의 시트(표) 3개 가운데 ‘2반’만 읽었습니다. 읽지 않은 것: ‘1반’, ‘3반’.',
  );
  const many = Array.from({ length: 9 }, (_, at) => `${at + 1}반`);
  const { text, all = [] } = sheetsLine(many, 0, true);
  expect(text).toContain('‘6반’ 외 3개');
  expect(all).toEqual(many.slice(1).map((name) => `‘${name}’`));
});

const below = async (second: readonly string[], row: readonly string[]) => {
  const rows = [
    ['학번', '이름', '학과', '학년'],
    ['202600001', '가람솔', '모형학과', '1'],
    ['2분반'],
    [...second],
    [...row],
  ];
  const { rows: checked } = await readImport(rosterKind, { rows, doubtful: [] });
  return checked.map(({ row: read, errors }) =>
    read
      ? [read.id, read.name, read.department, read.year].join(' ')
      : errors.map(({ reason }) => reason).join(),
  );
};

test('IMP-2 the same labels in another order below are followed, and a header of a page is repeated', async () => {
  const student = '202600002 나람솔 모형학과 3';
  const swapped = await below(['학번', '학과', '이름', '학년'], ['202600002', '모형학과', '나람솔', '3']);
  expect(swapped.at(-1)).toBe(student);
  const shifted = await below(
    ['', '학번', '성명', '학년', '소속'],
    ['', '202600002', '나람솔', '3', '모형학과'],
  );
  expect(shifted.at(-1)).toBe(student);
  const repeated = await below(['학번', '이름', '학과', '학년'], ['202600002', '나람솔', '모형학과', '3']);
  expect(repeated.at(-1)).toBe(student);
});

test.each([
  [['학번', '이름', '학년', '연락처']],
  [['학번', '이름', '학과']],
  [['학번', '이름', '학과', '학년', '보호자']],
])('IMP-2 the rows below a header of other columns, %j, are not read by the first', async (second) => {
  const rows = await below(second, ['202600002', '나람솔', '3', '4', '5'].slice(0, second.length));
  expect(rows.slice(2)).toEqual([
    '다른 머리글입니다. 아래 행은 따로 붙여넣으세요',
    '다른 머리글 아래의 행입니다. 따로 붙여넣으세요',
  ]);
});

test('IMP-2 rows above the header that is read, which have a header of their own, are named', async () => {
  const rows = [
    ['학번', '이름'],
    ['202600001', '가람솔'],
    ['학번', '이름', '학과', '학년'],
    ['202600002', '나람솔', '모형학과', '1'],
  ];
  const { columns, good } = await readImport(rosterKind, { rows, doubtful: [] });
  expect(good.map(({ id }) => id)).toEqual(['202600002']);
  expect(columns.notes.at(-1)).toBe(
    '3행의 머리글 아래만 읽었습니다. 1행에도 머리글이 있으니 그 아래의 행은 따로 붙여넣으세요',
  );
});
