import { bridgeTaskState, type BridgeTask, type BridgeTaskWithResult } from '#contract/bridges';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNow } from '../../../lib/server-time.ts';
import { requestTaskMutation, bridgeTaskQuery } from '../queries.ts';

export type BridgeTaskRequest = {
  /** Fulfilled when the server has stored the task. */
  ask: (task: BridgeTask) => Promise<unknown>;
  /** Undefined before the first request, and after a request that failed. */
  state: ReturnType<typeof bridgeTaskState> | undefined;
  /** Whether the task's result is still awaited. */
  isOpen: boolean;
  result: BridgeTaskWithResult['result'];
};

/** Requests a task from a bridge and follows its state. */
export function useBridgeTask(bridge: string): BridgeTaskRequest {
  const asking = useMutation(requestTaskMutation);
  const id = asking.data?.id;
  const { data } = useQuery(bridgeTaskQuery(id));
  const now = useNow(1000);
  const state =
    asking.isPending || (id !== undefined && !data) ? 'waiting' : data && bridgeTaskState(data, now);
  return {
    ask: (task) => asking.mutateAsync({ bridge, task }),
    state,
    isOpen: state === 'waiting' || state === 'taken',
    result: data?.result ?? null,
  };
}
