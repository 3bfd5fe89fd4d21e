import type { DuesMergeForm, DuesPaymentForm, DuesList } from '#contract/dues';
import {
  withBalances,
  type Categorization,
  type EntryDeletions,
  type LedgerEntryChange,
  type LedgerEntryForm,
  type StoredLedgerImport,
} from '#contract/ledger';
import type { Term } from '#contract/terms';
import { mutationOptions, queryOptions } from '@tanstack/react-query';
import { readJson, api, manualRefetch } from '../../lib/api.ts';
import { fetchOrThrow } from '../../lib/api-error.ts';
import { isDeletedSince } from './import/import-plan.ts';

const { account } = api;
const termDues = account.dues[':year'][':semester'];

const paramOf = ({ year, semester }: Term) => ({ year: String(year), semester: String(semester) });

/** Prefix of all keys. Entries, receipts and dues depend on each other, so a change invalidates all. */
export const ledgerKey = ['ledger'] as const;

export const entriesQuery = queryOptions({
  queryKey: [...ledgerKey, 'entries'],
  queryFn: async ({ signal }) => withBalances(await readJson(account.$get({}, { init: { signal } }))),
  // Structural sharing compares results as JSON, which does not support bigint.
  structuralSharing: false,
  retryOnMount: true,
});

export const originalEntriesQuery = queryOptions({
  queryKey: [...ledgerKey, 'originals'],
  queryFn: ({ signal }) => readJson(account.originals.$get({}, { init: { signal } })),
});

/**
 * @param key sending an entry again with the same key does not store it twice
 * @param run entries with the same run can be undone together
 */
export async function addEntry(entry: LedgerEntryForm, key: string, run?: string): Promise<void> {
  const headers = { 'idempotency-key': key, ...(run !== undefined && { 'import-run': run }) };
  const { category, ...specified } = entry;
  const json = category === '' ? specified : entry;
  await account.$post({ json }, { headers });
}

/** Reuses an entry's key until the server confirms the entry, so that pressing again adds it only once. */
export function addEntryMutation() {
  let sent = { text: '', key: '' };
  const forget = () => {
    sent = { text: '', key: '' };
  };
  return mutationOptions({
    mutationFn: async (entry: LedgerEntryForm) => {
      const text = JSON.stringify(entry);
      if (sent.text !== text) sent = { text, key: crypto.randomUUID() };
      await addEntry(entry, sent.key);
    },
    onSuccess: forget,
    // The entry was stored and then deleted, so pressing again means a new entry, which needs a new key.
    onError: (error) => isDeletedSince(error) && forget(),
    meta: { done: '추가 완료', reload: ledgerKey },
  });
}

export const deleteEntryMutation = mutationOptions({
  mutationFn: (id: number) => account[':id'].$delete({ param: { id: String(id) } }),
  meta: { done: '삭제 완료', reload: ledgerKey },
});

/** The bin is fetched only when the user opens the bin, because the server logs every read. */
export const binQuery = queryOptions({
  queryKey: [...ledgerKey, 'bin'],
  queryFn: ({ signal }) => readJson(account.bin.$get({}, { init: { signal } })),
  ...manualRefetch,
});

export const restoreEntryMutation = mutationOptions({
  mutationFn: (id: number) => account.bin[':id'].$post({ param: { id: String(id) } }),
  meta: { done: '복원 완료', reload: ledgerKey },
});

export const removeFromBinMutation = mutationOptions({
  mutationFn: (id: number) => account.bin[':id'].$delete({ param: { id: String(id) } }),
  meta: { done: '삭제 완료', reload: ledgerKey },
});

export const ledgerImportsQuery = queryOptions({
  queryKey: [...ledgerKey, 'imports'],
  queryFn: ({ signal }) => readJson(account.imports.$get({}, { init: { signal } })),
  retryOnMount: true,
});

/** The server compares the counts, so that an undo deletes nothing that the user did not see. */
export const undoLedgerImportMutation = mutationOptions({
  mutationFn: ({ id, entries, receipts, dues }: StoredLedgerImport) => {
    const query = { entries: String(entries), receipts: String(receipts), dues: String(dues) };
    return account.imports[':id'].$delete({ param: { id: String(id) }, query });
  },
  meta: { done: '되돌리기 완료', reload: ledgerKey },
});

/** Deletes all entries or none: the server refuses if an entry has changed after the list was loaded. */
export const deleteEntriesMutation = mutationOptions({
  mutationFn: (entries: EntryDeletions['entries']) => account.deletions.$post({ json: { entries } }),
  meta: { done: '삭제 완료', reload: ledgerKey },
});

/** Changes all entries or none: the server refuses if an entry has changed after the list was loaded. */
export const categorizeEntriesMutation = mutationOptions({
  mutationFn: (json: Categorization) => account.categories.$post({ json }),
  meta: { done: '변경 완료', reload: ledgerKey },
});

export const correctEntryMutation = mutationOptions({
  mutationFn: ({ id, change }: { id: number; change: LedgerEntryChange }) =>
    account[':id'].$put({ param: { id: String(id) }, json: change }),
  meta: { done: '변경 완료', reload: ledgerKey },
});

/** The history is not prefetched, because the server logs every read. */
export const entryRevisionsQuery = (id: number) =>
  queryOptions({
    queryKey: [...ledgerKey, 'history', id],
    queryFn: ({ signal }) =>
      readJson(account[':id'].history.$get({ param: { id: String(id) } }, { init: { signal } })),
    ...manualRefetch,
  });

export const receiptsQuery = queryOptions({
  queryKey: [...ledgerKey, 'receipts'],
  queryFn: ({ signal }) => readJson(account.receipts.$get({}, { init: { signal } })),
  retryOnMount: true,
});

export const receiptUrl = (id: string) => `/api/account/receipts/${id}`;

export const receiptUploadKey = [...ledgerKey, 'receipt-upload'];

export const addReceiptMutation = mutationOptions({
  mutationKey: receiptUploadKey,
  mutationFn: ({ entryId, file }: { entryId: number; file: File }) => {
    const body = new FormData();
    body.append('receipt', file, file.name);
    return fetchOrThrow(`/api/account/${entryId}/receipts`, { method: 'POST', body });
  },
  meta: { done: '업로드 성공', reload: ledgerKey },
});

export const deleteReceiptMutation = mutationOptions({
  mutationFn: (id: string) => account.receipts[':id'].$delete({ param: { id } }),
  meta: { done: '삭제 완료', reload: ledgerKey },
});

/** The dues are not prefetched, because the server logs every read of personal data. */
export const duesQuery = (term: Term) =>
  queryOptions({
    queryKey: [...ledgerKey, 'dues', term.year, term.semester],
    queryFn: ({ signal }) => readJson(termDues.$get({ param: paramOf(term) }, { init: { signal } })),
    ...manualRefetch,
  });

/** A change of the dues; the server responds with the updated list. */
const duesChange = <Change>(term: Term, change: (what: Change) => Promise<DuesList>, done: string) =>
  mutationOptions({
    mutationFn: change,
    onSuccess: (list, _change, _result, { client }) => client.setQueryData(duesQuery(term).queryKey, list),
    meta: { done, reloadElsewhere: ledgerKey, reloadIfOutdated: ledgerKey },
  });

export const addDueNamesMutation = (term: Term) =>
  duesChange(
    term,
    (names: string[]) => readJson(termDues.$post({ param: paramOf(term), json: { names } })),
    '추가 완료',
  );

export const changeDueMutation = (term: Term) =>
  duesChange(
    term,
    (due: DuesPaymentForm | DuesMergeForm) => readJson(termDues.$put({ param: paramOf(term), json: due })),
    '변경 완료',
  );

/** Records all payments or none. */
export const payDuesMutation = (term: Term) =>
  duesChange(
    term,
    (payments: DuesPaymentForm[]) =>
      readJson(termDues.payments.$put({ param: paramOf(term), json: { payments } })),
    '변경 완료',
  );

export const deleteDueNameMutation = mutationOptions({
  mutationFn: (id: number) => account.dues[':id'].$delete({ param: { id: String(id) } }),
  meta: { done: '삭제 완료', reload: ledgerKey },
});

/** Logs the reason before the data is exported. */
export const exportDuesMutation = (term: Term) =>
  mutationOptions({
    mutationFn: (json: { reason: string; printed: boolean }) =>
      termDues.exports.$post({ param: paramOf(term), json }),
  });
