import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BANK_PROFILES, type StatementProfile } from '../../web/src/features/ledger/import/bank-profiles.ts';
import { balanceGaps } from '../../web/src/features/ledger/import/import-plan.ts';
import { statementColumns } from '../../web/src/features/ledger/import/statement-columns.ts';
import { entryDescription } from '../../web/src/features/ledger/import/ledger-kind.ts';
import { propertyRuns } from '../support/counts.ts';

const options = propertyRuns(300, 10_000);

/** Headers as the banks export them, with the bank and the payee's column. */
const exports: [bank: string | undefined, header: string, payee: string][] = [
  ['KB국민은행', '거래일시|적요|보낸분/받는분|송금메모|출금액|입금액|잔액|거래점|구분', '보낸분/받는분'],
  [
    'KB국민은행',
    'No|거래일시|보낸분/받는분|출금액(원)|입금액(원)|잔액(원)|내 통장 표시|적요|처리점|구분',
    '보낸분/받는분',
  ],
  ['신한은행', '거래일자|거래시간|적요|출금(원)|입금(원)|내용|잔액(원)|거래점', '내용'],
  ['신한은행', 'No|전체선택|거래일시|적요|입금액|출금액|내용|잔액|거래점명|입금인코드|메모', '내용'],
  ['우리은행', 'No.|거래일시|기재내용|지급(원)|입금(원)|거래후 잔액(원)', '기재내용'],
  ['우리은행', '거래일시|적요|기재내용|지급(원)|입금(원)|거래후 잔액(원)|취급점|메모', '기재내용'],
  ['우리은행', '거래일시|거래구분|기재내용|출금금액|입금금액|잔액|취급점', '기재내용'],
  ['하나은행', '거래일시|적요|의뢰인/수취인|입금|출금|거래후잔액|구분|거래점|거래특이사항', '의뢰인/수취인'],
  [
    'NH농협은행',
    '구분|거래일자|출금금액(원)|입금금액(원)|거래 후 잔액(원)|거래내용|거래기록사항|거래점|거래시간|이체메모',
    '거래기록사항',
  ],
  [
    'NH농협은행',
    '순번|거래일시|출금금액|입금금액|거래후잔액|거래내용|거래기록사항|거래점|거래메모',
    '거래기록사항',
  ],
  [
    'NH농협은행',
    '순 번|거래일자|시간|찾으신금액|맡기신금액|남은금액|거래내용|기록사항|연동은행|연동입금계좌번호|거래점|은행구분',
    '기록사항',
  ],
  ['카카오뱅크', '|거래일시|구분|거래금액|거래 후 잔액|거래구분|내용|메모', '내용'],
  ['토스뱅크', '|거래 일시|적요|거래 유형|거래 기관|계좌번호|거래 금액|거래 후 잔액|메모', '적요'],
  [
    'IBK기업은행',
    'No|거래일시|출금|입금|거래후 잔액|거래내용|상대계좌번호|상대은행|메모|거래구분|수표어음금액|CMS코드|상대계좌예금주명',
    '상대계좌예금주명',
  ],
  [undefined, '날짜|구분|내용|분류|금액|잔액|비고', '내용'],
  [undefined, '날짜|구분|내용|금액|잔액|비고', '내용'],
];

describe('the header of a bank’s export', () => {
  test('ACC-12 is here for every profile', () => {
    const plain = (label: string) => label.replaceAll(/\([^)]*\)|\s/g, '');
    const hasExample = ({ name, columns }: StatementProfile) =>
      exports.some(([bank, header]) => {
        const labels = new Set(header.split('|').map(plain));
        return bank === name && Object.keys(columns).every((label) => labels.has(plain(label)));
      });
    expect(BANK_PROFILES.filter((profile) => !hasExample(profile))).toEqual([]);
  });

  test.each(exports)('ACC-12 of %s is known, and the payee is the description: %s', (bank, header, payee) => {
    const labels = header.split('|');
    const found = statementColumns(labels);
    expect(found?.name).toBe(bank);
    expect(labels[found?.columns.description ?? -1]).toBe(payee);
    expect(found?.columns.date).toBeDefined();
    const { amount, deposit, withdrawal } = found?.columns ?? {};
    expect(amount !== undefined || (deposit !== undefined && withdrawal !== undefined)).toBe(true);
    // No column is two things at once.
    const used = Object.values(found?.columns ?? {});
    expect(new Set(used).size).toBe(used.length);
    // What is known to be left out is not told as unknown; a second memo is, because it may be wanted.
    const unknown = labels.filter(
      (label, at) => !used.includes(at) && found?.unused.includes(label) !== true,
    );
    expect(unknown).toEqual(bank === 'IBK기업은행' ? ['메모'] : []);
  });

  test('ACC-12 is known in any order of its columns', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...exports).chain(([bank, header, payee]) =>
          fc.record({
            bank: fc.constant(bank),
            payee: fc.constant(payee),
            labels: fc.shuffledSubarray(header.split('|'), { minLength: header.split('|').length }),
          }),
        ),
        ({ bank, payee, labels }) => {
          const found = statementColumns(labels);
          expect([found?.name, labels[found?.columns.description ?? -1]]).toEqual([bank, payee]);
        },
      ),
      options,
    );
  });

  test.each([
    ['거래일시|적요|거래금액|잔액', '적요'],
    ['거래일시|적요|보낸분/받는분|출금액', '보낸분/받는분'],
    ['번호|거래일시|적요|기재내용|입금금액|출금금액|거래후잔액|취급점', '기재내용'],
    ['날짜|내용|적요|금액', '내용'],
    ['일자|항목|지출|수입', '항목'],
  ])('ACC-12 of a bank that is not known is read by the usual names: %s', (header, payee) => {
    const found = statementColumns(header.split('|'));
    expect(found?.name).toBeUndefined();
    expect(header.split('|')[found?.columns.description ?? -1]).toBe(payee);
  });

  test.each(['', '조회기간|2026.03.01 ~ 2026.03.31', '이름|학번|연락처', '날짜|금액', '날짜|내용'])(
    'ACC-12 is not seen in %j',
    (header) => {
      expect(statementColumns(header.split('|'))).toBeUndefined();
    },
  );
});

describe('the words of an entry', () => {
  test.each([
    [{ description: '김가람', memo: '3월 회비', kind: '오픈뱅킹' }, '김가람 3월 회비 (오픈뱅킹)'],
    [{ description: '학교문구', kind: '체크카드' }, '학교문구 (체크카드)'],
    [{ description: '', memo: '-', kind: '결산이자' }, '결산이자'],
    [{ description: '김가람', memo: '김가람', kind: '' }, '김가람'],
    [{ description: '김가람', kind: '입금' }, '김가람'],
    [{ description: '체크카드 학교문구', kind: '체크카드' }, '체크카드 학교문구'],
    [{ description: '', memo: '회식', kind: '스마트출금' }, '회식 (스마트출금)'],
    [{}, ''],
  ])('ACC-12 of %j are %j', (cells, words) => {
    expect(entryDescription(cells)).toBe(words);
  });
});

describe('the balances of a statement', () => {
  const amounts = fc.array(
    fc.integer({ min: -1000, max: 1000 }).filter((amount) => amount !== 0),
    {
      minLength: 4,
      maxLength: 20,
    },
  );
  const statement = (all: number[]) => {
    let balance = 500;
    return all.map((amount, at) => ({ line: at + 1, amount, balance: (balance += amount) }));
  };

  test('ACC-12 have no gap, whether the oldest row comes first or the newest', () => {
    fc.assert(
      fc.property(amounts, (all) => {
        expect(balanceGaps(statement(all))).toEqual([]);
        expect(balanceGaps(statement(all).toReversed())).toEqual([]);
      }),
      options,
    );
  });

  test('ACC-12 show where a row is missing or an amount is wrong', () => {
    const rows = statement([100, -30, 50, 20, -10, 40]);
    expect(balanceGaps(rows.filter(({ line }) => line !== 3))).toMatchObject([{ line: 4, expected: 590 }]);
    expect(balanceGaps(rows.filter(({ line }) => line !== 3).toReversed())).toMatchObject([{ line: 4 }]);
    const wrong = rows.with(4, { line: 5, amount: 10, balance: 630 });
    expect(balanceGaps(wrong)).toMatchObject([{ line: 5, expected: 650 }]);
    expect(balanceGaps([])).toEqual([]);
    const reversed = rows.map(({ line, amount, balance }) => ({ line, amount: -amount, balance }));
    for (const list of [reversed, reversed.toReversed()])
      expect(balanceGaps(list).map(({ isReversed }) => isReversed)).toEqual(Array(5).fill(true));
  });
});
