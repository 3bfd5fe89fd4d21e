import { DELETED_ENTRY, type LedgerEntryForm } from '#contract/ledger';
import { ApiError } from '../../../lib/api-error.ts';

/** An import on its way: each entry under a key of its own, so that a retry after a lost answer stores nothing twice. */
export type ImportRun = {
  items: { key: string; entry: LedgerEntryForm }[];
  /** How many are known to have been stored, though one may be deleted since: the first ones. */
  done: number;
};

/** @param entries in the order in which they are posted */
export function newRun(entries: readonly LedgerEntryForm[]): ImportRun {
  const id = crypto.randomUUID();
  return { items: entries.map((entry, at) => ({ key: `${id}/${at}`, entry })), done: 0 };
}

/**
 * Posts what is left of the run, one entry after the other.
 * @param onDone gets the run after each entry
 * @returns whether it came to its end; false when it was stopped
 * @throws what `send` throws: the run as last told goes on from there
 */
export async function sendRun(
  run: ImportRun,
  send: (entry: LedgerEntryForm, key: string) => Promise<unknown>,
  onDone: (run: ImportRun) => void,
  isStopped: () => boolean = () => false,
): Promise<boolean> {
  for (const [at, { key, entry }] of run.items.entries()) {
    if (at < run.done) continue;
    if (isStopped()) return false;
    try {
      await send(entry, key);
    } catch (error) {
      if (!isDeletedSince(error)) throw error;
    }
    onDone({ items: run.items, done: at + 1 });
  }
  return true;
}

/** Whether the entry was stored by a try whose answer got lost, and somebody has deleted it before the next. */
export const isDeletedSince = (error: unknown) =>
  error instanceof ApiError && error.status === 409 && error.details?.field === DELETED_ENTRY;
