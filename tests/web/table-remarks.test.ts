import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { TableRemarks } from '../../web/src/components/import/table-remarks.tsx';
import { TEXT_TABLE } from '../../web/src/lib/paste-table.ts';
import { decodeTable } from '../../web/src/lib/table-file/decode-table.ts';
import type { TableRemarkCounts } from '../../web/src/lib/table-file/read-table.ts';
import { propertyRuns } from '../support/counts.ts';
import { xlsx, type XlsxCell } from '../support/xlsx.ts';

/* What is said of a workbook's cells that a reader sees differently: by their format, struck out or hidden. */

const read = async (bytes: Uint8Array<ArrayBuffer>, sheet?: number) =>
  await decodeTable({ file: new File([bytes], '표.xlsx'), ...(sheet !== undefined && { sheet }) }, {});

/**
 * Files of the Python libraries openpyxl 3.1.5 and XlsxWriter 3.2.9 with the same cells. A score in E3 has
 * the format `0"(재)"`, E4 `"F"`, E5 `[=0]"결시"`, E6 `;;;`, and all of column C `0"점"`; in E7 a part is struck
 * out; a comment is on B2; column D, row 8 and two sheets, of which one is empty, are hidden.
 */
test.each(['openpyxl', 'xlsxwriter'])(
  'IMP-6 IMP-5 struck parts, odd formats and hidden parts in a file of %s are said by their place',
  async (producer) => {
    const file = new URL(`workbooks/${producer}.xlsx`, import.meta.url);
    expect(await read(new Uint8Array(readFileSync(file)))).toMatchObject({
      rows: [
        ['학번', '이름', '기말', '총점'],
        ['202600001', '가람', '40', '80'],
        ['202600002', '나람', '41', '81'],
        ['202600003', '다람', '42', '82'],
        ['202600004', '라람', '43', '0'],
        ['202600005', '마람', '44', '84'],
        ['202600006', '바람', '45', '8'],
      ],
      remarks: {
        drawnOtherwise: ['E3 ‘81(재)’ → 81', 'E4 ‘F’ → 82', 'E5 ‘결시’ → 0', 'E6 빈 칸 → 84'],
        struckParts: ['E7 ‘78’ → ‘8’'],
        comments: ['2행 ‘재수강’'],
        hiddenRowNumbers: [8],
        hiddenColumnNames: ['D열 ‘정정’'],
        hiddenSheets: ['정정 내역'],
      },
    });
  },
);

const drawnIn = async (cells: readonly XlsxCell[]) => {
  const table = await read(xlsx([{ name: '표', rows: [['값', 'x'], ...cells.map((cell) => [cell, '끝'])] }]));
  return 'remarks' in table ? (table.remarks.drawnOtherwise ?? []) : [table.refusal];
};

test.each<[number, string, string?]>([
  [85, '0"(재)"', '85(재)'],
  [1234.5, '#,##0.00"*"', '1,234.50*'],
  [7, '"No."000', 'No.007'],
  [85, 'General"(재)"', '85(재)'],
  [0.5, '0%"(재)"', '50%(재)'],
  [-5, '0;"결손 "0', '결손 5'],
  [50, '[>=60]0;[<60]0"(과락)"', '50(과락)'],
  [85, '[>=90]"A";[>=80]"B";"C"', 'B'],
  [70, '[>=90]"A";[>=80]"B";"C"', 'C'],
  [0, '0;-0;"결시"', '결시'],
  [85, '"비공개";@', '비공개'],
  [85, ';;;@', '빈 칸'],
  [2_600_001, '"20"0000000', '202600001'],
  // These show the number, however it is written, or nothing for nothing.
  [60, '[>=60]0;[<60]0"(과락)"'],
  [85, '[=0]"결시"'],
  [0, '#,##0;-#,##0;""'],
  [0, '_-"₩"* #,##0_-;_-"₩"* (#,##0)_-;_-"₩"* "-"_-;_-@_-'],
  [-85, '#,##0;[Red]"△"#,##0'],
  [85, '#,##0"원"'],
  [95, '0"%"'],
  [85, '[Red]'],
  [0.955, '0.0%'],
  [1_012_345_678, '000\\-0000\\-0000'],
  [46_083, 'yyyy"년" m"월" d"일"'],
  [120, '#,##0"천원"'],
])(
  'IMP-5 a number that its format shows otherwise is said, and others are not: %d by %s',
  async (number, format, shown) => {
    const said = await drawnIn([{ number, format }, { number: 1 }, { number: 2 }, { number: 3 }]);
    const place = shown === '빈 칸' ? 'A2 빈 칸' : `A2 ‘${shown}’`;
    expect(said.map((text) => text.split(' → ')[0])).toEqual(shown === undefined ? [] : [place]);
  },
);

test('IMP-5 words that most numbers of a column share are their unit, and others are said', async () => {
  const words = fc.constantFrom('점', '명', '개', '학년', '회', '분', '재', '미달');
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 3, maxLength: 8 }),
      fc.nat(),
      words,
      words,
      async (numbers, place, unit, other) => {
        const odd = place % numbers.length;
        const cells = numbers.map((number, at) => ({ number, format: `0"${at === odd ? other : unit}"` }));
        const said = [`A${odd + 2} ‘${numbers[odd]}${other}’ → ${numbers[odd]}`];
        expect(await drawnIn(cells)).toEqual(unit === other ? [] : said);
      },
    ),
    propertyRuns(20, 300),
  );
});

test('IMP-6 a sheet that cannot be read leaves the others to choose', async () => {
  const wide = Array.from({ length: 501 }, () => '값');
  const bytes = xlsx([
    { name: '표지', rows: [wide] },
    { name: '성적', rows: [['가', '나']] },
  ]);
  expect(await read(bytes)).toEqual({
    refusal: expect.stringContaining('표가 너무 큽니다'),
    sheets: ['표지', '성적'],
    sheet: 0,
  });
  expect(await read(bytes, 1)).toMatchObject({ rows: [['가', '나']], sheets: ['표지', '성적'], sheet: 1 });
});

test('IMP-6 of a long list the first are named with the number of others, and all can be unfolded', () => {
  const long = `18행 ‘${'긴 말 '.repeat(100)}F 처리’`;
  const list = (count: number, name: (at: number) => string) =>
    Array.from({ length: count }, (_, at) => name(at + 1));
  const lists: Partial<TableRemarkCounts> = {
    comments: [...list(8, (at) => `${at}행 ‘메모${at}’`), long],
    struckParts: list(7, (at) => `B${at} ‘12’ → ‘1’`),
    drawnOtherwise: list(7, (at) => `C${at} ‘1(재)’ → 1`),
    hiddenSheets: list(7, (at) => `정정${at}`),
    struckRows: [2, 4, 6, 8, 10, 12],
    hiddenRowNumbers: [14, 15, 16, 17, 19, 21],
    hiddenColumnNames: ['D열 ‘총점(수정)’'],
    below: '글 '.repeat(90),
  };
  const remarks = { ...TEXT_TABLE.remarks, hiddenRows: 6, hiddenColumns: 1, ...lists };
  const table = { ...TEXT_TABLE, rows: [], doubtful: [0, 1, 2, 3, 4, 98], remarks };
  const page = renderToStaticMarkup(createElement(TableRemarks, { table, areLinesNamed: true }));
  const sentences = page.replace(/<details>.*?<\/details>/g, '');
  for (const items of Object.values(lists).flat()) expect(page).toContain(String(items));
  expect(page).toContain('99행');
  expect(sentences).not.toContain('F 처리');
  expect(sentences).toContain('5행 ‘메모5’ 외 4개.');
  expect(sentences).toContain('숨긴 6행, 1열 제외: D열 ‘총점(수정)’, 14행, 15행, 16행, 17행 외 2개.');
});
