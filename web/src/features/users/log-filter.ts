import type { LogAction } from '#contract/access-log';
import { seoulDayStart } from '../../lib/seoul-time.ts';

/** The values of the search form. Days are `2026-03-02` or empty; both are inclusive. */
export type LogFilter = { person: string; action: LogAction | 'all'; firstDay: string; lastDay: string };

export const emptyLogFilter: LogFilter = { person: '', action: 'all', firstDay: '', lastDay: '' };

type LogQuery = { person?: string; action?: LogAction; from?: string; to?: string; before?: string };

export function logQueryOf(
  { person, action, firstDay, lastDay }: LogFilter,
  before: number | undefined,
): LogQuery {
  return {
    ...(person.trim() !== '' && { person: person.trim() }),
    ...(action !== 'all' && { action }),
    ...(firstDay !== '' && { from: seoulDayStart(firstDay) }),
    ...(lastDay !== '' && { to: seoulDayStart(lastDay, 1) }),
    ...(before !== undefined && { before: String(before) }),
  };
}

export function logFilterProblem({ firstDay, lastDay }: LogFilter): string | undefined {
  const isWrong = [firstDay, lastDay].some((day) => day !== '' && !/^2\d{3}-/.test(day));
  if (isWrong) return '2000년부터 2999년까지의 날짜를 입력하세요';
  const isBackwards = firstDay !== '' && lastDay !== '' && lastDay < firstDay;
  return isBackwards ? '종료일이 시작일보다 빠릅니다' : undefined;
}
