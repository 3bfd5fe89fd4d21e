import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { decodeTable } from '../../web/src/lib/table-file/decode-table.ts';
import { xlsx } from '../support/xlsx.ts';

type Bytes = Uint8Array<ArrayBuffer> | string;

const read = (bytes: Bytes, name: string) => decodeTable({ file: new File([bytes], name) }, {});

const plain = () => xlsx([{ name: '표', rows: [['가']] }]);
const FORMAT = (code: string) =>
  `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="${code}"/></numFmts><cellXfs><xf numFmtId="164"/></cellXfs></styleSheet>`;

test.each<[string, Bytes, RegExp]>([
  ['a format of many brackets', withPart('xl/styles.xml', FORMAT('['.repeat(30_000))), /표가 너무 큽니다/],
  ['cells far to the right', sheetXml('<row r="1"><c r="XFD1"><v>1</v></c></row>'), /표가 너무 큽니다/],
  ['a cell far below', sheetXml('<row r="1048576"><c r="B1048576" s="0"/></row>'), /표가 너무 큽니다/],
  [
    'rows and columns that are many together',
    sheetXml('<row r="99999"><c r="SF99999"><v>1</v></c></row>'),
    /표가 너무 큽니다/,
  ],
  ['cells that do not say where they are', sheetXml(`<row>${'<c/>'.repeat(501)}</row>`), /표가 너무 큽니다/],
  ['empty rows without end', sheetXml('<row><c/></row>'.repeat(100_001)), /표가 너무 큽니다/],
  [
    'columns that are described without end',
    sheetXml('', `<cols>${'<col min="1" max="16384"/>'.repeat(1001)}</cols>`),
    /표가 너무 큽니다/,
  ],
  [
    'links without end',
    sheetXml('', '', `<hyperlinks>${'<hyperlink ref="A1"/>'.repeat(50_001)}</hyperlinks>`),
    /표가 너무 큽니다/,
  ],
  [
    'texts without end',
    withPart('xl/sharedStrings.xml', `<sst>${'<si><t>x</t></si>'.repeat(63_000)}</sst>`),
    /표가 너무 큽니다/,
  ],
  ['nested elements', withPart('xl/sharedStrings.xml', '<a>'.repeat(250_001)), /표가 너무 큽니다/],
  [
    'sheets without end',
    withPart(
      'xl/workbook.xml',
      `<workbook><sheets>${'<sheet name="a" r:id="rId1"/>'.repeat(1001)}</sheets></workbook>`,
    ),
    /표가 너무 큽니다/,
  ],
  [
    'an attribute without end',
    withPart('xl/workbook.xml', `<workbook><sheets><sheet ${'a'.repeat(1_000_000)}/></sheets></workbook>`),
    /시트가 없는/,
  ],
  ['elements that do not end', withPart('xl/workbook.xml', '<sheet '.repeat(200_000)), /시트가 없는/],
  [
    'a merged text over many rows',
    xlsx([
      {
        name: '표',
        rows: Array.from({ length: 2000 }, (_, at) => [at === 0 ? 'x'.repeat(30_000) : '', 'x']),
        merged: ['A1:A2000'],
      },
    ]),
    /표가 너무 큽니다/,
  ],
])('IMP-10 what is crafted to cost much is told before it does: %s', async (_name, bytes, reason) => {
  const told = await read(bytes, 'a.xlsx');
  expect('refusal' in told && told.refusal).toMatch(reason);
});

test('IMP-10 a text is bounded by its lines and cells, and its size', async () => {
  for (const text of [
    'a\n'.repeat(200_001),
    ','.repeat(500_001),
    '"'.repeat(500_001),
    'a'.repeat(25_200_000),
  ]) {
    const told = await read(text, 'a.csv');
    expect('refusal' in told && told.refusal).toMatch(/표가 너무 큽니다/);
  }
});

test('IMP-10 a sheet whose part is not where its file says is damaged, not free', async () => {
  const rels = strFromU8(unzipSync(plain())['xl/_rels/workbook.xml.rels'] ?? new Uint8Array());
  const hidden = rels.replace('worksheets/sheet1.xml', 'worksheets/../worksheets/sheet1.xml');
  const told = await read(withPart('xl/_rels/workbook.xml.rels', hidden), 'a.xlsx');
  expect('refusal' in told && told.refusal).toMatch(/손상되었거나/);
});

test('IMP-10 a zip that hides a part from its own list, or lists one that it does not hold, is damaged', async () => {
  const whole = plain();
  const at = whole.length - 22;
  const view = new DataView(whole.buffer);
  const list = view.getUint32(at + 16, true);
  const name = new TextEncoder().encode('a.png');
  const local = new Uint8Array(30 + name.length);
  const head = new DataView(local.buffer);
  head.setUint32(0, 0x04034b50, true);
  head.setUint32(18, list, true);
  head.setUint32(22, list, true);
  head.setUint16(26, name.length, true);
  local.set(name, 30);
  // All parts stand inside a picture, where only the list finds them.
  const entries = whole.slice(list, at);
  const listed = new DataView(entries.buffer);
  for (let from = 0; from < entries.length;) {
    listed.setUint32(from + 42, listed.getUint32(from + 42, true) + local.length, true);
    from += 46 + listed.getUint16(from + 28, true) + listed.getUint16(from + 30, true);
  }
  const end = whole.slice(at);
  new DataView(end.buffer).setUint32(16, list + local.length, true);
  const told = await read(new Uint8Array([...local, ...whole.slice(0, list), ...entries, ...end]), 'a.xlsx');
  expect('refusal' in told && told.refusal).toMatch(/손상되었거나/);
});

test('IMP-10 entities that a file declares are not expanded', async () => {
  const declared = '<!DOCTYPE a [<!ENTITY a "xxxxxxxxxx"><!ENTITY b "&a;&a;&a;&a;">]>';
  const table = await read(
    withPart('xl/sharedStrings.xml', `${declared}<sst><si><t>&b;</t></si></sst>`),
    'a.xlsx',
  );
  expect('rows' in table && table.rows).toEqual([['&b;']]);
});

/** The usual workbook with one part instead of its own. */
function withPart(name: string, xml: string): Uint8Array<ArrayBuffer> {
  return zipSync({ ...unzipSync(plain()), [name]: strToU8(xml) });
}

function sheetXml(rows: string, before = '', after = ''): Uint8Array<ArrayBuffer> {
  return withPart(
    'xl/worksheets/sheet1.xml',
    `<worksheet>${before}<sheetData>${rows}</sheetData>${after}</worksheet>`,
  );
}
