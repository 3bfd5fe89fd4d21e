import { isSameText } from '#contract/printable-text';
import { DAY_MS } from '#contract/time';
import type { Due, DuesPaymentForm, DuesList, DuesPayment } from '#contract/dues';
import { dateOf, type BookedEntry } from '#contract/ledger';
import { previousTerm, termDays, type Term, termText } from '#contract/terms';
import { normalizeText } from '#contract/printable-text';
import { toCsv } from '../../../lib/csv.ts';
import { parsePaste } from '../../../lib/paste-table.ts';
import { plainWords } from '../../../lib/search-text.ts';
import { dayText } from '../labels.ts';
import { groupBy } from '../../../lib/collections.ts';

/** Dues may be paid this many days before and after the semester. */
const MARGIN_DAYS = 60;

/** Deposits that may have paid a person's dues: around the semester, first those with the person's name. */
export function candidateDeposits(name: string, entries: readonly BookedEntry[], term: Term): BookedEntry[] {
  const { first, last } = termDays(term);
  const from = Date.parse(first) - MARGIN_DAYS * DAY_MS;
  const to = Date.parse(last) + MARGIN_DAYS * DAY_MS;
  const fitting = entries.filter(({ datetime, amount }) => {
    const day = Date.parse(dateOf(datetime));
    return amount > 0 && day >= from && day <= to;
  });
  return [
    ...fitting.filter((entry) => names(entry, name)),
    ...fitting.filter((entry) => !names(entry, name)),
  ];
}

export const names = ({ description }: BookedEntry, name: string) =>
  description.normalize('NFC').includes(name.normalize('NFC'));

/** The semester and the `count` - 1 semesters before it, newest first. */
export function termsBefore(term: Term, count: number): Term[] {
  const terms = [term];
  while (terms.length < count) terms.push(previousTerm(terms.at(-1) ?? term));
  return terms;
}

/**
 * Names from a text field: one per line, or separated by commas or semicolons. In a table, the column with a
 * header for names, or else the only column of names. A comma within a number does not separate. Among
 * several cells, a name from a cell of several lines keeps its line breaks. It and a ditto mark are returned,
 * and the user is asked about them.
 * @returns undefined if several columns may contain the names
 */
export function parseNames(text: string): string[] | undefined {
  // Removes the commas of amounts, which the table reader would take for separators.
  const rows = parsePaste(text.replaceAll(/[\u2028\u2029]/g, '\n').replaceAll(/(?<=\d),(?=\d{3})/g, ''));
  const width = Math.max(0, ...rows.map(({ length }) => length));
  const lines = text.trim().split(/[\r\n]+/);
  const isTable = lines.length > 1 && lines.every((line) => line.includes('\t'));
  const cells = isTable ? columnOfNames(rows, width) : rows.flat();
  const all = cells?.flatMap((cell) => cell.split(cells.length === 1 ? /[,;\n]/ : /[,;]/)).map(linesOf);
  return all?.filter((name) => /[\p{L}"〃]/u.test(name));
}

/** A cell's lines, cleaned; several lines of one cell may be one name or several. */
const linesOf = (cell: string) => cell.split('\n').map(normalizeText).filter(Boolean).join('\n');

/** A given name, the name to add (empty: nobody is added), and the reason to ask about it. */
export type CheckedName = { given: string; name: string; reason?: string };

/** Checks names before people are added, and says what is doubtful. */
export function checkNames(mentionsName: readonly string[], dues: readonly Due[]): CheckedName[] {
  const users = new Set(namesOfUsers(mentionsName, dues));
  const seen = new Set<string>();
  return mentionsName.map((given) => {
    const checked = checkName(given, users);
    const isRepeated = checked.name !== '' && seen.has(plainWords(checked.name));
    seen.add(plainWords(checked.name));
    if (!isRepeated) return checked;
    const reason = '같은 이름이 또 있습니다. 다른 사람이면 ‘김가람2’처럼 구별해 쓰세요';
    return { given, name: '', reason };
  });
}

function checkName(given: string, users: ReadonlySet<string>): CheckedName {
  if (NAMES.test(given) || SUMS.test(given))
    return { given, name: '', reason: '표의 머리글이나 합계로 보입니다' };
  if (!/\p{L}/u.test(given)) return { given, name: '', reason: '이름이 아닌 표시입니다' };
  if (given.includes('\n'))
    return {
      given,
      name: given.replaceAll('\n', ' '),
      reason: '한 칸에 여러 줄이 있습니다. 여러 사람이면 한 줄에 한 명씩 쓰세요',
    };
  if (users.has(given)) return { given, name: '', reason: '이미 명단에 있는 사용자의 이름입니다' };
  const bare = normalizeText(given.replace(STATE, ''));
  if (bare !== given) return { given, name: bare, reason: '이름 뒤에 다른 말이 적혀 있습니다' };
  if (NAME.test(given) || TOLD_APART.test(given)) return { given, name: given };
  const name = normalizeText(given.replaceAll(NUMBER, ' '));
  const reason = /\d/.test(given) ? '번호나 금액이 섞여 있습니다' : '이름에 쓰이지 않는 글자가 있습니다';
  return { given, name, reason };
}

const TOLD_APART = /^\p{Script=Hangul}{2,5} ?[A-Za-z\d]$/u;
/** Numbers beside a name: `1. `, `202510001 `, `50,000원`, `(3)` */
const NUMBER = /[(#]?\d[\d.,-]*\s*(?:만?원|번|명|차)?(?!\p{L})[.):]?/gu;
const NAMES = /^(?:이름|성명|성함|학생명|납부자|name)$/i;
const SUMS = /^(?:합계|총계|소계|계|합|평균|인원|total|sum)$/i;
/** What lists write behind a name: `김가람 - 미납`, `김가람(휴학)` */
const STATE =
  /(?<=.)(?:\s+-\s+.*|\s*[○◯O×✕xX✓✔]|[\s(/]+(?:미납|완납|납부|면제|환불|예정|휴학|재학|졸업|수료)\)?)$/u;
/** NAME matches a possible name; PLACE matches departments and the like, which look like names. */
const NAME = /^(?:\p{Script=Hangul}{2,5}|[\p{L}][\p{L} .'-]{1,48})$/u;
const PLACE = /(?:학과|학부|전공|대학원?|학년|연구실|재학|휴학|졸업|수료)$/;

function columnOfNames(rows: string[][], width: number): string[] | undefined {
  const columns = Array.from({ length: width }, (_, at) => rows.map((row) => row[at] ?? ''));
  const titled = columns.find(([first = '']) => NAMES.test(normalizeText(first)));
  if (titled) return titled.slice(1);
  const isName = (cell: string) => NAME.test(normalizeText(cell)) && !PLACE.test(normalizeText(cell));
  const [only, ...more] = columns.filter(
    (column) => column.some(isName) && column.every((cell) => cell === '' || isName(cell)),
  );
  return more.length > 0 ? undefined : only;
}

/** The names that equal the name of a user on the list. */
export function namesOfUsers(names: readonly string[], dues: readonly Due[]): string[] {
  const users = new Set(dues.filter(({ user_id }) => user_id !== null).map(({ name }) => plainWords(name)));
  return names.filter((name) => users.has(plainWords(name)));
}

/** A row of the dues as shown on the screen and in the file. */
export type ShownDue = Due & {
  state: '미납' | '납부' | '이중 사용';
  entry: BookedEntry | undefined;
  /** How much of the deposit paid, in won. */
  share: number | undefined;
  /** Other payments from the same deposit. */
  others: DuesPayment[];
  /** Id of the user with the same name whose row can be merged with this row. */
  joinsUser: number | undefined;
};

export const dueKey = ({ id, user_id }: Due) => (user_id === null ? `name-${id}` : `user-${user_id}`);

export function shownDues({ dues, payments }: DuesList, entries: readonly BookedEntry[]): ShownDue[] {
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const paid = paymentsByEntry(payments);
  return dues.map((due) => {
    const { id, entry_id } = due;
    const all = paid.get(entry_id ?? -1) ?? [];
    const others = all.filter(({ due_id }) => due_id !== id);
    const entry = byId.get(entry_id ?? -1);
    // Before deposits could be divided, a deposit could be used twice.
    const isOver = entry !== undefined && others.length > 0 && unusedDeposit(entry, all) < 0;
    const state = entry_id === null ? '미납' : isOver ? '이중 사용' : '납부';
    const share = entry && paymentShare(due, entry);
    return { ...due, state, entry, share, others, joinsUser: joinsUser(due, dues) };
  });
}

export function paymentsByEntry(payments: readonly DuesPayment[]): Map<number, DuesPayment[]> {
  return groupBy(payments, ({ entry_id }) => entry_id);
}

/** The share of a deposit that a payment uses, in won: without an amount, the whole deposit. */
export const paymentShare = ({ amount }: Pick<DuesPayment, 'amount'>, entry: Pick<BookedEntry, 'amount'>) =>
  amount ?? entry.amount;

/** The unused rest of a deposit, in won. */
export const unusedDeposit = (
  entry: Pick<BookedEntry, 'amount'>,
  payments: readonly Pick<DuesPayment, 'amount'>[],
) => payments.reduce((rest, payment) => rest - paymentShare(payment, entry), entry.amount);

/** The usual payment of one person this semester: the most frequent share, in won; undefined if none. */
export function mostFrequentShare(dues: readonly Pick<ShownDue, 'share'>[]): number | undefined {
  return mostFrequent(dues.flatMap(({ share }) => share ?? []));
}

/** The most frequent value; undefined if two values are equally frequent. */
export function mostFrequent(values: readonly number[]): number | undefined {
  const counts = [...groupBy(values, (value) => value)].map(([value, all]) => ({
    value,
    count: all.length,
  }));
  const [first, second] = counts.toSorted((a, b) => b.count - a.count);
  return first && first.count !== second?.count ? first.value : undefined;
}

/** Two people may share a name, so merging needs a single user of the name and at most one paid row. */
function joinsUser({ user_id, name, entry_id }: Due, dues: readonly Due[]): number | undefined {
  const [user, ...more] = dues.filter((due) => due.user_id !== null && isSameText(due.name, name));
  if (user_id !== null || !user || more.length > 0) return undefined;
  return entry_id === null || user.entry_id === null ? (user.user_id ?? undefined) : undefined;
}

/** The request to record a payment with an entry or a share of it; null removes the payment. */
export function duesPaymentFormOf(
  { id, user_id }: Due,
  entryId: number | null,
  share?: number,
): DuesPaymentForm {
  const paid = { entry_id: entryId, ...(share !== undefined && { amount: share }) };
  return user_id === null ? { id: id ?? 0, ...paid } : { user_id, ...paid };
}

/** `2026년 1학기 최나래` */
export const payerText = (payment: DuesPayment) => `${termText(payment)} ${payment.name}`;

export function duesCsv(dues: readonly ShownDue[], term: Term): string {
  const rows = dues.map(({ name, state, entry, share }) => [
    termText(term),
    name,
    state,
    ...(entry ? [dayText(entry.datetime), share ?? '', entry.description] : ['', '', '']),
  ]);
  return toCsv([['학기', '이름', '상태', '납부일', '금액', '내용'], ...rows]);
}
