import { moisturePercent } from '#contract/moisture/percent';
import type { PlantState } from '#contract/plants';
import { useEffect, useRef } from 'react';
import { Button } from '../../../components/ui/button.tsx';
import { newestOf } from '../history.ts';

type Props = { state: PlantState; onTake: () => void; onClose: () => void };

/** Explains the offered calibration that the chart shows. Takes the focus, because it is far below its button. */
export function CalibrationPreview({ state, onTake, onClose }: Props) {
  const place = useRef<HTMLElement>(null);
  useEffect(() => {
    place.current?.focus({ preventScroll: true });
    place.current?.scrollIntoView({ block: 'start' });
  }, []);
  const { plant, calibration_offered: offered } = state;
  const newest = newestOf(state);
  if (!offered) return null;
  return (
    <section
      ref={place}
      tabIndex={-1}
      aria-label={`${plant} 보정 미리보기`}
      className="mt-3 flex scroll-mt-24 flex-wrap items-center justify-between gap-x-6 gap-y-2 rounded-md border border-line-strong px-4 py-3 text-sm"
    >
      <p className="min-w-0 flex-1 basis-80 break-keep wrap-anywhere">
        {`차트의 두 선은 ${plant}의 센서가 보낸 가장 마른 값(${offered.dry} → 0%)과 가장 젖은 값(${offered.wet} → 100%)입니다.`}
        {newest && ` 보정하면 현재 값은 ${moisturePercent(newest.raw, offered).toFixed(1)}%가 됩니다.`}
      </p>
      <div className="flex gap-2">
        <Button size="sm" onClick={onTake}>
          설정에 입력
        </Button>
        <Button variant="outline" size="sm" onClick={onClose}>
          닫기
        </Button>
      </div>
    </section>
  );
}
