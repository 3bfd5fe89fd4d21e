import { taskState, type BridgeTask, type TaskAnswer } from '#contract/bridges';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNow } from '../../../lib/server-time.ts';
import { askTaskMutation, taskQuery } from '../queries.ts';

export type TaskRequest = {
  /** Fulfilled when the server has the task. */
  ask: (task: BridgeTask) => Promise<unknown>;
  /** Undefined while nothing was asked, or it could not be. */
  state: ReturnType<typeof taskState> | undefined;
  /** While it is waited for. */
  isOpen: boolean;
  result: TaskAnswer['result'];
};

/** Asks a bridge for something, and follows what becomes of it. */
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
