import { queryOptions, mutationOptions } from '@tanstack/react-query';
import { answerOf, api } from '../../lib/api.ts';
import type { receiverSchema } from '#contract/receivers';
import type * as z from 'zod';

const POLL_MS = 10_000;

export const healthQuery = queryOptions({
  queryKey: ['health'],
  queryFn: ({ signal }) => answerOf(api.health.details.$get({}, { init: { signal } })),
  refetchInterval: POLL_MS,
});

export const receiversQuery = queryOptions({
  queryKey: ['receivers'],
  queryFn: ({ signal }) => answerOf(api.receivers.$get({}, { init: { signal } })),
  refetchInterval: POLL_MS,
});

export const addReceiverMutation = mutationOptions({
  mutationFn: async (receiver: z.input<typeof receiverSchema>) => {
    await api.receivers.$post({ json: receiver });
  },
  meta: { done: '추가 완료', reload: receiversQuery.queryKey },
});

export const removeReceiverMutation = mutationOptions({
  mutationFn: async (id: number) => {
    await api.receivers[':id'].$delete({ param: { id: String(id) } });
  },
  meta: { done: '삭제 완료', reload: receiversQuery.queryKey },
});

/** The answer is shown beside the receiver. */
export const testReceiverMutation = mutationOptions({
  mutationFn: (id: number) => answerOf(api.receivers[':id'].test.$post({ param: { id: String(id) } })),
  meta: { reload: receiversQuery.queryKey },
});
