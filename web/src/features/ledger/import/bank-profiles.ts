/**
 * Meanings of a bank statement's columns. `description`: the payee, or the text of a simple list. `kind`: the
 * way of payment (체크카드, 오픈뱅킹), which banks call 적요 or 거래구분. `direction`: 입금 or 출금 beside a
 * single amount column.
 */
export const STATEMENT_FIELDS = [
  'date',
  'description',
  'category',
  'memo',
  'kind',
  'amount',
  'currency',
  'direction',
  'deposit',
  'withdrawal',
  'balance',
] as const;
export type StatementField = (typeof STATEMENT_FIELDS)[number];

/** The columns of one bank's export, by label. A format that does not belong to a bank has no name. */
export type StatementProfile = { name?: string; columns: Readonly<Record<string, StatementField>> };

/**
 * The known export formats of the banks; docs/decisions/0012 has the sources. A bank may have several:
 * personal and business banking, and older files. This portal's own formats have an empty name.
 */
const FORMATS: Readonly<Record<string, readonly StatementProfile['columns'][]>> = {
  KB국민은행: [
    {
      거래일시: 'date',
      적요: 'kind',
      '보낸분/받는분': 'description',
      송금메모: 'memo',
      출금액: 'withdrawal',
      입금액: 'deposit',
      잔액: 'balance',
    },
    {
      거래일시: 'date',
      '보낸분/받는분': 'description',
      출금액: 'withdrawal',
      입금액: 'deposit',
      잔액: 'balance',
      '내 통장 표시': 'memo',
      적요: 'kind',
    },
  ],
  신한은행: [
    {
      거래일자: 'date',
      적요: 'kind',
      출금: 'withdrawal',
      입금: 'deposit',
      내용: 'description',
      잔액: 'balance',
    },
    {
      거래일시: 'date',
      적요: 'kind',
      입금액: 'deposit',
      출금액: 'withdrawal',
      내용: 'description',
      잔액: 'balance',
      메모: 'memo',
    },
  ],
  우리은행: [
    {
      거래일시: 'date',
      기재내용: 'description',
      지급: 'withdrawal',
      입금: 'deposit',
      '거래후 잔액': 'balance',
    },
    {
      거래일시: 'date',
      적요: 'kind',
      기재내용: 'description',
      지급: 'withdrawal',
      입금: 'deposit',
      '거래후 잔액': 'balance',
      메모: 'memo',
    },
    {
      거래일시: 'date',
      거래구분: 'kind',
      기재내용: 'description',
      출금금액: 'withdrawal',
      입금금액: 'deposit',
      잔액: 'balance',
    },
  ],
  하나은행: [
    {
      거래일시: 'date',
      // Free text from the payer; the sending account's name has its own column.
      적요: 'memo',
      '의뢰인/수취인': 'description',
      입금: 'deposit',
      출금: 'withdrawal',
      거래후잔액: 'balance',
      구분: 'kind',
    },
  ],
  NH농협은행: [
    {
      거래일자: 'date',
      출금금액: 'withdrawal',
      입금금액: 'deposit',
      '거래 후 잔액': 'balance',
      거래내용: 'kind',
      거래기록사항: 'description',
      이체메모: 'memo',
    },
    {
      거래일시: 'date',
      출금금액: 'withdrawal',
      입금금액: 'deposit',
      거래후잔액: 'balance',
      거래내용: 'kind',
      거래기록사항: 'description',
      거래메모: 'memo',
    },
    {
      거래일자: 'date',
      찾으신금액: 'withdrawal',
      맡기신금액: 'deposit',
      남은금액: 'balance',
      거래내용: 'kind',
      기록사항: 'description',
    },
  ],
  카카오뱅크: [
    {
      거래일시: 'date',
      구분: 'direction',
      거래금액: 'amount',
      '거래 후 잔액': 'balance',
      거래구분: 'kind',
      내용: 'description',
      메모: 'memo',
    },
  ],
  토스뱅크: [
    {
      '거래 일시': 'date',
      // At this bank 적요 is the payee, not the way of payment.
      적요: 'description',
      '거래 유형': 'kind',
      '거래 금액': 'amount',
      '거래 후 잔액': 'balance',
      메모: 'memo',
    },
  ],
  IBK기업은행: [
    {
      거래일시: 'date',
      출금: 'withdrawal',
      입금: 'deposit',
      '거래후 잔액': 'balance',
      거래내용: 'memo',
      거래구분: 'kind',
      상대계좌예금주명: 'description',
    },
  ],
  '': [
    {
      // The current export format of this portal.
      날짜: 'date',
      구분: 'direction',
      내용: 'description',
      분류: 'category',
      금액: 'amount',
      잔액: 'balance',
    },
    {
      // The portal's export format before entries had categories.
      날짜: 'date',
      구분: 'direction',
      내용: 'description',
      금액: 'amount',
      잔액: 'balance',
    },
  ],
};

export const BANK_PROFILES: readonly StatementProfile[] = Object.entries(FORMATS).flatMap(([name, formats]) =>
  formats.map((columns) => (name === '' ? { columns } : { name, columns })),
);

const words = (text: string) => text.trim().split(/\s+/);

/** Labels of known columns that the import leaves out, unless a profile reads them. */
export const UNUSED_LABELS = words(`
  No 순번 전체선택 거래점 구분 처리점 거래시간 거래점명 입금인코드 취급점 거래특이사항 시간
  연동은행 연동입금계좌번호 은행구분 거래기관 계좌번호 상대계좌번호 상대은행 수표어음금액 CMS코드
  비고
`);

/** Labels of columns with a currency or exchange rate, which show that amounts are not in won. */
export const CURRENCY_LABELS = words('통화 통화코드 통화구분 거래통화 화폐 단위 환율 currency ccy unit');

/**
 * The labels of each field in tables of no known bank, most likely first: 적요 is the payee only if no other
 * column can be the payee. A column has only one field; earlier fields in this list get their column first.
 */
export const USUAL_COLUMN_LABELS: readonly (readonly [StatementField, readonly string[]])[] = [
  [
    'date',
    words(`
      날짜 거래일시 거래일자 거래일 일자 일시 거래날짜 이용일 이용일자 이용일시 승인일 승인일자 승인일시
      사용일 사용일자 지출일 지출일자 입금일 입금일자 구입일 구매일 주문일 주문일자 결제일 결제일자 결제일시 작성일 작성일자
      집행일 집행일자 납부일 납부일자 date datetime
    `),
  ],
  [
    'deposit',
    words(
      '입금 입금액 입금금액 맡기신금액 받은금액 수입 수입액 수입금액 납부액 납부금액 deposit credit moneyin paidin',
    ),
  ],
  [
    'withdrawal',
    words(`
      출금 출금액 출금금액 지급 지급액 지급금액 찾으신금액 지출 지출액 지출금액 사용액 사용금액 이용액
      이용금액 승인금액 집행액 집행금액 withdrawal debit moneyout paidout
    `),
  ],
  ['amount', words('금액 거래금액 입출금액 amount')],
  ['category', words('분류 카테고리 category')],
  ['direction', words('입출금구분 입출구분 입출 입출금 수입/지출 income/expense 구분 거래구분')],
  [
    'description',
    words(`
      보낸분/받는분 받는분/보낸분 의뢰인/수취인 상대계좌예금주명 상대예금주명 예금주명 받는분 보낸분
      보낸사람 받는사람 입금자명 입금자 납부자명 납부자 회원명 학생명 성명 이름 기재내용 통장기재내용
      거래기록사항 기록사항 거래처 가맹점명 가맹점 이용가맹점 사용처 이용처 구입처 상호 상호명 가게 내용
      거래내용 내역 항목 품명 품목 상품명 사용내역 지출내역 적요 적요내용 메모 비고 description memo payee
    `),
  ],
  [
    'memo',
    words(`
      송금메모 송금메시지 내통장표시 이체메모 거래메모 추가메모 메모내용 메모 적요내용 비고 거래내용 내용
      내역 품명 품목 사용내역
    `),
  ],
  ['kind', words('적요 거래유형 거래종류 거래구분 구분')],
  ['currency', CURRENCY_LABELS],
  ['balance', words('잔액 거래후잔액 남은금액 통장잔액 balance')],
];
