import type { DueJoin, DuePayment, DuesList } from '#contract/dues';
import type { LedgerEntryForm } from '#contract/ledger';
import type { Term } from '#contract/terms';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { ApiError } from '../../lib/api-error.ts';
import { showToast } from '../../lib/toast.ts';
import {
  addDueNames,
  addEntry,
  addReceipt,
  changeDue,
  deleteDueName,
  deleteEntry,
  deleteReceipt,
  logDuesExport,
} from './api.ts';
import { isDeletedSince } from './import-run.ts';
import { duesQuery, ledgerKey } from './queries.ts';

/** An entry bears receipts and dues: a change of one reads all again. */
export function useReload() {
  const queryClient = useQueryClient();
  const reload = () => queryClient.invalidateQueries({ queryKey: ledgerKey });
  /** What is stored may have changed meanwhile. */
  const reloadIfOutdated = async (error: Error) => {
    if (error instanceof ApiError && (error.status === 404 || error.status === 409)) await reload();
  };
  return { reload, reloadIfOutdated };
}

/** Sends the same entry under the same key until it is known to be stored, so that pressing again adds nothing twice. */
export function useAddEntry() {
  const { reload, reloadIfOutdated } = useReload();
  const sent = useRef({ text: '', key: '' });
  const forget = () => {
    sent.current = { text: '', key: '' };
  };
  return useMutation({
    mutationFn: async (entry: LedgerEntryForm) => {
      const text = JSON.stringify(entry);
      if (sent.current.text !== text) sent.current = { text, key: crypto.randomUUID() };
      await addEntry(entry, sent.current.key);
    },
    onSuccess: async () => {
      forget();
      showToast('추가 완료');
      await reload();
    },
    onError: async (error) => {
      // Who presses again after they were told so wants it a second time.
      if (isDeletedSince(error)) forget();
      await reloadIfOutdated(error);
    },
  });
}

/** A deletion of one thing of the ledger: toast and a fresh list, which also comes when it was gone already. */
function useDeletion<Id>(remove: (id: Id) => Promise<void>) {
  const { reload, reloadIfOutdated } = useReload();
  return useMutation({
    mutationFn: remove,
    onSuccess: async () => {
      showToast('삭제 완료');
      await reload();
    },
    onError: reloadIfOutdated,
  });
}

export const useDeleteEntry = () => useDeletion(deleteEntry);
export const useDeleteReceipt = () => useDeletion(deleteReceipt);
export const useDeleteDueName = () => useDeletion(deleteDueName);

export function useAddReceipt() {
  const { reload, reloadIfOutdated } = useReload();
  return useMutation({
    mutationFn: ({ entryId, file }: { entryId: number; file: File }) => addReceipt(entryId, file),
    onSuccess: async () => {
      showToast('업로드 성공');
      await reload();
    },
    onError: reloadIfOutdated,
  });
}

/** The server answers a change of the dues with the list as it is then. */
function useDuesChange<Change>(term: Term, change: (what: Change) => Promise<DuesList>, done: string) {
  const queryClient = useQueryClient();
  const { reloadIfOutdated } = useReload();
  return useMutation({
    mutationFn: change,
    onSuccess: (list) => {
      showToast(done);
      queryClient.setQueryData(duesQuery(term).queryKey, list);
    },
    onError: reloadIfOutdated,
  });
}

export const useChangeDue = (term: Term) =>
  useDuesChange(term, (due: DuePayment | DueJoin) => changeDue(term, due), '변경 완료');
export const useAddDueNames = (term: Term) =>
  useDuesChange(term, (names: string[]) => addDueNames(term, names), '추가 완료');

/** The list leaves only when the log has taken the reason. */
export function useExportDues(term: Term, save: () => void) {
  return useMutation({
    mutationFn: (reason: string) => logDuesExport(term, reason),
    onSuccess: () => {
      save();
      showToast('내보내기 완료');
    },
  });
}
