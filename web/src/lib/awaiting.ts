import type { Awaiting } from '#contract/awaiting';
import { MINUTE_MS } from '#contract/time';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { readJson, api } from './api.ts';
import { useLoginState } from './login-state.ts';
import { mayOpen, type GuardedPage } from './page-access.ts';

/** Numbers of items that wait for the user. A failure is not reported: no screen needs the numbers. */
export const awaitingQuery = queryOptions({
  queryKey: ['awaiting'],
  queryFn: async ({ signal }): Promise<Awaiting> => {
    try {
      return await readJson(api.awaiting.$get({}, { init: { signal } }));
    } catch {
      return {};
    }
  },
  staleTime: MINUTE_MS,
  refetchInterval: 5 * MINUTE_MS,
});

/** The number of items, the words for them, and the search parameters that lead to them on the screen. */
type Waiting = { count: number; words: string; search?: { tab: string } };
/** `count` is null if the server could not count. */
type Counted = Omit<Waiting, 'count'> & { count: number | null };

const waitingOn: Partial<Record<GuardedPage, (awaiting: Awaiting) => Counted[]>> = {
  '/manage_users': ({ users: { unconfirmed_numbers = 0, due_reviews = 0 } = {} }) => [
    { count: unconfirmed_numbers, words: `미확인 학번/직번 ${unconfirmed_numbers}개` },
    { count: due_reviews, words: `점검할 달 ${due_reviews}개`, search: { tab: 'reviews' } },
  ],
  '/manage_plants': ({ plants: { dry_plants = 0 } = {} }) => [
    { count: dry_plants, words: `물이 필요한 화분 ${dry_plants}개` },
  ],
  '/manage_health': ({ health: { failed_parts = 0, dead_letters = 0 } = {} }) => [
    { count: failed_parts, words: `확인이 필요한 항목 ${failed_parts}건` },
    { count: dead_letters, words: `처리하지 못한 메시지 ${dead_letters}건` },
  ],
};

/** The kinds of items that wait on a page. */
function partsOf(page: GuardedPage, awaiting: Awaiting): Waiting[] {
  return (waitingOn[page]?.(awaiting) ?? []).flatMap(({ count, ...rest }) =>
    count !== null && count > 0 ? [{ count, ...rest }] : [],
  );
}

/** The total number of items that wait on a page, and its words; undefined if no item waits. */
export function awaitingOn(page: GuardedPage, awaiting: Awaiting): Waiting | undefined {
  const waiting = partsOf(page, awaiting);
  if (waiting.length === 0) return undefined;
  return {
    count: waiting.reduce((sum, { count }) => sum + count, 0),
    words: waiting.map(({ words }) => words).join(', '),
  };
}

function useAwaiting(page: GuardedPage): Awaiting | undefined {
  const login = useLoginState();
  const isCounted = waitingOn[page] !== undefined && mayOpen(login, page);
  const { data } = useQuery({ ...awaitingQuery, enabled: isCounted });
  return isCounted ? data : undefined;
}

/** The items that wait on a page, kept up to date. */
export function useAwaitingOn(page: GuardedPage): Waiting | undefined {
  const awaiting = useAwaiting(page);
  return awaiting && awaitingOn(page, awaiting);
}

export function useAwaitingParts(page: GuardedPage): Waiting[] {
  const awaiting = useAwaiting(page);
  return awaiting ? partsOf(page, awaiting) : [];
}
