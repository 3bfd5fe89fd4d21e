import type { LedgerEntryForm } from '#contract/ledger';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useAutosaved } from '../../../components/use-draft.ts';
import { useLoginState } from '../../../lib/login-state.ts';
import { showToast } from '../../../lib/toast-queue.ts';
import { addEntry, ledgerKey } from '../queries.ts';
import { newImportRun, sendImportRun, type ImportRun } from './import-plan.ts';

/**
 * Posts the entries one by one. A failed or stopped import can be resumed, even after a reload. The import is
 * stored as a draft, which all tabs show; a browser lock ensures that only one tab posts entries.
 */
export function useImportRun(onComplete: () => void) {
  const { id } = useLoginState();
  const lock = `ledger-import/${id}`;
  const kept = useAutosaved<ImportRun | null>('account/import/run', () => null);
  const run = kept.value;
  const [hasFailed, setFailed] = useState(false);
  const isStopped = useRef(false);
  // Leaving the screen stops the import, because nobody would see its outcome.
  useEffect(() => {
    isStopped.current = false;
    return () => {
      isStopped.current = true;
    };
  }, []);
  const forget = () => {
    kept.restart(null);
    setFailed(false);
  };
  const { mutate, isPending } = useMutation({
    /** @param from returns undefined if there is nothing to send */
    mutationFn: (from: () => Promise<ImportRun | undefined>) =>
      navigator.locks.request(lock, { ifAvailable: true }, async (held) => {
        const next = held ? await from() : undefined;
        if (!next) return false;
        const tell = (now: ImportRun) => kept.change(() => now);
        tell(next);
        return await sendImportRun(next, addEntry, tell, () => isStopped.current);
      }),
    onSuccess: (isComplete) => {
      if (!isComplete) return;
      forget();
      onComplete();
      showToast('추가 완료');
    },
    onError: () => setFailed(true),
    meta: { reload: ledgerKey, isPartial: true },
  });
  const send = (from: () => Promise<ImportRun | undefined>) => {
    isStopped.current = false;
    setFailed(false);
    mutate(from);
  };
  return {
    run: run ?? undefined,
    isSending: isPending,
    /** Whether another tab is sending the import. */
    isElsewhere: useIsElsewhere(lock, run !== null && !isPending),
    hasFailed,
    /** @param check returns the entries in storing order, or undefined if they should not be stored */
    start: (check: () => Promise<readonly LedgerEntryForm[] | undefined>) =>
      send(async () => {
        const entries = await check();
        return entries && newImportRun(entries);
      }),
    goOn: () => {
      if (run) send(() => Promise.resolve(run));
    },
    stop: () => {
      isStopped.current = true;
    },
    forget,
  };
}

/** Whether another tab holds the lock; checked only while `isWatched`. */
function useIsElsewhere(lock: string, isWatched: boolean): boolean {
  const [isFree, setFree] = useState(false);
  useEffect(() => {
    if (!isWatched) return undefined;
    const abort = new AbortController();
    const wait = async () => {
      try {
        await navigator.locks.request(lock, { signal: abort.signal }, () => setFree(true));
      } catch (error) {
        if (!abort.signal.aborted) throw error;
      }
    };
    void wait();
    return () => {
      abort.abort();
      setFree(false);
    };
  }, [lock, isWatched]);
  return isWatched && !isFree;
}
