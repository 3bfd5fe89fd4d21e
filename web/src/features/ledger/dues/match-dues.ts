import type { DuesPayment } from '#contract/dues';
import { type EntryWithBalance, dateOf } from '#contract/ledger';
import { type Term, termDays } from '#contract/terms';
import { DAY_MS } from '#contract/time';
import { plainWords } from '../../../lib/search-text.ts';
import {
  mostFrequent,
  paymentsByEntry,
  unusedDeposit,
  mostFrequentShare,
  type ShownDue,
} from './dues-list.ts';
import { groupBy } from '../../../lib/collections.ts';

/** Deposits up to this many days before and after the semester may be dues. */
const MARGIN_DAYS = 60;

/** Deposits around the semester that may have paid a person's dues; deposits with the person's name first. */
export function candidateDeposits(
  name: string,
  entries: readonly EntryWithBalance[],
  term: Term,
): EntryWithBalance[] {
  const { first, last } = termDays(term);
  const from = Date.parse(first) - MARGIN_DAYS * DAY_MS;
  const to = Date.parse(last) + MARGIN_DAYS * DAY_MS;
  const fitting = entries.filter(({ datetime, amount }) => {
    const day = Date.parse(dateOf(datetime));
    return amount > 0 && day >= from && day <= to;
  });
  return [
    ...fitting.filter((entry) => mentionsName(entry, name)),
    ...fitting.filter((entry) => !mentionsName(entry, name)),
  ];
}

export const mentionsName = ({ description }: EntryWithBalance, name: string) =>
  description.normalize('NFC').includes(name.normalize('NFC'));

/** A deposit that may have paid the dues of a person who is listed as unpaid. */
export type DepositMatch = {
  due: ShownDue;
  entry: EntryWithBalance;
  /** The person's share of the deposit, in won. */
  share: number;
  /** Whether the deposit equals the usual dues of all people in its text, and no other deposit fits. */
  isSure: boolean;
  /** Number of other deposits with the person's name. */
  others: number;
};

/**
 * Finds deposits for people who have not paid: near the semester, not used up, with the person's name.
 * A name that two people share finds no deposit; if several deposits fit equally, the match is uncertain.
 */
export function matchDues(
  dues: readonly ShownDue[],
  entries: readonly EntryWithBalance[],
  payments: readonly DuesPayment[],
  term: Term,
): DepositMatch[] {
  const paid = paymentsByEntry(payments);
  const deposits = candidateDeposits('', entries, term).flatMap((entry) => {
    const rest = unusedDeposit(entry, paid.get(entry.id) ?? []);
    return rest > 0
      ? [{ entry, rest, named: namedIn(entry, dues).filter(({ entry_id }) => entry_id === null) }]
      : [];
  });
  const single = deposits.flatMap(({ rest, named }) => (named.length === 1 ? rest : []));
  const usual = mostFrequentShare(dues) ?? mostFrequent(single);
  const found = deposits.flatMap(({ entry, rest, named }) => {
    const share = named.length === 1 ? Math.min(usual ?? rest, rest) : evenShare(rest, named.length, usual);
    const isSure = share !== undefined && share * named.length === rest && share === usual;
    const fit = termFit(entry.description, term);
    return share === undefined
      ? []
      : named.map((due) => ({ due, entry, share, isSure: isSure && fit > 0, fit }));
  });
  return [...groupBy(found, ({ due }) => due).values()].flatMap((own) => {
    const [best, ...others] = own.toSorted((a, b) => b.fit - a.fit || Number(b.isSure) - Number(a.isSure));
    if (!best) return [];
    const { fit, ...match } = best;
    const isAlone = !others.some((each) => each.isSure && each.fit === fit);
    return [{ ...match, isSure: match.isSure && isAlone, others: others.length }];
  });
}

/** 2 if the text has this semester, 1 if it has no semester, 0 if it has another semester. */
function termFit(words: string, { year, semester }: Term): 0 | 1 | 2 {
  const [found, named = String(year), half] =
    /(?:(?:20)?(\d{2})\s*(?:학년도|년도?|[-.])\s*)?([12])\s*학기/.exec(words) ?? [];
  if (found === undefined) return 1;
  return Number(half) === semester && Number(named) % 100 === year % 100 ? 2 : 0;
}

/** A single letter, or a text with digits, is not searched for as a name in a description. */
const IS_NAME = /^\D{2,}$/;

/** Finds people by their whole name in a deposit's text (not 김민 in 김민수). A shared name finds nobody. */
function namedIn({ description }: EntryWithBalance, dues: readonly ShownDue[]): ShownDue[] {
  let words = plainWords(description);
  const byName = [...groupBy(dues, ({ name }) => plainWords(name))].filter(([name]) => IS_NAME.test(name));
  const named: ShownDue[] = [];
  for (const [name, own] of byName.toSorted(([a], [b]) => b.length - a.length)) {
    if (!words.includes(name)) continue;
    words = words.replaceAll(name, ' ');
    const [due] = own;
    if (due && own.length === 1) named.push(due);
  }
  return named;
}

/** Each person's share in won: the usual amount if `rest` suffices; without a usual amount, an equal part. */
function evenShare(rest: number, people: number, usual: number | undefined): number | undefined {
  if (people === 0) return undefined;
  if (usual !== undefined && usual * people <= rest) return usual;
  return usual === undefined && rest % people === 0 ? rest / people : undefined;
}
