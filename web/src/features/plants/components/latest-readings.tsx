import { moisturePercent } from '#contract/moisture';
import { useEffect, useState } from 'react';
import { seoulDateTime } from '../../../lib/seoul-time.ts';
import type { PlantSeries } from '../chart-series.ts';
import { ageText } from '../seoul-time.ts';

/** The newest reading of each plant in words and numbers, for those who cannot read it off the chart. */
export function LatestReadings({ series }: { series: PlantSeries[] }) {
  const now = useNow();
  return (
    <section aria-labelledby="latest-title" className="mt-10">
      <h2 id="latest-title" className="text-lg font-semibold">
        최근 값
      </h2>
      <table className="mt-3 w-full border-collapse text-left tabular-nums">
        <thead className="text-sm text-ink-soft">
          <tr className="border-b border-line-strong">
            <th scope="col" className="py-2 pr-2 font-semibold whitespace-nowrap">
              화분
            </th>
            <th scope="col" className="px-2 py-2 text-right whitespace-nowrap font-semibold">
              수분
            </th>
            <th scope="col" className="px-2 py-2 text-right whitespace-nowrap font-semibold">
              센서 값
            </th>
            <th scope="col" className="py-2 pl-2 text-right whitespace-nowrap font-semibold">
              측정 시각
            </th>
          </tr>
        </thead>
        <tbody>
          {series.map(({ plant, readings }) => {
            const latest = readings.at(-1);
            if (!latest) return null;
            return (
              <tr key={plant} data-plant={plant} data-raw={latest.raw} className="border-b border-line">
                <th scope="row" className="min-w-20 py-2.5 pr-2 font-semibold wrap-anywhere">
                  {plant}
                </th>
                <td className="px-2 py-2.5 text-right whitespace-nowrap">
                  {moisturePercent(latest.raw).toFixed(1)}%
                </td>
                <td className="px-2 py-2.5 text-right whitespace-nowrap text-ink-soft">{latest.raw}</td>
                <td className="py-2.5 pl-3 text-right">
                  <time dateTime={new Date(latest.time).toISOString()}>{seoulDateTime(latest.time)}</time>
                  <span className="block text-sm text-ink-soft sm:ml-4 sm:inline-block sm:min-w-16">
                    {ageText(latest.time, now)}
                  </span>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
