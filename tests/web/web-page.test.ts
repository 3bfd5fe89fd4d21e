import { expect, test } from 'vitest';
import { tableOf } from '../../web/src/lib/table-file/table-of.ts';

const read = (html: string | Uint8Array<ArrayBuffer>) => tableOf({ file: new File([html], '내역.xls') }, {});

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
    ['날짜', '내용', '금액'],
    ['2026-03-02', '회비', '50,000'],
    ['2026-04-05', '간식\n음료 <3>, &amp; &copy;', '-12,000'],
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

test('IMP-9 what a page hides is taken in when it is asked for', async () => {
  const file = new File([PAGE], '내역.xls');
  const all = await tableOf({ file, withHidden: true }, {});
  expect('rows' in all && all.rows[2]).toEqual(['2026-03-03', '숨김', '2', '999']);
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
