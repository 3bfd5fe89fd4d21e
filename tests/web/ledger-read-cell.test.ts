import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  amountCellProblem,
  dateOrders,
  readAmount,
  readDate,
  type DateOrder,
} from '../../web/src/features/ledger/read-cell.ts';
import { propertyRuns } from '../support/counts.ts';

const read = (cell: string, today: string, year?: number, order: DateOrder | undefined = 'ymd') =>
  readDate(cell, today, year, () => order);

const options = propertyRuns(300, 10_000);

describe('an amount', () => {
  test.each([
    ['12,000', 12_000],
    ['12000', 12_000],
    ['₩12,000', 12_000],
    ['₩ 12,000', 12_000],
    ['￦12,000', 12_000],
    ['\\12,000', 12_000],
    ['12000원', 12_000],
    ['12,000 원', 12_000],
    ['+12,000', 12_000],
    ['-12,000', -12_000],
    ['−12,000', -12_000],
    ['- 12,000', -12_000],
    ['-₩12,000', -12_000],
    ['₩-12,000', -12_000],
    ['(12,000)', -12_000],
    ['(₩12,000)', -12_000],
    ['(12,000원)', -12_000],
    ['△12,000', -12_000],
    ['△ 12,000원', -12_000],
    ['１２，０００', 12_000],
    ['－１２，０００원', -12_000],
    ['（１２，０００）', -12_000],
    ['\u00a012,000 ', 12_000],
    ['1,000,000,000,000', 1_000_000_000_000],
    ['50,000.00', 50_000],
    ['50000.0', 50_000],
    ['▲33,000', -33_000],
    ['12,000-', -12_000],
    ['-3,000.00', -3_000],
    ['KRW 4,000', 4_000],
    ['4,000 KRW', 4_000],
    ['₩(6,000)', -6_000],
    ['－５，０００', -5_000],
  ])('ACC-5 is understood as Koreans write it: %j is %i', (cell, amount) => {
    expect(readAmount(cell)).toBe(amount);
  });

  test.each([
    '',
    '원',
    '-',
    '()',
    '12,00',
    '1,2000',
    '12.000',
    '12,000.5',
    '1만 2천원',
    '1.2만',
    '12k',
    '$12',
    '--12',
    '(-12)',
    '△-12',
    '-(12)',
    '(12',
    '12)',
    '12 000',
    '1 2',
    '1e3',
    '0x10',
    '²',
    '12²',
    '⑴',
    '①',
    '12,000,',
    ',000',
    'NaN',
    '12,000 13,000',
    '9'.repeat(16),
  ])('ACC-6 that is not understood is never guessed: %j', (cell) => {
    expect(readAmount(cell)).toBeUndefined();
    expect(amountCellProblem(cell)).toBeDefined();
  });

  test('ACC-1 of nothing or too much is no entry’s', () => {
    expect(amountCellProblem('0')).toBe('금액은 0보다 커야 합니다');
    expect(amountCellProblem('1,000,000,000,001')).toBe('금액이 너무 큽니다');
    expect(amountCellProblem('-1,000,000,000,000')).toBeUndefined();
    for (const cell of ['1234567.5', '1,234.50', '₩0.5', '(12,000.5)', '-1.5원', '입금 1.5'])
      expect(amountCellProblem(cell), cell).toBe('원 단위 정수로 입력하세요');
    for (const cell of ['1.2.3', '.5', '12,00.5', '5.', '입금 -5', '열두 개'])
      expect(amountCellProblem(cell), cell).toBe('금액을 숫자로 입력하세요');
  });

  test('ACC-5 comes back from every way to write it, and SEC-29 nothing takes long or throws', () => {
    const ways: ((digits: string) => [cell: string, sign: 1 | -1])[] = [
      (digits) => [digits, 1],
      (digits) => [`₩${digits}`, 1],
      (digits) => [`${digits}원`, 1],
      (digits) => [`-${digits}`, -1],
      (digits) => [`(${digits})`, -1],
      (digits) => [`△${digits}`, -1],
      (digits) => [
        digits.replaceAll(/[\d,]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0)),
        1,
      ],
    ];
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1_000_000_000_000 }),
        fc.constantFrom(...ways),
        fc.boolean(),
        (amount, way, isGrouped) => {
          const [cell, sign] = way(isGrouped ? amount.toLocaleString('en') : String(amount));
          expect(readAmount(cell)).toBe(sign * amount);
        },
      ),
      options,
    );
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'0123456789,.-+()△₩원 년월일/'.split('')) }),
        (cell) => {
          const amount = readAmount(cell);
          expect(amount === undefined || Number.isSafeInteger(amount)).toBe(true);
          expect(read(cell, '2026-01-01') ?? '2026-01-01').toMatch(/^\d{4}-\d\d-\d\d$/);
        },
      ),
      options,
    );
  });
});

describe('a day', () => {
  test.each([
    ['2026-03-02', '2026-03-02'],
    ['2026-3-2', '2026-03-02'],
    ['2026.3.2.', '2026-03-02'],
    ['2026. 3. 2.', '2026-03-02'],
    ['2026.03.02', '2026-03-02'],
    ['2026/03/02', '2026-03-02'],
    ['26/03/02', '2026-03-02'],
    ['26.3.2.', '2026-03-02'],
    ['26-03-02', '2026-03-02'],
    ['20260302', '2026-03-02'],
    ['20260302091133', '2026-03-02'],
    ['20260302 091133', '2026-03-02'],
    ['2026.03.02 09:11:33', '2026-03-02'],
    ['2026-03-02 [09:11:33]', '2026-03-02'],
    ['2026.03.02 09:11:3355', '2026-03-02'],
    ['2026/03/02 오전 9:11', '2026-03-02'],
    ['2026.03.02(월) 09:11', '2026-03-02'],
    ['2026.03.02 (월)09:11:33', '2026-03-02'],
    ['2026년 3월 2일 9시 11분', '2026-03-02'],
    ['3월 2일', '2025-03-02'],
    ['3월2일', '2025-03-02'],
    ['12월 31일', '2025-12-31'],
    ['12/31', '2025-12-31'],
    ['3/2', '2025-03-02'],
    ['03-02', '2025-03-02'],
    ['12.31', '2025-12-31'],
    ['12. 31.', '2025-12-31'],
    ['3.02', '2025-03-02'],
    ['3.2.', '2025-03-02'],
    ['12/31 14:05', '2025-12-31'],
    ['2026년 3월 2일', '2026-03-02'],
    ['26년 3월 2일', '2026-03-02'],
    ['2026-03-02 14:05:09', '2026-03-02'],
    ['2026.03.02 09:30', '2026-03-02'],
    ['2026.03.02 (월)', '2026-03-02'],
    ['2026.03.02(월)', '2026-03-02'],
    ['２０２６－０３－０２', '2026-03-02'],
    ['2024-02-29', '2024-02-29'],
  ])('ACC-5 is understood as Koreans write it: %j is %s', (cell, date) => {
    expect(read(cell, '2026-11-22', 2025)).toBe(date);
  });

  test.each([
    '',
    '3',
    '3.2',
    '46083',
    '2026-02-29',
    '2026-02-30',
    '2026-13-01',
    '2026-00-01',
    '2026-03-00',
    '2026-03-32',
    '2026-03/02',
    '2026-3',
    '2월 29일',
    '13월 1일',
    '13/1',
    '3/32',
    '28/12',
    '3월',
    '02/03/2026',
    'March 2',
    '어제',
    '2026.03.02 (화)',
    '1,000',
    '²026-03-02',
  ])('ACC-6 that is not understood is never guessed: %j', (cell) => {
    expect(read(cell, '2026-11-22', 2025)).toBeUndefined();
  });

  /** Every way in which a day is written without its year. */
  const written: ((month: number, day: number) => string)[] = [
    (month, day) => `${month}월 ${day}일`,
    (month, day) => `${month}월${day}일`,
    (month, day) => `${month}/${day}`,
    (month, day) => `${two(month)}/${two(day)}`,
    (month, day) => `${month}-${day}`,
    (month, day) => `${two(month)}-${two(day)}`,
    (month, day) => `${month}.${two(day)}`,
    (month, day) => `${two(month)}.${two(day)}`,
    (month, day) => `${month}.${day}.`,
    (month, day) => `${month}. ${day}.`,
    (month, day) => `${month}/${day} 14:05:09`,
    (month, day) => `${two(month)}．${two(day)}`,
  ];
  const two = (number: number) => String(number).padStart(2, '0');
  const DAY_MS = 86_400_000;
  const dateOn = (day: number) => new Date(Date.UTC(2024, 0, 1) + day * DAY_MS).toISOString().slice(0, 10);

  test('ACC-17 without a year is the last one that there was, on every day and in every way to write it', () => {
    // Four years and their leap day, looked at from every day of the year after each.
    for (let today = 366; today < 366 + 4 * 365; today++) {
      for (let ago = today % 5; ago < 365; ago += 5) {
        const date = dateOn(today - ago);
        const [month = 0, day = 0] = date.slice(5).split('-').map(Number);
        const way = written[(today + ago) % written.length];
        const cell = way?.(month, day) ?? '';
        expect(read(cell, dateOn(today)), `${cell} on ${dateOn(today)}`).toBe(date);
      }
    }
    for (const way of written) {
      // December's rows, imported in January.
      expect(read(way(12, 28), '2027-01-05')).toBe('2026-12-28');
      expect(read(way(1, 5), '2027-01-05')).toBe('2027-01-05');
      expect(read(way(1, 6), '2027-01-05')).toBe('2026-01-06');
      expect(read(way(2, 29), '2027-01-05')).toBe('2024-02-29');
      expect(read(way(2, 29), '2104-02-28')).toBe('2096-02-29');
      expect(read(way(2, 30), '2027-01-05')).toBeUndefined();
      expect(read(way(12, 28), '2027-01-05', 2027)).toBe('2027-12-28');
    }
  });

  test.each<[string, string[], DateOrder[], string | undefined]>([
    ['years first', ['26.03.02', '26.03.15'], ['ymd'], '2026-03-02'],
    ['days first', ['02/03/2026', '15/03/2026'], ['dmy'], '2026-03-02'],
    ['months first', ['03/02/2026', '03/15/2026'], ['mdy'], '2026-03-02'],
    ['open between days and months', ['03/02/2026', '04/05/2026'], ['dmy', 'mdy'], undefined],
    ['open between years and days', ['26/06/26', '03/08/26'], ['ymd', 'dmy'], undefined],
    ['open between all', ['22/03/24'], ['ymd', 'dmy'], undefined],
    ['impossible', ['02/03/2026', '13/14/2026'], [], undefined],
    ['years first, with a mistyped day', ['25.3.3', '25.3.4', '25.3.31', '25.2.29'], ['ymd'], '2025-03-03'],
    [
      'days first, with a mistyped day',
      ['02/03/2026', '15/03/2026', '16/03/2026', '31/02/2026'],
      ['dmy'],
      '2026-03-02',
    ],
    ['none', ['2026-03-02', '3월 2일', '점수'], [], '2026-03-02'],
  ])(
    'IMP-9 the order of a whole column counts, and a person decides where it is open: %s',
    (_name, cells, orders, first) => {
      const found = dateOrders(cells, '2026-11-22').flatMap((writing) => writing.orders);
      expect(found).toEqual(orders);
      const [cell = ''] = cells;
      const only = found.length === 1 ? found[0] : undefined;
      expect(readDate(cell, '2026-11-22', undefined, () => only)).toBe(first);
    },
  );

  test('IMP-9 dates that are written otherwise say nothing of the order of the others', () => {
    const today = '2026-11-22';
    const cells = ['26.03.06', '03/12/2026', '2.3.2026', '13.3.2026', '26.03.31', '2026-03-13'];
    expect(dateOrders(cells, today)).toEqual([
      { writing: '.yy', example: '26.03.06', orders: ['ymd'] },
      { writing: '/yyyy', example: '03/12/2026', orders: ['dmy', 'mdy'] },
      { writing: '.yyyy', example: '2.3.2026', orders: ['dmy'] },
    ]);
  });
});
