import { balanceOn, isPlanned, type BookedEntry } from '#contract/ledger';
import { termOfDay, termText } from '#contract/terms';
import { MINUTE_MS, seoulDay } from '#contract/time';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useNow } from '../../../lib/server-time.ts';
import { signedWonText, wonText } from '../labels.ts';
import { entriesQuery } from '../queries.ts';
import { termStatement } from '../totals.ts';

const NONE: BookedEntry[] = [];

/**
 * Today's balance, the balance after planned entries, and this semester's change. Its height is reserved from the
 * start, on a phone with every line that it may have.
 */
export function BalanceSummary() {
  const { data: entries = NONE, isSuccess } = useQuery(entriesQuery);
  const today = seoulDay(useNow(MINUTE_MS));
  const { year, semester } = termOfDay(today);
  const statement = useMemo(
    () => termStatement(entries, today, { year, semester }),
    [entries, today, year, semester],
  );
  const balance = balanceOn(entries, today);
  const planned = entries.filter((entry) => isPlanned(entry, today)).length;
  return (
    <section
      aria-label="잔액"
      className={`ml-auto text-right text-xs leading-5 text-ink-soft tabular-nums max-sm:min-h-12 max-sm:w-full ${isSuccess ? '' : 'invisible'}`}
    >
      <p className="inline">
        현재 잔액{' '}
        <output
          aria-label="현재 잔액"
          className={`ml-1 text-xl font-bold ${balance < 0n ? 'text-danger' : 'text-ink'}`}
        >
          {wonText(balance)}
        </output>
      </p>
      {planned > 0 && (
        <p className="ml-3 inline">
          예정 {planned}건까지 {wonText(entries[0]?.balance ?? 0n)}
        </p>
      )}
      <p>
        {termText(statement.term)}
        {statement.planned > 0 && ` (예정 ${statement.planned}건 포함)`} 입금{' '}
        {signedWonText(statement.income)} · 출금 {signedWonText(-statement.expense)}
      </p>
    </section>
  );
}
