import { balanceOn, isPlanned, type BookedEntry } from '#contract/ledger';
import { termOfDay, termText } from '#contract/terms';
import { useMemo } from 'react';
import { signedText, wonText } from '../labels.ts';
import { statementOf } from '../totals.ts';

/** Today's balance, the balance after planned entries, and the change over this semester. */
export function Balance({ entries, today }: { entries: BookedEntry[]; today: string }) {
  const balance = balanceOn(entries, today);
  const planned = entries.filter((entry) => isPlanned(entry, today)).length;
  const { year, semester } = termOfDay(today);
  const statement = useMemo(
    () => statementOf(entries, today, { year, semester }),
    [entries, today, year, semester],
  );
  return (
    <section
      aria-label="잔액"
      className="self-start rounded-lg border border-line bg-surface p-6 tabular-nums"
    >
      <h2 className="text-sm font-semibold text-ink-soft">현재 잔액</h2>
      <output
        aria-label="현재 잔액"
        className={`mt-1 block text-heading font-bold ${balance < 0n ? 'text-danger' : ''}`}
      >
        {wonText(balance)}
      </output>
      {planned > 0 && (
        <p className="mt-1 text-sm text-ink-soft">
          예정 {planned}건까지 {wonText(entries[0]?.balance ?? 0n)}
        </p>
      )}
      <dl className="mt-4 grid grid-cols-2 gap-x-4 border-t border-line pt-4 text-sm">
        <dt className="col-span-2 mb-1 text-ink-soft">
          {termText(statement.term)}
          {statement.planned > 0 && ` (예정 ${statement.planned}건 포함)`}
        </dt>
        <dt>입금</dt>
        <dd className="text-right">{signedText(statement.income)}</dd>
        <dt>출금</dt>
        <dd className="text-right">{signedText(-statement.expense)}</dd>
      </dl>
    </section>
  );
}
