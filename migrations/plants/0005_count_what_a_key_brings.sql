ALTER TABLE `bridge_keys` ADD `sent_rows` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE `bridge_keys` ADD `sent_day` integer;
--> statement-breakpoint
ALTER TABLE `plants` ADD `brought_by` integer;
