import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { HTML_ENTITIES } from '../../web/src/lib/table-file/html-entities.ts';
import { decodeTable } from '../../web/src/lib/table-file/decode-table.ts';
import { propertyRuns } from '../support/counts.ts';

const read = (html: string | Uint8Array<ArrayBuffer>) =>
  decodeTable({ file: new File([html], '내역.xls') }, {});

const PAGE = `<!DOCTYPE html><html><head><style>td { color: red }</style></head><body>
<table width="100%"><tr><td>메뉴</td></tr><tr><td>
  <table border=1>
    <!-- <tr><td>주석</td></tr> -->
    <tr><th>날짜</th><th>내용</th><th style="display:none">번호</th><th>금액</th></tr>
    <tr><td>2026-03-02<td title="27" 모니터">회비&nbsp;</td><td style="DISPLAY: none">1</td><td align='right'>50,000
    <tr style="display:none"><td>2026-03-03</td><td>숨김</td><td>2</td><td>999</td></tr>
    <tr><td>2026-04-05</td><td data-x="a>b">간식<br/>음료 &lt;3&gt;&#44; &amp;amp; &copy;</td><td>3</td><td><div>-12,000</div></td></tr>
    <tr><td rowspan="2">2026-05-06</td><td colspan=2>토너</td><td>(33,000)</td></tr>
    <tr><td>용지</td><td>4</td><td>- <b>1,000</b></td></tr>
  </table>
</td></tr></table></body></html>`;

test('IMP-9 IMP-6 a web page is read as it is seen: its lines, its merged cells, and what it hides left out', async () => {
  const rows = [
    ['메뉴', '', ''],
    ['날짜', '내용', '금액'],
    ['2026-03-02', '회비', '50,000'],
    ['2026-04-05', '간식\n음료 <3>, &amp; ©', '-12,000'],
    ['2026-05-06', '토너', '(33,000)'],
    ['2026-05-06', '용지', '- 1,000'],
  ];
  const remarks = { hiddenRows: 1, hiddenColumns: 1, merged: 1, uncomputed: 0 };
  expect(await read(PAGE)).toMatchObject({ rows, remarks });
  const wide = new Uint8Array(
    Uint16Array.from(`\ufeff${PAGE}`.split(''), (letter) => letter.charCodeAt(0)).buffer,
  );
  expect(await read(wide)).toMatchObject({ rows });
});

test('IMP-9 text below the last table is told, and what stands above it is its title', async () => {
  const table = '<table><tr><td>날짜<td>금액</tr><tr><td>2026-03-02<td>100</tr></table>';
  const page = `<html><p>통장</p>${table}<p>합계 100원</p><div>이하 여백</div>`;
  expect(await read(page)).toMatchObject({ remarks: { below: '합계 100원 이하 여백' } });
  expect(await read(`<html><p>통장</p>${table}`)).not.toHaveProperty('remarks.below');
});

test('IMP-9 what a page hides is taken in when it is asked for', async () => {
  const file = new File([PAGE], '내역.xls');
  const all = await decodeTable({ file, withHidden: true }, {});
  expect('rows' in all && all.rows[3]).toEqual(['2026-03-03', '숨김', '2', '999']);
});

const HEADER = ['번호', '학번', '성명'];
const row = (at: number) => [String(at), `2020100${at}`, `학생${'가나다라마바'.charAt(at)}`];
const html = (rows: readonly (readonly string[])[], tag = 'td') =>
  `<table>${rows.map((cells) => `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join('')}</tr>`).join('')}</table>`;
const head = html([HEADER], 'th');
const whole = (rows: readonly number[]) => html([HEADER, ...rows.map(row)]);

test.each<[string, string]>([
  ['with their header repeated', whole([1, 2, 3]) + whole([4, 5])],
  ['with one header', whole([1, 2, 3]) + html([row(4), row(5)])],
  ['below a header of its own', head + html([1, 2].map(row)) + html([3, 4, 5].map(row))],
  ['below two headers', head + html([1, 2, 3].map(row)) + head + html([4, 5].map(row))],
  ['with the same title', `<h3>명단</h3>${whole([1, 2, 3])}<h3>명단</h3>${whole([4, 5])}`],
  [
    'inside another table',
    `<table><tr><td>${whole([1, 2, 3])}</td></tr><tr><td>${whole([4, 5])}</td></tr></table>`,
  ],
  ['with one of another shape between them', `${whole([1, 2, 3])}${html([['계', '3']])}${whole([4, 5])}`],
])('IMP-9 tables of one shape are one: %s', async (_name, page) => {
  const table = await read(`<html>${page}</html>`);
  const rows = 'rows' in table ? table.rows.filter(([first]) => first !== '명단') : [];
  expect(rows).toEqual([HEADER, ...[1, 2, 3, 4, 5].map(row)]);
});

test.each<[string, string, readonly string[]]>([
  ['another title', `<p>1반</p>${whole([1, 2, 3])}<p>2반</p>${whole([4, 5])}`, ['표 1: 1반', '표 2: 2반']],
  [
    'another header',
    html([HEADER], 'th').replace('</table>', '') +
      html([1, 2, 3].map(row)).replace('<table>', '') +
      html([['번호', '학번', '점수']], 'th').replace('</table>', '') +
      html([row(4)]).replace('<table>', ''),
    ['표 1: 번호 학번 성명', '표 2: 번호 학번 점수'],
  ],
  [
    'another shape',
    html([
      ['교수', '홍길동'],
      ['시간', '월 3'],
    ]) + whole([1, 2, 3]),
    ['표 1: 교수 홍길동', '표 2: 번호 학번 성명'],
  ],
])('IMP-9 of tables with %s the largest is read, and each can be chosen', async (_name, page, sheets) => {
  const file = new File([`<html>${page}</html>`], '명단.xls');
  const read = await decodeTable({ file }, {});
  const largest = sheets.findIndex((name) => /1반|성명/.test(name));
  expect(read).toMatchObject({ sheets, sheet: largest });
  expect('rows' in read && read.rows).toContainEqual(row(3));
  const other = await decodeTable({ file, sheet: 1 - largest }, {});
  expect(other).toMatchObject({ sheet: 1 - largest });
  expect('rows' in other && other.rows).not.toContainEqual(row(3));
});

test('IMP-9 IMP-12 a title in a line, a caption or a table of its own stands above the rows', async () => {
  const title = '2026학년도 2학기 운영체제';
  for (const page of [
    `<h3>${title}</h3>${whole([1])}`,
    whole([1]).replace('<table>', `<table><caption>${title}</caption>`),
    `<table><tr><td colspan=8><b>${title}</b></td></tr></table>${whole([1])}`,
    `<table><tr><td>${title}</td></tr><tr><td>${whole([1])}</td></tr></table>`,
  ]) {
    const table = await read(`<html>${page}</html>`);
    expect('rows' in table && table.rows).toEqual([[title, '', ''], HEADER, row(1)]);
  }
});

test.each<[string, string, object]>([
  [
    'rows of a hidden body',
    '<table><tr><td>나<td>1<tbody hidden><tr><td>다<td>2<tbody><tr><td>라<td>3</table>',
    { hiddenRows: 1 },
  ],
  [
    'tables in a hidden part',
    `${html([
      ['나', '1'],
      ['라', '3'],
    ])}<div style="display: none"><div></div>${html([['다', '2']])}</div>`,
    { hiddenRows: 1 },
  ],
  [
    'text in a cell',
    html([
      ['<span style="display:none">0<span>0</span>9</span>나', '1<i hidden>7'],
      ['<!-- 다 -->라', '<input type=hidden value=5>3'],
    ]),
    {},
  ],
  [
    'a described column',
    html([
      ['나', '몰래', '1'],
      ['라', '몰래', '3'],
    ]).replace('<table>', "<table><col span=1><col style='display:none'>"),
    { hiddenColumns: 1 },
  ],
])('IMP-6 what a page hides is left out and said: %s', async (_name, page, remarks) => {
  const table = await read(`<html>${page}</html>`);
  expect(table).toMatchObject({
    rows: [
      ['나', '1'],
      ['라', '3'],
    ],
    remarks,
  });
});

const character = fc.constantFrom(
  '가',
  '훈',
  '0',
  '1',
  'a',
  '"',
  '’',
  ',',
  '&',
  '<',
  '>',
  ';',
  ' ',
  '\n',
  '·',
  '–',
  '©',
  'é',
  '#',
  '=',
);
const text = fc.array(character, { maxLength: 6 }).map((parts) => parts.join(''));
const named = new Map(Array.from(HTML_ENTITIES, ([name, letter]) => [letter, name]));
const written = (way: number) => (letter: string, at: number) => {
  if (letter === '\n') return ['<br>', '<br/>', '<BR />'][at % 3] ?? '';
  const number = letter.charCodeAt(0);
  const name = named.get(letter);
  if (name !== undefined && (way % 3 === 0 || '&<>'.includes(letter))) return `&${name};`;
  return way % 3 === 1 && letter !== ' '
    ? ([`&#${number};`, `&#x${number.toString(16)};`][at % 2] ?? '')
    : letter;
};

test('IMP-9 any table comes back from a page as it was, whatever its marks are written as', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(text, text, text), { minLength: 1, maxLength: 6 }),
      fc.nat(5),
      fc.nat(6),
      async (cells, way, split) => {
        const plain = (cell: string) =>
          cell
            .replace(/ *\n[ \n]*/g, '\n')
            .replace(/ +/g, ' ')
            .trim();
        const rows = cells.map((each, at) => [`${at + 1}`, ...each, '끝']);
        const coded = rows.map((each) => each.map((cell) => Array.from(cell, written(way)).join('')));
        const header = ['번호', '가', '나', '다', '라'];
        const page =
          html([header], way > 2 ? 'th' : 'td') + html(coded.slice(0, split)) + html(coded.slice(split));
        const table = await read(`<!doctype html>${page}`);
        expect('rows' in table && table.rows).toEqual([header, ...rows.map((each) => each.map(plain))]);
      },
    ),
    propertyRuns(200, 2000),
  );
});

test.each([
  ['open tables', '<table>'.repeat(200_000)],
  ['open cells', `<table>${'<td>'.repeat(600_000)}`],
  ['wide and tall cells', `<table>${'<tr><td rowspan=999999 colspan=999999>1'.repeat(2000)}`],
])('IMP-10 a page of %s is told to be too large', async (_name, html) => {
  const told = await read(html);
  expect('refusal' in told && told.refusal).toMatch(/표가 너무 큽니다/);
});

test.each([
  ['brackets', `<table>${'<'.repeat(500_000)}`],
  ['comments', `<table>${'<!--'.repeat(200_000)}`],
  ['open attributes', `<table>${'<td a="'.repeat(100_000)}`],
  ['equals signs', `<table><td ${'="'.repeat(200_000)}>`],
  ['scripts', `<table>${'<script>'.repeat(200_000)}`],
])('IMP-10 the work for a page of %s grows with its length', async (_name, html) => {
  expect(await read(html)).toHaveProperty('rows');
});
