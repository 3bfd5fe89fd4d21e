import type { EntryRevision, LedgerEntry, ReceiptType } from '#contract/ledger';
import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { users } from './users.ts';

/* The lab fee account. The conventions of users.ts apply. */

/** The balance is the sum of the entries and is not stored. */
export const ledgerEntries = sqliteTable(
  'ledger_entries',
  {
    /** Never reused: keys, receipts and the log refer to it even after the entry is deleted. */
    id: integer().primaryKey({ autoIncrement: true }),
    /** Whole won; positive for a deposit, negative for a withdrawal. */
    amount: integer().notNull(),
    /** A date in Seoul, as `YYYY-MM-DDT13:00:00`. */
    datetime: text().notNull(),
    /** The description may be empty. */
    description: text().notNull(),
    /** The category may be empty. */
    category: text().notNull().default(''),
    /** Raised by a trigger with every correction. */
    version: integer().notNull().default(1),
  } satisfies Record<keyof LedgerEntry, unknown>,
  (table) => [
    index('ledger_entries_by_time').on(table.datetime),
    check('ledger_entries_amount', sql`abs(amount) BETWEEN 1 AND 1000000000000`),
    check('ledger_entries_datetime', sql`datetime IS strftime('%Y-%m-%dT13:00:00', datetime)`),
  ],
);

/**
 * The state of entries before each correction. Triggers refuse every change, and every deletion except
 * together with the entry: a personal text that is deleted with an entry must not stay here.
 */
export const ledgerHistory = sqliteTable(
  'ledger_history',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    entry_id: integer()
      .notNull()
      .references(() => ledgerEntries.id, { onDelete: 'cascade' }),
    version: integer().notNull(),
    amount: integer().notNull(),
    datetime: text().notNull(),
    description: text().notNull(),
    category: text().notNull(),
    replaced_at: integer().notNull(),
    /** The user's id. No reference, because nothing here changes when the user is deleted. */
    replaced_by: integer().notNull(),
  } satisfies Record<keyof EntryRevision, unknown> & Record<'id' | 'entry_id', unknown>,
  (table) => [uniqueIndex('ledger_history_by_entry').on(table.entry_id, table.version)],
);

/** A single row whose `tag` changes with every change to the entries. Maintained by triggers. */
export const ledgerVersion = sqliteTable(
  'ledger_version',
  {
    id: integer().primaryKey(),
    tag: text().notNull(),
    entries: integer().notNull(),
  },
  () => [check('ledger_version_id', sql`id = 1`)],
);

/**
 * The requests sent under each Idempotency-Key. A key stays when its entry is deleted: otherwise a late retry
 * would create the entry again.
 */
export const ledgerKeys = sqliteTable(
  'ledger_keys',
  {
    user_id: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    key: text().notNull(),
    /** SHA-256 of the entry, in hex. */
    body_hash: text().notNull(),
    entry_id: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.user_id, table.key] }),
    check('ledger_keys_key', sql`length(key) BETWEEN 1 AND 128`),
    check('ledger_keys_body_hash', sql`length(body_hash) = 64`),
  ],
);

/** Imports of entries, until they can no longer be undone. */
export const ledgerImports = sqliteTable(
  'ledger_imports',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    at: integer().notNull(),
    user_id: integer().references(() => users.id, { onDelete: 'set null' }),
    /** The value of the Import-Run header that the import's requests had in common. */
    run: text().notNull(),
  },
  (table) => [
    uniqueIndex('ledger_imports_by_run').on(table.user_id, table.run),
    check('ledger_imports_run', sql`length(run) BETWEEN 1 AND 64`),
  ],
);

/** Which import added an entry. A row stays when its entry is deleted, because the import still counts it. */
export const ledgerImportEntries = sqliteTable(
  'ledger_import_entries',
  {
    entry_id: integer().primaryKey(),
    import_id: integer()
      .notNull()
      .references(() => ledgerImports.id, { onDelete: 'cascade' }),
  },
  (table) => [index('ledger_import_entries_by_import').on(table.import_id)],
);

/** Receipts stored in R2 under `receipts/{id}`. */
export const receipts = sqliteTable(
  'receipts',
  {
    /** 128 random bits in hex, so that no object is ever overwritten. */
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
 * Deleted entries with all that was deleted with them, as long as they can be restored. Of an entry that
 * cannot be restored, only date and amount stay. No other table refers to deleted entries.
 */
export const deletedEntries = sqliteTable('deleted_entries', {
  /** The id that the entry had, and gets again when it is restored. */
  id: integer().primaryKey(),
  /** JSON of the entry's columns except `id`, with the key `is_undone` if an import's undo deleted it. */
  entry: text().notNull(),
  /** JSON arrays of the entry's states before corrections, and of its receipts, whose files stay in R2. */
  history: text().notNull(),
  receipts: text().notNull(),
  deleted_at: integer().notNull(),
});

/**
 * Who owes the dues (회비) of a semester, and the entry that paid them. The lab's users owe dues without a row
 * here; their row is created with the payment. People entered by name have a row from the start.
 */
export const dues = sqliteTable(
  'dues',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    year: integer().notNull(),
    /** 1 or 2, the university's numbering. */
    semester: integer().notNull(),
    /** NULL for a person entered by name, and after the user has been deleted. */
    user_id: integer().references(() => users.id, { onDelete: 'set null' }),
    name: text().notNull(),
    /** NULL while unpaid, and again when the entry is deleted. */
    entry_id: integer().references(() => ledgerEntries.id, { onDelete: 'set null' }),
    /** How much of the entry pays the dues, in won; NULL for the whole entry. Meaningless while unpaid. */
    amount: integer(),
    /** When the user whose name is still shown here was deleted. Maintained by a trigger. */
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
