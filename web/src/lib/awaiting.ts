import type { Awaiting } from '#contract/awaiting';
import { MINUTE_MS } from '#contract/time';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { answerOf, api } from './api.ts';
import { useLoginState } from './login-state.ts';
import { mayOpen, type GuardedPage } from './page-access.ts';

/** What waits for the user. It only stands beside something else, which tells of a failure itself. */
export const awaitingQuery = queryOptions({
  queryKey: ['awaiting'],
  queryFn: async ({ signal }): Promise<Awaiting> => {
    try {
      return await answerOf(api.awaiting.$get({}, { init: { signal } }));
    } catch {
      return {};
    }
  },
  staleTime: MINUTE_MS,
  refetchInterval: 5 * MINUTE_MS,
});

/** A number, and what it counts. */
type Waiting = { count: number; words: string };
/** Null where nobody could count. */
type Counted = { count: number | null; words: string };

const waitingOn: Partial<Record<GuardedPage, (awaiting: Awaiting) => Counted[]>> = {
  '/manage_users': ({ users: { unconfirmed_numbers = 0, due_reviews = 0 } = {} }) => [
    { count: unconfirmed_numbers, words: `미확인 학번/직번 ${unconfirmed_numbers}개` },
    { count: due_reviews, words: `점검할 달 ${due_reviews}개` },
  ],
  '/manage_plants': ({ plants: { dry_plants = 0 } = {} }) => [
    { count: dry_plants, words: `물이 필요한 화분 ${dry_plants}개` },
  ],
  '/manage_health': ({ health: { failed_parts = 0, dead_letters = 0 } = {} }) => [
    { count: failed_parts, words: `확인이 필요한 항목 ${failed_parts}건` },
    { count: dead_letters, words: `처리하지 못한 메시지 ${dead_letters}건` },
  ],
};

/** What waits on a page, in all and in words; undefined when nothing does. */
export function awaitingOn(page: GuardedPage, awaiting: Awaiting): Waiting | undefined {
  const waiting = (waitingOn[page]?.(awaiting) ?? []).flatMap(({ count, words }) =>
    count !== null && count > 0 ? [{ count, words }] : [],
  );
  if (waiting.length === 0) return undefined;
  return {
    count: waiting.reduce((sum, { count }) => sum + count, 0),
    words: waiting.map(({ words }) => words).join(', '),
  };
}

/** The same of a page of the menu, kept up to date. */
export function useAwaitingOn(page: GuardedPage): Waiting | undefined {
  const login = useLoginState();
  const isCounted = waitingOn[page] !== undefined && mayOpen(login, page);
  const { data } = useQuery({ ...awaitingQuery, enabled: isCounted });
  return data && isCounted ? awaitingOn(page, data) : undefined;
}
