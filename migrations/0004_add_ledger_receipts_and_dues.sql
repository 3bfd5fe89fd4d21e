CREATE TABLE `dues` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`year` integer NOT NULL,
	`semester` integer NOT NULL,
	`user_id` integer,
	`name` text NOT NULL,
	`entry_id` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`entry_id`) REFERENCES `ledger_entries`(`id`) ON UPDATE no action ON DELETE set null,
	CONSTRAINT "dues_year" CHECK(year BETWEEN 2021 AND 2050),
	CONSTRAINT "dues_semester" CHECK(semester BETWEEN 1 AND 2),
	CONSTRAINT "dues_name" CHECK(name <> '')
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `dues_by_term` ON `dues` (`year`,`semester`,`user_id`);--> statement-breakpoint
CREATE INDEX `dues_by_user` ON `dues` (`user_id`);--> statement-breakpoint
CREATE INDEX `dues_by_entry` ON `dues` (`entry_id`);--> statement-breakpoint
CREATE TABLE `ledger_entries` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`amount` integer NOT NULL,
	`datetime` text NOT NULL,
	`description` text NOT NULL,
	CONSTRAINT "ledger_entries_amount" CHECK(abs(amount) BETWEEN 1 AND 1000000000000),
	CONSTRAINT "ledger_entries_datetime" CHECK(datetime IS strftime('%Y-%m-%dT13:00:00', datetime)),
	CONSTRAINT "ledger_entries_description" CHECK(trim(description) <> '')
) STRICT;
--> statement-breakpoint
CREATE INDEX `ledger_entries_by_time` ON `ledger_entries` (`datetime`);--> statement-breakpoint
CREATE TABLE `ledger_keys` (
	`user_id` integer NOT NULL,
	`key` text NOT NULL,
	`body_hash` text NOT NULL,
	`entry_id` integer NOT NULL,
	PRIMARY KEY(`user_id`, `key`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "ledger_keys_key" CHECK(length(key) BETWEEN 1 AND 128),
	CONSTRAINT "ledger_keys_body_hash" CHECK(length(body_hash) = 64)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `receipts` (
	`id` text PRIMARY KEY NOT NULL,
	`entry_id` integer NOT NULL,
	`name` text NOT NULL,
	`content_type` text NOT NULL,
	`size` integer NOT NULL,
	`uploaded_at` integer NOT NULL,
	FOREIGN KEY (`entry_id`) REFERENCES `ledger_entries`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "receipts_id" CHECK(length(id) = 32 AND id NOT GLOB '*[^0-9a-f]*'),
	CONSTRAINT "receipts_name" CHECK(name <> ''),
	CONSTRAINT "receipts_content_type" CHECK(content_type IN ('image/jpeg', 'image/png', 'image/webp', 'application/pdf')),
	CONSTRAINT "receipts_size" CHECK(size > 0)
) STRICT;
--> statement-breakpoint
CREATE INDEX `receipts_by_entry` ON `receipts` (`entry_id`);