-- D1 keeps foreign keys on: dropping `ledger_entries` would take the receipts and the payments of dues along, so they
-- step aside, and its counter, indexes and triggers are made again.
CREATE TABLE `__kept_receipts` AS SELECT * FROM `receipts`;
--> statement-breakpoint
CREATE TABLE `__kept_payments` AS SELECT id, entry_id FROM `dues` WHERE entry_id IS NOT NULL;
--> statement-breakpoint
DELETE FROM `receipts`;
--> statement-breakpoint
UPDATE `dues` SET entry_id = NULL;
--> statement-breakpoint
CREATE TABLE `__new_ledger_entries` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`amount` integer NOT NULL,
	`datetime` text NOT NULL,
	`description` text NOT NULL,
	CONSTRAINT "ledger_entries_amount" CHECK(abs(amount) BETWEEN 1 AND 1000000000000),
	CONSTRAINT "ledger_entries_datetime" CHECK(datetime IS strftime('%Y-%m-%dT13:00:00', datetime))
) STRICT;
--> statement-breakpoint
INSERT INTO `__new_ledger_entries`("id", "amount", "datetime", "description") SELECT "id", "amount", "datetime", "description" FROM `ledger_entries`;
--> statement-breakpoint
DELETE FROM `sqlite_sequence` WHERE name = '__new_ledger_entries';
--> statement-breakpoint
INSERT INTO `sqlite_sequence` (name, seq) SELECT '__new_ledger_entries', seq FROM `sqlite_sequence` WHERE name = 'ledger_entries';
--> statement-breakpoint
DROP TABLE `ledger_entries`;
--> statement-breakpoint
ALTER TABLE `__new_ledger_entries` RENAME TO `ledger_entries`;
--> statement-breakpoint
CREATE INDEX `ledger_entries_by_time` ON `ledger_entries` (`datetime`);
--> statement-breakpoint
CREATE TRIGGER `ledger_version_on_insert` AFTER INSERT ON `ledger_entries`
BEGIN
	UPDATE `ledger_version` SET tag = lower(hex(randomblob(8))), entries = entries + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `ledger_version_on_update` AFTER UPDATE ON `ledger_entries`
BEGIN
	UPDATE `ledger_version` SET tag = lower(hex(randomblob(8)));
END;
--> statement-breakpoint
CREATE TRIGGER `ledger_version_on_delete` AFTER DELETE ON `ledger_entries`
BEGIN
	UPDATE `ledger_version` SET tag = lower(hex(randomblob(8))), entries = entries - 1;
END;
--> statement-breakpoint
INSERT INTO `receipts` (id, entry_id, name, content_type, size, uploaded_at)
SELECT id, entry_id, name, content_type, size, uploaded_at FROM `__kept_receipts`;
--> statement-breakpoint
UPDATE `dues` SET entry_id = (SELECT kept.entry_id FROM `__kept_payments` AS kept WHERE kept.id = dues.id)
WHERE id IN (SELECT id FROM `__kept_payments`);
--> statement-breakpoint
DROP TABLE `__kept_receipts`;
--> statement-breakpoint
DROP TABLE `__kept_payments`;
