import type { HiddenPlants as Listed } from '#contract/plants';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../../components/ui/button.tsx';
import { MissingPart } from '../../../components/part-state.tsx';
import { seoulDateTime } from '../../../lib/seoul-time.ts';
import { hiddenPlantsQuery, showPlantMutation, wholeCsvUrl } from '../queries.ts';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';

type Hidden = Listed['hidden'][number];

type Props = { onRemove: (plant: Hidden, from: HTMLElement) => void };

/** The plants that no other screen shows, loaded when the user opens the list. */
export function HiddenPlants({ onRemove }: Props) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="mt-6 print:hidden" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="cursor-pointer font-semibold">숨기거나 삭제한 화분</summary>
      {isOpen && <List onRemove={onRemove} />}
    </details>
  );
}

function List({ onRemove }: Props) {
  const query = useQuery(hiddenPlantsQuery);
  const { data } = query;
  const show = useMutation(showPlantMutation);
  if (!data) return <MissingPart of={query} text="불러오지 못했습니다." rows={1} className="mt-3 h-6" />;
  if (data.hidden.length + data.removed.length === 0)
    return <p className="mt-3 text-ink-soft">숨기거나 삭제한 화분이 없습니다.</p>;
  return (
    <ul className="mt-3 divide-y divide-line border-y border-line">
      {data.hidden.map((hidden) => (
        <li key={hidden.topic} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2">
          <div className="min-w-0 flex-1 basis-48">
            <p className="font-semibold break-words">{hidden.plant}</p>
            <p className="text-sm text-ink-soft tabular-nums">
              숨김 · 측정값 {hidden.readings.toLocaleString('ko')}건
              {hidden.last_datetime !== null &&
                ` · 마지막 ${seoulDateTime(Date.parse(hidden.last_datetime)).slice(0, 16)}`}
            </p>
          </div>
          <div className="flex gap-2">
            <Button
              variant="outline"
              size="sm"
              aria-label={`${hidden.plant} 다시 표시`}
              aria-disabled={show.isPending}
              onClick={() => !show.isPending && show.mutate(hidden)}
            >
              다시 표시
            </Button>
            <Button
              variant="destructive-ghost"
              size="sm"
              aria-label={`${hidden.plant} 삭제`}
              onClick={(event) => onRemove(hidden, event.currentTarget)}
            >
              삭제
            </Button>
          </div>
        </li>
      ))}
      {data.removed.map(({ plant, removed_at, readings_left }) => (
        <li key={`${plant} ${removed_at}`} className="py-2">
          <p className="font-semibold break-words">{plant}</p>
          <p className="text-sm text-ink-soft tabular-nums">
            삭제함 · 남은 측정값 최대 {readings_left.toLocaleString('ko')}건을 매일 밤 나누어 삭제합니다
          </p>
        </li>
      ))}
    </ul>
  );
}

type RemoveDialogProps = {
  plant: string;
  readings: number;
  onRemove: () => void;
  onClose: () => void;
  returnFocusTo: HTMLElement | null;
};

/** Offers the readings as a file before they are deleted with their plant. */
export function RemoveDialog({ plant, readings, onRemove, onClose, returnFocusTo }: RemoveDialogProps) {
  return (
    <ConfirmDialog
      title={`${plant} 삭제`}
      submitLabel="삭제"
      isDestructive
      onSubmit={onRemove}
      onClose={onClose}
      returnFocusTo={returnFocusTo}
    >
      <p>
        측정값 {readings.toLocaleString('ko')}건과 설정을 함께 삭제하며 되돌릴 수 없습니다.
        {readings > 0 && ' 필요하면 먼저 CSV로 저장하세요.'}
      </p>
      {readings > 0 && (
        <Button asChild variant="outline" size="sm" className="mt-3">
          <a href={wholeCsvUrl(plant)} download>
            CSV 저장
          </a>
        </Button>
      )}
      <p className="mt-3">
        보드가 값을 계속 보내면 새 화분으로 다시 나타납니다. 보드를 먼저 끄세요. 알림 수신처에서 이 화분을
        선택해 두었으면 그 선택은 남습니다.
      </p>
    </ConfirmDialog>
  );
}
