import { confirmedCountSchema, type ImportRecord } from './imports.ts';
import { textSchema } from './texts.ts';
import { seoulDay } from './time.ts';
import * as z from 'zod';

/** Maximum in whole won, for deposits and withdrawals. */
export const AMOUNT_MAX = 1_000_000_000_000;
const DESCRIPTION_MAX = 200;
const CATEGORY_MAX = 30;

const WRONG_DATE = '날짜를 올바르게 입력하세요';
const dateSchema = z.iso.date();
export const isDate = (text: string) => dateSchema.safeParse(text).success;

/**
 * The dates that an entry may have: from the first full semester of 2000, so that every date belongs to a
 * semester, to the end of next year, for planned payments.
 */
export const allowedEntryDates = (today: string) => ({
  first: '2000-03-01',
  last: `${Number(today.slice(0, 4)) + 1}-12-31`,
});

export function isAllowedDate(date: string, today: string): boolean {
  const { first, last } = allowedEntryDates(today);
  return date >= first && date <= last;
}

/** Why an entry cannot have this date; undefined if it can. */
export function dateProblem(date: string, today: string): string | undefined {
  if (!isDate(date)) return WRONG_DATE;
  const { first, last } = allowedEntryDates(today);
  return isAllowedDate(date, today) ? undefined : `${date}: ${first}부터 ${last}까지의 날짜를 입력하세요`;
}

const TIME = 'T13:00:00';

/** Every entry is stored with the same time of day, in Seoul. */
export const datetimeOf = (date: string) => date + TIME;
export const dateOf = (datetime: string) => datetime.slice(0, -TIME.length);

function datetimeProblem(datetime: string): string | undefined {
  return datetime.endsWith(TIME) ? dateProblem(dateOf(datetime), seoulDay(Date.now())) : WRONG_DATE;
}

/** The free-text fields of an entry; each may be empty. */
const textsSchema = z.object({
  description: textSchema(
    DESCRIPTION_MAX,
    `내용은 ${DESCRIPTION_MAX}자까지 쓸 수 있습니다`,
    '내용을 입력하세요',
  ),
  category: textSchema(
    CATEGORY_MAX,
    `분류는 ${CATEGORY_MAX}자까지 쓸 수 있습니다`,
    '분류를 입력하세요',
  ).default(''),
});
export type EntryTexts = z.infer<typeof textsSchema>;
export type EntryTextName = keyof EntryTexts;
export const ENTRY_TEXT_NAMES = textsSchema.keyof().options;

/** The label of each text on screens and in the CSV file, and its maximum number of characters. */
export const ENTRY_TEXT_FIELDS: Record<EntryTextName, { label: string; maxLength: number }> = {
  description: { label: '내용', maxLength: DESCRIPTION_MAX },
  category: { label: '분류', maxLength: CATEGORY_MAX },
};

/** Maximum bytes of an entry as JSON: up to six per character, plus numbers, date and field names. */
export const ENTRY_BYTES_MAX = ENTRY_TEXT_NAMES.reduce(
  (sum, name) => sum + name.length + 6 * ENTRY_TEXT_FIELDS[name].maxLength,
  200,
);

/** The problem with a text; undefined if there is none. */
export const entryTextProblem = (name: EntryTextName, text: string): string | undefined =>
  textsSchema.shape[name].safeParse(text).error?.issues[0]?.message;

/** @param text returns the text of each field @throws ZodError for an invalid text */
export const parseEntryTexts = (text: (name: EntryTextName) => string): EntryTexts =>
  textsSchema.parse(Object.fromEntries(ENTRY_TEXT_NAMES.map((name) => [name, text(name)])));

const amountSchema = z
  .int('금액을 올바르게 입력하세요')
  .min(-AMOUNT_MAX, '금액이 너무 큽니다')
  .max(AMOUNT_MAX, '금액이 너무 큽니다')
  .refine((amount) => amount !== 0, '금액은 0보다 커야 합니다');

/** Why an entry cannot have this amount; undefined if it can. */
export const amountProblem = (amount: number): string | undefined =>
  amountSchema.safeParse(amount).error?.issues[0]?.message;

/**
 * Body of POST /api/account; the category is optional. `amount` is positive for a deposit and negative for a
 * withdrawal. `datetime` is an allowed date at the fixed time 13:00:00, without a time zone.
 */
export const ledgerEntryFormSchema = z.object({
  amount: amountSchema,
  datetime: z.string(WRONG_DATE).refine((text) => datetimeProblem(text) === undefined, {
    error: ({ input }) => datetimeProblem(String(input)),
  }),
  ...textsSchema.shape,
});
export type LedgerEntryForm = z.infer<typeof ledgerEntryFormSchema>;

const rowId = z.int().positive();

/**
 * Body of PUT /api/account/{id}. `version` is the version to correct; without `version`, any version is
 * replaced. `release_dues` marks as unpaid the dues that the corrected entry can no longer pay.
 */
export const ledgerEntryChangeSchema = ledgerEntryFormSchema.extend({
  // Optional without a default: an absent field keeps the stored text, and a default would empty it.
  category: textsSchema.shape.category.unwrap().optional(),
  version: rowId.optional(),
  release_dues: z.boolean().optional(),
});
export type LedgerEntryChange = z.infer<typeof ledgerEntryChangeSchema>;

/** `field` of the 409 for a correction to an amount below the dues that the entry has paid. */
export const RELEASE_DUES_FIELD = 'release_dues' satisfies keyof LedgerEntryChange;

/** An entry as listed by GET /api/account: newest first; on the same day, the last added first. */
export type LedgerEntry = LedgerEntryForm & {
  id: number;
  /** Starts at 1 and rises with every correction. */
  version: number;
};

/** The current entry in the body of a 409. */
export const storedEntrySchema: z.ZodType<LedgerEntry> = z.object({
  id: rowId,
  amount: z.int(),
  datetime: z.string(),
  description: z.string(),
  category: z.string(),
  version: rowId,
});

/** An entry before a correction, as listed by GET /api/account/{id}/history, newest first. */
export type EntryRevision = LedgerEntryForm & {
  version: number;
  /** When the entry was corrected: ISO 8601, UTC. */
  replaced_at: string;
  /** The user who corrected the entry; the name is null if that user was deleted later. */
  replaced_by: { id: number; name: string | null };
};

/** One of GET /api/account/originals: the first state of an entry that was corrected or deleted later. */
export type OriginalEntry = Pick<LedgerEntry, 'id' | 'amount' | 'datetime' | 'description'> & {
  is_deleted: boolean;
};

export const BULK_ENTRIES_MAX = 1000;

/** Body of POST /api/account/deletions: the entries as the user saw them. Either all are deleted or none. */
export const entryDeletionsSchema = z.object({
  entries: z
    .array(z.object({ id: rowId, version: rowId }))
    .min(1, '내역을 선택하세요')
    .max(BULK_ENTRIES_MAX, `한 번에 ${BULK_ENTRIES_MAX}건까지 선택할 수 있습니다`)
    .refine((entries) => new Set(entries.map(({ id }) => id)).size === entries.length),
});
export type EntryDeletions = z.infer<typeof entryDeletionsSchema>;

/** Body of POST /api/account/categories: entries, and the category that all of them get; '' for none. */
export const categorizationSchema = z.object({
  entries: entryDeletionsSchema.shape.entries,
  category: textsSchema.shape.category.unwrap(),
});
export type Categorization = z.infer<typeof categorizationSchema>;

/** An entry with its kind, and with the balance after it, which is not stored. */
export type EntryWithBalance = LedgerEntry & { type: 'deposit' | 'withdraw'; balance: bigint };

/**
 * @param entries newest first, as listed. The balance is a bigint because thousands of large amounts exceed a
 * number's safe range.
 */
export function withBalances(entries: readonly LedgerEntry[]): EntryWithBalance[] {
  let balance = 0n;
  const booked: EntryWithBalance[] = [];
  for (const entry of entries.toReversed()) {
    balance += BigInt(entry.amount);
    booked.push({ ...entry, type: entry.amount > 0 ? 'deposit' : 'withdraw', balance });
  }
  return booked.toReversed();
}

export const isPlanned = ({ datetime }: Pick<LedgerEntry, 'datetime'>, today: string) =>
  dateOf(datetime) > today;

/** The account's balance at the end of a day. @param entries newest first */
export function balanceOn(entries: readonly EntryWithBalance[], date: string): bigint {
  return entries.find((entry) => dateOf(entry.datetime) <= date)?.balance ?? 0n;
}

/** Header `Idempotency-Key` of POST /api/account: a repeated request with the same body adds nothing. */
export const IDEMPOTENCY_KEY_PATTERN = /^[\x21-\x7e]{1,128}$/;

/** `field` of the 409 for an idempotency key whose entry has since been deleted. */
export const DELETED_ENTRY_FIELD = 'id';

/**
 * Header `Import-Run` of POST /api/account, beside an Idempotency-Key: entries with the same value were
 * imported together, and their import can be undone.
 */
export const IMPORT_RUN_PATTERN = /^[\x21-\x7e]{1,64}$/;

/** What is deleted together with entries: their receipts, and the dues payments that they made. */
const takenAlong = {
  entries: confirmedCountSchema,
  receipts: confirmedCountSchema,
  dues: confirmedCountSchema,
};

/** One item of GET /api/account/imports: an import with at least one entry that still exists. */
export type StoredLedgerImport = ImportRecord & {
  /** How many entries the import added; `entries` of them still exist. */
  added: number;
  /** How many of the existing entries were corrected after the import. */
  corrected: number;
  sum: number;
  /** Datetimes of the first and the last entry. */
  first: string;
  last: string;
} & Record<keyof typeof takenAlong, number>;

/** How many days a deleted entry can be restored with its receipts and its history. */
export const BIN_DAYS = 30;

/** One item of GET /api/account/bin: a deleted entry; the last deleted comes first. */
export type BinnedEntry = Omit<LedgerEntry, 'category' | 'version'> & {
  receipts: number;
  /** ISO 8601, UTC. */
  deleted_at: string;
};

/** Query of DELETE /api/account/imports/{id}: counts that the user confirmed; 409 if one has changed. */
export const undoLedgerImportSchema = z.object(takenAlong);
export type ConfirmedUndoCounts = z.output<typeof undoLedgerImportSchema>;

/** Accepted file types; the type is detected from the file's content, not its name. */
export const RECEIPT_TYPES = ['image/jpeg', 'image/png', 'image/webp', 'application/pdf'] as const;
export type ReceiptType = (typeof RECEIPT_TYPES)[number];

export const RECEIPT_BYTES_MAX = 10 * 1024 * 1024;
export const RECEIPTS_PER_ENTRY = 5;

/** A receipt of GET /api/account/receipts. POST /api/account/{id}/receipts takes one file, as `receipt`. */
export type Receipt = {
  /** 32 hexadecimal digits, as in GET /api/account/receipts/{id}, which returns the file. */
  id: string;
  entry_id: number;
  /** The file's original name. */
  name: string;
  type: ReceiptType;
  /** Size in bytes. */
  size: number;
};
