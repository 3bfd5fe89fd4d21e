import type { DueJoin, DuePayment } from '#contract/dues';
import type { LedgerEntryForm } from '#contract/ledger';
import type { Term } from '#contract/terms';
import { api } from '../../lib/api.ts';
import { fetchOrThrow } from '../../lib/api-error.ts';

const { account } = api;

export async function readEntries(signal: AbortSignal) {
  const response = await account.$get({}, { init: { signal } });
  return await response.json();
}

/** @param key the same entry under the same key is stored once, however often it is sent */
export async function addEntry(entry: LedgerEntryForm, key: string): Promise<void> {
  await account.$post({ json: entry }, { headers: { 'idempotency-key': key } });
}

export async function deleteEntry(id: number): Promise<void> {
  await account[':id'].$delete({ param: { id: String(id) } });
}

export async function readReceipts(signal: AbortSignal) {
  const response = await account.receipts.$get({}, { init: { signal } });
  return await response.json();
}

export const receiptUrl = (id: string) => `/api/account/receipts/${id}`;

export async function addReceipt(entryId: number, file: File): Promise<void> {
  const body = new FormData();
  body.append('receipt', file, file.name);
  await fetchOrThrow(`/api/account/${entryId}/receipts`, { method: 'POST', body });
}

export async function deleteReceipt(id: string): Promise<void> {
  await account.receipts[':id'].$delete({ param: { id } });
}

export async function readDues(term: Term, signal: AbortSignal) {
  const response = await account.dues[':year'][':semester'].$get(
    { param: paramOf(term) },
    { init: { signal } },
  );
  return await response.json();
}

export async function addDueNames(term: Term, names: string[]) {
  const response = await account.dues[':year'][':semester'].$post({ param: paramOf(term), json: { names } });
  return await response.json();
}

export async function changeDue(term: Term, change: DuePayment | DueJoin) {
  const response = await account.dues[':year'][':semester'].$put({ param: paramOf(term), json: change });
  return await response.json();
}

export async function deleteDueName(id: number): Promise<void> {
  await account.dues[':id'].$delete({ param: { id: String(id) } });
}

export async function logDuesExport(term: Term, reason: string): Promise<void> {
  await account.dues[':year'][':semester'].exports.$post({ param: paramOf(term), json: { reason } });
}

function paramOf({ year, semester }: Term) {
  return { year: String(year), semester: String(semester) };
}
