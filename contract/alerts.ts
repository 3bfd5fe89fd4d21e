import { PLANTS_MAX } from './plants.ts';
import { SPOOL_FAILURES, type SpoolFailure } from './readings.ts';

/** Everything that raises an alert. */
export type AlertKind =
  | 'dry'
  | 'board'
  | 'quota'
  | 'plants'
  | 'bridge'
  | 'broker'
  | 'spool'
  | 'spool_unknown'
  | `spool_${SpoolFailure}`
  | 'backup'
  | 'task'
  | 'watch';

/** `name` is the plant (of `PLANT_ALERTS`), bridge or task, or what the watch itself could not do; empty for the backup and `plants`. */
export type AlertKey = { kind: AlertKind; name: string };

/** What the watch checks, each independently, and the database work it does besides. */
export type WatchPart = 'boards' | 'bridges' | 'backups' | 'tasks' | 'alerts' | 'saving' | 'database';

export const taskNames = { watch: '상태 점검', retention: '보관 기한 정리' };
export type TaskName = keyof typeof taskNames;

const unseen: Record<WatchPart, string> = {
  boards: '화분의 상태를 읽지 못합니다',
  bridges: '브리지의 상태를 읽지 못합니다',
  backups: '백업 기록을 읽지 못합니다',
  tasks: '예약 작업의 기록을 읽지 못합니다',
  alerts: '이전 알림을 읽지 못합니다',
  saving: '데이터베이스에 저장하지 못합니다',
  database: '데이터베이스가 응답하지 않습니다',
};

const texts: Record<AlertKind, (name: string) => string> = {
  dry: (name) => `화분 ${name}: 물이 부족합니다`,
  board: (name) => `화분 ${name}: 측정값이 오지 않습니다`,
  quota: (name) => `화분 ${name}: 정해진 양보다 많은 측정값을 보내고 있습니다`,
  plants: () =>
    `화분: ${PLANTS_MAX.toLocaleString('ko')}개로 한도에 이르러 새 이름의 측정값을 저장하지 않습니다`,
  bridge: (name) => `브리지 ${name}: 연결이 끊겼습니다`,
  broker: (name) => `브리지 ${name}: MQTT 브로커에 연결하지 못하고 있습니다`,
  spool: (name) => `브리지 ${name}: 보내지 못한 측정값이 쌓이고 있습니다`,
  spool_unknown: (name) => `브리지 ${name}: 저장 상태를 알 수 없습니다`,
  spool_full: (name) => `브리지 ${name}: 디스크가 가득 차 측정값을 받지 못합니다`,
  spool_readonly: (name) => `브리지 ${name}: 디스크가 읽기 전용이라 측정값을 받지 못합니다`,
  spool_corrupt: (name) => `브리지 ${name}: 보관 파일이 손상되었습니다`,
  spool_failed: (name) => `브리지 ${name}: 보관 파일에 저장하지 못합니다`,
  backup: () => '백업: 실패했거나 기한이 지났습니다',
  task: (name) => `예약 작업 ${textOf(taskNames, name)}: 실패했습니다`,
  watch: (name) => `상태 점검: ${textOf(unseen, name)}`,
};

const textOf = (words: Record<string, string>, name: string) => words[name] ?? name;

/** The problem in words; the bare name for a kind that a newer version added. */
export function troubleText({ kind, name }: { kind: string; name: string }): string {
  const text = Object.entries(texts).find(([known]) => known === kind)?.[1];
  return text ? text(name) : `${kind} ${name}`;
}

/** Alerts about one plant; all others are about the line from the bridge to the database. */
export const PLANT_ALERTS: readonly AlertKind[] = ['dry', 'board', 'quota'];

/** Those of them that end when the plant is hidden or removed. */
export const WATCHED_ALERTS: readonly AlertKind[] = ['dry', 'board'];

export const BRIDGE_ALERTS: readonly AlertKind[] = [
  'bridge',
  'broker',
  'spool',
  'spool_unknown',
  'quota',
  ...SPOOL_FAILURES.map((failure) => `spool_${failure}` as const),
];
