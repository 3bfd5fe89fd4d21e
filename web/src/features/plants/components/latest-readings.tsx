import { moisturePercent } from '#contract/plants';
import { useEffect, useState } from 'react';
import type { PlantSeries } from '../chart-series.ts';
import { ageText, seoulDateTime } from '../seoul-time.ts';

/** The newest reading of each plant in words and numbers, for those who cannot read it off the chart. */
export function LatestReadings({ series }: { series: PlantSeries[] }) {
  const now = useNow();
  return (
    <section aria-labelledby="latest-title" className="mt-10">
      <h2 id="latest-title" className="text-lg font-semibold">
        최근 값
      </h2>
      <div className="mt-3 overflow-x-auto">
        <table className="w-full border-collapse text-left tabular-nums">
          <thead className="text-sm text-ink-soft">
            <tr className="border-b border-line-strong">
              <th scope="col" className="py-2 pr-4 font-semibold">
                화분
              </th>
              <th scope="col" className="px-4 py-2 text-right font-semibold">
                수분
              </th>
              <th scope="col" className="px-4 py-2 text-right font-semibold">
                센서 값
              </th>
              <th scope="col" className="px-4 py-2 font-semibold">
                측정 시각
              </th>
              <th scope="col" className="py-2 pl-4 text-right font-semibold">
                경과
              </th>
            </tr>
          </thead>
          <tbody>
            {series.map(({ plant, readings }) => {
              const latest = readings.at(-1);
              if (!latest) return null;
              return (
                <tr
                  key={plant}
                  data-plant={plant}
                  data-raw={latest.raw}
                  className="border-b border-line whitespace-nowrap"
                >
                  <th scope="row" className="py-2.5 pr-4 font-semibold">
                    {plant}
                  </th>
                  <td className="px-4 py-2.5 text-right">{moisturePercent(latest.raw).toFixed(1)}%</td>
                  <td className="px-4 py-2.5 text-right text-ink-soft">{latest.raw}</td>
                  <td className="px-4 py-2.5">
                    <time dateTime={new Date(latest.time).toISOString()}>{seoulDateTime(latest.time)}</time>
                  </td>
                  <td className="py-2.5 pl-4 text-right text-ink-soft">{ageText(latest.time, now)}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
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
