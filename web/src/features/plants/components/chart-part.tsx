import { calibrationOf, type Calibration } from '#contract/moisture/percent';
import type { PlantState } from '#contract/plants';
import { replaceEqualDeep, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { EmptyPart, FailedPart, LoadingPart } from '../../../components/part-state.tsx';
import { CHART_HEIGHT } from '../chart-plot.ts';
import type { LiveState } from '../live.ts';
import { rhythmOf, wateringsQuery } from '../queries.ts';
import type { Past, Stretch } from '../range.ts';
import type { useLiveHistory } from '../use-live-history.ts';
import { ChartFigure } from './chart-figure.tsx';
import { ReadingTable } from './reading-table.tsx';

type Props = {
  past: Past;
  history: ReturnType<typeof useLiveHistory>;
  live: LiveState;
  states: readonly PlantState[] | undefined;
  numbers: ReadonlyMap<string, number>;
  shown: Stretch;
  onZoom: (stretch: Stretch) => void;
};

const noWaterings: never[] = [];

/** The chart, or what replaces it while there is nothing to draw. */
export function ChartPart({ past, history, live, states, numbers, shown, onZoom }: Props) {
  const { data, isPlaceholderData: isOld } = history;
  const { plants, stretch } = past;
  // A live range starts where the chart does, so that a reading that leaves it causes no redraw.
  const begin = stretch ? Number.NEGATIVE_INFINITY : shown.from;
  const asked = useMemo(() => ({ shown, begin }), [shown, begin]);
  // Data of the previous range keeps its own frame until the new data has arrived.
  const frame = useSettled(asked, !isOld);
  const marks = useQuery({
    ...wateringsQuery(past),
    enabled: history.isSuccess,
    refetchInterval: rhythmOf(live).waterings,
  });
  const waterings = marks.data && (isOld || !marks.isPlaceholderData) ? marks.data : noWaterings;
  const calibrations = useCalibrations(states);
  const lines = useMemo(
    () =>
      [...numbers].flatMap(([plant, number]) => {
        const readings = data?.get(plant)?.filter(({ time }) => time >= frame.begin);
        const isChosen = plants?.includes(plant) ?? true;
        const calibration = calibrations.get(plant);
        return readings && readings.length > 0 && isChosen ? [{ plant, number, readings, calibration }] : [];
      }),
    [numbers, data, plants, frame.begin, calibrations],
  );
  const isUnchosen = data !== undefined && plants?.length === 0;
  const isEmpty = !lines.some(({ readings }) =>
    readings.some(({ time }) => time >= frame.shown.from && time <= frame.shown.to),
  );
  const isWaiting = history.isPending || isOld;
  const isOffline = isWaiting && history.fetchStatus === 'paused';
  return (
    <div className="relative mt-3" aria-busy={isWaiting}>
      <div
        style={{ minHeight: CHART_HEIGHT }}
        className={isOld ? 'opacity-40 transition-opacity delay-200' : undefined}
      >
        {isWaiting && isEmpty && !isUnchosen && <ChartLoading />}
        {!data && history.isError && (
          <FailedPart text="수분 기록을 불러오지 못했습니다." onRetry={() => void history.refetch()} />
        )}
        {isUnchosen && <EmptyPart text="표시할 화분을 위에서 선택해 주세요." />}
        {data && !isUnchosen && isEmpty && !isOld && <EmptyPart text="이 기간에는 기록이 없습니다." />}
        {data && !isEmpty && (
          <>
            <ChartFigure
              lines={lines}
              stretch={frame.shown}
              waterings={waterings}
              alertBelow={limitOf(lines, states)}
              labelledBy="chart-title"
              onZoom={onZoom}
            />
            <ReadingTable lines={lines} stretch={frame.shown} />
          </>
        )}
      </div>
      <output className="pointer-events-none absolute inset-x-0 top-40 text-center">
        {(isOld || isOffline) && !isUnchosen && (
          <span className="inline-block rounded-full border border-line bg-surface px-4 py-2 text-sm transition-opacity delay-200 starting:opacity-0">
            {isOffline ? '연결되면 이 기간을 불러옵니다.' : '불러오는 중입니다.'}
          </span>
        )}
      </output>
    </div>
  );
}

/** The same until a calibration changes: readings that come draw nothing anew. */
function useCalibrations(states: Props['states']): ReadonlyMap<string, Calibration> {
  const now = (states ?? []).flatMap((state) => {
    const calibration = calibrationOf(state);
    return calibration ? [{ plant: state.plant, calibration }] : [];
  });
  const [kept, setKept] = useState(now);
  const same = replaceEqualDeep(kept, now);
  if (same !== kept) setKept(same);
  return useMemo(() => new Map(same.map(({ plant, calibration }) => [plant, calibration])), [same]);
}

/** The value when it was last settled. */
function useSettled<T extends object>(value: T, isSettled: boolean): T {
  const [settled, setSettled] = useState(value);
  if (isSettled && settled !== value) setSettled(value);
  return isSettled ? value : settled;
}

function ChartLoading() {
  return (
    <div style={{ height: CHART_HEIGHT }} className="[&>div]:h-full">
      <LoadingPart rows={1} className="h-[22rem]" />
    </div>
  );
}

/** The alert threshold on the axis if the chart shows a single plant; several plants have different ones. */
function limitOf(
  lines: readonly { plant: string }[],
  states: readonly PlantState[] | undefined,
): number | undefined {
  const [only, ...others] = lines;
  return others.length === 0 ? states?.find(({ plant }) => plant === only?.plant)?.alert_below : undefined;
}
