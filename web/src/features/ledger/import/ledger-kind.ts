import {
  dateProblem,
  datetimeOf,
  ENTRY_TEXT_FIELDS,
  isPlanned,
  entryTextProblem,
  type LedgerEntryForm,
} from '#contract/ledger';
import { DAY_MS } from '#contract/time';
import { columnLabel, findColumns, joinedHeader } from '../../../components/import/columns.ts';
import type {
  CheckedRow,
  RowFlag,
  ImportField,
  ImportKind,
  ReadRow,
} from '../../../components/import/import-kind.ts';
import { moneyUnit } from '../../../lib/money-unit.ts';
import { labelKey, TITLE_ROWS_MAX, type PastedTable } from '../../../lib/paste-table.ts';
import { plainWords } from '../../../lib/search-text.ts';
import {
  amountCellProblem,
  dateOrders,
  dependsOnOrder,
  hasWeekday,
  haveSwappedDates,
  isDateWithoutYear,
  isRealDate,
  ambiguousDateFormat,
  readAmount,
  readDate,
  readTime,
  yearOf,
  type DateOrder,
  type DateOrderOf,
  type DateFormat,
} from '../read-cell.ts';
import {
  CURRENCY_LABELS,
  STATEMENT_FIELDS,
  USUAL_COLUMN_LABELS,
  type StatementField,
} from './bank-profiles.ts';
import {
  readSignedAmount,
  needsDirection,
  signBeside,
  meaningOfMinus,
  type CellReader,
  type AmountSigns,
} from './statement-amount.ts';
import { readTitles } from './statement-titles.ts';
import { statementColumns, type RememberedColumns } from './statement-columns.ts';

/** A statement's row as an entry; its balance is only compared, not stored. */
export type StatementRow = {
  entry: LedgerEntryForm;
  /** Time of day such as `09:11:33`; empty if unknown. */
  time: string;
  balance: number | undefined;
  /** Whether the amount counts as a deposit only because it has no sign and no word for withdrawal. */
  isUnsigned: boolean;
  /** Whether the row is probably not an entry, so that it is left out until the user ticks it. */
  isLeftOut: boolean;
};
export type CheckedStatementRow = CheckedRow<StatementField, StatementRow>;

/**
 * How to read a table. `profile`: the bank of the export. `open`: date formats whose order the user has to
 * choose. `amountUnit`: the unit of the amounts if it is not clearly won.
 */
type LedgerKind = ImportKind<StatementField, StatementRow> & {
  profile?: string;
  open: DateFormat[];
  amountUnit: AmountUnit | undefined;
  lacksYears: boolean;
  /** The only year in the titles, used for dates without a year unless the user types another year. */
  titleYear?: string;
};

/** A unit as written in the table, and its possible values in won. */
type AmountUnit = { words: string; won: number[] };

type Options = {
  today: string;
  /** The year of dates without a year; if undefined, the most recent matching date is used. */
  year: number | undefined;
  /** The date order that the user chose for each ambiguous date format. */
  orders?: ReadonlyMap<string, DateOrder>;
  /** How many won an amount of 1 means. The user chooses this if the table has another unit than won. */
  won?: number | undefined;
  /** The names of the file and its sheet. */
  names?: readonly string[];
  /** The columns that the user chose earlier for the same header. */
  remembered?: RememberedColumns | undefined;
};

/** Limit per import, because each row needs a request. */
const IMPORT_ROWS = 2000;

const FIELDS: Record<StatementField, Omit<ImportField<StatementField>, 'name' | 'names'>> = {
  date: { label: '날짜', presence: 'required', width: '10%' },
  description: { label: '거래 상대', presence: 'expected', width: '18%', isRowHeader: true, maxLength: 200 },
  memo: {
    label: '메모 (내용 뒤에 추가)',
    presence: 'optional',
    width: '10%',
    maxLength: 200,
    areValuesShown: true,
  },
  category: {
    label: '분류',
    presence: 'optional',
    width: '8%',
    maxLength: ENTRY_TEXT_FIELDS.category.maxLength,
    isShown: true,
    areValuesShown: true,
  },
  kind: { label: '거래 방법', presence: 'optional', width: '8%', maxLength: 200, areValuesShown: true },
  amount: { label: '금액', presence: 'expected', width: '10%', align: 'end' },
  currency: { label: '통화', presence: 'optional', width: '6%', areValuesShown: true },
  direction: { label: '입출금 구분', presence: 'optional', width: '6%', areValuesShown: true },
  deposit: { label: '입금액', presence: 'optional', width: '9%', align: 'end' },
  withdrawal: { label: '출금액', presence: 'optional', width: '9%', align: 'end' },
  balance: { label: '잔액 (확인용)', presence: 'optional', width: '9%', align: 'end' },
};

/** Without a header, only a table of these three columns can be read: more columns would be ambiguous. */
const IN_ORDER = ['date', 'description', 'amount'] as const;

/** Finds the columns by the user's earlier choice for this header, the bank's format or the usual labels. */
export function ledgerKind(table: PastedTable, options: Options): LedgerKind {
  const { profile, names, unused } = headerNames(table, options.remembered);
  const isShort = table.every((row) => row.length <= IN_ORDER.length);
  const cells = table.flat();
  const writings = dateOrders(cells, options.today);
  const fieldsWith = (hasTwoAmounts: boolean) =>
    STATEMENT_FIELDS.map((name) => ({
      name,
      names: names[name] ?? (name === 'currency' ? CURRENCY_LABELS : []),
      ...FIELDS[name],
      ...(name === 'amount' && hasTwoAmounts && { presence: 'optional' as const }),
    }));
  const order = {
    ...(isShort && { withoutHeader: IN_ORDER }),
    ...(profile === undefined && { undecided: undecidedIn(table.slice(0, TITLE_ROWS_MAX)) }),
  };
  const { headerAt, columns } = findColumns(table, { fields: fieldsWith(false), ...order });
  const hasTwoAmounts = columns.some(({ field }) => field === 'deposit' || field === 'withdrawal');
  const fields = fieldsWith(hasTwoAmounts);
  const amountUnit = unitOf(table, headerAt, options.names ?? []);
  const amountAt = columns.findIndex(({ field }) => field === 'amount');
  const titles = readTitles(table, headerAt, amountAt, options.names ?? []);
  const [titleYear, ...otherYears] = titles.years;
  const lacksYears = cells.some(isDateWithoutYear);
  // If the titles name several years, it is unclear which year a date without a year belongs to.
  const year =
    options.year ?? (otherYears.length === 0 && titleYear !== undefined ? Number(titleYear) : undefined);
  const reading = {
    ...options,
    year,
    isYearOpen: year === undefined && otherYears.length > 0,
    orderOf: (writing: string) => {
      const [only, ...more] = writings.find((each) => each.writing === writing)?.orders ?? [];
      return options.orders?.get(writing) ?? (more.length > 0 ? undefined : only);
    },
    saysDirection: needsDirection(table, names.amount),
    signs: {
      deposit: meaningOfMinus(table, names.deposit),
      withdrawal: meaningOfMinus(table, names.withdrawal, names.balance, names.amount),
      spent: signBeside(-1, table, names.amount),
      received: signBeside(1, table, names.amount),
      isSpending: titles.isSpending,
    },
    areSwapped: haveSwappedDates(
      table.map((row) => row[columns.findIndex(({ field }) => field === 'date')] ?? ''),
    ),
    years: new Set(cells.flatMap((cell) => yearOf(cell) ?? [])),
    won: amountUnit ? options.won : 1,
  };
  return {
    ...(profile !== undefined && { profile }),
    open: writings.filter(({ orders }) => orders.length > 1),
    amountUnit,
    lacksYears,
    ...(titleYear !== undefined && otherYears.length === 0 && { titleYear }),
    fields,
    ...order,
    unused,
    rowsMax: IMPORT_ROWS,
    unit: '건',
    readRow: (cell) => readStatementRow(cell, reading),
  };
}

/** The amounts' unit unless it is won, as the header, a line above the header or a line about units says. */
function unitOf(table: PastedTable, headerAt: number, names: readonly string[]): AmountUnit | undefined {
  const inName = moneyUnit(names.find((name) => /단위|unit/i.test(name)) ?? '');
  if (inName) return { words: inName.name, won: inName.won > 0 ? [1, inName.won] : [1] };
  for (const [at, row] of table.entries()) {
    const words = row.filter((cell) => cell !== '').join(' ');
    const isAbout = /단위|통화|unit|currency/i.test(words);
    const isTitle = at <= headerAt || (isAbout && row.filter((cell) => cell !== '').length <= 2);
    const thousands =
      at === headerAt ? row.map((cell) => THOUSANDS.exec(cell)?.[1]).find(Boolean) : undefined;
    const said =
      thousands === undefined ? SAID_UNIT.exec(words)?.[0] : `단위 ${thousands.replace(/^0/, '10')}`;
    // `회비(5만원)` is an amount, not a unit, so digits and the text after them are removed.
    const unit = moneyUnit(said ?? (isTitle ? (isAbout ? words : words.replace(/\d\S*/g, '')) : ''));
    if (unit) return { words: unit.name, won: unit.won > 0 ? [1, unit.won] : [1] };
  }
  return undefined;
}

/** A unit in a label: `금액(1,000원)`, `금액(x1000)`, `KRW '000` */
const THOUSANDS = /(?:[([]\s*[x×*]?\s*(?=1,?000)|'(?=000))(1?,?000(?:,000)?)(?=\s*원?\s*[)\]]|$)/;
const SAID_UNIT = /단위\s*:?\s*(?:십|백|천|만|억)+\s*원/;

type Names = Partial<Record<StatementField, readonly string[]>>;

function headerNames(
  table: PastedTable,
  remembered: Options['remembered'],
): { profile?: string; names: Names; unused: ReadonlySet<string> } {
  if (remembered) {
    const { header, fields } = remembered;
    return { names: namesOf(header, (field) => fields.indexOf(field)), unused: new Set() };
  }
  const first = table.slice(0, TITLE_ROWS_MAX);
  const headers = first.flatMap((row, at) => [row, joinedHeader(row, first[at + 1] ?? []) ?? row]);
  const read = headers.flatMap((row) => {
    const found = statementColumns(row);
    return found ? [{ row, ...found }] : [];
  });
  // In a header of two rows, the second row labels more columns, so the row with most columns is used.
  const most = Math.max(...read.map(({ columns }) => Object.keys(columns).length));
  const found =
    read.find(({ name }) => name !== undefined) ??
    read.find(({ columns }) => Object.keys(columns).length === most);
  if (!found) return { names: Object.fromEntries(USUAL_COLUMN_LABELS), unused: new Set() };
  const { name, row, columns } = found;
  return {
    ...(name !== undefined && { profile: name }),
    names: namesOf(row, (field) => columns[field]),
    unused: new Set(found.unused.map(columnLabel)),
  };
}

/** A field with two possible labels. If a table has both and no bank's format, the user has to choose. */
const RIVALS: readonly [StatementField, RegExp, RegExp][] = [
  // The payee of a withdrawal, and the payer of a deposit.
  ['description', /^보[낸내]/, /^받[는은]/],
  // The price for one piece or person, and the total.
  ['amount', /^(?:금액|거래금액|amount)$/i, /^(?:합계|총액|총?합계금액|총금액|실?결제금?액|total)$/i],
  // The amount used on a card, and the amount billed after a discount or a partial refund.
  ['withdrawal', /^(?:이용|사용|승인|지출)금?액$/, /^(?:청구|실?결제|실?납부|실청구|매입)금?액$/],
];

const undecidedIn = (headers: readonly (readonly string[])[]): Set<StatementField> =>
  new Set([
    ...RIVALS.filter(([, ...pair]) =>
      headers.some((row) => pair.every((label) => row.some((cell) => label.test(labelKey(cell))))),
    ).map(([field]) => field),
    // A table may have several date columns, such as the day of the order and the day of the payment.
    ...(headers.some((row) => row.filter((cell) => DATE_LABELS.has(labelKey(cell))).length > 1)
      ? (['date'] as const)
      : []),
  ]);
const DATE_LABELS = new Set(new Map(USUAL_COLUMN_LABELS).get('date'));

function namesOf(header: readonly string[], columnOf: (field: StatementField) => number | undefined): Names {
  return Object.fromEntries(
    STATEMENT_FIELDS.flatMap((field) => {
      const label = header[columnOf(field) ?? -1];
      return label === undefined ? [] : [[field, [label]]];
    }),
  );
}

type Reading = Pick<Options, 'today' | 'year' | 'orders' | 'won'> & {
  orderOf: DateOrderOf;
  /** Whether an amount needs a sign, or a word for deposit or withdrawal beside it. */
  saysDirection: boolean;
  signs: AmountSigns;
  /** Whether the titles have several years, so that the year of a date without a year is unclear. */
  isYearOpen?: boolean;
  /** Whether a spreadsheet probably swapped day and month; see `haveSwappedDates`. */
  areSwapped?: boolean;
  /** The years that occur in the table's dates. */
  years: ReadonlySet<string>;
};

/** Reads one row. An ambiguous value is an error, or the row is left out with a warning. */
export function readStatementRow(cell: CellReader, reading: Reading): ReadRow<StatementField, StatementRow> {
  const { today, year, orderOf, saysDirection, signs, won } = reading;
  const isOpenYear = reading.isYearOpen === true && isDateWithoutYear(cell('date'));
  const date = isOpenYear ? undefined : readDate(cell('date'), today, year, orderOf);
  const signed = readSignedAmount(cell, saysDirection, signs);
  const amount = readAmount(signed.text);
  const words = { description: cell('description'), memo: cell('memo'), kind: cell('kind') };
  const description = entryDescription(words).trim();
  const unitCell = cell('currency');
  // An exchange rate other than 1 also shows that the amount is not in won.
  const currency =
    moneyUnit(unitCell)?.name ?? (/^(?!1(?:\.0+)?$)\d*[1-9]/.test(unitCell) ? unitCell : undefined);
  const noUnit = won === undefined ? '금액의 단위를 선택하세요' : undefined;
  const unread = isOpenYear ? YEAR_OPEN : unreadDate(cell('date'), orderOf);
  const problems: [StatementField, string | undefined][] = [
    ['date', date === undefined ? unread : dateProblem(date, today)],
    ['description', entryTextProblem('description', description)],
    ['category', entryTextProblem('category', cell('category'))],
    [signed.field, signed.problem ?? amountCellProblem(signed.text) ?? noUnit],
    ['currency', currency && `원이 아닌 금액입니다(${currency}). 원으로 바꾸어 쓰고 통화를 KRW로 고치세요`],
  ];
  const [first, ...more] = problems.flatMap(([field, reason]): RowFlag<StatementField>[] =>
    reason === undefined ? [] : [{ field, reason }],
  );
  if (first) return { errors: [first, ...more] };
  if (date === undefined || amount === undefined || won === undefined)
    throw new Error('a row without errors has a day and an amount');
  const balance = cell('balance') === '' ? undefined : readAmount(cell('balance'));
  const entry = {
    amount: amount * won,
    datetime: datetimeOf(date),
    description,
    category: cell('category'),
  };
  const reasons = leftOutFor(cell, signed.field, isPlanned(entry, today));
  const isNumber = /^[\d,. ]+원?$/.test(description) && readAmount(description) !== undefined;
  const doubts = [
    ...reasons,
    ...dateDoubts(cell('date'), date, reading),
    ...(isNumber
      ? [{ field: 'description' as const, reason: '거래 상대가 숫자뿐입니다. 열을 확인하세요' }]
      : []),
  ];
  return {
    row: {
      entry,
      time: readTime(cell('date')),
      balance: balance && balance * won,
      isUnsigned: signed.isUnsigned ?? false,
      isLeftOut: reasons.length > 0,
    },
    doubts: signed.doubt === undefined ? doubts : [...doubts, { field: signed.field, reason: signed.doubt }],
  };
}

/** Warns about each assumption by which the date was read. */
function dateDoubts(
  cell: string,
  date: string,
  { today, year, years, orders, orderOf, areSwapped }: Reading,
): RowFlag<StatementField>[] {
  const writing = ambiguousDateFormat(cell);
  const order = writing === undefined || orders?.has(writing) === true ? undefined : orderOf(writing);
  const doubts: RowFlag<StatementField>[] = [];
  if (order && dependsOnOrder(cell, order))
    doubts.push({ field: 'date', reason: `${ORDER_LABELS[order]} 순서로 읽어 ${date}입니다` });
  if (areSwapped === true && isRealDate(cell))
    doubts.push({
      field: 'date',
      reason: '엑셀이 월과 일을 바꾼 날짜로 보입니다',
      repair: date.replace(/-(\d\d)-(\d\d)$/, '-$2-$1'),
    });
  // Only 29 February can have its most recent date more than a year ago.
  if (year === undefined && isDateWithoutYear(cell) && Date.parse(today) - Date.parse(date) > 366 * DAY_MS)
    doubts.push({ field: 'date', reason: `연도가 없어 ${date}로 읽었습니다` });
  const [only, ...others] = years;
  if (year === undefined && isDateWithoutYear(cell) && only !== undefined && !years.has(date.slice(0, 4)))
    doubts.push({
      field: 'date',
      reason: `연도가 없어 가장 최근인 ${date}로 읽었습니다. 다른 행은 ${[...years].join(', ')}년입니다`,
      ...(others.length === 0 && { repair: `${only}${date.slice(4)}` }),
    });
  return doubts;
}

export const ORDER_LABELS: Record<DateOrder, string> = {
  ymd: '연/월/일',
  dmy: '일/월/연',
  mdy: '월/일/연',
};

/** Rows with sums or balances among the entries: `3월 합계`, `총 수입`, `전년도 이월금`, `< 누 계 >`, `B/F`. */
const SUMS =
  /(?:[합총소누]계|합산|총액|이월(?:금액?|액|잔[액고])?|잔[액고]|남은(?:돈|금액|회비)|넘어온(?:돈|금액)|(?:다음달|내년)로?넘김|(?:회비|수입|지출|입금|출금)합|인[수계](?:금|액|금액)|최종금액|모두더하면|있는돈|(?:쓴|걷은|모은)돈(?:전부|전체)?|총(?:회비|수입|지출|납부|입금|출금)(?:액|금액)?|결산|당월계|누적|총합|합계액|시재금?|잔금)(?:\([^()]{1,8}\))?[^\p{L}\d]*$|^(?:\d{1,2}월분?)?(?:수입|지출)?계$|^[^\p{L}\d]*(?:[월일연잔]?계|시작(?:금액?|잔액)?|차액|수지차액?|net|평균|순(?:수익|이익|수입|지출|이익금)|sum|총(?:수입|지출)|기[초말]금액|(?:(?:sub|grand)-?)?total(?:amount)?|(?:(?:opening|closing|ending)?balance)|(?:balance)?(?:brought|carr(?:ied|y))(?:forward|over|down)?|balance[bc]\/[fd]|balanceforward|[bc]\/[fd])[\d/.-]*(?:\([^()]{1,8}\))?[^\p{L}\d]*$|^[^\p{L}\d]*Σ/iu;
/** An unquoted `12,000` in a CSV file becomes two cells: `12` and `000`. */
const HEAD_OF_NUMBER = /^[-+(△▲₩\\]*[1-9]\d{0,2}$/;
const REST_OF_NUMBER = /^\d{3}\)?$/;
const NEIGHBOURS = ['memo', 'category', 'kind', 'balance', 'deposit'] as const;

function leftOutFor(
  cell: CellReader,
  amountField: StatementField,
  isToCome: boolean,
): RowFlag<StatementField>[] {
  const words = (['description', 'memo', 'kind', 'category', 'direction'] as const).map(cell);
  const neighbours = NEIGHBOURS.filter((field) => field !== amountField).map(cell);
  const isSum = words.some((text) => SUMS.test(text.replaceAll(' ', '')));
  const isCut =
    HEAD_OF_NUMBER.test(cell(amountField)) && neighbours.some((text) => REST_OF_NUMBER.test(text));
  const reasons = [
    isSum && '합계나 이월로 보여 제외했습니다. 거래라면 체크하세요',
    isToCome && '아직 오지 않은 날짜라 제외했습니다. 맞으면 체크하세요',
    isCut && '금액의 쉼표가 칸을 나눈 것 같아 제외했습니다. 금액을 확인하세요',
  ];
  return reasons.flatMap((reason) => (reason === false ? [] : [{ reason }]));
}

const YEAR_OPEN = '표에 연도가 여러 개 적혀 있습니다. 위에 연도를 입력하거나 2026-03-02처럼 쓰세요';

function unreadDate(cell: string, orderOf: DateOrderOf): string {
  const writing = ambiguousDateFormat(cell);
  const isOpen = writing !== undefined && orderOf(writing) === undefined;
  const problem = hasWeekday(cell) ? '그런 날짜가 없거나 요일이 다릅니다.' : '날짜를 알 수 없습니다.';
  return `${isOpen ? '날짜의 순서를 알 수 없습니다. 위에서 고르거나' : problem} 2026-03-02처럼 쓰세요`;
}

/** Words for a way of payment that say no more than the amount's sign. */
const MERE_DIRECTION = /^(?:입금|출금|지급|입|출)$/;

/**
 * An entry's description: the payee, then the memo, then the way of payment in brackets. Nothing is repeated,
 * and nothing from the statement is lost.
 */
export function entryDescription({ description = '', memo = '', kind = '' }): string {
  const words = [description, memo].filter(hasWords).reduce<string[]>(withNew, []);
  const way = hasWords(kind) && !MERE_DIRECTION.test(kind) ? kind : '';
  const isNew = way !== '' && withNew(words, way).length > words.length;
  if (words.length === 0) return way === '' ? description : way;
  return isNew ? `${words.join(' ')} (${way})` : words.join(' ');
}

/** Whether a cell has text; banks write a dash in empty cells. */
const hasWords = (text: string) => !/^[-–—]?$/.test(text.trim());

function withNew(words: string[], text: string): string[] {
  const said = plainWords(words.join(''));
  return said.includes(plainWords(text)) ? words : [...words, text];
}
