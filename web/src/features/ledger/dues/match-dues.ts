import type { Payment } from '#contract/dues';
import type { BookedEntry } from '#contract/ledger';
import type { Term } from '#contract/terms';
import { plainWords } from '../../../lib/search-text.ts';
import {
  candidatesFor,
  mostFrequent,
  paymentsByEntry,
  restOf,
  usualShare,
  type ShownDue,
} from './dues-list.ts';
import { groupBy } from '../../../lib/collections.ts';

/** A deposit that an unpaid person may have paid with. */
export type Match = {
  due: ShownDue;
  entry: BookedEntry;
  /** How much of it, in won. */
  share: number;
  /** It holds exactly the usual dues of everybody whom it names, and nothing else fits. */
  isSure: boolean;
  /** How many other deposits name the person. */
  others: number;
};

/**
 * Finds the deposits of people who have not paid: those around the semester that have something left and name them.
 * Where two people share a name, or several deposits fit equally, nobody is chosen or it is marked as not sure.
 */
export function matchDues(
  dues: readonly ShownDue[],
  entries: readonly BookedEntry[],
  payments: readonly Payment[],
  term: Term,
): Match[] {
  const paid = paymentsByEntry(payments);
  const deposits = candidatesFor('', entries, term).flatMap((entry) => {
    const rest = restOf(entry, paid.get(entry.id) ?? []);
    return rest > 0
      ? [{ entry, rest, named: namedIn(entry, dues).filter(({ entry_id }) => entry_id === null) }]
      : [];
  });
  const single = deposits.flatMap(({ rest, named }) => (named.length === 1 ? rest : []));
  const usual = usualShare(dues) ?? mostFrequent(single);
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

/** 2 for words that name the semester, 0 for another one, 1 for none. */
function termFit(words: string, { year, semester }: Term): 0 | 1 | 2 {
  const [found, named = String(year), half] =
    /(?:(?:20)?(\d{2})\s*(?:학년도|년도?|[-.])\s*)?([12])\s*학기/.exec(words) ?? [];
  if (found === undefined) return 1;
  return Number(half) === semester && Number(named) % 100 === year % 100 ? 2 : 0;
}

/** Neither a digit nor a single letter of a description names somebody. */
const IS_NAME = /^\D{2,}$/;

/** Who of the list is named. A name inside another's, as 김민 in 김민수, does not count; nor does one that two have. */
function namedIn({ description }: BookedEntry, dues: readonly ShownDue[]): ShownDue[] {
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

/** The same share for each, where the deposit holds the usual ones, or can be divided without a rest. */
function evenShare(rest: number, people: number, usual: number | undefined): number | undefined {
  if (people === 0) return undefined;
  if (usual !== undefined && usual * people <= rest) return usual;
  return usual === undefined && rest % people === 0 ? rest / people : undefined;
}
