import type { LogReport } from '#contract/log-reviews';
import { addMonths, monthSpan, seoulMonth } from '#contract/log-reviews';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { ReviewReport } from '../../web/src/features/users/components/review-report.tsx';
import { detailText, unusualAccessText } from '../../web/src/features/users/labels.ts';
import { reviewCsv } from '../../web/src/features/users/review-csv.ts';

const actor = { id: 7, name: '최나래', email: 'member@lab.test' };
const report: LogReport = {
  month: '2026-03',
  isOver: true,
  entries: 12,
  review: { at: '2026-04-01T00:00:00.000Z', reviewer: actor, remark: '=이상 없음' },
  actors: [
    { actor, address: null, entries: 11, reads: 8, changes: 2, exports: 1, records: 513, addresses: 2 },
    {
      actor: null,
      address: 'system',
      entries: 1,
      reads: 0,
      changes: 1,
      exports: 0,
      records: 0,
      addresses: 1,
    },
  ],
  exports: [
    {
      id: 1,
      at: '2026-03-02T03:00:00.000Z',
      actor,
      address: '192.0.2.7',
      action: 'export',
      subject: 'student',
      person: null,
      detail: { reason: '학과 제출', count: 40 },
      request: null,
    },
  ],
  restores: [],
  unusual: [
    { kind: 'number', actor, day: '2026-03-05', entries: 300, handled: 63_000, usual: 20 },
    { kind: 'hour', actor: null, day: '2026-03-06', entries: 3 },
    { kind: 'address', actor, day: '2026-03-07', entries: 4, address: '198.51.100.9' },
  ],
};

test('USER-6 what is on screen and paper is what the file holds', () => {
  const csv = reviewCsv(report);
  const page = renderToStaticMarkup(createElement(ReviewReport, { report }));
  const said = [
    '최나래',
    '시스템 (예약 작업)',
    '513',
    '192.0.2.7',
    '사유: 학과 제출',
    ...report.unusual.map(unusualAccessText),
  ];
  for (const text of said) {
    expect(csv).toContain(text);
    expect(page).toContain(text);
  }
  expect(page).toContain('=이상 없음');
  // In a spreadsheet it computes nothing.
  expect(csv).toContain("'=이상 없음");
});

test('USER-6 a month that nobody has signed off says so on screen, paper and in the file', () => {
  const unsigned = { ...report, review: null };
  expect(reviewCsv(unsigned)).toContain('점검,점검 전입니다.');
  expect(renderToStaticMarkup(createElement(ReviewReport, { report: unsigned }))).toContain('점검 전입니다.');
  expect(reviewCsv({ ...unsigned, isOver: false })).toContain('진행 중인 달');
});

test('USER-6 counts of people and the operator by night are put into words, and each day in one form', () => {
  const csv = reviewCsv(report);
  expect(csv).toContain('2026.03.05,최나래,건수,"하루에 63,000건 처리 (다른 날은 보통 20건)"');
  expect(csv).toContain('2026.03.06,운영자 명령,시간대,밤 0시부터 6시 사이에 3건');
  expect(csv).not.toContain('2026-03-');
});

test('USER-6 a restore says what of the month it took back', () => {
  const restored = {
    made: Date.parse('2026-03-20T00:00:00Z'),
    since: Date.parse('2026-03-19T15:00:00Z'),
    entries: 1200,
    months: ['2026-01', '2026-02'],
  };
  const entry = {
    id: 9,
    at: '2026-03-21T00:00:00.000Z',
    actor: null,
    address: 'operator',
    action: 'change',
    subject: 'access_log',
    person: null,
    detail: { restored },
    request: null,
  } as const;
  const text =
    '2026.03.20 09:00:00의 백업으로 복원 · 마지막 기록 2026.03.20 00:00:00 · 그 뒤 복원 전까지의 기록 1,200건 없어짐 · 점검 완료가 없어져 다시 점검할 달: 2026년 1월, 2026년 2월';
  const restoredReport = { ...report, restores: [entry] };
  expect(renderToStaticMarkup(createElement(ReviewReport, { report: restoredReport }))).toContain(text);
  expect(reviewCsv(restoredReport)).toContain(text);
  expect(detailText({ restored: { ...restored, entries: null, months: [] } })).toContain('알 수 없음');
});

test('USER-6 what the log says of a review is put into words', () => {
  expect(detailText({ month: '2026-03' })).toBe('2026년 3월 점검 보고서');
  expect(detailText({ reviewed: '2026-12' })).toBe('2026년 12월 점검 완료');
  expect(detailText({ reviews: true })).toBe('월별 점검 목록');
});

test('USER-6 months begin and end in Seoul', () => {
  expect(monthSpan('2026-12')).toEqual({
    from: Date.parse('2026-11-30T15:00:00Z'),
    to: Date.parse('2026-12-31T15:00:00Z'),
  });
  expect(seoulMonth(monthSpan('2026-12').from)).toBe('2026-12');
  expect(seoulMonth(monthSpan('2026-12').from - 1)).toBe('2026-11');
  expect([addMonths('2026-12'), addMonths('2026-01', -1)]).toEqual(['2027-01', '2025-12']);
});
