import { UNDO_DAYS, type ImportRecord } from '#contract/imports';
import type { UseQueryResult } from '@tanstack/react-query';
import { useId, useState, type ReactNode } from 'react';
import { seoulDateTime } from '../../lib/seoul-time.ts';
import { ConfirmDialog } from '../confirm-dialog.tsx';
import { useKeepFocus } from '../keep-focus.ts';
import { FailedPart, LoadingPart } from '../part-state.tsx';
import { Button } from '../ui/button.tsx';

type Props<Item extends ImportRecord> = {
  imports: Pick<UseQueryResult<Item[]>, 'data' | 'isError' | 'refetch'>;
  /** Describes what was imported, such as the class. */
  what: (item: Item) => string;
  counts: (item: Item) => string;
  /** The consequences of undoing the import, shown in the confirmation dialog. */
  consequences: (item: Item) => readonly string[];
  /** Names the people whose data the undo changes; shown in the confirmation dialog. */
  details?: (item: Item) => ReactNode;
  /** A sentence that says when an undo is refused. */
  condition?: string;
  /** Why the last undo was refused. */
  notice?: ReactNode;
  onUndo: (item: Item) => void;
  isUndoing: boolean;
};

/** Number of imports shown at first; a button shows the rest. */
const SHOWN = 5;

/** The imports of a screen that can still be undone, newest first: what, when, by whom, how many rows. */
export function ImportList<Item extends ImportRecord>({
  imports: { data, isError, refetch },
  what,
  counts,
  consequences,
  details,
  condition,
  notice,
  onUndo,
  isUndoing,
}: Props<Item>) {
  const id = useId();
  const part = useKeepFocus<HTMLElement>();
  const [isWhole, setWhole] = useState(false);
  const [asked, setAsked] = useState<{ item: Item; from: HTMLElement }>();
  const shown = isWhole ? data : data?.slice(0, SHOWN);
  return (
    <section aria-labelledby={id} tabIndex={-1} className="mt-10" {...part}>
      <h2 id={id} className="text-lg font-semibold">
        가져오기 이력
      </h2>
      <p className="mt-1 mb-3 text-sm text-ink-soft">
        {data?.length === 0
          ? '되돌릴 수 있는 가져오기가 없습니다.'
          : `가져오기는 ${UNDO_DAYS}일 동안 한꺼번에 되돌릴 수 있습니다.${condition === undefined ? '' : ` ${condition}`}`}
      </p>
      {notice}
      {data === undefined &&
        (isError ? (
          <FailedPart text="가져오기 이력을 불러오지 못했습니다." onRetry={() => void refetch()} />
        ) : (
          <LoadingPart rows={2} className="h-12" />
        ))}
      {shown !== undefined && shown.length > 0 && (
        <ul className="divide-y divide-line border-y border-line">
          {shown.map((item) => (
            <li key={item.id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2">
              <div className="min-w-0 grow basis-56 wrap-anywhere">
                <p>
                  <span className="font-semibold">{what(item)}</span>{' '}
                  <span className="tabular-nums">{counts(item)}</span>
                </p>
                <p className="text-sm text-ink-soft tabular-nums">
                  {seoulDateTime(Date.parse(item.at))}
                  {item.by !== null && ` · ${item.by}`}
                </p>
              </div>
              <Button
                variant="outline"
                size="sm"
                aria-label={`${what(item)} 되돌리기`}
                disabled={isUndoing}
                onClick={(event) => setAsked({ item, from: event.currentTarget })}
              >
                되돌리기
              </Button>
            </li>
          ))}
        </ul>
      )}
      {data !== undefined && shown !== undefined && shown.length < data.length && (
        <Button variant="ghost" size="sm" className="mt-2" onClick={() => setWhole(true)}>
          {data.length - shown.length}건 더 보기
        </Button>
      )}
      {asked && (
        <ConfirmDialog
          title="이 가져오기를 되돌릴까요?"
          submitLabel="되돌리기"
          isDestructive
          returnFocusTo={asked.from}
          onClose={() => setAsked(undefined)}
          onSubmit={() => onUndo(asked.item)}
        >
          <p className="tabular-nums">
            {what(asked.item)} {counts(asked.item)}
          </p>
          {consequences(asked.item).map((line) => (
            <p key={line}>{line}</p>
          ))}
          {details?.(asked.item)}
        </ConfirmDialog>
      )}
    </section>
  );
}
