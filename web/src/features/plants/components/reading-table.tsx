import { moisturePercent } from '#contract/moisture/percent';
import { useState } from 'react';
import { seoulDateTime } from '../../../lib/seoul-time.ts';
import type { ChartLine } from '../chart-plot.ts';
import { readingTableRows } from '../line-points.ts';
import type { TimeSpan } from '../range.ts';

/** Scrollable areas must be reachable by keyboard. */
const keyboardScrolled = { tabIndex: 0 };

type Props = { lines: readonly ChartLine[]; stretch: TimeSpan };

/** The chart as a table: each plant's driest and wettest reading in each part of the range. */
export function ReadingTable({ lines, stretch }: Props) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="mt-6" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="cursor-pointer font-semibold">표로 보기</summary>
      {isOpen && (
        <section {...keyboardScrolled} aria-label="수분 표" className="mt-3 max-w-full overflow-x-auto">
          <table className="border-collapse text-left text-sm tabular-nums">
            <caption className="sr-only">구간마다 화분별 최저와 최고 수분</caption>
            <thead className="text-ink-soft">
              <tr className="border-b border-line-strong">
                <th scope="col" className="py-2 pr-4 font-semibold whitespace-nowrap">
                  시작 시각
                </th>
                {lines.map(({ plant }) => (
                  <th
                    key={plant}
                    scope="col"
                    className="px-4 py-2 text-right font-semibold whitespace-nowrap"
                  >
                    {plant}
                    <span className="block font-normal">최저–최고</span>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {readingTableRows(lines, stretch).map(({ from, cells }) => (
                <tr key={from} className="border-b border-line">
                  <th scope="row" className="py-1.5 pr-4 font-normal whitespace-nowrap">
                    {seoulDateTime(from).slice(0, 16)}
                  </th>
                  {cells.map((cell, index) => (
                    <td key={lines[index]?.plant} className="px-4 py-1.5 text-right whitespace-nowrap">
                      {cell === undefined && '기록 없음'}
                      {cell === 'faulty' && '센서 확인'}
                      {typeof cell === 'object' && (
                        <>
                          {spanText(cell, (raw) => moisturePercent(raw, lines[index]?.calibration))}
                          <span className="block text-xs text-ink-soft">
                            {lines[index]?.calibration && `보정 전 ${spanText(cell, moisturePercent)} · `}
                            {`센서 ${cell.highestRaw}–${cell.lowestRaw}`}
                          </span>
                        </>
                      )}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </details>
  );
}

type Span = { lowestRaw: number; highestRaw: number };

/** The sensor's raw value falls with moisture: the highest raw value is the lowest percent. */
const spanText = ({ highestRaw, lowestRaw }: Span, percentOf: (raw: number) => number) =>
  `${percentOf(highestRaw).toFixed(1)}–${percentOf(lowestRaw).toFixed(1)}%`;
