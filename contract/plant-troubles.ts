import type { FaultKind } from './moisture/faults.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from './time.ts';

/* Texts about a faulty sensor or board, for the plant's card and for messages. */

/** Why a sensor's readings must be wrong. */
export const faultTexts: Record<FaultKind, string> = {
  rail: '값이 한계에서 변하지 않습니다',
  loose: '값이 튑니다. 접촉이 나쁠 수 있습니다',
  out: '센서가 흙에서 빠져 있습니다',
  flat: '값이 전혀 변하지 않습니다',
};

/**
 * How far a board's clock is off, in the largest unit that is not 0: `2시간 느립니다`.
 * @param off milliseconds by which the clock is ahead, negative if it is behind
 */
export function clockSkewText(off: number): string {
  const units = [
    ['일', DAY_MS],
    ['시간', HOUR_MS],
    ['분', MINUTE_MS],
  ] as const;
  const [unit, length] = units.find(([, each]) => Math.abs(off) >= each) ?? ['분', MINUTE_MS];
  const much = Math.round(Math.abs(off) / length).toLocaleString('ko');
  return `${much}${unit} ${off > 0 ? '빠릅니다' : '느립니다'}`;
}
