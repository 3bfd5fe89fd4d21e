import { DAY_MS } from '#contract/time';
import type { BoardWithDeadLetters } from '#contract/readings';
import { byteSizeText } from '#contract/health';
import { printable } from '#contract/printable-text';

/* Details of alerts in words, in Korean. */

const count = new Intl.NumberFormat('ko');
const seoulDay = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Seoul', dateStyle: 'short' });

export const deadLettersText = (messages: number, boards: readonly BoardWithDeadLetters[]) =>
  [
    `모두 ${count.format(messages)}건`,
    // The plant's name is not validated: an invalid name is often the reason for dead letters.
    ...boards.map(({ plant, messages: own }) => `${printable(plant)} ${count.format(own)}건`),
  ].join(', ');

export function certificateText(until: number, now: number): string {
  const day = seoulDay.format(until).replaceAll('-', '.');
  const days = Math.ceil((until - now) / DAY_MS);
  return days > 0 ? `${day}까지 ${days}일 남음` : `${day}에 만료됨`;
}

export const diskText = (free: number) => `남은 공간 ${byteSizeText(free)}`;

/** @param left days until it is full at the present rate; null if unknown */
export function databaseText(size: number, limit: number, left: number | null): string {
  const used = `${byteSizeText(limit)} 중 ${byteSizeText(size)}`;
  if (size >= limit) return `${used}, 가득 참`;
  return left === null ? used : `${used}, 이대로면 ${count.format(Math.ceil(left))}일 뒤 가득 찹니다`;
}

const seoulClock = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Seoul', timeStyle: 'short' });

/** @param endsAt when the rows are used up at the present rate; null if they last for the day */
export function rowsText(today: number, limit: number, endsAt: number | null): string {
  const used = `오늘 ${count.format(limit)}행 중 약 ${count.format(today)}행`;
  if (today >= limit) return `${used}, 09:00에 다시 시작`;
  return endsAt === null ? used : `${used}, 이대로면 ${seoulClock.format(endsAt)}에 소진됩니다`;
}
