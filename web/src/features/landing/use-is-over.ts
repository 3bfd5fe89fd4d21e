import { useSyncExternalStore } from 'react';
import { isOver } from './join-until.ts';

const never = () => () => undefined;

/** Whether the last day has passed since the page was built, which did not draw what was over. */
export function useIsOver(until: string | undefined): boolean {
  return useSyncExternalStore(
    never,
    () => until !== undefined && isOver(until, Date.now()),
    () => false,
  );
}
