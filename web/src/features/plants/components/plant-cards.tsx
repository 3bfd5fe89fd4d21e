import { calibrationOf, moisturePercent, plantPercent } from '#contract/moisture/percent';
import type { PlantState } from '#contract/plants';
import { memo } from 'react';
import { Button } from '../../../components/ui/button.tsx';
import { ageText, seoulDateTime } from '../../../lib/seoul-time.ts';
import { useNow } from '../../../lib/server-time.ts';
import { newestOf, type KnownState } from '../history.ts';
import { contactOf, forecastText, type Contact } from '../plant-state.ts';
import { plantColour } from '../chart-plot.ts';

type CardProps = {
  state: KnownState;
  number: number;
  onSettings: (state: PlantState, from: HTMLElement) => void;
};

const contacts: Record<Contact, { text: string; look: string }> = {
  online: { text: '온라인', look: 'bg-accent-wash text-accent-strong' },
  heard: { text: '수신 중', look: 'bg-accent-wash text-accent-strong' },
  stale: { text: '수신 끊김', look: 'bg-notice-wash text-notice' },
  offline: { text: '오프라인', look: 'bg-danger-wash text-danger' },
  silent: { text: '기록 없음', look: 'bg-sunken text-ink-soft' },
};

/** A plant's state, readable from a phone next to it. */
const PlantCard = memo(function PlantCard({ state, number, onSettings }: CardProps) {
  const now = useNow(1000);
  const { plant, days_until_dry: days = null } = state;
  const newest = newestOf(state);
  const calibration = calibrationOf(state);
  const contact = contactOf(state, now);
  const forecast = contact === 'stale' || contact === 'offline' ? undefined : forecastText(days);
  const { text, look } = contacts[contact];
  return (
    <li
      data-plant={plant}
      data-raw={newest?.raw}
      data-contact={contact}
      className={`flex flex-col rounded-lg border bg-surface px-4 pt-3 pb-3.5 ${state.alert_since === null ? 'border-line' : 'border-danger'}`}
    >
      <div className="flex items-center gap-2">
        <span
          aria-hidden
          className="size-3 shrink-0 rounded-full"
          style={{ background: plantColour(number).stroke }}
        />
        <h3 className="min-w-0 truncate font-semibold" title={plant}>
          {plant}
        </h3>
        {state.is_public && (
          <span className="rounded-full border border-line px-2 py-0.5 text-xs whitespace-nowrap text-ink-soft">
            공개
          </span>
        )}
        <span
          className={`ml-auto rounded-full px-2.5 py-0.5 text-xs font-semibold whitespace-nowrap ${look}`}
        >
          {text}
        </span>
      </div>
      <p className="mt-1 flex flex-wrap items-baseline gap-x-2 tabular-nums">
        <span className="text-3xl leading-tight font-bold tracking-tight">
          {newest ? `${plantPercent(newest.raw, calibration).toFixed(1)}%` : '–'}
        </span>
        {newest && (
          <span
            className="ml-auto text-sm whitespace-nowrap text-ink-soft"
            {...(calibration && { title: `보정하지 않으면 ${moisturePercent(newest.raw).toFixed(1)}%` })}
          >
            센서 {newest.raw}
          </span>
        )}
      </p>
      <div className="mt-1 flex items-end justify-between gap-2 text-sm text-ink-soft tabular-nums">
        <div>
          {newest && (
            <p>
              <time dateTime={new Date(newest.time).toISOString()} title={seoulDateTime(newest.time)}>
                {ageText(newest.time, now)}
              </time>{' '}
              측정
            </p>
          )}
          <p className="min-h-6">
            {state.alert_since === null ? (
              forecast
            ) : (
              <strong className="font-semibold text-danger">물이 필요합니다</strong>
            )}
          </p>
        </div>
        <Button
          variant="ghost"
          size="sm"
          aria-label={`${plant} 설정`}
          onClick={(event) => onSettings(state, event.currentTarget)}
          className="-mr-2 -mb-1.5"
        >
          설정
        </Button>
      </div>
    </li>
  );
});

type Props = {
  states: readonly KnownState[];
  numbers: ReadonlyMap<string, number>;
  onSettings: (state: PlantState, from: HTMLElement) => void;
};

export function PlantCards({ states, numbers, onSettings }: Props) {
  const inOrder = states.toSorted((a, b) => (numbers.get(a.plant) ?? 0) - (numbers.get(b.plant) ?? 0));
  return (
    <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,16rem),1fr))] gap-3">
      {inOrder.map((state) => (
        <PlantCard
          key={state.topic}
          state={state}
          number={numbers.get(state.plant) ?? 0}
          onSettings={onSettings}
        />
      ))}
    </ul>
  );
}
