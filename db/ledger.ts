import type { LedgerEntry } from '#contract/ledger';
import type { ReceiptType } from '#contract/receipts';
import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { users } from './schema.ts';

/* The lab fee account. The rules of schema.ts hold here too. */

/** Entries are added and deleted, never changed. The balance is their sum and stands nowhere. */
export const ledgerEntries = sqliteTable(
  'ledger_entries',
  {
    /** Never given twice: keys, receipts and the log name it after its deletion. */
    id: integer().primaryKey({ autoIncrement: true }),
    /** Whole won: above zero a deposit, below a withdrawal. */
    amount: integer().notNull(),
    /** A day in Seoul as `YYYY-MM-DDT13:00:00`. */
    datetime: text().notNull(),
    /** May be empty. */
    description: text().notNull(),
  } satisfies Record<keyof LedgerEntry, unknown>,
  (table) => [
    index('ledger_entries_by_time').on(table.datetime),
    check('ledger_entries_amount', sql`abs(amount) BETWEEN 1 AND 1000000000000`),
    check('ledger_entries_datetime', sql`datetime IS strftime('%Y-%m-%dT13:00:00', datetime)`),
  ],
);

/** One row: `tag` is another after every change of the entries. Kept by triggers. */
export const ledgerVersion = sqliteTable(
  'ledger_version',
  {
    id: integer().primaryKey(),
    tag: text().notNull(),
    /** How many there are. */
    entries: integer().notNull(),
  },
  () => [check('ledger_version_id', sql`id = 1`)],
);

/** What was sent under which Idempotency-Key. A key outlives its entry: a late retry does not bring it back. */
export const ledgerKeys = sqliteTable(
  'ledger_keys',
  {
    user_id: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    key: text().notNull(),
    /** SHA-256 of the entry in hex. */
    body_hash: text().notNull(),
    entry_id: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.user_id, table.key] }),
    check('ledger_keys_key', sql`length(key) BETWEEN 1 AND 128`),
    check('ledger_keys_body_hash', sql`length(body_hash) = 64`),
  ],
);

/** What R2 holds of an entry, under `receipts/{id}`. */
export const receipts = sqliteTable(
  'receipts',
  {
    /** 128 random bits in hex, so that no object is ever written twice. */
    id: text().primaryKey(),
    entry_id: integer()
      .notNull()
      .references(() => ledgerEntries.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    content_type: text().$type<ReceiptType>().notNull(),
    size: integer().notNull(),
    uploaded_at: integer().notNull(),
  },
  (table) => [
    index('receipts_by_entry').on(table.entry_id),
    check('receipts_id', sql`length(id) = 32 AND id NOT GLOB '*[^0-9a-f]*'`),
    check('receipts_name', sql`name <> ''`),
    check(
      'receipts_content_type',
      sql`content_type IN ('image/jpeg', 'image/png', 'image/webp', 'application/pdf')`,
    ),
    check('receipts_size', sql`size > 0`),
  ],
);

/**
 * Who owes the dues (회비) of a semester, and the entry that paid them. Users of the lab owe them without a row here: it
 * comes with their payment. Typed names have their row from the start.
 */
export const dues = sqliteTable(
  'dues',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    year: integer().notNull(),
    /** 1 or 2, as the university counts. */
    semester: integer().notNull(),
    /** NULL for a typed name, and for a user who was deleted since. */
    user_id: integer().references(() => users.id, { onDelete: 'set null' }),
    name: text().notNull(),
    /** NULL while unpaid, and again when the entry is deleted. */
    entry_id: integer().references(() => ledgerEntries.id, { onDelete: 'set null' }),
    /** When the user was deleted whose name still stands here. Kept by a trigger. */
    user_deleted_at: integer(),
  },
  (table) => [
    uniqueIndex('dues_by_term').on(table.year, table.semester, table.user_id),
    index('dues_by_user').on(table.user_id),
    index('dues_by_entry').on(table.entry_id),
    check('dues_year', sql`year BETWEEN 2021 AND 2050`),
    check('dues_semester', sql`semester BETWEEN 1 AND 2`),
    check('dues_name', sql`name <> ''`),
  ],
);
