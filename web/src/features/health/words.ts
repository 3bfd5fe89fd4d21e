import type { HealthDetails } from '#contract/health';

type Trouble = HealthDetails['alerts'][number];

/** What is wrong, in words. */
export function troubleText({ kind, name }: Pick<Trouble, 'kind' | 'name'>): string {
  const texts: Record<Trouble['kind'], string> = {
    board: `화분 ${name}: 측정값이 오지 않습니다`,
    bridge: `브리지 ${name}: 소식이 끊겼습니다`,
    spool: `브리지 ${name}: 보내지 못한 측정값이 쌓이고 있습니다`,
    backup: '백업이 실패했거나 기한이 지났습니다',
  };
  return texts[kind];
}

export const taskWords: Record<HealthDetails['tasks'][number]['task'], { name: string; when: string }> = {
  watch: { name: '상태 점검', when: '5분마다' },
  retention: { name: '보관 기한 정리', when: '매일 03:17' },
};

const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'];

/** `12.3 MB`, in powers of a thousand. */
export function sizeText(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(bytes, 1)) / 3)));
  const value = bytes / 1000 ** power;
  return `${power === 0 ? value : value.toFixed(1)} ${UNITS[power]}`;
}

const MINUTE_MS = 60_000;

/**
 * How much of a plant's silence is used up: 0 just heard, 1 at its limit. Null for one that was never heard.
 * @param now milliseconds since 1970
 */
export function silenceShare(
  { last_received_at, stale_after_minutes }: HealthDetails['plants'][number],
  now: number,
): number | null {
  if (last_received_at === null) return null;
  return Math.max(0, (now - Date.parse(last_received_at)) / (stale_after_minutes * MINUTE_MS));
}

/**
 * What needs a look: everything that was told of, and plants that have been silent too long since the watch last
 * looked.
 * @param now milliseconds since 1970
 */
export function troubles({ alerts, plants }: HealthDetails, now: number): Trouble[] {
  const told = new Set(alerts.filter(({ kind }) => kind === 'board').map(({ name }) => name));
  const silent = plants.filter((plant) => !told.has(plant.plant) && (silenceShare(plant, now) ?? 0) > 1);
  return [
    ...alerts,
    ...silent.map(({ plant, last_received_at }) => ({
      kind: 'board' as const,
      name: plant,
      since: last_received_at ?? '',
    })),
  ];
}

/** Names of the parts that are down. */
export function partsDown(parts: HealthDetails['parts']): (keyof HealthDetails['parts'])[] {
  return (['broker', 'bridge', 'ingest', 'api'] as const).filter((part) => !parts[part]);
}
