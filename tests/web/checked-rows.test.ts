import { expect, test } from 'vitest';
import { sheetsText } from '../../web/src/components/import/table-input.tsx';
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
  ];
  const { rows: checked } = await readImport(rosterKind, { rows, doubtful: [] });
  expect(checked.map(({ doubts }) => doubts.map(({ field }) => field))).toEqual([['name'], ['name'], []]);
});

test('IMP-6 of several sheets the one that is read is named, and those that are not', () => {
  expect(sheetsText(['1반', '2반', '3반'], 1)).toBe(
    '이 파일의 시트(표) 3개 가운데 ‘2반’만 읽었습니다. 읽지 않은 것: ‘1반’, ‘3반’',
  );
  const many = Array.from({ length: 9 }, (_, at) => `${at + 1}반`);
  expect(sheetsText(many, 0)).toContain('‘6반’ 외 3개');
});
