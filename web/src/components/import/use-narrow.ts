import { useSyncExternalStore } from 'react';

const query = typeof window === 'undefined' ? undefined : matchMedia('(width < 40rem)');

function onChange(listener: () => void): () => void {
  query?.addEventListener('change', listener);
  return () => query?.removeEventListener('change', listener);
}

/** Whether the screen is as narrow as a phone's. */
export const useNarrow = (): boolean => useSyncExternalStore(onChange, () => query?.matches === true);
