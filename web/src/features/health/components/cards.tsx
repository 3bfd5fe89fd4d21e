import type { HealthDetails } from '#contract/health';
import { useId, type ReactNode } from 'react';
import { ageText } from '../../../lib/age-text.ts';
import { seoulDateTime } from '../../../lib/seoul-time.ts';
import { silenceShare, sizeText, taskWords } from '../words.ts';
import { Meter } from './meter.tsx';

/** Readings that wait a quarter of an hour are told of; so many fill the bar. */
const SPOOL_FULL = 5000;
/** What Cloudflare's free plan gives a database; the paid one gives twenty times as much. */
const DATABASE_FULL = 500_000_000;

type Card<Part extends keyof HealthDetails> = { [part in Part]: HealthDetails[part] } & { now: number };

/** `asOf`: when it was heard. What is late is judged by then: of the time since, nothing is known. */
type JudgedCard<Part extends keyof HealthDetails> = Card<Part> & { asOf: number };

function Frame({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="rounded-lg border border-line bg-surface px-5 py-4">
      <h2 id={id} className="font-semibold">
        {title}
      </h2>
      <div className="mt-3 space-y-4">{children}</div>
    </section>
  );
}

const None = ({ children }: { children: ReactNode }) => <p className="text-ink-soft">{children}</p>;

const count = new Intl.NumberFormat('ko');

export function BridgesCard({ bridges, now }: Card<'bridges'>) {
  return (
    <Frame title="브리지에 남은 측정값">
      {bridges.length === 0 && <None>등록된 브리지가 없습니다.</None>}
      {bridges.map(({ bridge, alive, reported_at, spool }) => {
        const heard = `${ageText(Date.parse(reported_at), now)} 보고`;
        const oldest = spool?.oldest_at ?? null;
        return (
          <Meter
            key={bridge}
            label={bridge}
            value={spool ? `${count.format(spool.depth)}건` : '알 수 없음'}
            share={alive ? (spool?.depth ?? 0) / SPOOL_FULL : 2}
            note={[
              alive ? heard : `연결 끊김, ${heard}`,
              oldest !== null && `가장 오래된 값 ${ageText(Date.parse(oldest), now)}`,
              spool && spool.dead > 0 && `해석하지 못한 값 ${count.format(spool.dead)}건`,
            ]
              .filter((phrase) => typeof phrase === 'string')
              .join(' · ')}
          />
        );
      })}
    </Frame>
  );
}

export function PlantsCard({ plants, now, asOf }: JudgedCard<'plants'>) {
  return (
    <Frame title="화분별 마지막 측정값">
      {plants.length === 0 && <None>아직 화분이 없습니다.</None>}
      {plants.map((plant) => {
        const { last_received_at, stale_after_minutes, board } = plant;
        const age = last_received_at === null ? '기록 없음' : ageText(Date.parse(last_received_at), now);
        return (
          <Meter
            key={plant.plant}
            label={plant.plant}
            value={board === 'offline' ? `${age} · 보드 꺼짐` : age}
            share={silenceShare(plant, asOf)}
            note={`기준 ${stale_after_minutes}분`}
          />
        );
      })}
    </Frame>
  );
}

export function StorageCard({ storage: { database, files, files_count } }: Pick<HealthDetails, 'storage'>) {
  return (
    <Frame title="저장 공간">
      <Meter
        label="데이터베이스 (D1)"
        value={sizeText(database)}
        share={database / DATABASE_FULL}
        note={'막대의 끝은 무료 요금제의 한도인 500\u00a0MB입니다. 유료 요금제는 10\u00a0GB입니다.'}
      />
      <p className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="font-semibold">사진과 영수증 (R2)</span>
        <span className="text-sm text-ink-soft tabular-nums">
          {count.format(files_count)}개 · {sizeText(files)}
        </span>
      </p>
    </Frame>
  );
}

const DAY_MS = 86_400_000;

export function BackupCard({ backup: { last, failed_at, alert_days }, now, asOf }: JudgedCard<'backup'>) {
  return (
    <Frame title="백업">
      {last === null ? (
        <None>
          아직 백업이 없습니다. 운영자가 <code>npm run backup</code>으로 만듭니다.
        </None>
      ) : (
        <Meter
          label="마지막 백업"
          value={ageText(Date.parse(last.at), now)}
          share={(asOf - Date.parse(last.at)) / (alert_days * DAY_MS)}
          note={`${seoulDateTime(Date.parse(last.at))} · 행 ${count.format(last.rows)}개, 파일 ${count.format(last.files)}개, ${sizeText(last.bytes)} · 기준 ${alert_days}일`}
        />
      )}
      {failed_at !== null && (
        <p className="font-semibold text-danger">
          {seoulDateTime(Date.parse(failed_at))}의 백업이 실패했습니다.
        </p>
      )}
    </Frame>
  );
}

export function TasksCard({ tasks, now }: Card<'tasks'>) {
  return (
    <Frame title="예약 작업">
      {tasks.length === 0 && <None>아직 실행된 작업이 없습니다.</None>}
      <ul className="space-y-3">
        {tasks.map(({ task, started_at, finished_at, ok }) => {
          const state = finished_at === null ? '실행 중' : ok === true ? '성공' : '실패';
          return (
            <li key={task} className="flex flex-wrap items-baseline justify-between gap-x-3">
              <span>
                <span className="font-semibold">{taskWords[task].name}</span>{' '}
                <span className="text-sm text-ink-soft">{taskWords[task].when}</span>
              </span>
              <span
                className={`text-sm tabular-nums ${state === '실패' ? 'font-semibold text-danger' : 'text-ink-soft'}`}
              >
                <time dateTime={started_at} title={seoulDateTime(Date.parse(started_at))}>
                  {ageText(Date.parse(started_at), now)}
                </time>{' '}
                · {state}
              </span>
            </li>
          );
        })}
      </ul>
    </Frame>
  );
}
