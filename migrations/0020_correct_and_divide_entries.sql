CREATE TABLE `ledger_history` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`entry_id` integer NOT NULL,
	`version` integer NOT NULL,
	`amount` integer NOT NULL,
	`datetime` text NOT NULL,
	`description` text NOT NULL,
	`category` text NOT NULL,
	`replaced_at` integer NOT NULL,
	`replaced_by` integer NOT NULL,
	FOREIGN KEY (`entry_id`) REFERENCES `ledger_entries`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `ledger_history_by_entry` ON `ledger_history` (`entry_id`,`version`);
--> statement-breakpoint
ALTER TABLE `dues` ADD `amount` integer;
--> statement-breakpoint
ALTER TABLE `ledger_entries` ADD `category` text DEFAULT '' NOT NULL;
--> statement-breakpoint
CREATE TRIGGER `ledger_history_is_append_only` BEFORE UPDATE ON `ledger_history`
BEGIN
	SELECT RAISE(ABORT, 'the history of an entry is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER `ledger_history_goes_with_its_entry` BEFORE DELETE ON `ledger_history`
WHEN EXISTS (SELECT 1 FROM `ledger_entries` WHERE id = OLD.entry_id)
BEGIN
	SELECT RAISE(ABORT, 'the history of an entry is append-only');
END;
