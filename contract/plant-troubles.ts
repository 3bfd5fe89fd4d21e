import type { FaultKind } from './moisture/faults.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from './time.ts';

/* What is wrong with a plant's sensor or with its board, in words: on the card and in messages alike. */

/** Why a sensor cannot be right. */
export const faultTexts: Record<FaultKind, string> = {
  rail: '값이 끝에 붙어 있습니다',
  loose: '값이 튑니다. 접촉이 나쁠 수 있습니다',
  out: '센서가 흙에서 빠져 있습니다',
  flat: '값이 전혀 변하지 않습니다',
};

/**
 * How far a board's clock is off, in the largest unit that it fills: `2시간 느립니다`.
 * @param off milliseconds that it is ahead, negative when it is behind
 */
export function clockText(off: number): string {
  const units = [
    ['일', DAY_MS],
    ['시간', HOUR_MS],
    ['분', MINUTE_MS],
  ] as const;
  const [unit, length] = units.find(([, each]) => Math.abs(off) >= each) ?? ['분', MINUTE_MS];
  const much = Math.round(Math.abs(off) / length).toLocaleString('ko');
  return `${much}${unit} ${off > 0 ? '빠릅니다' : '느립니다'}`;
}
