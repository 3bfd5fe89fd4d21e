import { HOUR_MS } from '#contract/time';
import type { PlantState } from '#contract/plants';
import { useMutation, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo, useState } from 'react';
import { serverNow } from '../../lib/server-time.ts';
import { ManagementPage } from '../../components/layout/management-page.tsx';
import { Button } from '../../components/ui/button.tsx';
import { EmptyPart, FailedPart, LoadingPart } from '../../components/part-state.tsx';
import { ChartPart } from './components/chart-part.tsx';
import { PlantCards } from './components/plant-cards.tsx';
import { HiddenPlants, RemoveDialog } from './components/hidden-plants.tsx';
import { PlantPicker } from './components/chart-key.tsx';
import { RangePicker } from './components/range-picker.tsx';
import { SettingsDialog, CalibrationPreview } from './components/settings-dialog.tsx';
import { roundedNow } from './chart-plot.ts';
import { plantsWithoutReadings, type History } from './history.ts';
import { plantNumbers } from './plant-state.ts';
import { csvUrl, hidePlantMutation, removePlantMutation, refetchIntervals, statesQuery } from './queries.ts';
import {
  openingRange,
  readingQueryOf,
  rangeStart,
  readPlantsSearch,
  searchOf,
  timeSpanUpTo,
  type ReadingQuery,
  type PlantsSearch,
  type RangeName,
  type TimeSpan,
} from './range.ts';
import { timeSpanText } from './seoul-time.ts';
import { useLiveConnection, useLiveHistory, useRoundedNow } from './use-live.ts';

export function PlantsScreen() {
  const search = useSearch({ from: '/_signed-in' });
  const navigate = useNavigate();
  /** `isStep` adds an entry to the browser's history. */
  const onSearch = (next: PlantsSearch, isStep: boolean) =>
    void navigate({ to: '.', search: next, replace: !isStep, resetScroll: false });
  const place = useMemo(() => readPlantsSearch(search, serverNow()), [search]);
  const live = useLiveConnection();
  const states = useQuery({ ...statesQuery, refetchInterval: refetchIntervals(live).states });
  const opening = useOpening(states, place.plants);
  const query = useMemo(() => readingQueryOf(place, opening ?? '24h'), [place, opening]);
  const { range, stretch, plants } = query;
  const history = useLiveHistory(query, live, opening !== undefined || place.range !== undefined);
  const [opener, setOpener] = useState<HTMLElement | null>(null);
  const showSettings = useCallback(
    (settings: string | undefined) =>
      void navigate({
        to: '.',
        search: (before) => ({ ...before, settings }),
        replace: true,
        resetScroll: false,
      }),
    [navigate],
  );
  const openSettings = useCallback(
    ({ topic }: PlantState, from: HTMLElement) => {
      setOpener(from);
      showSettings(topic);
    },
    [showSettings],
  );

  /** Topic of the plant whose offered calibration the chart shows. */
  const [preview, setPreview] = useState<string>();
  /** Topic of the plant whose offered calibration the settings form receives. */
  const [taken, setTaken] = useState<string>();
  const openPreview = useCallback(
    ({ topic, plant }: PlantState, from: HTMLElement | null) => {
      setOpener(from);
      setPreview(topic);
      void navigate({
        to: '.',
        search: (before) => ({ ...before, plants: [plant], settings: undefined }),
        resetScroll: false,
      });
    },
    [navigate],
  );
  const [removing, setRemoving] = useState<Removable>();
  const { mutate: hide } = useMutation(hidePlantMutation);
  const { mutate: remove } = useMutation(removePlantMutation);
  /** Closes a plant's settings. In the address, replaces a renamed plant or removes a hidden plant. */
  const leave = (plant: string, name?: string) => {
    const others = plants?.filter((each) => each !== plant);
    const left = name === undefined ? others : plants?.map((each) => (each === plant ? name : each));
    onSearch({ range, ...(stretch && searchOf(stretch)), ...(left?.length && { plants: left }) }, false);
  };

  const numbers = useMemo(() => plantNumbers(states.data, history.data), [states.data, history.data]);
  const shown = useShown(query, history.data);
  const unheard = useMemo(
    () =>
      history.isPlaceholderData
        ? []
        : plantsWithoutReadings(shown, history.data, query.plants ?? [...numbers.keys()]),
    [shown, history.data, history.isPlaceholderData, query.plants, numbers],
  );
  const showStretch = (next: TimeSpan) =>
    onSearch({ range, ...searchOf(next), ...(plants && { plants }) }, true);

  const opened = states.data?.find(({ topic }) => topic === place.settings);
  const previewed = states.data?.find(
    ({ topic, plant }) => topic === preview && plants?.length === 1 && plants[0] === plant,
  );
  const csv = csvUrl(query, shown);
  const isOffline = states.fetchStatus === 'paused' || history.fetchStatus === 'paused';
  const isCutOff =
    isOffline ||
    (states.isError && states.data !== undefined) ||
    (history.isError && history.data !== undefined);
  return (
    <ManagementPage title="화분 관리">
      {isCutOff && (
        <p role="alert" className="mb-6 rounded-md bg-notice-wash px-4 py-3 text-notice">
          {isOffline ? '인터넷에 연결되어 있지 않습니다. ' : '새 값을 받지 못하고 있습니다. '}
          연결되면 이어서 표시합니다.
        </p>
      )}
      <output className="block">
        {live === 'disconnected' && !isCutOff && (
          <p className="mb-4 text-sm text-ink-soft">실시간 연결이 끊겨 30초마다 새 값을 확인합니다.</p>
        )}
      </output>
      <section aria-labelledby="plants-title">
        <h2 id="plants-title" className="sr-only">
          화분
        </h2>
        {states.isPending && <LoadingPart rows={3} className="h-32" />}
        {!states.data && states.isError && (
          <FailedPart text="화분을 불러오지 못했습니다." onRetry={() => void states.refetch()} />
        )}
        {states.data?.length === 0 && (
          <EmptyPart text="표시할 화분이 없습니다. 보드가 값을 보내면 여기에 나타납니다." />
        )}
        {states.data && (
          <PlantCards
            states={states.data}
            numbers={numbers}
            onSettings={openSettings}
            onPreview={openPreview}
          />
        )}
      </section>
      {/* Rendered after the cards have loaded: cards that appear above the chart would move it. */}
      {!states.isPending && (
        <section aria-labelledby="chart-title" className="mt-6">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
            <h2 id="chart-title" lang="en" className="max-xl:mr-auto text-lg font-semibold">
              Soil moisture by time
            </h2>
            {csv === undefined ? (
              <Button disabled variant="outline" size="sm" className="min-h-10">
                CSV 저장
              </Button>
            ) : (
              <Button asChild variant="outline" size="sm" className="min-h-10">
                <a href={csv} download>
                  CSV 저장
                </a>
              </Button>
            )}
            <RangePicker
              range={range}
              chosen={stretch}
              shown={shown}
              onRange={(next) => onSearch({ range: next, ...(plants && { plants }) }, stretch !== undefined)}
              onStretch={showStretch}
            />
          </div>
          <div className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-1">
            <PlantPicker
              numbers={numbers}
              chosen={plants}
              unheard={unheard}
              onChange={(next) =>
                onSearch({ range, ...(stretch && searchOf(stretch)), ...(next && { plants: next }) }, false)
              }
            />
            {stretch && (
              <p data-stretch="" className="ml-auto text-sm tabular-nums">
                {timeSpanText(stretch.from, stretch.to)}
              </p>
            )}
          </div>
          {previewed && (
            <CalibrationPreview
              state={previewed}
              onTake={() => {
                setTaken(previewed.topic);
                showSettings(previewed.topic);
              }}
              onClose={() => {
                setPreview(undefined);
                opener?.focus();
              }}
            />
          )}
          <ChartPart
            query={query}
            history={history}
            live={live}
            states={states.data}
            numbers={numbers}
            shown={shown}
            offered={previewed?.calibration_offered ?? undefined}
            onZoom={showStretch}
          />
        </section>
      )}
      <HiddenPlants
        onRemove={(plant, from) => {
          setOpener(from);
          setRemoving(plant);
        }}
      />
      {opened && (
        <SettingsDialog
          key={opened.topic}
          state={opened}
          publicPlant={states.data?.find(({ is_public }) => is_public)?.plant}
          returnFocusTo={opener}
          offered={(taken === opened.topic && opened.calibration_offered) || undefined}
          onHide={() => {
            hide(opened);
            leave(opened.plant);
          }}
          onRemove={() => {
            showSettings(undefined);
            setRemoving(opened);
          }}
          onPreview={() => openPreview(opened, opener)}
          onSaved={(name) => leave(opened.plant, name)}
          onClose={() => {
            setTaken(undefined);
            showSettings(undefined);
          }}
        />
      )}
      {removing && (
        <RemoveDialog
          plant={removing.plant}
          readings={removing.readings}
          returnFocusTo={opener}
          onClose={() => setRemoving(undefined)}
          onRemove={() => {
            remove(removing);
            leave(removing.plant);
          }}
        />
      )}
    </ManagementPage>
  );
}

type Removable = Pick<PlantState, 'plant' | 'topic' | 'version' | 'readings'>;

/** The range with which the chart opens. It is determined once, and undefined until the plants are known. */
function useOpening(
  { data, isError }: UseQueryResult<PlantState[]>,
  plants: readonly string[] | undefined,
): RangeName | undefined {
  const [opening, setOpening] = useState<RangeName>();
  const next = opening ?? (data || isError ? openingRange(data ?? [], plants, serverNow()) : undefined);
  if (next !== opening) setOpening(next);
  return next;
}

/** The time range in the chart: the selected time range, or the named range up to now. */
function useShown({ range, stretch }: ReadingQuery, history: History | undefined): TimeSpan {
  const [opened] = useState(serverNow);
  const readings = [...(history?.values() ?? [])];
  const first = Math.min(opened - HOUR_MS, ...readings.map((each) => each[0]?.time ?? opened));
  const newest = Math.max(0, ...readings.map((each) => each.at(-1)?.time ?? 0));
  const span = opened - (rangeStart(range, opened) ?? first);
  // If this device's clock is behind the board's clock, the newest reading is later than now.
  const end = Math.max(useRoundedNow(span), roundedNow(newest, span));
  const { from, to } = stretch ?? timeSpanUpTo(end, range, first);
  return useMemo(() => ({ from, to }), [from, to]);
}
