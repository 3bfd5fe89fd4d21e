import { queryOptions, mutationOptions } from '@tanstack/react-query';
import { readJson, api } from '../../lib/api.ts';
import type { BridgeTask, newBridgeKeySchema } from '#contract/bridges';
import type { receiverSchema } from '#contract/receivers';
import type * as z from 'zod';

const POLL_MS = 10_000;
const TASK_POLL_MS = 1000;

export const healthQuery = queryOptions({
  queryKey: ['health'],
  queryFn: ({ signal }) => readJson(api.health.details.$get({}, { init: { signal } })),
  refetchInterval: POLL_MS,
});

export const receiversQuery = queryOptions({
  queryKey: ['receivers'],
  queryFn: ({ signal }) => readJson(api.receivers.$get({}, { init: { signal } })),
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

/** No toast, because the result of the test is shown beside the receiver. */
export const testReceiverMutation = mutationOptions({
  mutationFn: (id: number) => readJson(api.receivers[':id'].test.$post({ param: { id: String(id) } })),
  meta: { reload: receiversQuery.queryKey },
});

export const bridgesQuery = queryOptions({
  queryKey: ['bridges'],
  queryFn: ({ signal }) => readJson(api.bridges.$get({}, { init: { signal } })),
  refetchInterval: POLL_MS,
});

/** No toast, because the dialog shows the new key. */
export const addKeyMutation = mutationOptions({
  mutationFn: (key: z.input<typeof newBridgeKeySchema>) => readJson(api.bridges.keys.$post({ json: key })),
  meta: { reload: bridgesQuery.queryKey },
});

export const revokeKeyMutation = mutationOptions({
  mutationFn: async (id: number) => {
    await api.bridges.keys[':id'].$delete({ param: { id: String(id) } });
  },
  meta: { done: '폐기 완료', reload: bridgesQuery.queryKey },
});

export const requestTaskMutation = mutationOptions({
  mutationFn: ({ bridge, task }: { bridge: string; task: BridgeTask }) =>
    readJson(api.bridges[':bridge'].tasks.$post({ param: { bridge }, json: task })),
  meta: { reload: bridgesQuery.queryKey },
});

/** Polls a task until it has a result; without an id no request is sent. */
export const bridgeTaskQuery = (id: number | undefined) =>
  queryOptions({
    queryKey: ['bridge-task', id],
    queryFn: ({ signal }) =>
      readJson(api.bridges.tasks[':id'].$get({ param: { id: String(id) } }, { init: { signal } })),
    enabled: id !== undefined,
    refetchInterval: ({ state: { data } }) => (data === undefined || data.ok === null ? TASK_POLL_MS : false),
  });
