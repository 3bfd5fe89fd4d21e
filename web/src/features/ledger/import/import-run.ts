import { DELETED_ENTRY, type LedgerEntryForm } from '#contract/ledger';
import { ApiError } from '../../../lib/api-error.ts';

/** A running import. Each entry has its own key, so that a retry after a lost response stores nothing twice. */
export type ImportRun = {
  /** What its entries have in common on the server, by which they can be undone together. */
  id: string;
  items: { key: string; entry: LedgerEntryForm }[];
  /** How many entries, from the first, are known to have been stored. Some may have been deleted since. */
  done: number;
};

/** @param entries in the order in which they are posted */
export function newRun(entries: readonly LedgerEntryForm[]): ImportRun {
  const id = crypto.randomUUID();
  return { id, items: entries.map((entry, at) => ({ key: `${id}/${at}`, entry })), done: 0 };
}

/**
 * Posts the rest of the run, one entry at a time.
 * @param onDone receives the run after each entry
 * @returns whether it was completed; false if it was stopped
 * @throws what `send` throws; the last reported run can be resumed
 */
export async function sendRun(
  run: ImportRun,
  send: (entry: LedgerEntryForm, key: string, run: string) => Promise<unknown>,
  onDone: (run: ImportRun) => void,
  isStopped: () => boolean = () => false,
): Promise<boolean> {
  for (const [at, { key, entry }] of run.items.entries()) {
    if (at < run.done) continue;
    if (isStopped()) return false;
    try {
      await send(entry, key, run.id);
    } catch (error) {
      if (!isDeletedSince(error)) throw error;
    }
    onDone({ ...run, done: at + 1 });
  }
  return true;
}

/** Whether an attempt whose response was lost stored the entry, and somebody deleted it before the retry. */
export const isDeletedSince = (error: unknown) =>
  error instanceof ApiError && error.status === 409 && error.details?.field === DELETED_ENTRY;
