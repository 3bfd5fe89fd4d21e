import { expect, test } from 'vitest';
import { serialToDate } from 'hucre';
import { cellText } from '../../web/src/lib/table-file/cell-text.ts';

test.each<[number, string, string]>([
  [-12000, '_-"₩"* #,##0_-;\\-"₩"* #,##0_-;_-"₩"* "-"_-;_-@_-', '-12000'],
  [-12000, '#,##0_);[Red](#,##0)', '-12000'],
  [-12000, '"△"#,##0;"▲"#,##0', '-12000'],
  [5_000_000, '#,##0,,"백만원"', '5000000'],
  // What is not won by its format is none by its text.
  [120, '"$"#,##0', '120 $'],
  [120, '$#,##0_);($#,##0)', '120 $'],
  [-120, '[$USD] #,##0.00', '-120 USD'],
  [5000, '[$¥-411]#,##0', '5000 ¥'],
  [120, '#,##0"천원"', '120 천원'],
  [5000, '[$₩-412]#,##0;[Red]-[$₩-412]#,##0', '5000'],
  [-12000, '[>=10000]#,##0,"천";[<0][Red]-#,##0;0', '-12000'],
  // A positive number that looks like money out is neither.
  [12_000, '"-"#,##0', '12000 -#,##0'],
  [12_000, '"출금 "#,##0', '12000 출금 #,##0'],
  [12_000, '(#,##0)', '12000 (#,##0)'],
  [-12_000, '"△"#,##0', '-12000'],
  [0.5, '# ?/?', '0.5'],
  [123_456, '##0.0E+0', '123456'],
  [7, '[DBNum4][$-412]General', '7'],
  [7, ';;;', '7'],
  [7, '"비공개"', '7'],
  [0.955, '0.0\\%', '0.955'],
  [0.955, '_%0.00', '0.955'],
  [0.955, '[Red]0.0%', '95.5%'],
])('IMP-5 a number is its value whatever its format makes of it: %d by %s', (value, format, text) => {
  expect(cellText(value, format)).toBe(text);
});

test.each<[number, string, string]>([
  [1_012_345_678, '000\\-0000\\-0000', '010-1234-5678'],
  [1_012_345_678, '000-0000-0000;@', '010-1234-5678'],
  [1_012_345_678, '(0##)\\ ####\\-####', '(010) 1234-5678'],
  [12_345_678, '"010-"0000\\-0000', '010-1234-5678'],
  [1_012_345_678, '0##########', '01012345678'],
  [2_345_678, '000000000_ ;@', '002345678'],
  [2_345_678, '[$-412]000000000', '002345678'],
  [20_345_678, '"0"00000000', '020345678'],
  // No zero is lost without the format.
  [202_612_345, '0000\\-00000', '202612345'],
  [202_600_001, '0_ ', '202600001'],
  [2_600_001, '"20"0000000', '2600001'],
  [-5, '000', '-5'],
  [5.5, '000', '5.5'],
  [5, '0.00', '5'],
])('IMP-5 a format counts where it alone holds leading zeros: %d by %s', (value, format, text) => {
  expect(cellText(value, format)).toBe(text);
});

test('IMP-5 a format that makes thousands of a number by its digits leaves no amount', () => {
  for (const format of ['#,##0",000"', '0"0000"', '#,##0"천"', '0.0"만"', '0"k"'])
    expect(cellText(30, format)).toMatch(/^30 .*[^\d]/);
  expect(cellText(30_000, '#,##0,"k"')).toBe('30000');
  expect(cellText(3, '#,##0"점"')).toBe('3');
});

test.each<[number, string, string]>([
  [46_083, '[$-F800]dddd, mmmm dd, yyyy', '2026-03-02'],
  [46_083, 'yyyy"년" m"월" d"일"', '2026-03-02'],
  [46_083.999988, '[$-412]yyyy-mm-dd AM/PM h:mm:ss', '2026-03-02 23:59:59'],
  [0.75, '[$-412]AM/PM h:mm', '18:00'],
  [30.25 / 24, '[h]:mm', '30:15'],
  [100 / 86_400, '[mm]:ss', '00:01:40'],
  [1, '[h]:mm', '24:00'],
  [46_083, '[h]:mm', '2026-03-02'],
  [12_000.25, '#,##0.00\\ [$€-de-DE]', '12000.25 €'],
  [-500, '[$kr.-da-DK] #,##0', '-500'],
])(
  'IMP-5 a date is its day, a time may be longer than one, and an amount is neither: %d by %s',
  (serial, format, text) => {
    for (const is1904 of [false, true]) {
      const days = is1904 && text.startsWith('2026') ? serial - 1462 : serial;
      expect(cellText(serialToDate(days, is1904), format, is1904)).toBe(text);
    }
  },
);
