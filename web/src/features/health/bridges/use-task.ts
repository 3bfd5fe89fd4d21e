import { taskState, type BridgeTask, type TaskAnswer } from '#contract/bridges';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNow } from '../../../lib/server-time.ts';
import { askTaskMutation, taskQuery } from '../queries.ts';

export type TaskRequest = {
  /** Fulfilled when the server has stored the task. */
  ask: (task: BridgeTask) => Promise<unknown>;
  /** Undefined before the first request, and after a request that failed. */
  state: ReturnType<typeof taskState> | undefined;
  /** Whether the task's result is still awaited. */
  isOpen: boolean;
  result: TaskAnswer['result'];
};

/** Requests a task from a bridge and follows its state. */
export function useTask(bridge: string): TaskRequest {
  const asking = useMutation(askTaskMutation);
  const id = asking.data?.id;
  const { data } = useQuery(taskQuery(id));
  const now = useNow(1000);
  const state = asking.isPending || (id !== undefined && !data) ? 'waiting' : data && taskState(data, now);
  return {
    ask: (task) => asking.mutateAsync({ bridge, task }),
    state,
    isOpen: state === 'waiting' || state === 'taken',
    result: data?.result ?? null,
  };
}
