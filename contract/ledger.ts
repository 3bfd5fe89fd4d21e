import { seoulDay } from './time.ts';
import * as z from 'zod';

/** Whole won at most, either way. */
export const AMOUNT_MAX = 1_000_000_000_000;
export const DESCRIPTION_MAX = 200;

const WRONG_DATE = '날짜를 올바르게 입력하세요';
const dateSchema = z.iso.date();
export const isDate = (text: string) => dateSchema.safeParse(text).success;

/**
 * The days under which money can be entered: from the first whole semester of 2000, so that none belongs to a semester of
 * a year before, until the end of next year, because something may be planned.
 */
export const bookableDates = (today: string) => ({
  first: '2000-03-01',
  last: `${Number(today.slice(0, 4)) + 1}-12-31`,
});

export function isBookable(date: string, today: string): boolean {
  const { first, last } = bookableDates(today);
  return date >= first && date <= last;
}

/** Why money cannot be entered under this date; undefined when it can. */
export function dateProblem(date: string, today: string): string | undefined {
  if (!isDate(date)) return WRONG_DATE;
  const { first, last } = bookableDates(today);
  return isBookable(date, today) ? undefined : `${date}: ${first}부터 ${last}까지의 날짜를 입력하세요`;
}

const TIME = 'T13:00:00';

/** What an entry of this day is stored under: every entry has the same time, in Seoul. */
export const datetimeOf = (date: string) => date + TIME;
export const dateOf = (datetime: string) => datetime.slice(0, -TIME.length);

function datetimeProblem(datetime: string): string | undefined {
  return datetime.endsWith(TIME) ? dateProblem(dateOf(datetime), seoulDay(Date.now())) : WRONG_DATE;
}

/** What an entry says in words; each text may be empty. */
const textsSchema = z.object({
  description: z
    .string('내용을 입력하세요')
    .max(DESCRIPTION_MAX, `내용은 ${DESCRIPTION_MAX}자까지 쓸 수 있습니다`),
});
export type EntryTexts = z.infer<typeof textsSchema>;
export type EntryText = keyof EntryTexts;
export const ENTRY_TEXTS = textsSchema.keyof().options;

/** What is wrong with a text; undefined when nothing is. */
export const textProblem = (name: EntryText, text: string): string | undefined =>
  textsSchema.shape[name].safeParse(text).error?.issues[0]?.message;

/** @param text gives each of them. @throws for one with a problem */
export const textsOf = (text: (name: EntryText) => string): EntryTexts =>
  textsSchema.parse(Object.fromEntries(ENTRY_TEXTS.map((name) => [name, text(name)])));

/**
 * Body of POST /api/account. `amount` is signed: above zero a deposit, below a withdrawal. `datetime` is a day that
 * exists and can be entered, at the fixed time 13:00:00, without a zone.
 */
export const ledgerEntryFormSchema = z.object({
  amount: z
    .int('금액을 올바르게 입력하세요')
    .min(-AMOUNT_MAX, '금액이 너무 큽니다')
    .max(AMOUNT_MAX, '금액이 너무 큽니다')
    .refine((amount) => amount !== 0, '금액은 0보다 커야 합니다'),
  datetime: z.string(WRONG_DATE).refine((text) => datetimeProblem(text) === undefined, {
    error: ({ input }) => datetimeProblem(String(input)),
  }),
  ...textsSchema.shape,
});
export type LedgerEntryForm = z.infer<typeof ledgerEntryFormSchema>;

/** An entry as GET /api/account lists them: newest first, of one day the one that was added last. */
export type LedgerEntry = LedgerEntryForm & { id: number };

/** An entry with its kind, and the account's balance after it, which is stored nowhere. */
export type BookedEntry = LedgerEntry & { type: 'deposit' | 'withdraw'; balance: bigint };

/** @param entries newest first, as listed; bigint because thousands of large amounts are more than a number holds */
export function withBalances(entries: readonly LedgerEntry[]): BookedEntry[] {
  let balance = 0n;
  const booked: BookedEntry[] = [];
  for (const entry of entries.toReversed()) {
    balance += BigInt(entry.amount);
    booked.push({ ...entry, type: entry.amount > 0 ? 'deposit' : 'withdraw', balance });
  }
  return booked.toReversed();
}

export const isPlanned = ({ datetime }: Pick<LedgerEntry, 'datetime'>, today: string) =>
  dateOf(datetime) > today;

/** What the account holds at the end of a day. @param entries newest first */
export function balanceOn(entries: readonly BookedEntry[], date: string): bigint {
  return entries.find((entry) => dateOf(entry.datetime) <= date)?.balance ?? 0n;
}

/** Header `Idempotency-Key` of POST /api/account: the same key with the same body stores nothing more. */
export const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,128}$/;

/** `field` of the 409 for a key whose entry was deleted since: what the key was for has been done. */
export const DELETED_ENTRY = 'id';
