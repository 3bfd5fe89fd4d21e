import { DAY_MS } from '#contract/time';
import { taskNames, type TaskName } from '#contract/alert-list';
import { type BridgeDetails, type HealthDetails, byteSizeText } from '#contract/health';
import { cloudflarePlans } from '#contract/alert-limits';
import { useId, type ReactNode } from 'react';
import { ageText, seoulDateTime } from '../../../lib/seoul-time.ts';
import {
  throttledBoards,
  throttledText,
  quotaNotes,
  writtenRowsNote,
  taskSchedules,
  silenceShare,
  databaseSizeNote,
  spoolLabels,
  taskStateLabel,
  versionNote,
} from '../labels.ts';
import { BackupRequest } from '../bridges/backup-request.tsx';
import { OperatorText } from '../bridges/bridge-task.tsx';
import { Meter } from './meter.tsx';

/** With this many waiting readings the bar is full. An alert begins if a reading waits over 15 minutes. */
const SPOOL_FULL = 5000;
/** `Meter` draws a share above 1 as a full bar in the colour of a failure. */
const OVER = 2;

type Card<Part extends keyof HealthDetails> = { [part in Part]: HealthDetails[part] } & { now: number };

/** `asOf`: time of the server's answer. Delays are measured up to `asOf`, as nothing newer is known. */
type JudgedCard<Part extends keyof HealthDetails> = Card<Part> & { asOf: number };

function Frame({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className="mb-6 break-inside-avoid rounded-lg border border-line bg-surface px-5 py-4"
    >
      <h2 id={id} className="font-semibold">
        {title}
      </h2>
      <div className="mt-3 space-y-4">{children}</div>
    </section>
  );
}

/** Shown where the server could not determine the value. */
const NotKnown = () => <p className="text-ink-soft">불러오지 못했습니다.</p>;

const None = ({ children }: { children: ReactNode }) => <p className="text-ink-soft">{children}</p>;

const count = new Intl.NumberFormat('ko');

export function BridgesCard({ bridges, version, now }: Card<'bridges' | 'version'>) {
  return (
    <Frame title="브리지에서 대기 중인 측정값">
      {bridges === null && <NotKnown />}
      {bridges?.length === 0 && <None>등록된 브리지가 없습니다.</None>}
      {bridges?.map((bridge) => (
        <Bridge key={bridge.bridge} bridge={bridge} server={version} now={now} />
      ))}
    </Frame>
  );
}

function Bridge({ bridge, server, now }: { bridge: BridgeDetails; server: string; now: number }) {
  const { alive, reported_at, broker_connected, version, spool, over_quota } = bridge;
  const { certificate_until, disk_free } = bridge;
  if (reported_at === null)
    return <Meter label={bridge.bridge} value="알 수 없음" share={null} note="아직 보고한 적이 없습니다" />;
  const heard = `${ageText(Date.parse(reported_at), now)} 보고`;
  const depth = spool?.depth ?? null;
  const oldest = spool?.oldest_at ?? null;
  const failure = spool && spoolLabels[spool.state];
  const isBroken = alive && (failure !== null || broker_connected === false);
  // The share of a silent bridge is unknown, because the bridge's last report is outdated.
  const share = !alive || depth === null ? null : depth / SPOOL_FULL;
  return (
    <Meter
      label={bridge.bridge}
      value={depth === null ? '알 수 없음' : `${alive ? '' : '마지막 보고 '}${count.format(depth)}건`}
      share={isBroken ? OVER : share}
      note={[
        alive ? heard : `연결 끊김, ${heard}`,
        alive && broker_connected === false && '브로커에 연결하지 못함',
        failure,
        oldest !== null && `가장 오래된 값 ${ageText(Date.parse(oldest), now)}`,
        spool?.dead ? `처리하지 못한 메시지 ${count.format(spool.dead)}건` : null,
        ...quotaNotes(over_quota, alive),
        certificate_until !== null &&
          `브로커 인증서 ${seoulDateTime(Date.parse(certificate_until)).slice(0, 10)}까지`,
        disk_free !== null && `디스크 ${byteSizeText(disk_free)} 남음`,
        version !== null && versionNote(version, server),
      ]
        .filter((phrase) => typeof phrase === 'string')
        .join(' · ')}
    />
  );
}

export function PlantsCard({ plants, bridges, now, asOf }: JudgedCard<'plants' | 'bridges'>) {
  const held = throttledBoards(bridges);
  return (
    <Frame title="화분별 마지막 측정값">
      {plants === null && <NotKnown />}
      {plants?.length === 0 && <None>아직 화분이 없습니다.</None>}
      {plants?.map((plant) => {
        const { last_received_at, stale_after_minutes, board } = plant;
        const age = last_received_at === null ? '기록 없음' : ageText(Date.parse(last_received_at), now);
        const over = held.get(plant.plant);
        const offline = board === 'offline' ? `${age} · 보드 꺼짐` : age;
        return (
          <Meter
            key={plant.plant}
            label={plant.plant}
            value={over ? `한도 초과 · 마지막 저장 ${age}` : offline}
            share={over ? OVER : silenceShare(plant, asOf)}
            isDanger={false}
            note={over ? throttledText(over) : `${stale_after_minutes}분 넘게 오지 않으면 알림`}
          />
        );
      })}
    </Frame>
  );
}

export function StorageCard({ storage, usage }: Pick<HealthDetails, 'storage' | 'usage'>) {
  const limits = usage && cloudflarePlans[usage.plan];
  return (
    <Frame title="저장 공간">
      {storage === null ? (
        <NotKnown />
      ) : (
        <>
          <Used
            label="데이터베이스 (D1)"
            value={byteSizeText(storage.database)}
            used={storage.database}
            limit={limits?.size ?? null}
            note={usage ? databaseSizeNote(usage.plan, usage.full_in_days) : undefined}
          />
          <Used
            label="화분 데이터베이스 (D1)"
            value={storage.plants === null ? '알 수 없음' : byteSizeText(storage.plants)}
            used={storage.plants ?? 0}
            limit={storage.plants === null ? null : (limits?.size ?? null)}
            note={usage ? databaseSizeNote(usage.plan, usage.plants_full_in_days) : undefined}
          />
          {usage && usage.rows_today !== null && (
            <Used
              label="오늘 측정값으로 쓴 행 (D1)"
              value={`약 ${count.format(Math.round(usage.rows_today))}행`}
              used={usage.rows_today}
              limit={limits?.rows ?? null}
              note={writtenRowsNote(usage)}
            />
          )}
          <Used
            label="사진과 영수증 (R2)"
            value={`${count.format(storage.files_count)}개 · ${byteSizeText(storage.files)}`}
            used={storage.files}
            limit={null}
          />
        </>
      )}
    </Frame>
  );
}

type UsedProps = {
  label: string;
  value: string;
  used: number;
  /** Null if there is no limit. Then no bar is drawn, because an empty bar would mean an unknown value. */
  limit: number | null;
  note?: string | undefined;
};

function Used({ label, value, used, limit, note }: UsedProps) {
  if (limit !== null) return <Meter label={label} value={value} share={used / limit} note={note} />;
  return (
    <p className="flex flex-wrap items-baseline justify-between gap-x-3">
      <span className="font-semibold">{label}</span>
      <span className="text-sm text-ink-soft tabular-nums">{value}</span>
    </p>
  );
}

const contentText = ({ rows, files }: { rows: number; files: number }) =>
  `행 ${count.format(rows)}개, 파일 ${count.format(files)}개`;

export function BackupCard({ backup, now, asOf }: JudgedCard<'backup'>) {
  return (
    <Frame title="백업">
      {backup === null && <NotKnown />}
      {backup?.last === null && <None>아직 백업이 없습니다.</None>}
      {backup?.last && (
        <Meter
          label="마지막 백업"
          value={ageText(Date.parse(backup.last.at), now)}
          share={(asOf - Date.parse(backup.last.at)) / (backup.alert_days * DAY_MS)}
          note={`${seoulDateTime(Date.parse(backup.last.at))} · ${contentText(backup.last)}, 압축을 풀면 ${byteSizeText(backup.last.bytes)}${backup.before ? ` (그 전에는 ${contentText(backup.before)})` : ''} · ${backup.alert_days}일이 지나면 알림`}
        />
      )}
      {typeof backup?.failed_at === 'string' && (
        <p className="font-semibold text-danger">
          {seoulDateTime(Date.parse(backup.failed_at))}의 백업이 실패했습니다.
        </p>
      )}
      <BackupRequest />
      {backup && <Drill drill={backup.drill} now={now} />}
    </Frame>
  );
}

function Drill({ drill, now }: { drill: NonNullable<HealthDetails['backup']>['drill']; now: number }) {
  const restored = drill?.restored;
  return (
    <div className="space-y-0.5">
      <p className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="font-semibold">마지막 복구 연습</span>
        <span
          className={`text-sm tabular-nums ${drill && !restored ? 'font-semibold text-danger' : 'text-ink-soft'}`}
        >
          {drill && <When at={drill.at} now={now} />}
          {drill ? (restored ? '성공' : '실패') : '기록 없음'}
        </span>
      </p>
      <OperatorText
        text={
          restored
            ? `${seoulDateTime(Date.parse(restored.made_at))}의 백업에서 행 ${count.format(restored.rows)}개와 파일 ${count.format(restored.files)}개를 되살렸습니다.`
            : '학기마다 한 번 복구 연습을 권합니다. 운영자의 컴퓨터에서 입력합니다: `npm run backup -- drill`'
        }
      />
    </div>
  );
}

/** How long ago something happened, followed by its result. */
function When({ at, now }: { at: string; now: number }) {
  return (
    <>
      <time dateTime={at} title={seoulDateTime(Date.parse(at))}>
        {ageText(Date.parse(at), now)}
      </time>{' '}
      ·{' '}
    </>
  );
}

const TASKS: TaskName[] = ['watch', 'retention'];

export function TasksCard({ tasks, now, asOf }: JudgedCard<'tasks'>) {
  return (
    <Frame title="예약 작업">
      {tasks === null ? (
        <NotKnown />
      ) : (
        <ul className="space-y-3">
          {TASKS.map((task) => {
            const { when, dueMs } = taskSchedules[task];
            const run = tasks.find((one) => one.task === task);
            const { text, isWell } = taskStateLabel(run, dueMs, asOf);
            return (
              <li key={task} className="flex flex-wrap items-baseline justify-between gap-x-3">
                <span>
                  <span className="font-semibold">{taskNames[task]}</span>{' '}
                  <span className="text-sm text-ink-soft">{when}</span>
                </span>
                <span
                  className={`text-sm tabular-nums ${run && !isWell ? 'font-semibold text-notice' : 'text-ink-soft'}`}
                >
                  {run && <When at={run.started_at} now={now} />}
                  {text}
                </span>
              </li>
            );
          })}
        </ul>
      )}
    </Frame>
  );
}
