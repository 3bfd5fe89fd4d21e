import { DAY_MS } from '#contract/time';
import {
  CartesianGrid,
  Line,
  LineChart,
  ReferenceLine,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts';
import { wonText } from '../labels.ts';

type Props = { days: { time: number; balance: number }[]; today: string; labelledBy: string };

/** A line with a single day would be invisible, so a chart of up to this many days marks each with a dot. */
const MARKED_DAYS = 60;

const short = new Intl.NumberFormat('ko-KR', { notation: 'compact', maximumFractionDigits: 1 });
const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10).replaceAll('-', '.');

/**
 * The balance at the end of each day, drawn as steps, because the balance does not change between entries. A
 * line separates planned from past entries.
 */
export function BalanceChart({ days, today, labelledBy }: Props) {
  const now = Date.parse(today);
  const first = days[0]?.time ?? 0;
  const last = Math.max(days.at(-1)?.time ?? 0, first + DAY_MS);
  return (
    <figure aria-labelledby={labelledBy} className="h-72 w-full text-sm">
      <ResponsiveContainer>
        <LineChart data={days} margin={{ top: 12, right: 16, bottom: 4, left: 0 }} accessibilityLayer={false}>
          <CartesianGrid vertical={false} stroke="var(--line)" />
          <XAxis
            dataKey="time"
            type="number"
            scale="time"
            domain={[first, last]}
            tickFormatter={(time: number) => dayOf(time).slice(0, 7)}
            interval="equidistantPreserveStart"
            minTickGap={24}
            tickMargin={8}
            tick={{ fill: 'var(--ink-soft)' }}
            stroke="var(--line-strong)"
          />
          <YAxis
            width={64}
            tickFormatter={(balance: number) => short.format(balance)}
            tick={{ fill: 'var(--ink-soft)' }}
            axisLine={false}
            tickLine={false}
          />
          <Tooltip
            labelFormatter={(time) => dayOf(Number(time))}
            formatter={(balance) => wonText(Number(balance))}
            isAnimationActive={false}
            contentStyle={{
              background: 'var(--surface)',
              border: '1px solid var(--line)',
              borderRadius: '0.5rem',
            }}
          />
          {last > now && first <= now && (
            <ReferenceLine x={now} stroke="var(--line-strong)" strokeDasharray="4 4" label="오늘" />
          )}
          <Line
            type="stepAfter"
            dataKey="balance"
            name="잔액"
            stroke="var(--accent)"
            strokeWidth={2}
            dot={days.length <= MARKED_DAYS ? { r: 2.5, fill: 'var(--accent)', strokeWidth: 0 } : false}
            isAnimationActive={false}
          />
        </LineChart>
      </ResponsiveContainer>
    </figure>
  );
}
