import { MINUTE_MS } from '#contract/time';
import { DELIVERY_INTERVALS } from '../../../firmware-bridge/src/deliver/delivery.ts';
import { createBatchSchedule } from '../../../firmware-bridge/src/deliver/batches.ts';
import { seededRandom } from '../../../local/boards/seeded-random.ts';
import { quantile, type Row } from '../table.ts';

const HOURS = 4;
const HOURS_A_MONTH = 720;

/** What gathering costs and saves, by its own rule on a clock of the bench: boards that report once a minute, each at its second. */
export function gatheringOf(boards: number, random = seededRandom(boards)): Row {
  const arrivals = Array.from({ length: boards }, () => random() * MINUTE_MS)
    .flatMap((second) =>
      Array.from({ length: HOURS * 60 }, (_, minute) => minute * MINUTE_MS + second + random() * 200),
    )
    .toSorted((a, b) => a - b);
  const gathering = createBatchSchedule(DELIVERY_INTERVALS.lingerMs);
  const waits: number[] = [];
  let calls = 0;
  for (let next = 0; next < arrivals.length;) {
    const first = arrivals[next] ?? 0;
    const at = first + gathering.waitMs(first, false);
    gathering.began(at, false);
    calls += 1;
    for (; (arrivals[next] ?? Infinity) <= at; next++) waits.push(at - (arrivals[next] ?? 0));
  }
  const month = ((calls / HOURS) * HOURS_A_MONTH) / 1e6;
  return {
    figure: `${boards} boards, one reading a minute each: calls, and how long a reading is gathered`,
    value: `${month.toFixed(2)} million a month, p95 ${quantile(waits, 0.95).toFixed(0)} ms`,
    target: '≤ 1 a second, ≤ 1000 ms',
  };
}
