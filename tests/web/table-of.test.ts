import * as fc from 'fast-check';
import { strToU8, zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { toCsv, toTsv } from '../../web/src/lib/csv.ts';
import { parsePaste } from '../../web/src/lib/paste-table.ts';
import { tableOf } from '../../web/src/lib/table-file/table-of.ts';
import { unzipParts } from '../../web/src/lib/table-file/workbook.ts';
import { cp949 } from '../support/cp949.ts';
import { propertyRuns } from '../support/counts.ts';
import { writers, xlsx, type XlsxCell } from '../support/xlsx.ts';

type Bytes = Uint8Array<ArrayBuffer> | string;

const read = (bytes: Bytes, name: string, sheet?: number) =>
  tableOf({ file: new File([bytes], name), ...(sheet !== undefined && { sheet }) }, {});

async function rowsOf(bytes: Bytes, name: string): Promise<string[][]> {
  const table = await read(bytes, name);
  if ('refusal' in table) throw new Error(table.refusal);
  return table.rows;
}

const utf16 = (text: string, isLittle: boolean) => {
  const bytes = new Uint8Array(text.length * 2);
  const view = new DataView(bytes.buffer);
  for (let at = 0; at < text.length; at++) view.setUint16(at * 2, text.charCodeAt(at), isLittle);
  return bytes;
};

const sheetOf = (rows: readonly (readonly XlsxCell[])[]) => [{ name: 'Sheet1', rows }];

const cell = fc
  .array(fc.constantFrom('가', '훈', '0', '1', 'a', '"', ',', '&', '<', ' ', '\n', '-', '=', '한글', 'E+'), {
    maxLength: 5,
  })
  .map((parts) => parts.join(''));
const tables = fc
  .tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 6 }))
  .chain(([width, height]) =>
    fc.array(fc.array(cell, { minLength: width, maxLength: width }), {
      minLength: height,
      maxLength: height,
    }),
  )
  // A paste of one column is no table of commas, and an empty corner belongs to no table.
  .map((rows) =>
    [Array.from(rows[0] ?? [], () => '나'), ...rows].map((row, at) =>
      (at === 0 ? ['가'] : ['1']).concat(row, '끝'),
    ),
  );

describe('a file previews exactly as its paste', () => {
  test.each(Object.entries(writers))('IMP-1 an .xlsx of %s', async (_name, writer) => {
    await fc.assert(
      fc.asyncProperty(tables, async (rows) => {
        expect(await rowsOf(xlsx(sheetOf(rows), writer), '명단.xlsx')).toEqual(parsePaste(toTsv(rows)));
      }),
      propertyRuns(25, 500),
    );
  });

  test('IMP-1 CSV and TSV in UTF-8, UTF-16 and CP949, with a byte order mark and without', async () => {
    await fc.assert(
      fc.asyncProperty(tables, async (rows) => {
        const pasted = parsePaste(toTsv(rows));
        for (const [text, name] of [
          [toCsv(rows), 'a.csv'],
          [toTsv(rows), 'a.txt'],
        ] as const) {
          const bare = text.replace('\ufeff', '');
          for (const bytes of [bare, `\ufeff${bare}`, cp949(bare)])
            expect(await rowsOf(bytes, name)).toEqual(pasted);
          for (const isLittle of [true, false])
            for (const mark of ['', '\ufeff'])
              expect(await rowsOf(utf16(mark + bare, isLittle), name)).toEqual(pasted);
        }
      }),
      propertyRuns(25, 500),
    );
  });

  test('IMP-1 the first cell of a sheet may stand anywhere, and a CSV may have titles', async () => {
    const rows = [
      ['', '', ''],
      ['', '학번', '이름'],
      ['', '202600001', '홍길동'],
    ];
    const pasted = [
      ['학번', '이름'],
      ['202600001', '홍길동'],
    ];
    expect(await rowsOf(xlsx(sheetOf(rows)), 'a.xlsx')).toEqual(pasted);
    expect(await rowsOf('2026년 명단\r\n학번,이름\r\n202600001,홍길동\r\n', 'a.csv')).toEqual([
      ['2026년 명단'],
      ...pasted,
    ]);
  });
});

test.each<[XlsxCell, string]>([
  [{ number: 202600001 }, '202600001'],
  [{ number: 202600001234 }, '202600001234'],
  [{ number: 0.1 }, '0.1'],
  [{ number: '0.30000000000000004' }, '0.3'],
  [{ number: 202600001, format: '0000000000' }, '0202600001'],
  [{ number: 1012345678, format: '000-0000-0000' }, '010-1234-5678'],
  [{ number: 202511234, format: '0.00E+00' }, '2.03E+08'],
  [{ number: 12000, format: '3' }, '12,000'],
  [{ number: -12000, format: '_-* #,##0_-;-* #,##0_-;_-* "-"_-;_-@_-' }, '-12,000'],
  [{ number: 50000, format: '"₩"#,##0' }, '₩50,000'],
  [{ number: 46083, format: '14' }, '2026-03-02'],
  [{ number: 46083, format: '31' }, '2026년 03월 02일'],
  [{ number: 46083, format: 'yyyy"/"m"/"d' }, '2026/3/2'],
  [{ number: 46083.5, format: '22' }, '2026-03-02 12:00'],
  [{ number: 46083, format: '[$-412]yyyy"년" m"월" d"일" dddd' }, '2026년 3월 2일 월요일'],
  [{ number: 0.5, format: '9' }, '50%'],
  [{ number: 7, format: 'broken[[' }, '7'],
  ['00123', '00123'],
  ['줄\n바꿈', '줄\n바꿈'],
  ['_x0041_', 'A'],
  ['👩‍🔬', '👩‍🔬'],
])('IMP-1 a cell comes out as it is shown: %j', async (value, shown) => {
  expect(
    await rowsOf(
      xlsx(
        sheetOf([
          ['값', 'x'],
          [value, '끝'],
        ]),
      ),
      'a.xlsx',
    ),
  ).toEqual([
    ['값', 'x'],
    [shown, '끝'],
  ]);
});

test('IMP-1 dates count from 1904 where the workbook says so', async () => {
  const rows = [
    ['날짜', '수'],
    [
      { number: 46083 - 1462, format: '14' },
      { number: 5, format: '1' },
    ],
  ];
  const writer = {
    strings: 'shared',
    hasPlaces: true,
    prefix: '',
    targets: 'relative',
    is1904: true,
  } as const;
  expect((await rowsOf(xlsx(sheetOf(rows), writer), 'a.xlsx'))[1]).toEqual(['2026-03-02', '5']);
});

test('IMP-1 of several sheets one is chosen, among those that can be seen', async () => {
  const bytes = xlsx([
    { name: '숨김', rows: [['가']], isHidden: true },
    { name: '1분반', rows: [['나']] },
    { name: '2분반 & 청강', rows: [['다']] },
  ]);
  expect(await read(bytes, 'a.xlsx')).toEqual({
    rows: [['나']],
    sheets: ['1분반', '2분반 & 청강'],
    sheet: 0,
  });
  expect(await read(bytes, 'a.xlsx', 1)).toMatchObject({ rows: [['다']], sheet: 1 });
});

const wide = (text: string) => text.split('').flatMap((letter) => [letter.charCodeAt(0), 0]);
const compound = (name: string) =>
  new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, ...Array.from({ length: 600 }, () => 0), ...wide(name)]);
const zipOf = (name: string) => zipSync({ [name]: strToU8('x') });

test.each<[string, Bytes, RegExp]>([
  ['명단.xlsm', xlsx(sheetOf([['가']])), /매크로/],
  ['명단.xlsx', xlsx(sheetOf([['가']]), undefined, { 'xl/vbaProject.bin': 'x' }), /매크로/],
  ['명단.xls', compound('Workbook'), /옛 엑셀 파일\(\.xls\)/],
  ['명단.xlsx', compound('EncryptedPackage'), /비밀번호/],
  ['명단.hwp', compound('HwpSummaryInformation'), /한글 문서/],
  ['명단.hwpx', zipOf('Contents/section0.xml'), /한글 문서/],
  ['명단.docx', zipOf('word/document.xml'), /워드 문서/],
  ['명단.ods', zipOf('content.xml'), /ODS/],
  ['명단.zip', zipOf('명단.csv'), /압축/],
  ['명단.xlsb', zipOf('xl/workbook.bin'), /xlsb/],
  ['명단.pdf', '%PDF-1.7\n', /PDF/],
  ['명단.png', new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 1]), /그림/],
  ['명단.jpg', new Uint8Array([0xff, 0xd8, 0xff, 0xe0]), /그림/],
  ['명단.xls', '<html><table><tr><td>학번</td></tr></table></html>', /웹 페이지/],
  ['명단.csv', new Uint8Array([1, 2, 3, 0x81, 0xff]), /글자를 알아볼 수 없는/],
  ['명단.xlsx', xlsx(sheetOf([['가']])).slice(0, 300), /손상되었거나/],
])('IMP-1 what is no table is refused with the reason: %s', async (name, bytes, reason) => {
  const told = await read(bytes, name);
  expect('refusal' in told && told.refusal).toMatch(reason);
  expect('refusal' in told && told.refusal).toMatch(/붙여넣으세요|저장|선택하세요/);
});

/** Writes another unpacked size into every header of a zip. */
function withSize(bytes: Uint8Array<ArrayBuffer>, size: number): Uint8Array<ArrayBuffer> {
  const view = new DataView(bytes.buffer);
  for (let at = 0; at < bytes.length - 4; at++) {
    const signature = view.getUint32(at, true);
    if (signature === 0x04034b50) view.setUint32(at + 22, size, true);
    if (signature === 0x02014b50) view.setUint32(at + 24, size, true);
  }
  return bytes;
}

test('IMP-1 a file that was saved anew since it was chosen is to be chosen again', async () => {
  const file = new File(['a'], '명단.csv');
  file.arrayBuffer = () => Promise.reject(new DOMException('it has changed', 'NotReadableError'));
  expect(await tableOf({ file }, {})).toEqual({
    refusal: '파일이 바뀌었거나 옮겨졌습니다. 다시 선택하세요.',
  });
});

test('IMP-1 a spreadsheet of another program is to be saved as .xlsx', async () => {
  const file = new File(['PK'], '명단.ods');
  const told = await tableOf({ file }, {});
  expect('refusal' in told && told.refusal).toContain('.xlsx로 저장');
});

test('IMP-1 a zip bomb is refused by the size that it declares, and by the one that it really has', async () => {
  const declared = await read(withSize(xlsx(sheetOf([['가']])), 3_000_000_000), 'a.xlsx');
  expect('refusal' in declared && declared.refusal).toMatch(/압축을 풀면 너무 커지는/);
  const hidden = withSize(zipSync({ 'a.xml': new Uint8Array(4_000_000) }), 100);
  expect(() => unzipParts(hidden, () => true, 1_000_000)).toThrow(/압축을 풀면 너무 커지는/);
  expect(unzipParts(hidden, () => false, 1_000_000).size).toBe(0);
});

test('IMP-1 a sheet that is too large is refused before it fills the memory', async () => {
  const rows = Array.from({ length: 5 }, (_, at) => Array.from({ length: at === 4 ? 501 : 1 }, () => '값'));
  const told = await read(xlsx(sheetOf(rows)), 'a.xlsx');
  expect('refusal' in told && told.refusal).toMatch(/표가 너무 큽니다/);
});
