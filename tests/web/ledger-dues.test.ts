import { describe, expect, test } from 'vitest';
import { withBalances } from '../../worker/contract/ledger.ts';
import {
  candidatesFor,
  duesCsv,
  previousTerm,
  readNames,
  termsBefore,
} from '../../web/src/features/ledger/dues-list.ts';

const term = { year: 2026, semester: 1 } as const;
const entries = withBalances(
  (
    [
      ['2026-12-01', 50_000, '회비 최나래'],
      ['2026-09-20', 50_000, '회비 정마루'],
      ['2026-03-05', -50_000, '최나래 환불'],
      ['2026-03-04', 50_000, '회비 정마루'],
      ['2026-03-03', 50_000, '=회비 최나래'.normalize('NFD')],
      ['2025-12-31', 50_000, '이른 회비'],
      ['2025-12-30', 50_000, '지난 학기'],
    ] as const
  ).map(([day, amount, description], at) => ({
    id: 7 - at,
    datetime: `${day}T13:00:00`,
    amount,
    description,
  })),
);

describe('who has paid', () => {
  test('ACC-10 is looked for among the deposits around the semester, those that name the person first', () => {
    expect(candidatesFor('최나래', entries, term).map(({ id }) => id)).toEqual([3, 6, 4, 2]);
    expect(candidatesFor('최나래', entries, { year: 2021, semester: 2 })).toEqual([]);
  });

  test('ACC-10 is listed with day, amount and words in the CSV, and SEC-38 no formula runs', () => {
    const dues = [
      { id: 1, user_id: 1, name: '최나래', entry_id: 3 },
      { id: 2, user_id: null, name: '=윤슬', entry_id: null },
    ];
    const words = '=회비 최나래'.normalize('NFD');
    expect(duesCsv(dues, entries, term)).toBe(
      `\ufeff학기,이름,상태,납부일,금액,내용\r\n2026년 1학기,최나래,납부,2026.03.03,50000,'${words}\r\n2026년 1학기,'=윤슬,미납,,,\r\n`,
    );
  });
});

test('ACC-10 names come from a field by comma or line, each once', () => {
  expect(readNames(' 윤슬, 하늘,,윤슬\n바다\t')).toEqual(['윤슬', '하늘', '바다']);
  expect(readNames(' , ')).toEqual([]);
});

test('ACC-10 semesters go back one by one', () => {
  expect(previousTerm({ year: 2026, semester: 2 })).toEqual(term);
  expect(termsBefore(term, 3)).toEqual([term, { year: 2025, semester: 2 }, { year: 2025, semester: 1 }]);
});
