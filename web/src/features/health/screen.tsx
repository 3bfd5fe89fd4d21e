import { alertFirstStep, alertRowId, alertProblemText, PLANT_ALERT_KINDS } from '#contract/alerts';
import type { HealthDetails } from '#contract/health';
import { useQuery } from '@tanstack/react-query';
import { ManagementPage } from '../../components/layout/management-page.tsx';
import { FailedPart, LoadingPart } from '../../components/part-state.tsx';
import { sinceText } from '../../lib/seoul-time.ts';
import { useNow } from '../../lib/server-time.ts';
import { BridgesPart } from './bridges/bridges-part.tsx';
import { BackupCard, BridgesCard, PlantsCard, StorageCard, TasksCard } from './components/cards.tsx';
import { healthQuery } from './queries.ts';
import { ReceiversPart } from './receivers/receivers-part.tsx';
import {
  listActiveAlerts,
  partsDownWithoutAlert,
  healthUnknownReason,
  readingPipeline,
  partStates,
  type PartState,
} from './labels.ts';

/** The state of the whole system, for admins. Refreshed every ten seconds. */
export function HealthScreen() {
  const health = useQuery(healthQuery);
  const { data } = health;
  // `asOf` and `now` come from the server's clock, because the device's clock may be wrong by hours.
  const asOf = data ? Date.parse(data.at) : 0;
  const now = useNow(1000);
  const isOffline = health.fetchStatus === 'paused';
  return (
    <ManagementPage title="시스템 상태">
      {health.isPending && !isOffline && <LoadingPart rows={4} className="h-28" />}
      {health.isError && !data && (
        <FailedPart text="상태를 불러오지 못했습니다." onRetry={() => void health.refetch()} />
      )}
      {(isOffline || (health.isError && data)) && (
        <p role="alert" className="mb-6 rounded-md bg-notice-wash px-4 py-3 text-notice">
          {isOffline ? '인터넷에 연결되어 있지 않습니다.' : '새 상태를 받지 못하고 있습니다.'}
          {data && ' 아래는 마지막으로 받은 상태입니다.'}
        </p>
      )}
      {data && (
        <div className="space-y-6">
          <Summary health={data} now={now} asOf={asOf} />
          <PartsFlow parts={data.parts} />
          <div className="gap-6 lg:columns-2">
            <PlantsCard plants={data.plants} bridges={data.bridges} now={now} asOf={asOf} />
            <BridgesCard bridges={data.bridges} version={data.version} now={now} />
            <TasksCard tasks={data.tasks} now={now} asOf={asOf} />
            <StorageCard storage={data.storage} usage={data.usage} />
            <BackupCard backup={data.backup} now={now} asOf={asOf} />
          </div>
          <BridgesPart now={now} />
          <ReceiversPart
            plants={data.plants?.map(({ plant }) => plant) ?? []}
            hasWebhook={data.webhook}
            now={now}
          />
        </div>
      )}
    </ManagementPage>
  );
}

type SummaryProps = { health: HealthDetails; now: number; asOf: number };

const tones = {
  well: 'bg-accent-wash text-accent-strong',
  unknown: 'bg-notice-wash text-notice',
  plants: 'bg-notice-wash text-notice',
  danger: 'bg-danger-wash text-danger',
};

function Summary({ health, now, asOf }: SummaryProps) {
  const found = listActiveAlerts(health, asOf);
  const untold = partsDownWithoutAlert(health.parts, found);
  const unknown = healthUnknownReason(health, asOf);
  const count = untold.length + found.length;
  const isOfPlants = untold.length === 0 && found.every(({ kind }) => PLANT_ALERT_KINDS.includes(kind));
  const state = count > 0 ? (isOfPlants ? 'plants' : 'danger') : unknown === null ? 'well' : 'unknown';
  return (
    <section aria-label="요약" data-state={state} className={`rounded-lg px-5 py-4 ${tones[state]}`}>
      <output className="block font-semibold">
        {count > 0 && `확인이 필요한 항목이 ${count}건 있습니다.`}
        {state === 'unknown' && unknown}
        {state === 'well' && '모두 정상입니다.'}
      </output>
      {count > 0 && unknown !== null && <p className="mt-1 text-ink">{unknown}</p>}
      {count > 0 && (
        <ul className="mt-2 list-disc space-y-1 pl-5 text-ink">
          {untold.map(({ part, text, step }) => (
            <li key={part}>
              {text}
              {step && <p className="text-sm text-ink-soft">{step}</p>}
            </li>
          ))}
          {found.map((trouble) => (
            // Alert messages link to this row by its id.
            <li
              key={`${trouble.kind}:${trouble.name}`}
              id={alertRowId(trouble)}
              ref={(row) => {
                if (location.hash === `#${alertRowId(trouble)}`) row?.scrollIntoView({ block: 'center' });
              }}
            >
              {alertProblemText(trouble)}
              {trouble.detail !== null && ` (${trouble.detail})`}{' '}
              <span className="text-sm whitespace-nowrap text-ink-soft">
                {sinceText(Date.parse(trouble.since), now)}
              </span>
              <p className="text-sm text-ink-soft">{alertFirstStep(trouble.kind)}</p>
            </li>
          ))}
        </ul>
      )}
      <p className="mt-2 text-sm text-ink-soft">
        {health.heartbeat ? (
          '점검이 끝날 때마다 외부 감시 서비스에 신호를 보냅니다.'
        ) : (
          <>
            외부 감시 주소(<code>HEARTBEAT_URL</code>)가 설정되지 않아, 점검이 멈춰도 알림이 오지 않습니다.
          </>
        )}
      </p>
    </section>
  );
}

const looks: Record<PartState, { text: string; box: string; tone: string; mark: string }> = {
  stands: { text: '정상', box: 'border-line bg-surface', tone: 'text-accent', mark: 'M4.5 8.3 7 10.8l4.5-5' },
  down: {
    text: '응답 없음',
    box: 'border-danger bg-danger-wash',
    tone: 'text-danger',
    mark: 'M5.2 5.2l5.6 5.6m0-5.6-5.6 5.6',
  },
  unknown: {
    text: '알 수 없음',
    box: 'border-dashed border-line-strong bg-surface',
    tone: 'text-ink-soft',
    mark: 'M4.8 8h6.4',
  },
};

/** The state of each part between the broker and the screen; one line if all parts work. */
function PartsFlow({ parts }: { parts: HealthDetails['parts'] }) {
  const standing = partStates(parts);
  const isWell = readingPipeline.every(({ part }) => standing[part] === 'stands');
  return (
    <ol
      className={`flex ${isWell ? 'flex-wrap gap-y-1 rounded-lg border border-line bg-surface px-3 py-2 text-sm' : 'flex-col md:flex-row'}`}
      data-testid="parts"
    >
      {readingPipeline.map(({ part, name, role }, at) => (
        <li key={part} className={`flex ${isWell ? '' : 'flex-1 flex-col md:flex-row'}`}>
          {at > 0 && (
            <span
              aria-hidden
              className={`m-auto px-1 ${isWell ? '' : 'rotate-90 md:rotate-0'} ${looks[standing[part]].tone}`}
            >
              →
            </span>
          )}
          <div
            data-part={part}
            data-standing={standing[part]}
            className={isWell ? 'px-1' : `flex-1 rounded-lg border px-4 py-3 ${looks[standing[part]].box}`}
          >
            <p className="flex items-center gap-2 font-semibold">
              <Mark standing={standing[part]} />
              {name}
            </p>
            {!isWell && <p className="mt-0.5 text-sm text-ink-soft">{role}</p>}
            <p className={isWell ? 'sr-only' : `mt-1 text-sm font-semibold ${looks[standing[part]].tone}`}>
              {looks[standing[part]].text}
            </p>
          </div>
        </li>
      ))}
    </ol>
  );
}

function Mark({ standing }: { standing: PartState }) {
  return (
    <svg aria-hidden viewBox="0 0 16 16" className={`size-4 shrink-0 ${looks[standing].tone}`}>
      <circle cx="8" cy="8" r="8" fill="currentColor" />
      <path
        d={looks[standing].mark}
        fill="none"
        stroke="var(--surface)"
        strokeWidth="1.8"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
