import { screenLevels } from '#contract/access-levels';
import {
  dueChangeSchema,
  dueNamesSchema,
  duesExportSchema,
  type DuesList,
  duesTermSchema,
  type DuesPayment,
  paymentsSchema,
} from '#contract/dues';
import {
  type BinnedEntry,
  categorizationSchema,
  DELETED_ENTRY_FIELD,
  entryDeletionsSchema,
  type EntryRevision,
  IDEMPOTENCY_KEY_PATTERN,
  IMPORT_RUN_PATTERN,
  type LedgerEntry,
  type OriginalEntry,
  ledgerEntryChangeSchema,
  ledgerEntryFormSchema,
  type Receipt,
  RECEIPT_BYTES_MAX,
  RECEIPTS_PER_ENTRY,
  RELEASE_DUES_FIELD,
  type StoredLedgerImport,
  undoLedgerImportSchema,
} from '#contract/ledger';
import { apiSecurityHeaders } from '#http/security-headers';
import { Hono } from 'hono';
import { actorOf, type AppEnv } from '../lib/app-env.ts';
import { ApiError, outdatedError } from '#http/api-error';
import { readFormFiles } from '../lib/form-files.ts';
import { jsonTextResponse } from '../lib/responses.ts';
import { limitUploads } from '../lib/rate-limit.ts';
import { requireLevel } from '../session/require-level.ts';
import { parseRowId, validate, jsonBody, requireEmptyBody } from '../lib/validate.ts';
import { addEntry, addEntryOnce, deleteEntries, deleteEntry, listEntries } from './data.ts';
import {
  addDueNames,
  deleteDueName,
  mergeDues,
  listDues,
  logDuesExport,
  payDues,
  type PaymentRefusal,
} from './dues-data.ts';
import { listDeletedEntries, removeFromBin, restoreEntry } from './bin-data.ts';
import { categorizeEntries, correctEntry, listEntryRevisions, listOriginalEntries } from './history-data.ts';
import { listLedgerImports, undoLedgerImport } from './imports-data.ts';
import { receiptDisposition, receiptFileName, parseReceipt } from './receipt-file.ts';
import { deleteReceipt, listReceipts, readReceipt, storeReceipt } from './receipts-data.ts';
import { termText } from '#contract/terms';

const unknownEntry = () => new ApiError(404, { message: '내역을 찾을 수 없습니다' });
const unknownReceipt = () => new ApiError(404, { message: '영수증을 찾을 수 없습니다' });

const guard = requireLevel(screenLevels.account);

export const ledger = new Hono<AppEnv>()
  .get('/', guard, async (c) => jsonTextResponse<LedgerEntry[]>(c, await listEntries(c.var.db, actorOf(c))))

  .post('/', guard, jsonBody(ledgerEntryFormSchema), async (c) => {
    const entry = c.req.valid('json');
    const key = c.req.header('idempotency-key');
    const run = c.req.header('import-run');
    const { db } = c.var;
    if (run !== undefined && (key === undefined || !IMPORT_RUN_PATTERN.test(run)))
      throw new ApiError(400, { field: 'Import-Run' });
    if (key === undefined) return c.json<LedgerEntry, 201>(await addEntry(db, actorOf(c), entry), 201);
    if (!IDEMPOTENCY_KEY_PATTERN.test(key)) throw new ApiError(400, { field: 'Idempotency-Key' });
    const first = await addEntryOnce(db, actorOf(c), key, entry, run);
    if (first === 'other') throw new ApiError(409, { message: '이미 다른 내용으로 저장한 내역입니다' });
    if (first === 'deleted')
      throw new ApiError(409, { message: '이미 추가되었다가 삭제된 내역입니다', field: DELETED_ENTRY_FIELD });
    return c.json<LedgerEntry, 201>(first, 201);
  })

  .put('/:id', guard, jsonBody(ledgerEntryChangeSchema), async (c) => {
    const [db, id] = [c.var.db, parseRowId(c.req.param('id'))];
    const done = await correctEntry(db, actorOf(c), id, c.req.valid('json'));
    if (!done) throw unknownEntry();
    if (done.kind === 'outdated') throw outdatedError(done.entry);
    if (done.kind === 'paid-dues')
      throw new ApiError(409, {
        message: `${payersText(done.payments)} 회비를 이 내역으로 낼 수 없게 됩니다`,
        field: RELEASE_DUES_FIELD,
      });
    return c.json<LedgerEntry>(done.entry);
  })

  .get('/:id/history', guard, async (c) => {
    const history = await listEntryRevisions(c.var.db, actorOf(c), parseRowId(c.req.param('id')));
    if (!history) throw unknownEntry();
    return c.json<EntryRevision[]>(history);
  })

  .get('/originals', guard, async (c) =>
    c.json<OriginalEntry[]>(await listOriginalEntries(c.var.db, actorOf(c))),
  )

  .post('/deletions', guard, jsonBody(entryDeletionsSchema), async (c) => {
    if (!(await deleteEntries(c.var.db, actorOf(c), c.req.valid('json'))))
      throw new ApiError(409, {
        message: '그 사이 바뀌거나 삭제된 내역이 있어 아무것도 삭제하지 않았습니다. 다시 확인하세요',
      });
    return c.json({ ok: true });
  })

  .post('/categories', guard, jsonBody(categorizationSchema), async (c) => {
    if (!(await categorizeEntries(c.var.db, actorOf(c), c.req.valid('json'))))
      throw new ApiError(409, {
        message: '그 사이 바뀌거나 삭제된 내역이 있어 아무것도 변경하지 않았습니다. 다시 확인하세요',
      });
    return c.json({ ok: true });
  })

  .delete('/:id', guard, async (c) => {
    if (!(await deleteEntry(c.var.db, actorOf(c), parseRowId(c.req.param('id'))))) throw unknownEntry();
    return c.json({ ok: true });
  })

  .get('/bin', guard, async (c) => c.json<BinnedEntry[]>(await listDeletedEntries(c.var.db, actorOf(c))))

  .post('/bin/:id', guard, requireEmptyBody, async (c) => {
    if (!(await restoreEntry(c.var.db, actorOf(c), parseRowId(c.req.param('id'))))) throw unknownEntry();
    return c.json({ ok: true });
  })

  .delete('/bin/:id', guard, async (c) => {
    const id = parseRowId(c.req.param('id'));
    if (!(await removeFromBin(c.var.db, c.env.FILES, actorOf(c), id))) throw unknownEntry();
    return c.json({ ok: true });
  })

  .get('/imports', guard, async (c) =>
    c.json<StoredLedgerImport[]>(await listLedgerImports(c.var.db, actorOf(c))),
  )

  .delete('/imports/:id', guard, validate('query', undoLedgerImportSchema), async (c) => {
    const id = parseRowId(c.req.param('id'));
    const outcome = await undoLedgerImport(c.var.db, actorOf(c), id, c.req.valid('query'));
    if (outcome === 'none') throw new ApiError(404, { message: '되돌릴 가져오기가 없습니다' });
    if (outcome === 'changed')
      throw new ApiError(409, { message: '그 사이에 내역이 바뀌었습니다. 다시 확인하세요' });
    return c.json({ ok: true });
  })

  .get('/receipts', guard, async (c) => c.json<Receipt[]>(await listReceipts(c.var.db, actorOf(c))))

  .post('/:id/receipts', guard, limitUploads, async (c) => {
    const limits = { files: 1, fileBytes: RECEIPT_BYTES_MAX, bytes: RECEIPT_BYTES_MAX };
    const [file] = await readFormFiles(c, 'receipt', limits);
    if (!file) throw new ApiError(400, { message: '올릴 파일이 없습니다', field: 'receipt' });
    const receipt = parseReceipt(await file.bytes());
    if ('reason' in receipt)
      throw new ApiError(receipt.isKnown ? 400 : 415, { message: receipt.reason, field: 'receipt' });
    const entryId = parseRowId(c.req.param('id'));
    const name = receiptFileName(file.name, receipt.type);
    const stored = await storeReceipt(c.var.db, c.env.FILES, actorOf(c), entryId, name, receipt);
    if (stored === 'unknown') throw unknownEntry();
    if (stored === 'full')
      throw new ApiError(409, { message: `영수증은 내역마다 ${RECEIPTS_PER_ENTRY}개까지 올릴 수 있습니다` });
    return c.json<Receipt, 201>(stored, 201);
  })

  .get('/receipts/:id', guard, async (c) => {
    const id = receiptId(c.req.param('id'));
    const receipt = await readReceipt(c.var.db, c.env.FILES, actorOf(c), id);
    if (!receipt) throw unknownReceipt();
    const { name, type, object } = receipt;
    c.header('content-security-policy', `${apiSecurityHeaders['content-security-policy']}; sandbox`);
    c.header('content-type', type);
    c.header('content-length', String(object.size));
    c.header('content-disposition', receiptDisposition(name, type));
    return c.body(object.body);
  })

  .delete('/receipts/:id', guard, async (c) => {
    const id = receiptId(c.req.param('id'));
    if (!(await deleteReceipt(c.var.db, c.env.FILES, actorOf(c), id))) throw unknownReceipt();
    return c.json({ ok: true });
  })

  .get('/dues/:year/:semester', guard, validate('param', duesTermSchema), async (c) =>
    c.json<DuesList>(await listDues(c.var.db, actorOf(c), c.req.valid('param'))),
  )

  .post(
    '/dues/:year/:semester',
    guard,
    jsonBody(dueNamesSchema),
    validate('param', duesTermSchema),
    async (c) => {
      const { names } = c.req.valid('json');
      const list = await addDueNames(c.var.db, actorOf(c), c.req.valid('param'), names);
      return c.json<DuesList, 201>(list, 201);
    },
  )

  .put(
    '/dues/:year/:semester',
    guard,
    jsonBody(dueChangeSchema),
    validate('param', duesTermSchema),
    async (c) => {
      const change = c.req.valid('json');
      const [db, by, term] = [c.var.db, actorOf(c), c.req.valid('param')];
      if ('entry_id' in change) {
        const paid = await payDues(db, by, term, [change]);
        if ('kind' in paid) throw refusedPayment(paid);
        return c.json<DuesList>(paid);
      }
      const list = await mergeDues(db, by, term, change);
      if (list === 'unknown') throw unknownDue();
      if (list === 'different')
        throw new ApiError(409, { message: '이름이 다르거나 둘 다 납부해서 합칠 수 없습니다' });
      return c.json<DuesList>(list);
    },
  )

  .put(
    '/dues/:year/:semester/payments',
    guard,
    jsonBody(paymentsSchema),
    validate('param', duesTermSchema),
    async (c) => {
      const { payments } = c.req.valid('json');
      const list = await payDues(c.var.db, actorOf(c), c.req.valid('param'), payments);
      if ('kind' in list) throw refusedPayment(list);
      return c.json<DuesList>(list);
    },
  )

  .post(
    '/dues/:year/:semester/exports',
    guard,
    jsonBody(duesExportSchema),
    validate('param', duesTermSchema),
    async (c) => {
      await logDuesExport(c.var.db, actorOf(c), c.req.valid('param'), c.req.valid('json'));
      return c.json({ ok: true });
    },
  )

  .delete('/dues/:id', guard, async (c) => {
    if (!(await deleteDueName(c.var.db, actorOf(c), parseRowId(c.req.param('id'))))) throw unknownDue();
    return c.json({ ok: true });
  });

/** @throws ApiError 404 for a text that cannot be a receipt's id */
function receiptId(text: string | undefined): string {
  if (text === undefined || !/^[0-9a-f]{32}$/.test(text)) throw unknownReceipt();
  return text;
}

const won = new Intl.NumberFormat('ko-KR');

const unknownDue = () => new ApiError(404, { message: '회비 명단에 없는 사람입니다' });

/** `최나래 님의 2026년 1학기, 오다솜 님의 2026년 1학기` */
const payersText = (payments: readonly DuesPayment[]) =>
  payments.map((payment) => `${payment.name} 님의 ${termText(payment)}`).join(', ');

/** The error that explains why dues cannot be paid like this. */
function refusedPayment(refusal: PaymentRefusal): ApiError {
  if (refusal.kind === 'unknown') return unknownDue();
  const field = 'entry_id';
  if (refusal.kind === 'no-deposit')
    return new ApiError(409, { message: '입금 내역이 아니거나 이미 삭제되었습니다', field });
  const { deposit, left, others } = refusal;
  if (others.length === 0)
    return new ApiError(409, {
      message: `입금액 ${won.format(deposit.amount)}원보다 많이 나눌 수 없습니다`,
      field,
    });
  const message =
    left > 0
      ? `${payersText(others)} 회비로 쓰이고 ${won.format(left)}원만 남은 입금입니다`
      : `이미 ${payersText(others)} 회비로 쓰인 입금입니다`;
  return new ApiError(409, { message, field });
}
