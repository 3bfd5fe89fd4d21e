import { calibrationOf, type Calibration, DEFAULT_CALIBRATION } from '#contract/moisture/percent';
import { DAY_MS } from '#contract/time';
import { replaceEqualDeep, useQuery } from '@tanstack/react-query';
import { useMemo, useState, useDeferredValue, useLayoutEffect, useRef } from 'react';
import { EmptyPart, FailedPart, LoadingPart } from '../../../components/part-state.tsx';
import { forecastSpan, CHART_HEIGHT, limitOn, PLOT, type ChartLine } from '../chart-plot.ts';
import type { PlantState, Watering } from '#contract/plants';
import type { LiveState } from '../live.ts';
import { refetchIntervals, wateringsQuery } from '../queries.ts';
import type { ReadingQuery, TimeSpan } from '../range.ts';
import type { useLiveHistory } from '../use-live.ts';
import { ChartKey } from './chart-key.tsx';
import { ReadingTable } from './reading-table.tsx';
import { ChartMarks, LimitLabels, WateringMarks } from './chart-marks.tsx';
import { ChartCrosshair } from './chart-pointer.tsx';
import { MoistureChart } from './moisture-chart.tsx';

type Props = {
  query: ReadingQuery;
  history: ReturnType<typeof useLiveHistory>;
  live: LiveState;
  states: readonly PlantState[] | undefined;
  numbers: ReadonlyMap<string, number>;
  shown: TimeSpan;
  /** A calibration that the server offers for the only shown plant. */
  offered: Calibration | undefined;
  onZoom: (stretch: TimeSpan) => void;
};

const noWaterings: never[] = [];

/** The chart, or a message while there is no data. */
export function ChartPart({ query, history, live, states, numbers, shown, offered, onZoom }: Props) {
  const { data, isPlaceholderData: isOld } = history;
  const { plants, stretch } = query;
  // Leaves out readings before a live range now. Removing them later would render the chart again.
  const begin = stretch ? Number.NEGATIVE_INFINITY : shown.from;
  const asked = useMemo(() => ({ shown, begin }), [shown, begin]);
  // While data of another range is loading, the chart keeps the axes of the old data.
  const frame = useSettled(asked, !isOld);
  const marks = useQuery({
    ...wateringsQuery(query),
    enabled: history.isSuccess,
    refetchInterval: refetchIntervals(live).waterings,
  });
  const waterings = marks.data && (isOld || !marks.isPlaceholderData) ? marks.data : noWaterings;
  const [isPlain, setPlain] = useState(false);
  const traits = useTraits(states);
  const lines = useMemo(
    () =>
      [...numbers].flatMap(([plant, number]) => {
        const readings = data?.get(plant)?.filter(({ time }) => time >= frame.begin);
        const isChosen = plants?.includes(plant) ?? true;
        if (!readings || readings.length === 0 || !isChosen) return [];
        const { calibration, alertBelow = 0, faults = [], dryAt } = traits.get(plant) ?? {};
        const scale = (isPlain ? undefined : calibration) ?? DEFAULT_CALIBRATION;
        const limit = limitOn(scale, alertBelow, calibration);
        return [{ plant, number, readings, calibration, scale, limit, faults, dryAt }];
      }),
    [numbers, data, plants, frame.begin, traits, isPlain],
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
              ahead={stretch ? 0 : forecastSpan(lines, frame.shown)}
              waterings={waterings}
              offered={offered}
              labelledBy="chart-title"
              onZoom={onZoom}
            />
            <ChartKey
              lines={lines}
              stretch={frame.shown}
              waterings={waterings}
              isPlain={isPlain}
              onPlain={setPlain}
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

/** Each plant's properties except for its readings. Returns the same object until a property changes. */
function useTraits(states: Props['states']) {
  const now = (states ?? []).map((state) => ({ plant: state.plant, traits: traitsOf(state) }));
  const [kept, setKept] = useState(now);
  const same = replaceEqualDeep(kept, now);
  if (same !== kept) setKept(same);
  return useMemo(() => new Map(same.map(({ plant, traits }) => [plant, traits])), [same]);
}

function traitsOf(state: PlantState) {
  const { alert_below: alertBelow, last_datetime: at, forecast } = state;
  // A forecast without an upper bound is not drawn.
  const dryAt = at !== null &&
    forecast?.high != null && {
      from: Date.parse(at) + forecast.low * DAY_MS,
      to: Date.parse(at) + forecast.high * DAY_MS,
    };
  return {
    calibration: calibrationOf(state),
    alertBelow,
    faults: state.faults.map(({ from, to }) => ({
      from: Date.parse(from),
      to: to === null ? Number.POSITIVE_INFINITY : Date.parse(to),
    })),
    dryAt: dryAt || undefined,
  };
}

/** Returns `value` while `isSettled` is true, otherwise the last value for which `isSettled` was true. */
function useSettled<T extends object>(value: T, isSettled: boolean): T {
  const [settled, setSettled] = useState(value);
  if (isSettled && settled !== value) setSettled(value);
  return isSettled ? value : settled;
}

function ChartLoading() {
  return (
    <div style={{ height: CHART_HEIGHT }} className="[&>div]:h-full">
      <LoadingPart rows={1} className="h-72" />
    </div>
  );
}

type ChartFigureProps = {
  lines: readonly ChartLine[];
  /** The time range of the readings. */
  stretch: TimeSpan;
  /** How far the plot extends beyond the readings, in milliseconds. */
  ahead: number;
  waterings: readonly Watering[];
  offered: Calibration | undefined;
  labelledBy: string;
  onZoom: (stretch: TimeSpan) => void;
};

/** The chart, as wide as its container. */
function ChartFigure({ lines, stretch, ahead, waterings, offered, labelledBy, onZoom }: ChartFigureProps) {
  const figure = useRef<HTMLElement>(null);
  const [width, setWidth] = useState<number>();
  useLayoutEffect(() => {
    const element = figure.current;
    if (!element) return undefined;
    // While the chart is hidden, its width is 0.
    const measure = () => element.clientWidth > 0 && setWidth(element.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  // Deferred, so that many lines do not block input.
  const drawn = useDeferredValue(lines);
  const numbers = useMemo(() => new Map(lines.map(({ plant, number }) => [plant, number])), [lines]);
  const { from, to: end } = stretch;
  const to = end + ahead;
  const view = useMemo(() => ({ from, to }), [from, to]);
  const aheadWidth = ((width ?? 0) - PLOT.left - PLOT.right) * (ahead / (to - from));
  return (
    <figure
      ref={figure}
      aria-labelledby={labelledBy}
      className="relative w-full"
      style={{ height: CHART_HEIGHT }}
    >
      {width !== undefined && (
        <>
          <ChartMarks lines={drawn} view={view} end={end} width={width} offered={offered} />
          <MoistureChart lines={drawn} from={from} to={to} end={end} width={width} />
          <LimitLabels lines={drawn} />
          <WateringMarks waterings={waterings} numbers={numbers} stretch={view} width={width} />
          <ChartCrosshair lines={lines} stretch={stretch} right={PLOT.right + aheadWidth} onZoom={onZoom} />
        </>
      )}
    </figure>
  );
}
