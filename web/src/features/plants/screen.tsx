import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { ManagementPage } from '../../components/layout/management-page.tsx';
import { EmptyPart, FailedPart, LoadingPart } from '../../components/ui/part-state.tsx';
import { buildSeries } from './chart-series.ts';
import { LatestReadings } from './components/latest-readings.tsx';
import { MoistureChart } from './components/moisture-chart.tsx';
import { PlantPicker } from './components/plant-picker.tsx';
import { RangePicker } from './components/range-picker.tsx';
import { plantHistoryQuery, recentPlantsQuery } from './queries.ts';
import { rangeStart, type RangeName } from './range.ts';

type Props = { range: RangeName; onRangeChange: (range: RangeName) => void };

export function PlantsScreen({ range, onRangeChange }: Props) {
  const history = useQuery(plantHistoryQuery(range));
  const recent = useQuery({ ...recentPlantsQuery, enabled: history.isSuccess });
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());

  const series = useMemo(
    () => history.data && buildSeries(history.data, recent.data ?? []),
    [history.data, recent.data],
  );
  const shown = useMemo(() => series?.filter(({ plant }) => !hidden.has(plant)), [series, hidden]);
  const start = rangeStart(range, history.dataUpdatedAt);

  return (
    <ManagementPage title="화분 관리">
      <div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-4">
        <h2 id="chart-title" lang="en" className="text-lg font-semibold">
          Soil moisture by time
        </h2>
        <RangePicker range={range} onChange={onRangeChange} />
      </div>
      <div className="mt-4 min-h-[22rem] sm:min-h-[26rem]">
        {history.isPending && <LoadingPart rows={1} className="h-[22rem] sm:h-[26rem]" />}
        {!series && history.isError && (
          <FailedPart text="수분 기록을 불러오지 못했습니다." onRetry={() => void history.refetch()} />
        )}
        {series?.length === 0 && (
          <EmptyPart text="이 기간에는 기록이 없습니다. 보드가 값을 보내면 여기에 나타납니다." />
        )}
        {shown && shown.length > 0 && (
          <MoistureChart
            series={shown}
            start={start === undefined ? undefined : Date.parse(start)}
            labelledBy="chart-title"
          />
        )}
        {series && series.length > 0 && shown?.length === 0 && (
          <EmptyPart text="표시할 화분을 아래에서 선택해 주세요." />
        )}
      </div>
      {series && series.length > 0 && (
        <>
          <PlantPicker series={series} hidden={hidden} onChange={setHidden} />
          {(history.isError || recent.isError) && (
            <p role="alert" className="mt-6 rounded-md bg-danger-wash px-4 py-3 text-danger">
              새 값을 받지 못하고 있습니다. 연결되면 이어서 표시합니다.
            </p>
          )}
          <LatestReadings series={series} />
        </>
      )}
    </ManagementPage>
  );
}
