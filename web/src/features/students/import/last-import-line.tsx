import type { LastImport } from '#contract/students';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { Button } from '../../../components/ui/button.tsx';
import { seoulDateTime } from '../../../lib/seoul-time.ts';
import { lastImportQuery, undoImportMutation } from '../queries.ts';
import { courseName } from '../term.ts';

/** The last import, with an undo. */
export function LastImportLine() {
  const { data: last } = useQuery(lastImportQuery);
  const { mutate: undo, isPending } = useMutation(undoImportMutation);
  const [asked, setAsked] = useState<{ last: LastImport; from: HTMLElement }>();
  const countsOf = ({ added, changed }: LastImport) => `신규 ${added} · 변경 ${changed}`;
  return (
    <>
      {last && (
        <div className="mb-6 flex flex-wrap items-center justify-between gap-x-4 gap-y-1 rounded-md bg-sunken px-4 py-2 text-sm tabular-nums">
          <p>
            마지막 입력: {courseName(last)} · {countsOf(last)}{' '}
            <span className="text-ink-soft">{seoulDateTime(Date.parse(last.at))}</span>
          </p>
          <Button
            variant="outline"
            size="sm"
            disabled={isPending}
            onClick={(event) => setAsked({ last, from: event.currentTarget })}
          >
            되돌리기
          </Button>
        </div>
      )}
      {asked && (
        <ConfirmDialog
          title="마지막 입력을 되돌릴까요?"
          submitLabel="되돌리기"
          isDestructive
          returnFocusTo={asked.from}
          onCancel={() => setAsked(undefined)}
          onSubmit={() => {
            undo(asked.last);
            setAsked(undefined);
          }}
        >
          <p>
            {courseName(asked.last)} · {countsOf(asked.last)}
          </p>
          <p>이 입력으로 추가되거나 바뀐 것이 입력 전으로 돌아갑니다.</p>
        </ConfirmDialog>
      )}
    </>
  );
}
