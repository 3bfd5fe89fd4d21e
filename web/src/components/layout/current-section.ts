import { useSyncExternalStore } from 'react';
import type { Section } from './visitor-menu.ts';

let current: Section | undefined;
const listeners = new Set<() => void>();

/** The section of the main page that one is in: the one across the middle of the window. */
export function useCurrentSection(): Section | undefined {
  return useSyncExternalStore(subscribe, () => current, nothing);
}

const nothing = () => undefined;

export function showSection(section: Section | undefined): void {
  current = section;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
