import {
  dateOf,
  DELETED_ENTRY_FIELD,
  type LedgerEntry,
  type LedgerEntryForm,
  type OriginalEntry,
} from '#contract/ledger';
import { DAY_MS } from '#contract/time';
import { ApiError } from '../../../lib/api-error.ts';
import { plainWords } from '../../../lib/search-text.ts';
import { groupBy } from '../../../lib/collections.ts';

/**
 * How a row matches a stored entry: 'same', 'corrected' (the row equals the entry before its correction),
 * 'deleted' (the entry was deleted later), 'alike' (only day and amount are equal), 'revised' (only day and
 * text are equal), or 'moved' (only amount and text are equal, a few days apart).
 */
type Likeness = 'same' | 'corrected' | 'deleted' | 'alike' | 'revised' | 'moved';
type Row = Pick<LedgerEntryForm, 'datetime' | 'amount' | 'description'>;
export type Duplicate = { likeness: Likeness; entry: Omit<OriginalEntry, 'is_deleted'> };
/** Equal payments more than this many days apart are probably weekly payments, not one with a moved date. */
const MOVED_DAYS = 6;

/**
 * Stored entries that imported rows probably repeat, by line; see `Likeness`. An entry matches only one row:
 * if only one of two equal payments is stored, the other is imported.
 * @param originals the first versions of corrected and deleted entries
 */
export function findDuplicates(
  rows: readonly { line: number; entry: Row }[],
  stored: readonly LedgerEntry[],
  originals: readonly OriginalEntry[],
): Map<number, Duplicate> {
  const byId = new Map(stored.map((entry) => [entry.id, entry]));
  const taken = new Set<number>();
  const twins = new Map<number, Duplicate>();
  const take = (likeness: Likeness, among: readonly Duplicate['entry'][], fits: typeof isSameText) => {
    const key = likeness === 'revised' ? dayOf : likeness === 'moved' ? amountOf : keyOf;
    const candidates = groupBy(among, key);
    for (const { line, entry: form } of rows) {
      if (twins.has(line)) continue;
      const found = candidates.get(key(form))?.find((each) => !taken.has(each.id) && fits(form, each));
      const entry = likeness === 'deleted' ? found : found && byId.get(found.id);
      if (!entry) continue;
      taken.add(entry.id);
      twins.set(line, { likeness, entry });
    }
  };
  take('same', stored, isSameText);
  take('corrected', originals, isSameText);
  take(
    'deleted',
    originals.filter(({ is_deleted }) => is_deleted),
    // A permanently removed entry has no text to compare.
    (row, entry) => entry.description === '' || isSameText(row, entry),
  );
  take('alike', stored, () => true);
  take('revised', stored, isSameNamed);
  take('moved', stored, (row, entry) => isSameNamed(row, entry) && daysBetween(row, entry) <= MOVED_DAYS);
  return twins;
}

const isSameText = (row: Row, entry: Duplicate['entry']) =>
  plainWords(row.description) === plainWords(entry.description);

const isSameNamed = (row: Row, entry: Duplicate['entry']) => row.description !== '' && isSameText(row, entry);

const STORED: ReadonlySet<Likeness> = new Set(['same', 'corrected', 'deleted']);
/** The lines of rows that are stored or were stored earlier. A similar stored entry does not count. */
export const storedLines = (twins: ReadonlyMap<number, Duplicate>): Set<number> =>
  new Set([...twins].flatMap(([line, { likeness }]) => (STORED.has(likeness) ? [line] : [])));

/**
 * Stored entries between the first and the last day of the rows that no row repeats. Empty unless at least half
 * of the rows are stored, because only then the table is a newer copy of the same statement.
 */
export function missingEntries(
  rows: readonly { entry: Row }[],
  stored: readonly LedgerEntry[],
  twins: ReadonlyMap<number, Duplicate>,
): LedgerEntry[] {
  const found = [...twins.values()];
  const known = found.filter(({ likeness }) => likeness === 'same' || likeness === 'corrected');
  if (known.length === 0 || known.length * 2 < rows.length) return [];
  const ids = new Set(found.map(({ entry }) => entry.id));
  const days = rows.map(({ entry }) => dayOf(entry)).toSorted();
  const [first = '', last = ''] = [days[0], days.at(-1)];
  return stored.filter((entry) => !ids.has(entry.id) && first <= dayOf(entry) && dayOf(entry) <= last);
}

type Dated = Pick<LedgerEntryForm, 'datetime'>;
const dayOf = ({ datetime }: Dated) => dateOf(datetime);
const amountOf = ({ amount }: Pick<LedgerEntryForm, 'amount'>) => String(amount);
export const daysBetween = (one: Dated, other: Dated) =>
  Math.abs(Date.parse(dayOf(one)) - Date.parse(dayOf(other))) / DAY_MS;
const keyOf = ({ datetime, amount }: Pick<LedgerEntryForm, 'datetime' | 'amount'>) => `${datetime} ${amount}`;

type TimedRow = { entry: LedgerEntryForm; time: string; balance: number | undefined };

/**
 * Sorts a statement's rows by day, oldest first. The rows of a day are sorted by time if all have a time;
 * otherwise they keep the statement's order or its reverse, whichever makes more balances correct.
 */
export function oldestFirst<Row extends TimedRow>(rows: readonly Row[]): Row[] {
  const moments = rows.map(({ entry, time }) => `${entry.datetime} ${time}`);
  const rising = moments.filter((moment, at) => moment > (moments[at - 1] ?? moment)).length;
  const falling = moments.filter((moment, at) => moment < (moments[at - 1] ?? moment)).length;
  const asTimed = (day: readonly Row[]) =>
    day.every(({ time }) => time !== '') ? day.toSorted((a, b) => compare(a.time, b.time)) : day;
  return [...groupBy(rows, ({ entry }) => entry.datetime)]
    .toSorted(([a], [b]) => compare(a, b))
    .flatMap(([, day]) => {
      const [usual, other] = falling > rising ? [day.toReversed(), day] : [day, day.toReversed()];
      const [timed, otherwise] = [asTimed(usual), asTimed(other)];
      return unfollowed(otherwise) < unfollowed(timed) ? otherwise : timed;
    });
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

const unfollowed = (rows: readonly TimedRow[]) =>
  gapsOf(
    rows.flatMap(({ entry: { amount }, balance }, line) =>
      balance === undefined ? [] : [{ line, amount, balance }],
    ),
  ).length;

/** A row of a statement with the account's balance after the row. */
type BalancedRow = { line: number; amount: number; balance: number };

/** `expected`: the balance that the row should have. `isReversed`: the row's amount has the wrong sign. */
export type BalanceGap = { line: number; expected: number; isReversed: boolean };

/**
 * Rows whose balance does not follow from the row before, because of a misread amount or a missing row.
 * Statements begin with the oldest or the newest row; the direction with fewer gaps is assumed.
 */
export function balanceGaps(rows: readonly BalancedRow[]): BalanceGap[] {
  const [fewest = []] = [gapsOf(rows), gapsOf(rows.toReversed())].toSorted(
    (a, b) => a.length - b.length || countReversed(b) - countReversed(a),
  );
  return fewest;
}

const countReversed = (gaps: readonly BalanceGap[]) => gaps.filter(({ isReversed }) => isReversed).length;

const OTHER_BALANCE_MIN = 3;

/**
 * Whether the balance column is no running balance of the account: in nearly every row the balance is not the
 * balance above plus the amount. A column with the rest of each budget is such a column.
 */
export const isOtherBalance = (rows: readonly BalancedRow[], gaps: readonly BalanceGap[]): boolean =>
  // If deposits and withdrawals are exchanged, the balance is the account's.
  gaps.length >= Math.max(OTHER_BALANCE_MIN, 0.8 * (rows.length - 1)) &&
  countReversed(gaps) * 2 < gaps.length;

function gapsOf(rows: readonly BalancedRow[]): BalanceGap[] {
  return rows.flatMap(({ line, amount, balance }, at) => {
    const before = rows[at - 1];
    if (before === undefined) return [];
    const expected = before.balance + amount;
    const isReversed = before.balance - amount === balance;
    return expected === balance ? [] : [{ line, expected, isReversed }];
  });
}

/** A running import. Each entry has its own key, so that a retry after a lost response stores none twice. */
export type ImportRun = {
  /** The id that every entry of this import is posted with, so that all can be undone together. */
  id: string;
  items: { key: string; entry: LedgerEntryForm }[];
  /** The number of entries stored so far, from the first one. Some may have been deleted later. */
  done: number;
};

/** @param entries in the order in which they are posted */
export function newImportRun(entries: readonly LedgerEntryForm[]): ImportRun {
  const id = crypto.randomUUID();
  return { id, items: entries.map((entry, at) => ({ key: `${id}/${at}`, entry })), done: 0 };
}

/**
 * Posts the rest of the run, one entry at a time.
 * @param onDone receives the run after each entry
 * @returns whether it was completed; false if it was stopped
 * @throws what `send` throws; the last reported run can be resumed
 */
export async function sendImportRun(
  run: ImportRun,
  send: (entry: LedgerEntryForm, key: string, run: string) => Promise<unknown>,
  onDone: (run: ImportRun) => void,
  isStopped: () => boolean = () => false,
): Promise<boolean> {
  for (const [at, { key, entry }] of run.items.entries()) {
    if (at < run.done) continue;
    if (isStopped()) return false;
    try {
      await send(entry, key, run.id);
    } catch (error) {
      if (!isDeletedSince(error)) throw error;
    }
    onDone({ ...run, done: at + 1 });
  }
  return true;
}

/** Whether the entry was stored without a response, and somebody deleted the entry before the retry. */
export const isDeletedSince = (error: unknown) =>
  error instanceof ApiError && error.status === 409 && error.details?.field === DELETED_ENTRY_FIELD;
