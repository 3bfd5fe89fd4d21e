import type { PlantState } from '#contract/plants';
import { calibrationOf, moisturePercent } from '#contract/moisture/percent';
import { clockSkewText, faultTexts } from '#contract/moisture/faults';
import { memo } from 'react';
import { Button } from '../../../components/ui/button.tsx';
import { ageText, seoulDateTime, sinceText } from '../../../lib/seoul-time.ts';
import { useNow } from '../../../lib/server-time.ts';
import { plantColour } from '../chart-plot.ts';
import { newestReadingOf } from '../history.ts';
import { contactOf, forecastText, lastHeardAt, uncalibratedText, type BoardContact } from '../plant-state.ts';

type Props = CardActions & {
  states: readonly PlantState[];
  numbers: ReadonlyMap<string, number>;
};

export function PlantCards({ states, numbers, ...actions }: Props) {
  const stateOf = new Map(states.map((state) => [state.plant, state]));
  return (
    <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,16rem),1fr))] gap-3">
      {[...numbers].map(([plant, number]) => {
        const state = stateOf.get(plant);
        return state && <PlantCard key={state.topic} state={state} number={number} {...actions} />;
      })}
    </ul>
  );
}

/** Called when the user presses a button of a card; `from` is the button. */
type CardActions = Record<'onSettings' | 'onPreview', (state: PlantState, from: HTMLElement) => void>;

type PlantCardProps = CardActions & { state: PlantState; number: number };

/** Text and colour for each state of contact with a board. `online` and `heard` are not emphasised. */
const contacts: Record<BoardContact, { text: string; look: string }> = {
  online: { text: '온라인', look: 'text-ink-soft' },
  heard: { text: '수신 중', look: 'text-ink-soft' },
  stale: { text: '수신 끊김', look: 'bg-notice-wash px-2.5 font-semibold text-notice' },
  offline: { text: '오프라인', look: 'bg-danger-wash px-2.5 font-semibold text-danger' },
  silent: { text: '기록 없음', look: 'bg-sunken px-2.5 font-semibold text-ink-soft' },
};

/** Shows a plant's state, also for somebody with a phone beside the plant. Emphasises only problems. */
const PlantCard = memo(function PlantCard({ state, number, onSettings, onPreview }: PlantCardProps) {
  const now = useNow(1000);
  const { plant, fault, alert_since: drySince, clock_off_ms: clockOff, calibration_offered: offered } = state;
  const newest = newestReadingOf(state);
  const heardAt = lastHeardAt(state);
  const calibration = calibrationOf(state);
  const scale = newest && (uncalibratedText(newest.raw, calibration) ?? (offered ? undefined : '보정 안 함'));
  const contact = contactOf(state, now);
  const isCut = contact !== 'online' && contact !== 'heard';
  const { text, look } = contacts[contact];
  return (
    <li
      data-plant={plant}
      data-raw={newest?.raw}
      data-contact={contact}
      className={`flex flex-col rounded-lg border bg-surface px-4 pt-1.5 pb-3 text-sm ${drySince === null ? 'border-line' : 'border-danger'}`}
    >
      <div className="flex items-center gap-2">
        <span
          aria-hidden
          className="size-3 shrink-0 rounded-full"
          style={{ background: plantColour(number).stroke }}
        />
        <h3 className="min-w-0 truncate text-base font-semibold" title={plant}>
          {plant}
        </h3>
        {state.is_public && (
          <span className="rounded-full border border-line px-2 py-0.5 text-xs whitespace-nowrap text-ink-soft">
            공개
          </span>
        )}
        <span className={`ml-auto rounded-full py-0.5 text-xs whitespace-nowrap ${look}`}>{text}</span>
        <Button
          variant="ghost"
          size="sm"
          aria-label={`${plant} 설정`}
          onClick={(event) => onSettings(state, event.currentTarget)}
          className="-mr-3"
        >
          설정
        </Button>
      </div>
      <p className="flex flex-wrap items-baseline gap-x-2 text-ink-soft tabular-nums">
        <span
          className={`text-3xl leading-tight font-bold tracking-tight ${fault || isCut ? '' : 'text-ink'}`}
        >
          {newest ? `${moisturePercent(newest.raw, calibration).toFixed(1)}%` : '–'}
        </span>
        <span className="whitespace-nowrap">{`· ${state.alert_below}% 아래면 알림`}</span>
      </p>
      <div className="mt-1 space-y-1">
        {/* Screen readers announce the alert when it begins. */}
        <output className="block empty:hidden">
          {drySince !== null && (
            <p data-alert={plant} className="font-semibold text-danger">
              <span className="sr-only">{plant}</span>{' '}
              <span>{isCut ? '마지막 측정 때 물이 필요했습니다' : '지금 물이 필요합니다'}</span>
            </p>
          )}
        </output>
        {fault && (
          <p className="text-notice">
            <strong className="font-semibold">센서 확인</strong>
            {` · ${faultTexts[fault.kind]} (${sinceText(Date.parse(fault.since), now)})`}
          </p>
        )}
        {drySince === null && !fault && !isCut && (
          <p className="text-ink-soft">{forecastText(state.forecast)}</p>
        )}
        {clockOff !== null && <p className="text-notice">{`보드의 시계가 ${clockSkewText(clockOff)}`}</p>}
      </div>
      <p className="mt-auto pt-1 text-ink-soft tabular-nums">
        {offered && (
          <Button
            variant="outline"
            size="sm"
            aria-label={`${plant} 보정 제안`}
            title={`이 센서는 ${offered.wet}에서 ${offered.dry} 사이만 움직입니다.`}
            onClick={(event) => onPreview(state, event.currentTarget)}
            className="mr-2"
          >
            보정 제안
          </Button>
        )}
        {newest && <span>{`${scale === undefined ? '' : `${scale} · `}센서 ${newest.raw} · `}</span>}
        {heardAt !== undefined && (
          <span className="whitespace-nowrap">
            <time
              dateTime={new Date(heardAt).toISOString()}
              title={newest && `측정 시각 ${seoulDateTime(newest.time)}`}
            >
              {ageText(heardAt, now)}
            </time>{' '}
            <span>수신</span>
          </span>
        )}
      </p>
    </li>
  );
});
