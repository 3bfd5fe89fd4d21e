import { MINUTE_MS, seoulDay } from '#contract/time';
import {
  balanceOn,
  dateOf,
  ENTRY_TEXT_FIELDS,
  ENTRY_TEXTS,
  isBookable,
  isPlanned,
  type BookedEntry,
} from '#contract/ledger';
import { termOfDay, termText } from '#contract/terms';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useMemo, useState } from 'react';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { DataTable } from '../../../components/data-table.tsx';
import { Button } from '../../../components/ui/button.tsx';
import { TextField } from '../../../components/text-field.tsx';
import { useNow } from '../../../lib/use-now.ts';
import { deleteEntryMutation, receiptsQuery } from '../queries.ts';
import { statementOf } from '../totals.ts';
import { dayText, descriptionText, signedText, typeLabels, wonText } from '../labels.ts';
import { entryColumns } from './entry-columns.tsx';
import { EntryForm } from './entry-form.tsx';
import { PaidDues } from './paid-dues.tsx';
import { ReceiptsDialog } from './receipts-dialog.tsx';

type Asked = { entry: BookedEntry; from: HTMLElement; kind: 'delete' | 'receipts' };

const entryId = ({ id }: BookedEntry) => id;

export function BookTab({ entries }: { entries: BookedEntry[] }) {
  const [input, setInput] = useState('');
  const filter = useDeferredValue(input);
  const [isOddOnly, setOddOnly] = useState(false);
  const today = seoulDay(useNow(MINUTE_MS));
  const [asked, setAsked] = useState<Asked>();
  const receipts = useQuery(receiptsQuery);
  const { mutate: remove, isPending: isRemoving } = useMutation(deleteEntryMutation);
  const odd = useMemo(
    () => entries.filter(({ datetime }) => !isBookable(dateOf(datetime), today)),
    [entries, today],
  );
  const isOdd = isOddOnly && odd.length > 0;
  const shown = useMemo(() => matching(isOdd ? odd : entries, filter), [isOdd, odd, entries, filter]);
  const columns = useMemo(() => {
    const counts = new Map<number, number>();
    for (const { entry_id } of receipts.data ?? []) counts.set(entry_id, (counts.get(entry_id) ?? 0) + 1);
    return entryColumns({
      today,
      counts,
      onReceipts: (entry, from) => setAsked({ entry, from, kind: 'receipts' }),
      onDelete: (entry, from) => setAsked({ entry, from, kind: 'delete' }),
    });
  }, [receipts.data, today]);
  const close = () => setAsked(undefined);
  return (
    <>
      <div className="grid gap-8 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <EntryForm today={today} />
        <Balance entries={entries} today={today} />
      </div>
      {odd.length > 0 && (
        <p className="mt-8 flex flex-wrap items-center justify-between gap-3 rounded-md bg-danger-wash px-4 py-3 text-danger">
          날짜가 잘못된 것 같은 내역이 {odd.length}건 있습니다. 확인하고, 잘못되었으면 삭제한 뒤 다시
          추가하세요.
          <Button variant="outline" size="sm" aria-pressed={isOdd} onClick={() => setOddOnly(!isOdd)}>
            {isOdd ? '모두 보기' : '이 내역만 보기'}
          </Button>
        </p>
      )}
      <div className="mt-10 mb-3 flex flex-wrap items-end justify-between gap-3">
        <TextField
          className="w-full sm:w-80"
          label="내역 검색"
          type="search"
          value={input}
          placeholder={[...ENTRY_TEXTS.map((name) => ENTRY_TEXT_FIELDS[name].label), '날짜', '금액'].join(
            ', ',
          )}
          autoComplete="off"
          onChange={(event) => setInput(event.target.value)}
        />
        <p aria-live="polite" className="pb-2 text-sm text-ink-soft tabular-nums">
          {shown.length === entries.length
            ? `${entries.length}건`
            : `${entries.length}건 중 ${shown.length}건`}
        </p>
      </div>
      <DataTable
        caption="랩비 내역"
        columns={columns}
        rows={shown}
        rowKey={entryId}
        emptyText={
          entries.length === 0 ? '내역이 없습니다. 위에서 첫 내역을 추가하세요.' : '검색 결과가 없습니다.'
        }
        isStale={isRemoving}
        pageKey={`${isOdd} ${filter}`}
      />
      {asked?.kind === 'receipts' && (
        <ReceiptsDialog entry={asked.entry} returnFocusTo={asked.from} onClose={close} />
      )}
      {asked?.kind === 'delete' && (
        <ConfirmDialog
          title={`${descriptionText(asked.entry.description)} 내역을 삭제할까요?`}
          submitLabel="삭제"
          isDestructive
          returnFocusTo={asked.from}
          onCancel={close}
          onSubmit={() => {
            remove(asked.entry.id);
            close();
          }}
        >
          <p className="tabular-nums">
            {dayText(asked.entry.datetime)} · {typeLabels[asked.entry.type]} {signedText(asked.entry.amount)}
          </p>
          <PaidDues entry={asked.entry} />
          <p>영수증도 함께 삭제되며 되돌릴 수 없습니다.</p>
        </ConfirmDialog>
      )}
    </>
  );
}

/** Today's balance, the balance after planned entries, and the change over this semester. */
function Balance({ entries, today }: { entries: BookedEntry[]; today: string }) {
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

/** Every word has to occur in a text, the date or the amount. */
function matching(entries: BookedEntry[], filter: string): BookedEntry[] {
  const words = filter
    .normalize('NFC')
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) return entries;
  return entries.filter((entry) => {
    const { description, datetime, amount } = entry;
    const texts = ENTRY_TEXTS.map((name) => entry[name]);
    const parts = [
      descriptionText(description),
      ...texts,
      dayText(datetime),
      datetime,
      amount,
      wonText(amount),
    ];
    const text = parts.join(' ').toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
