import { isSameText } from '#contract/visible-text';
import { DAY_MS } from '#contract/time';
import type { Due, DuePayment, DuesList, Payment } from '#contract/dues';
import { dateOf, type BookedEntry } from '#contract/ledger';
import { previousTerm, termDays, type Term, termText } from '#contract/terms';
import { cleanText } from '#contract/visible-text';
import { toCsv } from '../../../lib/csv.ts';
import { parsePaste } from '../../../lib/paste-table.ts';
import { plainWords } from '../../../lib/search-text.ts';
import { dayText } from '../labels.ts';
import { groupBy } from '../../../lib/collections.ts';

/** Days before and after a semester in which its dues may have been paid. */
const MARGIN_DAYS = 60;

/** Deposits with which somebody may have paid: those around the semester, with those that name the person first. */
export function candidatesFor(name: string, entries: readonly BookedEntry[], term: Term): BookedEntry[] {
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

/** The semester and the `count` - 1 before it, newest first. */
export function termsBefore(term: Term, count: number): Term[] {
  const terms = [term];
  while (terms.length < count) terms.push(previousTerm(terms.at(-1) ?? term));
  return terms;
}

/**
 * Names from a text field: one a line, or separated by commas or semicolons; of a pasted table the column of names, by its
 * header or else the one column that holds nothing but names. A comma inside a number separates nothing.
 * @returns undefined where several columns could be it
 */
export function readNames(text: string): string[] | undefined {
  // The reader of tables takes the comma of an amount for one between cells.
  const rows = parsePaste(text.replaceAll(/[\u2028\u2029]/g, '\n').replaceAll(/(?<=\d),(?=\d{3})/g, ''));
  const width = Math.max(0, ...rows.map(({ length }) => length));
  const lines = text.trim().split(/[\r\n]+/);
  const isTable = lines.length > 1 && lines.every((line) => line.includes('\t'));
  const cells = isTable ? columnOfNames(rows, width) : rows.flat();
  const all = cells?.flatMap((cell) => cell.split(/[,;\n]/)).map(cleanText);
  return all?.filter((name) => /\p{L}/u.test(name));
}

/** A given name, what is added for it, which is empty for nobody, and why it is asked about. */
export type CheckedName = { given: string; name: string; reason?: string };

/** What to look at before names become people. */
export function checkedNames(names: readonly string[], dues: readonly Due[]): CheckedName[] {
  const users = new Set(namesOfUsers(names, dues));
  const seen = new Set<string>();
  return names.map((given) => {
    const isRepeated = seen.has(plainWords(given));
    seen.add(plainWords(given));
    if (NAMES.test(given)) return { given, name: '', reason: '표의 머리글로 보입니다' };
    if (users.has(given)) return { given, name: '', reason: '이미 명단에 있는 사용자의 이름입니다' };
    if (isRepeated)
      return {
        given,
        name: '',
        reason: '같은 이름이 또 있습니다. 다른 사람이면 ‘김가람2’처럼 구별해 쓰세요',
      };
    if (NAME.test(given) || TOLD_APART.test(given)) return { given, name: given };
    const name = cleanText(given.replaceAll(NUMBER, ' '));
    const reason = /\d/.test(given) ? '번호나 금액이 섞여 있습니다' : '이름에 쓰이지 않는 글자가 있습니다';
    return { given, name, reason };
  });
}

const TOLD_APART = /^\p{Script=Hangul}{2,5} ?[A-Za-z\d]$/u;
/** `1. `, `202510001 `, `50,000원`, `(3)` */
const NUMBER = /[(#]?\d[\d.,-]*\s*(?:만?원|번|명|차)?(?!\p{L})[.):]?/gu;
const NAMES = /^(?:이름|성명|성함|학생명|납부자|name)$/i;
/** Hangul names have no other mark, and departments end as places do. */
const NAME = /^(?:\p{Script=Hangul}{2,5}|[\p{L}][\p{L} .'-]{1,48})$/u;
const PLACE = /(?:학과|학부|전공|대학원?|학년|연구실|재학|휴학|졸업|수료)$/;

function columnOfNames(rows: string[][], width: number): string[] | undefined {
  const columns = Array.from({ length: width }, (_, at) => rows.map((row) => row[at] ?? ''));
  const titled = columns.find(([first = '']) => NAMES.test(cleanText(first)));
  if (titled) return titled.slice(1);
  const isName = (cell: string) => NAME.test(cleanText(cell)) && !PLACE.test(cleanText(cell));
  const [only, ...more] = columns.filter(
    (column) => column.some(isName) && column.every((cell) => cell === '' || isName(cell)),
  );
  return more.length > 0 ? undefined : only;
}

/** The names that a user on the list has too. */
export function namesOfUsers(names: readonly string[], dues: readonly Due[]): string[] {
  const users = new Set(dues.filter(({ user_id }) => user_id !== null).map(({ name }) => plainWords(name)));
  return names.filter((name) => users.has(plainWords(name)));
}

/** A row of the dues as the screen and the file show it. */
export type ShownDue = Due & {
  state: '미납' | '납부' | '이중 사용';
  entry: BookedEntry | undefined;
  /** How much of the deposit paid, in won. */
  share: number | undefined;
  /** What else the deposit has paid. */
  others: Payment[];
  /** The user of the same name with whom this row can be merged. */
  joinsUser: number | undefined;
};

export function showDues({ dues, payments }: DuesList, entries: readonly BookedEntry[]): ShownDue[] {
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const paid = paymentsByEntry(payments);
  return dues.map((due) => {
    const { id, entry_id } = due;
    const all = paid.get(entry_id ?? -1) ?? [];
    const others = all.filter(({ due_id }) => due_id !== id);
    const entry = byId.get(entry_id ?? -1);
    // Before a deposit could be divided, it could be used twice.
    const isOver = entry !== undefined && others.length > 0 && restOf(entry, all) < 0;
    const state = entry_id === null ? '미납' : isOver ? '이중 사용' : '납부';
    const share = entry && shareOf(due, entry);
    return { ...due, state, entry, share, others, joinsUser: joinsUser(due, dues) };
  });
}

export function paymentsByEntry(payments: readonly Payment[]): Map<number, Payment[]> {
  return groupBy(payments, ({ entry_id }) => entry_id);
}

/** How much of a deposit a payment takes: the whole of it when it does not say. */
export const shareOf = ({ amount }: Pick<Payment, 'amount'>, entry: Pick<BookedEntry, 'amount'>) =>
  amount ?? entry.amount;

/** What payments leave of a deposit, in won. */
export const restOf = (entry: Pick<BookedEntry, 'amount'>, payments: readonly Pick<Payment, 'amount'>[]) =>
  payments.reduce((rest, payment) => rest - shareOf(payment, entry), entry.amount);

/** What one person pays in this semester: the share that most have paid; undefined while nobody has. */
export function usualShare(dues: readonly Pick<ShownDue, 'share'>[]): number | undefined {
  return mostFrequent(dues.flatMap(({ share }) => share ?? []));
}

/** The value that comes most often; undefined when two come equally often. */
export function mostFrequent(values: readonly number[]): number | undefined {
  const counts = [...groupBy(values, (value) => value)].map(([value, all]) => ({
    value,
    count: all.length,
  }));
  const [first, second] = counts.toSorted((a, b) => b.count - a.count);
  return first && first.count !== second?.count ? first.value : undefined;
}

/** Two people may share a name, so a merge is offered only if no other user has it and not both have paid. */
function joinsUser({ user_id, name, entry_id }: Due, dues: readonly Due[]): number | undefined {
  const [user, ...more] = dues.filter((due) => due.user_id !== null && isSameText(due.name, name));
  if (user_id !== null || !user || more.length > 0) return undefined;
  return entry_id === null || user.entry_id === null ? (user.user_id ?? undefined) : undefined;
}

/** What records that somebody has paid with an entry, or with a share of it; null takes the payment back. */
export function paymentOf({ id, user_id }: Due, entryId: number | null, share?: number): DuePayment {
  const paid = { entry_id: entryId, ...(share !== undefined && { amount: share }) };
  return user_id === null ? { id: id ?? 0, ...paid } : { user_id, ...paid };
}

/** `2026년 1학기 최나래` */
export const payerText = (payment: Payment) => `${termText(payment)} ${payment.name}`;

export function duesCsv(dues: readonly ShownDue[], term: Term): string {
  const rows = dues.map(({ name, state, entry, share }) => [
    termText(term),
    name,
    state,
    ...(entry ? [dayText(entry.datetime), share ?? '', entry.description] : ['', '', '']),
  ]);
  return toCsv([['학기', '이름', '상태', '납부일', '금액', '내용'], ...rows]);
}
