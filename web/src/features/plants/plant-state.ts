import { moisturePercent, type Calibration } from '#contract/moisture/percent';
import { HOUR_MS, MINUTE_MS } from '#contract/time';
import type { PlantState } from '#contract/plants';
import { seoulDateTime } from '../../lib/seoul-time.ts';
import { newestReadingOf, type History } from './history.ts';

export type BoardContact = 'offline' | 'silent' | 'stale' | 'online' | 'heard';

/**
 * Judges the contact with a plant's board: `offline` if its MQTT last will says so, otherwise by the time of
 * the last received reading. `heard`: readings arrive, but the board has never reported its availability.
 */
export function contactOf(state: PlantState, now: number): BoardContact {
  if (state.board === 'offline') return 'offline';
  const heardAt = lastHeardAt(state);
  if (heardAt === undefined) return 'silent';
  if (now - heardAt > state.silent_after_minutes * MINUTE_MS) return 'stale';
  return state.board === 'online' ? 'online' : 'heard';
}

/** The time when a reading was last received, or, if unknown, the time of the reading. */
export function lastHeardAt(state: PlantState): number | undefined {
  return state.last_received_at === null ? newestReadingOf(state)?.time : Date.parse(state.last_received_at);
}

/** A reading's percent without the plant's calibration, as text; undefined without a calibration. */
export const uncalibratedText = (raw: number, calibration: Calibration | undefined): string | undefined =>
  calibration && `보정 전 ${moisturePercent(raw).toFixed(1)}%`;

/** When a plant needs water: `3–5일 뒤 물이 필요합니다`. @param forecast in days */
export function forecastText(forecast: PlantState['forecast']): string {
  if (!forecast) return '물이 필요한 시점은 아직 알 수 없습니다';
  const { low, high } = forecast;
  if (high === null) return `앞으로 ${endText(low).join('')}은 물이 필요하지 않습니다`;
  const [[first, unit], [last, lastUnit]] = [endText(low), endText(high)];
  if (unit !== lastUnit) return `${first}${unit}–${last}${lastUnit} 뒤 물이 필요합니다`;
  return `${first === last ? `약 ${first}` : `${first}–${last}`}${unit} 뒤 물이 필요합니다`;
}

/** The time of the last dry reading before a watering, and of the first wet reading if over an hour later. */
export function wateredText(from: number, until: number): string {
  const [first, last] = [from, until].map((time) => seoulDateTime(time).slice(0, 16));
  return until - from > HOUR_MS ? `${first}에서 ${last} 사이` : `${first}`;
}

/** A duration in hours if it is below one day, otherwise in whole days. */
function endText(days: number): [number: number, unit: string] {
  const hours = Math.max(1, Math.round(days * 24));
  return hours < 24 ? [hours, '시간'] : [Math.round(days), '일'];
}

/**
 * Each plant's number, which determines its colour. The number is the count of older plants, so that a new
 * plant changes no colour. The history, which may contain hidden or renamed plants, is used only while the
 * states are unknown.
 * @param states oldest plant first
 */
export function plantNumbers(
  states: readonly PlantState[] | undefined,
  history: History | undefined,
): ReadonlyMap<string, number> {
  const names = states?.map(({ plant }) => plant) ?? [...(history?.keys() ?? [])];
  const numbers = names.map((name, number): [string, number] => [name, number]);
  return new Map(numbers.sort(([a], [b]) => a.localeCompare(b, 'ko', { numeric: true })));
}
