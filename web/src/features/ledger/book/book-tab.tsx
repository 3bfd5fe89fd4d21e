import { dateOf, isAllowedDate, type EntryWithBalance } from '#contract/ledger';
import { MINUTE_MS, seoulDay } from '#contract/time';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useEffect, useMemo, useState } from 'react';
import { OrphanedDrafts } from '../../../components/draft-note.tsx';
import { PrintedList } from '../../../components/printed.tsx';
import { Button } from '../../../components/ui/button.tsx';
import { useNow } from '../../../lib/server-time.ts';
import { deleteEntriesMutation, deleteEntryMutation, receiptsQuery } from '../queries.ts';
import { BinDialog, DeleteEntriesDialog } from './bin-dialog.tsx';
import { categoriesInUse, categorizedNames, type CategorizedNames } from './categories.ts';
import { CategoryDialog, SelectionBar } from './selection-bar.tsx';
import { EntryDialog } from './entry-dialog.tsx';
import { emptyEntryDraft, entryMergeFields } from './entry-draft.ts';
import { entryFilterText, isFilterActive, matchingEntries, prepareSearch } from './entry-filter.ts';
import { EntryForm } from './entry-form.tsx';
import { FilterBar, useEntryFilter } from './filter-bar.tsx';
import { ReceiptsDialog } from './receipts-dialog.tsx';
import { Timeline } from './timeline.tsx';
import { toggleItem } from '../../../lib/collections.ts';

type Asked = { from: HTMLElement } & (
  | { kind: 'open' | 'receipts'; entry: EntryWithBalance }
  | { kind: 'delete' | 'categorize'; entries: readonly EntryWithBalance[] }
  | { kind: 'bin' }
);

const NONE: ReadonlySet<number> = new Set();

export function BookTab({ entries }: { entries: EntryWithBalance[] }) {
  const [filter, changeFilter] = useEntryFilter();
  const applied = useDeferredValue(filter);
  const [isOddOnly, setOddOnly] = useState(false);
  const today = seoulDay(useNow(MINUTE_MS));
  const [asked, setAsked] = useState<Asked>();
  /** Ids of ticked entries; undefined while entries cannot be ticked. */
  const [ticked, setTicked] = useState<ReadonlySet<number>>();
  const receipts = useQuery(receiptsQuery);
  const { mutate: removeOne, isPending: isRemovingOne } = useMutation(deleteEntryMutation);
  const { mutate: removeMany, isPending: isRemovingMany } = useMutation(deleteEntriesMutation);
  const odd = useMemo(
    () => entries.filter(({ datetime }) => !isAllowedDate(dateOf(datetime), today)),
    [entries, today],
  );
  const isOdd = isOddOnly && odd.length > 0;
  const shown = useMemo(
    () => matchingEntries(isOdd ? odd : entries, applied),
    [isOdd, odd, entries, applied],
  );
  const known = useMemo(() => {
    let names: CategorizedNames | undefined;
    return {
      all: categoriesInUse(entries),
      get names() {
        return (names ??= categorizedNames(entries));
      },
    };
  }, [entries]);
  useEffect(() => {
    const left = new AbortController();
    void prepareSearch(entries, left.signal);
    return () => left.abort();
  }, [entries]);
  const counts = useMemo(() => {
    const byEntry = new Map<number, number>();
    for (const { entry_id } of receipts.data ?? []) byEntry.set(entry_id, (byEntry.get(entry_id) ?? 0) + 1);
    return byEntry;
  }, [receipts.data]);
  const actions = useMemo(
    () => ({
      onOpen: (entry: EntryWithBalance, from: HTMLElement) => setAsked({ entry, from, kind: 'open' }),
      onReceipts: (entry: EntryWithBalance, from: HTMLElement) => setAsked({ entry, from, kind: 'receipts' }),
      onDelete: (entry: EntryWithBalance, from: HTMLElement) =>
        setAsked({ entries: [entry], from, kind: 'delete' }),
      onFlip: ({ id }: EntryWithBalance) => setTicked((before = NONE) => toggleItem(before, id)),
    }),
    [],
  );
  // Deletes only visible entries, not ticked entries that the filter hides.
  const chosen = useMemo(() => (ticked ? shown.filter(({ id }) => ticked.has(id)) : []), [shown, ticked]);
  const close = () => setAsked(undefined);
  const remove = (gone: readonly EntryWithBalance[]) => {
    const [first] = gone;
    if (gone.length === 1 && first) removeOne(first.id);
    else removeMany(gone.map(({ id, version }) => ({ id, version })));
  };
  const ids = useMemo(() => new Set(entries.map(({ id }) => String(id))), [entries]);
  return (
    <>
      <OrphanedDrafts
        start="account/"
        what="내역"
        isThere={(name) => ids.has(name) || !/^\d+$/.test(name)}
        model={{ ...emptyEntryDraft(today), version: 0 }}
        fields={entryMergeFields}
      />
      <EntryForm today={today} known={known} />
      {odd.length > 0 && (
        <p className="mt-4 flex flex-wrap items-center justify-between gap-3 rounded-md bg-danger-wash px-4 py-3 text-danger">
          날짜가 잘못된 것 같은 내역이 {odd.length}건 있습니다. 열어서 날짜를 수정하세요.
          <Button variant="outline" size="sm" aria-pressed={isOdd} onClick={() => setOddOnly(!isOdd)}>
            {isOdd ? '모두 보기' : '이 내역만 보기'}
          </Button>
        </p>
      )}
      {ticked && (
        <SelectionBar
          chosen={chosen}
          listed={shown.length}
          onAll={() => setTicked(new Set(shown.map(({ id }) => id)))}
          onNone={() => setTicked(NONE)}
          onCategorize={(from) => setAsked({ kind: 'categorize', entries: chosen, from })}
          onDelete={(from) => setAsked({ kind: 'delete', entries: chosen, from })}
        />
      )}
      <PrintedList title={entryFilterText(applied)} counted={`${shown.length}건`}>
        <Timeline
          {...actions}
          entries={shown}
          today={today}
          counts={counts}
          chosen={ticked}
          isFiltered={isOdd || isFilterActive(applied)}
          isStale={isRemovingOne || isRemovingMany}
          emptyText={
            entries.length === 0 ? '내역이 없습니다. 위에서 첫 내역을 추가하세요.' : '검색 결과가 없습니다.'
          }
        >
          <FilterBar filter={filter} change={changeFilter} categories={known.all} />
          <p aria-live="polite" className="sm:grow text-sm text-ink-soft tabular-nums">
            {shown.length === entries.length
              ? `${entries.length}건`
              : `${entries.length}건 중 ${shown.length}건`}
          </p>
          {(ticked || shown.length > 1) && (
            <Button
              variant="outline"
              size="sm"
              aria-pressed={ticked !== undefined}
              onClick={() => setTicked(ticked ? undefined : NONE)}
            >
              여러 건 선택
            </Button>
          )}
          {shown.length > 0 && (
            <Button variant="outline" size="sm" onClick={() => print()}>
              인쇄
            </Button>
          )}
          <Button
            variant="outline"
            size="sm"
            onClick={({ currentTarget }) => setAsked({ kind: 'bin', from: currentTarget })}
          >
            휴지통
          </Button>
        </Timeline>
      </PrintedList>
      {asked?.kind === 'open' && (
        <EntryDialog
          entry={asked.entry}
          receipts={counts.get(asked.entry.id) ?? 0}
          today={today}
          known={known}
          returnFocusTo={asked.from}
          onDelete={() => setAsked({ kind: 'delete', entries: [asked.entry], from: asked.from })}
          onClose={close}
        />
      )}
      {asked?.kind === 'receipts' && (
        <ReceiptsDialog entry={asked.entry} returnFocusTo={asked.from} onClose={close} />
      )}
      {asked?.kind === 'bin' && <BinDialog returnFocusTo={asked.from} onClose={close} />}
      {asked?.kind === 'categorize' && (
        <CategoryDialog entries={asked.entries} known={known} returnFocusTo={asked.from} onClose={close} />
      )}
      {asked?.kind === 'delete' && (
        <DeleteEntriesDialog
          entries={asked.entries}
          returnFocusTo={asked.from}
          onClose={close}
          onSubmit={() => remove(asked.entries)}
        />
      )}
    </>
  );
}
