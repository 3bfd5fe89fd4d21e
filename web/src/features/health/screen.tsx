import { firstStep, troubleText } from '#contract/alerts';
import type { HealthDetails } from '#contract/health';
import { useQuery } from '@tanstack/react-query';
import { ManagementPage } from '../../components/layout/management-page.tsx';
import { FailedPart, LoadingPart } from '../../components/part-state.tsx';
import { sinceText } from '../../lib/seoul-time.ts';
import { useNow } from '../../lib/server-time.ts';
import { BackupCard, BridgesCard, PlantsCard, StorageCard, TasksCard } from './components/cards.tsx';
import { PartsFlow } from './components/parts-flow.tsx';
import { healthQuery } from './queries.ts';
import { ReceiversPart } from './receivers/receivers-part.tsx';
import { troubles, untoldParts, whyUnknown } from './labels.ts';

/** State of the product itself, for admins. Refreshed every ten seconds. */
export function HealthScreen() {
  const health = useQuery(healthQuery);
  const { data } = health;
  // Both by the server's clock: this device's may be hours off.
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
          <div className="grid items-start gap-6 lg:grid-cols-2">
            <PlantsCard plants={data.plants} bridges={data.bridges} now={now} asOf={asOf} />
            <div className="space-y-6">
              <BridgesCard bridges={data.bridges} version={data.version} now={now} />
              <StorageCard storage={data.storage} usage={data.usage} />
              <BackupCard backup={data.backup} now={now} asOf={asOf} />
              <TasksCard tasks={data.tasks} now={now} asOf={asOf} />
            </div>
          </div>
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
  trouble: 'bg-danger-wash text-danger',
};

function Summary({ health, now, asOf }: SummaryProps) {
  const found = troubles(health, asOf);
  const untold = untoldParts(health.parts, found);
  const unknown = whyUnknown(health, asOf);
  const count = untold.length + found.length;
  const state = count > 0 ? 'trouble' : unknown === null ? 'well' : 'unknown';
  return (
    <section aria-label="요약" data-state={state} className={`rounded-lg px-5 py-4 ${tones[state]}`}>
      <output className="block font-semibold">
        {state === 'trouble' && `확인이 필요한 항목이 ${count}건 있습니다.`}
        {state === 'unknown' && unknown}
        {state === 'well' && '모두 정상입니다.'}
      </output>
      {state === 'trouble' && unknown !== null && <p className="mt-1 text-ink">{unknown}</p>}
      {count > 0 && (
        <ul className="mt-2 list-disc space-y-1 pl-5 text-ink">
          {untold.map(({ part, text, step }) => (
            <li key={part}>
              {text}
              {step && <p className="text-sm text-ink-soft">{step}</p>}
            </li>
          ))}
          {found.map((trouble) => (
            <li key={`${trouble.kind}:${trouble.name}`}>
              {troubleText(trouble)}
              {trouble.detail !== null && ` (${trouble.detail})`}{' '}
              <span className="text-sm whitespace-nowrap text-ink-soft">
                {sinceText(Date.parse(trouble.since), now)}
              </span>
              <p className="text-sm text-ink-soft">{firstStep(trouble.kind)}</p>
            </li>
          ))}
        </ul>
      )}
      <p className="mt-2 text-sm text-ink-soft">
        {health.heartbeat ? (
          '점검이 끝날 때마다 외부 감시 서비스에 신호를 보냅니다.'
        ) : (
          <>
            외부 감시 주소(<code>HEARTBEAT_URL</code>)가 정해지지 않아, 점검이 멈춰도 알림이 오지 않습니다.
          </>
        )}
      </p>
    </section>
  );
}
