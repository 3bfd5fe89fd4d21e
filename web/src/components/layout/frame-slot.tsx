import { useSyncExternalStore, type ReactNode } from 'react';
import { createPortal } from 'react-dom';

type Props = { id: 'side-bar' | 'find'; children: ReactNode };

const never = () => () => undefined;

/**
 * Fills a place that the frame of every page keeps empty, so that what only signed-in users see there is not in the
 * first script.
 */
export function FrameSlot({ id, children }: Props) {
  const slot = useSyncExternalStore(never, () => document.getElementById(id));
  return slot && createPortal(children, slot);
}
