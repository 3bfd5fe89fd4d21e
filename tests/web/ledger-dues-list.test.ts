import { previousTerm } from '#contract/terms';
import { describe, expect, test } from 'vitest';
import type { Due, DuesPayment } from '../../contract/dues.ts';
import { withBalances } from '../../contract/ledger.ts';
import { candidateDeposits } from '../../web/src/features/ledger/dues/match-dues.ts';
import { duesCsv, shownDues, termsBefore } from '../../web/src/features/ledger/dues/dues-list.ts';
import { checkNames, namesOfUsers, parseNames } from '../../web/src/features/ledger/dues/pasted-names.ts';

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
    category: '',
    version: 1,
  })),
);

describe('who has paid', () => {
  test('ACC-10 is looked for among the deposits around the semester, those that name the person first', () => {
    expect(candidateDeposits('최나래', entries, term).map(({ id }) => id)).toEqual([3, 6, 4, 2]);
    expect(candidateDeposits('최나래', entries, { year: 2021, semester: 2 })).toEqual([]);
  });

  test('ACC-10 is listed with day, amount and words in the CSV, and SEC-38 no formula runs', () => {
    const dues = [
      { id: 1, user_id: 1, name: '최나래', entry_id: 3, amount: null },
      { id: 2, user_id: null, name: '=윤슬', entry_id: null, amount: null },
      { id: 3, user_id: null, name: '하늘', entry_id: 4, amount: null },
      { id: 4, user_id: null, name: '바다', entry_id: 999, amount: null },
    ];
    const payments = [
      { due_id: 1, entry_id: 3, amount: null, year: 2026, semester: 1, name: '최나래' },
      { due_id: 3, entry_id: 4, amount: null, year: 2026, semester: 1, name: '하늘' },
      { due_id: 5, entry_id: 4, amount: null, year: 2026, semester: 2, name: '최나래' },
    ];
    const words = '=회비 최나래'.normalize('NFD');
    expect(duesCsv(shownDues({ dues, payments }, entries), term).split('\r\n')).toEqual([
      '\ufeff학기,이름,상태,납부일,금액,내용',
      `2026년 1학기,최나래,납부,2026.03.03,50000,'${words}`,
      "2026년 1학기,'=윤슬,미납,,,",
      '2026년 1학기,하늘,이중 사용,2026.03.04,50000,회비 정마루',
      '2026년 1학기,바다,납부,,,',
      '',
    ]);
  });

  test('ACC-13 with a deposit that has paid something else, that is named', () => {
    const due = { id: 1, user_id: 1, name: '최나래', entry_id: 3, amount: null };
    const own = { due_id: 1, entry_id: 3, amount: null, year: 2026, semester: 1, name: '최나래' };
    const other = { due_id: 2, entry_id: 3, amount: null, year: 2025, semester: 2, name: '윤슬' };
    const stateOf = (...payments: DuesPayment[]) => shownDues({ dues: [due], payments }, entries)[0];
    expect(stateOf(own)).toMatchObject({ state: '납부', others: [] });
    expect(stateOf(own, other)).toMatchObject({ state: '이중 사용', others: [other] });
  });

  test.each([
    ['an unpaid name and an unpaid user', null, null, 7],
    ['a paid name and an unpaid user', 3, null, 7],
    ['an unpaid name and a paid user', null, 3, 7],
    ['a paid name and a paid user', 3, 4, undefined],
  ])('ACC-10 of %s can be made one unless both have paid', (_, typed, own, user) => {
    const dues = [
      { id: 1, user_id: 7, name: '윤슬', entry_id: own, amount: null },
      { id: 2, user_id: null, name: '윤슬', entry_id: typed, amount: null },
    ];
    const joins = (...more: Due[]) =>
      shownDues({ dues: [...dues, ...more], payments: [] }, entries).map(({ joinsUser }) => joinsUser);
    expect(joins()).toEqual([undefined, user]);
    // Two users of one name: nobody can say whose row it is.
    expect(joins({ id: null, user_id: 8, name: '윤슬', entry_id: null, amount: null })).toEqual(
      Array(3).fill(undefined),
    );
  });
});

test('ACC-10 names come from a field by comma or line', () => {
  expect(parseNames(' 윤슬, 하늘,,윤슬\n바다')).toEqual(['윤슬', '하늘', '윤슬', '바다']);
  expect(parseNames(' , ')).toEqual([]);
  expect(parseNames('1. 윤슬 2. 하늘 (1반) 3. 바다')).toEqual(['1. 윤슬', '2. 하늘 (1반)', '3. 바다']);
  expect(
    checkNames(['정하늘 오세훈', '김민수님', '김 가람'], []).map(({ name, reason }) => [name, reason]),
  ).toEqual([
    ['정하늘 오세훈', '여러 사람이면 쉼표로 나누어 쓰세요'],
    ['김민수', '이름 뒤에 다른 말이 적혀 있습니다'],
    ['김 가람', undefined],
  ]);
  expect(checkNames(['납부일', '합계'], []).map(({ name }) => name)).toEqual(['', '']);
  expect(parseNames(`가람\r\n나래\r다솜\t${'라온'.normalize('NFD')}\u200b; 라온`)).toEqual([
    '가람',
    '나래',
    '다솜',
    '라온',
    '라온',
  ]);
});

test('ACC-10 what may be no name, or no other person, is asked about before it becomes one', () => {
  const text =
    '이름\n"남궁\n민수"\n"\n합계\t6명\n이순신 50,000\n김영희\n김영희\n1. 이몽룡\n202510001 홍길동\n(3) 성춘향 30,000원\n김철수·박영수\n최 나래\n남궁 민\n김가람2\nJohn Smith\n나람 - 미납\n다온(휴학)\n라온 납부\n마루 - 3월에 냄\nKim Na-ram';
  const dues = [{ id: null, user_id: 1, name: '최나래', entry_id: null, amount: null }];
  const checked = checkNames(parseNames(text) ?? [], dues);
  expect(
    checked.map(({ name, reason }) => (reason === undefined ? name : [name, reason.split(/[. ]/)[0]])),
  ).toEqual([
    ['', '표의'],
    ['남궁 민수', '한'],
    ['', '이름이'],
    ['', '표의'],
    ['', '번호나'],
    ['이순신', '번호나'],
    '김영희',
    ['', '같은'],
    ['이몽룡', '번호나'],
    ['홍길동', '번호나'],
    ['성춘향', '번호나'],
    ['김철수·박영수', '이름에'],
    ['', '이미'],
    '남궁 민',
    '김가람2',
    'John Smith',
    ['나람', '이름'],
    ['다온', '이름'],
    ['라온', '이름'],
    ['마루', '이름'],
    'Kim Na-ram',
  ]);
});

test('IMP-8 of a table or a cell of several lines only names become people', () => {
  const names = ['김가람', '이나래', '박다온'];
  expect(parseNames('"김가람\n이나래\n박다온"')).toEqual(names);
  expect(parseNames('1\t김가람\t산업보안학과\n2\t이나래\tAI학과\n3\t박다온\t전자공학부')).toEqual(names);
  expect(parseNames('학번\t이름\t지도교수\n202600001\t김가람\t윤서준\n202600002\t이나래\t윤서준')).toEqual([
    '김가람',
    '이나래',
  ]);
  expect(parseNames('김가람\t윤서준\n이나래\t윤서준')).toBeUndefined();
  expect(parseNames('1, 2, 김가람')).toEqual(['김가람']);
});

test('ACC-10 semesters go back one by one', () => {
  expect(previousTerm({ year: 2026, semester: 2 })).toEqual(term);
  expect(termsBefore(term, 3)).toEqual([term, { year: 2025, semester: 2 }, { year: 2025, semester: 1 }]);
});

test('ACC-10 a typed name that a user on the list has is found, however it is written', () => {
  const dues = [
    { id: null, user_id: 1, name: '최나래', entry_id: null, amount: null },
    { id: 2, user_id: null, name: '윤슬', entry_id: null, amount: null },
  ];
  const names = ['최나래', '최 나래', '최나래'.normalize('NFD'), '최\u200b나래', '윤슬', '최나라'];
  expect(namesOfUsers(names, dues)).toEqual(names.slice(0, 4));
  expect(namesOfUsers(names, [])).toEqual([]);
});
