import type { LedgerEntryForm } from '#contract/ledger';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useLoginState } from '../../../lib/login-state.ts';
import { showToast } from '../../../lib/toast.ts';
import { inDateOrder } from './import-plan.ts';
import { newRun, sendRun, type ImportRun } from './import-run.ts';
import { forgetRun, keepRun, keptRun } from './unfinished-import.ts';
import { addEntry, ledgerKey } from '../queries.ts';

/** Posts entries one by one. A failed or stopped import can be resumed, even after a reload. */
export function useImportRun(onComplete: () => void) {
  const { id } = useLoginState();
  const [run, setRun] = useState(() => keptRun(id));
  const [hasFailed, setFailed] = useState(false);
  const isStopped = useRef(false);
  // Leaving the screen stops it, because nobody would see the outcome.
  useEffect(() => {
    isStopped.current = false;
    return () => {
      isStopped.current = true;
    };
  }, []);
  const tell = (next: ImportRun) => {
    keepRun(id, next);
    setRun(next);
  };
  const forget = () => {
    forgetRun();
    setRun(undefined);
    setFailed(false);
  };
  const { mutate, isPending } = useMutation({
    mutationFn: (from: ImportRun) => sendRun(from, addEntry, tell, () => isStopped.current),
    onSuccess: (isComplete) => {
      if (!isComplete) return;
      forget();
      onComplete();
      showToast('추가 완료');
    },
    onError: () => setFailed(true),
    onSettled: (_all, _error, _run, _result, { client }) => client.invalidateQueries({ queryKey: ledgerKey }),
  });
  const send = (next: ImportRun) => {
    isStopped.current = false;
    setFailed(false);
    tell(next);
    mutate(next);
  };
  return {
    run,
    isSending: isPending,
    hasFailed,
    start: (entries: readonly LedgerEntryForm[]) => send(newRun(inDateOrder(entries))),
    goOn: () => {
      if (run) send(run);
    },
    stop: () => {
      isStopped.current = true;
    },
    forget,
  };
}
