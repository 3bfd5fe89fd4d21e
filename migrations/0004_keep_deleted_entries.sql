CREATE TABLE `deleted_entries` (
	`id` integer PRIMARY KEY NOT NULL,
	`entry` text NOT NULL,
	`history` text NOT NULL,
	`receipts` text NOT NULL,
	`deleted_at` integer NOT NULL
) STRICT;
