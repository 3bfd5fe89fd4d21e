CREATE TABLE `ledger_version` (
	`id` integer PRIMARY KEY NOT NULL,
	`tag` text NOT NULL,
	`entries` integer NOT NULL,
	CONSTRAINT "ledger_version_id" CHECK(id = 1)
) STRICT;
--> statement-breakpoint
INSERT INTO `ledger_version` SELECT 1, lower(hex(randomblob(8))), count(*) FROM `ledger_entries`;
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
