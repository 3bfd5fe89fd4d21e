import type { HiddenPlants as Listed } from '#contract/plants';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Button } from '../../../components/ui/button.tsx';
import { seoulDateTime } from '../../../lib/seoul-time.ts';
import { hiddenQuery, showMutation } from '../queries.ts';

type Hidden = Listed['hidden'][number];

type Props = { onRemove: (plant: Hidden, from: HTMLElement) => void };

/** Lists the plants that no other screen shows; renders nothing if there are none. */
export function HiddenPlants({ onRemove }: Props) {
  const { data } = useQuery(hiddenQuery);
  const show = useMutation(showMutation);
  if (!data || data.hidden.length + data.removed.length === 0) return null;
  return (
    <section aria-labelledby="hidden-plants-title" className="mt-8 print:hidden">
      <h2 id="hidden-plants-title" className="text-lg font-semibold">
        숨기거나 삭제한 화분
      </h2>
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
    </section>
  );
}
