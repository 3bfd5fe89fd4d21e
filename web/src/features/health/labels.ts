import { HOUR_MS, MINUTE_MS } from '#contract/time';
import { type AlertKind, alertFirstStep, taskFailureText } from '#contract/alerts';
import type { BoardOverQuota, SpoolState } from '#contract/readings';
import { isOlderVersion } from '#contract/release';
import type { TaskName } from '#contract/alert-list';
import { cloudflarePlans, type CloudflarePlan } from '#contract/alert-limits';
import {
  type HealthDetails,
  WATCH_RUN_VALID_MS,
  type PlantDetails,
  byteSizeText,
  type TaskDetails,
  type ActiveAlert,
  type PlanUsageDetails,
} from '#contract/health';
import { deliveryFailureText, type Receiver, type ReceiverKind } from '#contract/receivers';
import { ageText, seoulDateTime } from '../../lib/seoul-time.ts';

/** When each task runs. If `dueMs` have passed since the last run began, the next run is overdue. */
export const taskSchedules: Record<TaskName, { when: string; dueMs: number }> = {
  watch: { when: '5분마다', dueMs: WATCH_RUN_VALID_MS },
  retention: { when: '매일 03:17', dueMs: 26 * HOUR_MS },
  rollups: { when: '5분마다', dueMs: WATCH_RUN_VALID_MS },
};

export const spoolLabels: Record<SpoolState, string | null> = {
  ok: null,
  full: '디스크가 가득 참',
  readonly: '디스크가 읽기 전용',
  corrupt: '보관 파일 손상',
  failed: '보관 파일에 저장하지 못함',
};

export const versionNote = (version: string, server: string) =>
  isOlderVersion(version, server)
    ? `버전 ${version} (서버 ${server}보다 오래됨, 업그레이드 필요)`
    : `버전 ${version}`;

const count = new Intl.NumberFormat('ko');

/**
 * Returns notes about boards that exceed their quota, so that the bridge holds back their readings.
 * @param boards null if it is unknown which boards exceed their quota
 * @param isAlive false for a silent bridge; then null adds no note
 */
export function quotaNotes(boards: readonly BoardOverQuota[] | null, isAlive: boolean): string[] {
  if (boards === null) return isAlive ? ['화분별 한도를 넘었는지 알 수 없음'] : [];
  return boards.map((board) => `${board.plant}: ${throttledText(board)}`);
}

/** The boards whose readings a live bridge holds back, by the plant's name. */
export function throttledBoards(bridges: HealthDetails['bridges']): Map<string, BoardOverQuota> {
  const boards = (bridges ?? []).flatMap(({ alive, over_quota }) => (alive ? (over_quota ?? []) : []));
  return new Map(boards.map((board) => [board.plant, board]));
}

/** The note under a plant that exceeds its quota. */
export const throttledText = ({ waiting, refused }: BoardOverQuota) =>
  `한도를 넘어 ${count.format(waiting)}건 대기${refused > 0 ? `, ${count.format(refused)}건 거절` : ''}`;

const planNames: Record<Exclude<CloudflarePlan, 'none'>, string> = {
  free: '무료 요금제',
  paid: '유료 요금제',
};

/**
 * The note under a database's size: its limit, and when it will be full.
 * @param days until it is full; null if unknown
 */
export function databaseSizeNote(plan: CloudflarePlan, days: number | null): string | undefined {
  if (plan === 'none') return undefined;
  const limit = `${planNames[plan]}의 한도 ${byteSizeText(cloudflarePlans[plan].size)}`;
  return days === null ? limit : `${limit} · 이대로면 ${count.format(Math.ceil(days))}일 뒤 가득 찹니다`;
}

/** The note under the number of rows written today. */
export function writtenRowsNote({ plan, rows_end_at: end }: PlanUsageDetails): string | undefined {
  const limit = cloudflarePlans[plan].rows;
  if (plan === 'none' || limit === null) return undefined;
  const ends = end === null ? [] : [`이대로면 ${seoulDateTime(Date.parse(end)).slice(11, 16)}에 소진됩니다`];
  return [`${planNames[plan]}는 하루 ${count.format(limit)}행, 09:00에 다시 시작`, ...ends].join(' · ');
}

/** The state of a task; `run` is undefined if the task never ran. @param now milliseconds since 1970 */
export function taskStateLabel(
  run: TaskDetails | undefined,
  dueMs: number,
  now: number,
): { text: string; isKnown: boolean; isWell: boolean } {
  if (run === undefined) return { text: '아직 실행되지 않음', isKnown: false, isWell: false };
  const isLate = now - Date.parse(run.started_at) > dueMs;
  if (isLate) return { text: '제때 실행되지 않음', isKnown: false, isWell: false };
  if (run.finished_at === null) return { text: '실행 중', isKnown: run.ok !== null, isWell: run.ok === true };
  const why = run.failure === null ? '로그에 자세히 남았습니다' : taskFailureText(run.failure);
  return { text: run.ok === true ? '성공' : `실패: ${why}`, isKnown: true, isWell: run.ok === true };
}

/**
 * Says why the state is uncertain although no problem is known; null if everything certainly works.
 * @param now milliseconds since 1970
 */
export function healthUnknownReason(health: HealthDetails, now: number): string | null {
  const { tasks, alerts, bridges, plants, storage, usage, backup } = health;
  if ([tasks, alerts, bridges, plants, storage, usage, backup].includes(null) || storage?.plants === null)
    return '일부 상태를 불러오지 못했습니다.';
  const look = tasks?.find(({ task }) => task === 'watch');
  const { isKnown, isWell } = taskStateLabel(look, WATCH_RUN_VALID_MS, now);
  if (look === undefined || look.ok === null)
    return '아직 확인하지 않았습니다. 상태 점검은 5분마다 실행됩니다.';
  if (!isKnown)
    return `마지막 상태 점검은 ${ageText(Date.parse(look.started_at), now)}입니다. 지금 상태는 알 수 없습니다.`;
  return isWell ? null : '마지막 상태 점검이 끝까지 확인하지 못했습니다.';
}

/**
 * The time since a plant's last reading, as a share of the allowed time; null without a reading.
 * @param now milliseconds since 1970
 */
export function silenceShare(
  { last_received_at, stale_after_minutes }: PlantDetails,
  now: number,
): number | null {
  if (last_received_at === null) return null;
  return Math.max(0, (now - Date.parse(last_received_at)) / (stale_after_minutes * MINUTE_MS));
}

/**
 * Lists all alerts, and also the plants that are silent for too long or exceed their quota but have no alert
 * yet, because the watch has not run since. A plant over its quota is not reported as silent.
 * @param now milliseconds since 1970
 */
export function listActiveAlerts({ alerts, plants, bridges }: HealthDetails, now: number): ActiveAlert[] {
  const told = new Set(alerts?.map(({ kind, name }) => `${kind}:${name}`));
  const held = throttledBoards(bridges);
  const silent = (plants ?? [])
    .filter((plant) => (silenceShare(plant, now) ?? 0) > 1 && !held.has(plant.plant))
    .map(({ plant, last_received_at }): ActiveAlert => ({
      kind: 'board',
      name: plant,
      since: last_received_at ?? '',
      detail: null,
    }));
  const over = (bridges ?? [])
    .filter(({ alive }) => alive)
    .flatMap(({ over_quota, reported_at }) =>
      (over_quota ?? []).map(({ plant }): ActiveAlert => ({
        kind: 'quota',
        name: plant,
        since: reported_at ?? '',
        detail: null,
      })),
    );
  const untold = new Map(
    [...silent, ...over]
      .map((trouble) => [`${trouble.kind}:${trouble.name}`, trouble] as const)
      .filter(([key]) => !told.has(key)),
  );
  // The server wrongly reports a board as silent while the bridge holds back the board's readings.
  const isWrong = ({ kind, name }: ActiveAlert) => kind === 'board' && held.has(name);
  return [...(alerts ?? []).filter((alert) => !isWrong(alert)), ...untold.values()];
}

type Part = keyof HealthDetails['parts'];

/** The parts that a reading passes, in order. `alert` is raised if the part does not answer for some time. */
export const readingPipeline: readonly { part: Part; name: string; role: string; alert?: AlertKind }[] = [
  { part: 'broker', name: 'MQTT 브로커', role: '보드가 보낸 측정값을 받습니다', alert: 'broker' },
  { part: 'bridge', name: '브리지', role: '보관했다가 서버로 보냅니다', alert: 'bridge' },
  { part: 'ingest', name: '수집 서버', role: '서명을 확인하고 저장합니다' },
  { part: 'plants', name: '화분 데이터베이스', role: '측정값을 보관합니다' },
  { part: 'api', name: 'API와 데이터베이스', role: '화면에 데이터를 제공합니다' },
];

export type PartState = 'stands' | 'down' | 'unknown';

/** Returns each part's state. The plants' database holds the bridge's state; the bridge reports the broker. */
export function partStates({
  api,
  plants,
  ingest,
  bridge,
  broker,
}: HealthDetails['parts']): Record<Part, PartState> {
  const asTold = (stands: boolean) => (stands ? 'stands' : 'down');
  return {
    api: asTold(api),
    plants: asTold(plants),
    ingest: asTold(ingest),
    bridge: plants ? asTold(bridge) : 'unknown',
    broker: plants && bridge ? asTold(broker) : 'unknown',
  };
}

/** Finds parts that do not answer and have no alert yet; `step` is what to do first, if this is known. */
export function partsDownWithoutAlert(
  parts: HealthDetails['parts'],
  found: readonly ActiveAlert[],
): { part: Part; text: string; step: string | undefined }[] {
  const standing = partStates(parts);
  return readingPipeline
    .filter(({ part, alert }) => standing[part] === 'down' && !found.some(({ kind }) => kind === alert))
    .map(({ part, name, alert }) => ({
      part,
      text: `${name}: 응답이 없습니다`,
      step: alert && alertFirstStep(alert),
    }));
}

/** How to get the address of each kind of receiver. */
export const receiverAddressHints: Record<ReceiverKind, string> = {
  slack: 'Slack 앱의 Incoming Webhooks에서 만든 주소입니다. Google Chat과 Mattermost의 주소도 됩니다.',
  discord: 'Discord의 채널 편집 → 연동 → 웹후크에서 복사한 주소입니다.',
  jandi: 'JANDI 토픽의 커넥트 → Incoming Webhook에서 만든 주소입니다.',
  telegram: 'https://api.telegram.org/bot토큰/sendMessage?chat_id=대화방 번호',
  json: '{"text": "…", "news": […]}를 POST로 받는 https 주소입니다.',
  mail: '받는 사람의 메일 주소입니다.',
};

/** The alerts that a receiver gets: `모든 화분 · 시스템`. A removed plant stays listed, as it may return. */
export function scopeText({ plants, absent, line }: Pick<Receiver, 'plants' | 'absent' | 'line'>): string {
  const named =
    plants === null ? '모든 화분' : [...plants, ...absent.map((topic) => `${topic}(삭제한 화분)`)].join(', ');
  return [named, line ? '시스템' : ''].filter((part) => part !== '').join(' · ') || '선택한 화분이 없음';
}

export const quietHoursText = ({ from, to }: NonNullable<Receiver['quiet']>) =>
  `${from}–${to}에는 모아 두었다가 알림`;

/** The state of a receiver in words. @param now milliseconds since 1970 */
export function receiverState(receiver: Receiver, now: number): { text: string; isBad: boolean } {
  const { failure, waiting, dropped, next_at, told_at, quiet } = receiver;
  const why = failure === null ? '' : deliveryFailureText(failure);
  if (failure !== null && waiting > 0) {
    const next = next_at === null ? '' : `, ${seoulDateTime(Date.parse(next_at)).slice(11, 16)}에 다시 시도`;
    return { text: `${why} · ${waiting}건 대기${next}`, isBad: true };
  }
  if (dropped > 0) {
    return {
      text: `${dropped}건을 알리지 못했습니다: ${why}. 시험 알림이 도착하면 남은 알림을 다시 보냅니다`,
      isBad: true,
    };
  }
  if (waiting > 0) {
    return { text: `${waiting}건을 ${quiet === null ? '곧' : '방해 금지 시간 뒤에'} 알립니다`, isBad: false };
  }
  return {
    text: told_at === null ? '발송한 알림이 없습니다' : `마지막 알림 ${ageText(Date.parse(told_at), now)}`,
    isBad: false,
  };
}
