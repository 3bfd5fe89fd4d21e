import { logActionSchema, accessLogQuerySchema } from '#contract/access-log';
import { describe, expect, test } from 'vitest';
import { logFilterProblem, logQueryOf, emptyLogFilter } from '../../web/src/features/users/log-filter.ts';
import { actorName, detailText, LOG_ACTIONS, subjectName } from '../../web/src/features/users/labels.ts';

const person = { id: 7, name: '최나래', email: 'member@lab.test' };
const deleted = { id: 7, name: null, email: null };

describe('the search of the access log', () => {
  test('USER-5 asks for everything when nothing is filled in', () => {
    expect(logQueryOf(emptyLogFilter, undefined)).toEqual({});
  });

  test('USER-5 takes both days whole, in Seoul, and the page that comes next', () => {
    const filter = {
      person: ' 나래 ',
      action: 'delete',
      firstDay: '2026-03-02',
      lastDay: '2026-03-02',
    } as const;
    const query = logQueryOf(filter, 501);
    expect(query).toEqual({
      person: '나래',
      action: 'delete',
      from: '2026-03-01T15:00:00.000Z',
      to: '2026-03-02T15:00:00.000Z',
      before: '501',
    });
    expect(accessLogQuerySchema.safeParse(query).success).toBe(true);
  });

  test('USER-5 offers every action that the log knows', () => {
    expect(new Set<string>(LOG_ACTIONS)).toEqual(logActionSchema.values);
  });

  test('USER-5 a range that ends before it begins is said, one of a single day is fine', () => {
    expect(logFilterProblem({ ...emptyLogFilter, firstDay: '2026-03-03', lastDay: '2026-03-02' })).toMatch(
      /빠릅니다/,
    );
    expect(
      logFilterProblem({ ...emptyLogFilter, firstDay: '2026-03-02', lastDay: '2026-03-02' }),
    ).toBeUndefined();
    expect(logFilterProblem({ ...emptyLogFilter, lastDay: '2026-03-02' })).toBeUndefined();
  });
});

describe('an entry of the access log', () => {
  test.each([
    [{ count: 12 }, '12건'],
    [{ secure_level: [10, 5] }, '역할 Guest → Member'],
    [{ univ_id: ['202212345', null] }, '학번/직번 202212345 삭제'],
    [{ entry: [12, null] }, '납부 내역 번호 12 취소'],
    [{ amount: [null, -103600] }, '금액 -103,600원'],
    [{ univ_id_verified: [0, 1] }, '학번/직번 확인'],
    [{ reason: '감사 제출' }, '사유: 감사 제출'],
    [{ filter: {} }, '조건: 없음'],
    [
      {
        amount: [-12000, null],
        datetime: ['2026-03-02T13:00:00', null],
        receipts: 1,
      },
      '금액 -12,000원 삭제 · 날짜 2026.03.02 삭제 · 영수증 1개',
    ],
    [{ size: 120 }, '크기 120바이트'],
    [{ reason: '출석부', count: 3, search: true }, '사유: 출석부 · 3건 · 검색한 목록'],
    [{ filter: { year: 2026, semester: 1 }, entry: [null, 12] }, '조건: 2026년 1학기 · 납부 내역 번호 12'],
    [
      { filter: { person: true, action: 'change', from: Date.parse('2026-03-01T15:00:00Z') } },
      '조건: 사람으로 검색, 작업 변경, 2026.03.02 00:00:00부터',
    ],
    [{}, ''],
    [{ fields: [], number: ['1', '2'] }, '학번 1 → 2'],
    [{ fields: [] }, '바뀐 내용 없음'],
    [{ receipts: 1, bin: true }, '영수증 1개 · 휴지통에 있던 내역'],
  ])('USER-5 tells %j in words', (detail, words) => {
    expect(detailText(detail)).toBe(words);
  });

  test('USER-5 what it does not know is shown as it was stored', () => {
    expect(detailText({ colour: 'green', secure_level: 5, count: '3' })).toBe(
      'colour: "green" · secure_level: 5 · count: "3"',
    );
    expect(detailText({ secure_level: [2, 10] })).toBe('역할 2 → Guest');
  });

  test('USER-5 names who did it: a person, one who was deleted since, or the operator', () => {
    expect(actorName({ actor: person, address: '' })).toBe('최나래');
    expect(actorName({ actor: { ...person, name: '' }, address: '' })).toBe('member@lab.test');
    expect(actorName({ actor: deleted, address: '' })).toBe('삭제된 사용자 (사용자 번호 7)');
    expect(actorName({ actor: null, address: 'operator' })).toBe('운영자 명령');
    expect(actorName({ actor: null, address: 'system' })).toBe('시스템 (예약 작업)');
  });

  test('USER-5 names whose data it was about: a person or a list', () => {
    expect(subjectName({ subject: 'user', person })).toBe('최나래');
    expect(subjectName({ subject: 'user', person: deleted })).toBe('삭제된 사용자 (사용자 번호 7)');
    const renumbered = { id: '202100001', name: null, email: null };
    expect(subjectName({ subject: 'student', person: renumbered })).toBe('지금은 없는 학번 202100001');
    expect(subjectName({ subject: 'user', person: null })).toBe('사용자 목록');
    expect(subjectName({ subject: 'access_log', person: null })).toBe('접속 기록');
    const entry = { id: '12', name: null, email: null };
    expect(subjectName({ subject: 'ledger_entry', person: entry })).toBe('랩비 내역 (번호 12)');
    expect(subjectName({ subject: 'receipt', person: entry })).toBe('랩비 내역 (번호 12)의 영수증');
  });
});
