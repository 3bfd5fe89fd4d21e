import { calibrationOf, plantPercent } from '#contract/moisture/percent';
import type { PlantState } from '#contract/plants';
import { sinceText } from '../../../lib/seoul-time.ts';
import { useNow } from '../../../lib/server-time.ts';
import { newestOf } from '../history.ts';

/** The plants with an active alert; screen readers announce a new one. */
export function AlertBanner({ states }: { states: readonly PlantState[] }) {
  const now = useNow(60_000);
  const thirsty = states.filter(({ alert_since }) => alert_since !== null);
  return (
    <output className="block">
      {thirsty.length > 0 && (
        <div className="mb-6 rounded-md bg-danger-wash px-4 py-3 text-danger">
          <p className="font-semibold">물이 필요한 화분이 있습니다.</p>
          <ul className="mt-0.5 flex flex-wrap gap-x-5 tabular-nums">
            {thirsty.map((state) => {
              const newest = newestOf(state);
              const percent = newest && plantPercent(newest.raw, calibrationOf(state));
              return (
                <li key={state.plant} data-alert={state.plant} className="min-w-0 wrap-anywhere">
                  {state.plant} {percent?.toFixed(1)}%{' '}
                  <span className="whitespace-nowrap">
                    ({sinceText(Date.parse(state.alert_since ?? ''), now)})
                  </span>
                </li>
              );
            })}
          </ul>
        </div>
      )}
    </output>
  );
}
