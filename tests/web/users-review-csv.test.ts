import type { LogReport } from '#contract/log-reviews';
import { monthAfter, monthSpan, seoulMonth } from '#contract/log-reviews';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { ReviewReport } from '../../web/src/features/users/components/review-report.tsx';
import { detailText, unusualText } from '../../web/src/features/users/labels.ts';
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
  unusual: [
    { kind: 'number', actor, day: '2026-03-05', entries: 300, usual: 20 },
    { kind: 'hour', actor, day: '2026-03-06', entries: 3 },
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
    ...report.unusual.map(unusualText),
  ];
  for (const text of said) {
    expect(csv).toContain(text);
    expect(page).toContain(text);
  }
  expect(page).toContain('=이상 없음');
  // In a spreadsheet it computes nothing.
  expect(csv).toContain("'=이상 없음");
});

test('USER-6 a month that nobody has signed off says so', () => {
  expect(reviewCsv({ ...report, review: null })).toContain('점검,아직 하지 않음');
});

test('USER-6 what the log says of a review is put into words', () => {
  expect(detailText({ month: '2026-03' })).toBe('2026년 3월 점검 보고서');
  expect(detailText({ reviewed: '2026-12' })).toBe('2026년 12월 점검 완료');
  expect(detailText({ reviews: true })).toBe('월 점검 목록');
});

test('USER-6 months begin and end in Seoul', () => {
  expect(monthSpan('2026-12')).toEqual({
    from: Date.parse('2026-11-30T15:00:00Z'),
    to: Date.parse('2026-12-31T15:00:00Z'),
  });
  expect(seoulMonth(monthSpan('2026-12').from)).toBe('2026-12');
  expect(seoulMonth(monthSpan('2026-12').from - 1)).toBe('2026-11');
  expect([monthAfter('2026-12'), monthAfter('2026-01', -1)]).toEqual(['2027-01', '2025-12']);
});
