import * as fc from 'fast-check';
import { strToU8, zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { toCsv, toTsv } from '../../web/src/lib/csv.ts';
import { parsePastedRows, UNCOMPUTED_CELL } from '../../web/src/lib/paste-table.ts';
import { decodeTable } from '../../web/src/lib/table-file/decode-table.ts';
import { measureZipParts } from '../../web/src/lib/table-file/unzipped-size.ts';
import { cp949 } from '../support/cp949.ts';
import { propertyRuns } from '../support/counts.ts';
import { DESKTOP, writers, xlsx, type XlsxCell } from '../support/xlsx.ts';

type Bytes = Uint8Array<ArrayBuffer> | string;

const read = (bytes: Bytes, name: string, sheet?: number) =>
  decodeTable({ file: new File([bytes], name), ...(sheet !== undefined && { sheet }) }, {});

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
        expect(await rowsOf(xlsx(sheetOf(rows), writer), '명단.xlsx')).toEqual(parsePastedRows(toTsv(rows)));
      }),
      propertyRuns(25, 500),
    );
  });

  test('IMP-1 CSV and TSV in UTF-8, UTF-16 and CP949, with a byte order mark and without', async () => {
    await fc.assert(
      fc.asyncProperty(tables, async (rows) => {
        const pasted = parsePastedRows(toTsv(rows));
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

const WON_RED = '"₩"#,##0;[Red]"₩"#,##0';

test.each<[XlsxCell, string]>([
  [{ number: 202600001 }, '202600001'],
  [{ number: 202600001234 }, '202600001234'],
  [{ number: 0.1 }, '0.1'],
  [{ number: '0.30000000000000004' }, '0.3'],
  [{ number: 0.0000012 }, '0.0000012'],
  [{ number: 202600001, format: '0000000000' }, '0202600001'],
  [{ number: 1012345678, format: '000-0000-0000' }, '010-1234-5678'],
  [{ number: 12, format: '0.00' }, '12'],
  [{ number: 202511234, format: '0.00E+00' }, '202511234'],
  [{ number: 202511234, format: '#,##0' }, '202511234'],
  [{ number: 12000, format: '3' }, '12000'],
  [{ number: -12000, format: '#,##0;[Red]#,##0' }, '-12000'],
  [{ number: -12000, format: WON_RED }, '-12000'],
  [{ number: -12000, format: '_-* #,##0_-;-* #,##0_-;_-* "-"_-;_-@_-' }, '-12000'],
  [{ number: 0, format: '#,##0;-#,##0;"-"' }, '0'],
  [{ number: 5000000, format: '#,##0,' }, '5000000'],
  [{ number: 89.4, format: '0' }, '89.4'],
  [{ number: 50000, format: '0.00"원"' }, '50000'],
  [{ number: 46083, format: '14' }, '2026-03-02'],
  [{ number: 46083, format: '31' }, '2026-03-02'],
  [{ number: 46083, format: 'mm/dd/yy' }, '2026-03-02'],
  [{ number: 46083, format: 'm/d' }, '2026-03-02'],
  [{ number: 46083, format: 'd-mmm-yy' }, '2026-03-02'],
  [{ number: 46083.5, format: '22' }, '2026-03-02 12:00'],
  [{ number: 0.375, format: '20' }, '09:00'],
  [{ number: 46083, format: '[$-412]yyyy"년" m"월" d"일" dddd' }, '2026-03-02'],
  [{ number: 202600001, format: '14' }, '####'],
  [{ number: 0.955, format: '9' }, '95.5%'],
  [{ number: 0.95, format: '0"%"' }, '0.95'],
  [{ number: 7, format: 'broken[[' }, '7'],
  [{ formula: '1+2', value: 3 }, '3'],
  [{ formula: '1+2' }, UNCOMPUTED_CELL],
  ['00123', '00123'],
  ['각', '각'],
  ['\u202d20260\u202c\u00ad1\u200e', '202601'],
  ['줄\n바꿈', '줄\n바꿈'],
  ['_x0041_', 'A'],
  ['👩‍🔬', '👩‍🔬'],
])('IMP-5 IMP-8 a cell counts by its value, whatever its format shows: %j', async (value, text) => {
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
    [text, '끝'],
  ]);
});

test('IMP-6 what a sheet hides is left out and said, and taken when it is asked for', async () => {
  const rows = [
    ['날짜', '몰래', '금액'],
    ['3월 2일', 'x', '1'],
    ['3월 3일', 'x', '-999'],
    ['3월 4일', 'x', '2'],
  ];
  const bytes = xlsx([{ name: '장부', rows, hiddenRows: [2], hiddenColumns: [1] }]);
  expect(await read(bytes, 'a.xlsx')).toMatchObject({
    rows: [
      ['날짜', '금액'],
      ['3월 2일', '1'],
      ['3월 4일', '2'],
    ],
    remarks: { hiddenRows: 1, hiddenColumns: 1 },
  });
  const file = new File([bytes], 'a.xlsx');
  expect(await decodeTable({ file, withHidden: true }, {})).toMatchObject({ rows });
});

test('IMP-6 a merged cell counts for all its rows', async () => {
  const rows = [
    ['학과', '이름'],
    ['가과', '나람'],
    ['', '다람'],
    ['', '라람'],
    ['나과', '마람'],
  ];
  const table = await read(xlsx([{ name: '명단', rows, merged: ['A2:A4'] }]), 'a.xlsx');
  expect(table).toMatchObject({ remarks: { merged: 1 } });
  expect('rows' in table && table.rows.map(([first]) => first)).toEqual([
    '학과',
    '가과',
    '가과',
    '가과',
    '나과',
  ]);
});

test('IMP-6 a formula that nobody computed is never 0, and a computed 0 stays one', async () => {
  const rows: XlsxCell[][] = [
    ['이름', '총점'],
    ['나람', { formula: 'A1+B1', value: 0 }],
  ];
  const written = await read(xlsx(sheetOf(rows), { ...DESKTOP, mustCompute: true }), 'a.xlsx');
  expect(written).toMatchObject({ rows: [rows[0], ['나람', UNCOMPUTED_CELL]], remarks: { uncomputed: 1 } });
  expect(await rowsOf(xlsx(sheetOf(rows)), 'a.xlsx')).toEqual([rows[0], ['나람', '0']]);
});

test('IMP-6 a chart is passed over, and the sheet that was open comes first', async () => {
  const sheets = [
    { name: '그래프', rows: [], isChart: true },
    { name: '지난해', rows: [['가']] },
    { name: '올해', rows: [['나']] },
  ] as const;
  expect(await read(xlsx(sheets, { ...DESKTOP, open: 2 }), 'a.xlsx')).toMatchObject({
    rows: [['나']],
    sheets: ['지난해', '올해'],
    sheet: 1,
  });
  expect(await read(xlsx(sheets), 'a.xlsx')).toMatchObject({ rows: [['가']], sheet: 0 });
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
  expect(await read(bytes, 'a.xlsx')).toMatchObject({
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

test.each([
  ['CP949', cp949('적요')],
  ['UTF-8', new TextEncoder().encode('적요')],
])('IMP-1 a letter of %s that a bank has cut in two does not refuse the file', async (_, letters) => {
  const lines = 'x,2026-03-02,30000\n'.repeat(20);
  const bytes = new Uint8Array([...letters.slice(0, -1), ...new TextEncoder().encode(`,\n${lines}`)]);
  const table = await read(bytes, '내역.csv');
  expect('rows' in table && table.rows.slice(0, 2)).toEqual([
    ['적\ufffd', ''],
    ['x', '2026-03-02', '30000'],
  ]);
});

test.each<[string, Bytes, RegExp]>([
  ['명단.xlsm', xlsx(sheetOf([['가']])), /매크로/],
  ['명단.xlsx', xlsx(sheetOf([['가']]), undefined, { 'xl/vbaProject.bin': 'x' }), /매크로/],
  ['명단.xls', compound('Workbook'), /옛 엑셀 파일\(\.xls\)/],
  ['명단.xls', '<?xml version="1.0"?><Workbook/>', /XML/],
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
  expect(await decodeTable({ file }, {})).toEqual({
    refusal: '파일이 바뀌었거나 옮겨졌습니다. 다시 선택하세요.',
  });
});

test('IMP-1 a spreadsheet of another program is to be saved as .xlsx', async () => {
  const file = new File(['PK'], '명단.ods');
  const told = await decodeTable({ file }, {});
  expect('refusal' in told && told.refusal).toContain('.xlsx로 저장');
});

test('IMP-9 a web page that is called .xls is read, in UTF-8 and CP949', async () => {
  const page = `<html><head><meta charset="x"></head><body><table><tr><td>2026년 명단</td></tr></table>
    <table border=1><tr><th>학번</th><th>이름</th></tr>
    <tr><td style='mso-number-format:"\\@"'>0202600001</td><td>나람&amp;솔</td></tr></table></body></html>`;
  for (const bytes of [page, cp949(page)])
    expect(await rowsOf(bytes, '명단.xls')).toEqual([
      ['2026년 명단', ''],
      ['학번', '이름'],
      ['0202600001', '나람&솔'],
    ]);
});

test.each<[string, string]>([
  ['semicolons', '학번;이름\n1;"가; 나"\n2;다'],
  ['a tab before a number, in a .csv', '학번,이름\n\t1,가; 나\n\t2,다'],
  ['tabs, in a .csv', '학번\t이름\n1\t가; 나\n2\t다'],
  ['text kept by a formula', '학번,이름\n="1",가; 나\n="2",다'],
])('IMP-9 a .csv of %s is read', async (_name, text) => {
  expect(await rowsOf(text, 'a.csv')).toEqual([
    ['학번', '이름'],
    ['1', '가; 나'],
    ['2', '다'],
  ]);
});

test('IMP-1 a zip bomb is refused by the size that it declares, and by the one that it really has', async () => {
  const declared = await read(withSize(xlsx(sheetOf([['가']])), 3_000_000_000), 'a.xlsx');
  expect('refusal' in declared && declared.refusal).toMatch(/압축을 풀면 너무 커지는/);
  const hidden = withSize(zipSync({ 'a.xml': new Uint8Array(4_000_000) }), 100);
  expect(() => measureZipParts(hidden, 1_000_000)).toThrow(/압축을 풀면 너무 커지는/);
  const picture = withSize(zipSync({ 'a.png': new Uint8Array(4_000_000) }), 100);
  expect([...measureZipParts(picture, 1_000_000).keys()]).toEqual(['a.png']);
});

test('IMP-1 a sheet that is too large is refused before it fills the memory', async () => {
  const rows = Array.from({ length: 5 }, (_, at) => Array.from({ length: at === 4 ? 501 : 1 }, () => '값'));
  const told = await read(xlsx(sheetOf(rows)), 'a.xlsx');
  expect('refusal' in told && told.refusal).toMatch(/표가 너무 큽니다/);
  const long = 'x'.repeat(30_000);
  const shared = await read(xlsx(sheetOf(Array.from({ length: 1000 }, () => [long]))), 'a.xlsx');
  expect('refusal' in shared && shared.refusal).toMatch(/표가 너무 큽니다/);
});
