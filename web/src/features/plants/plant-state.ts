import { MINUTE_MS } from '#contract/time';
import type { PlantState } from '#contract/plants';
import { newestOf, type History } from './history.ts';

export type Contact = 'offline' | 'silent' | 'stale' | 'online' | 'heard';

/**
 * State of a plant's board: offline if its last will says so, otherwise judged by the age of its last reading. `heard`
 * is a board that never reported its availability.
 */
export function contactOf(state: PlantState, now: number): Contact {
  if (state.board === 'offline') return 'offline';
  const newest = newestOf(state);
  if (!newest) return 'silent';
  if (now - newest.time > state.stale_after_minutes * MINUTE_MS) return 'stale';
  return state.board === 'online' ? 'online' : 'heard';
}

/** When a plant needs water, rounded as people say it: hours up to a day, half days up to three, then whole days. */
export function forecastText(days: number | null): string | undefined {
  if (days === null) return undefined;
  if (days === 0) return '지금 물이 필요합니다';
  const hours = Math.round(days * 24);
  if (hours < 1) return '곧 물이 필요합니다';
  if (hours < 24) return `약 ${hours}시간 뒤 물이 필요합니다`;
  const rounded = days < 3 ? Math.round(days * 2) / 2 : Math.round(days);
  return `약 ${rounded}일 뒤 물이 필요합니다`;
}

/**
 * Each plant's number, which determines its colour, by name. A history may hold plants that are hidden or called
 * otherwise by now, so it counts only while the states are unknown.
 */
export function plantNumbers(
  states: readonly PlantState[] | undefined,
  history: History | undefined,
): ReadonlyMap<string, number> {
  const names = states?.map(({ plant }) => plant) ?? [...(history?.keys() ?? [])];
  return new Map(
    names.sort((a, b) => a.localeCompare(b, 'ko', { numeric: true })).map((name, number) => [name, number]),
  );
}
